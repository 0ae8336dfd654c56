"""Classifiers for tail labels: how near a row lies to the mean of a label's rows."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank._parallel import over_blocks
from labelrank.ranking import Ranking
from labelrank.scorers._checks import check_n_jobs, positive
from labelrank.scorers.base import Scorer, whole
from labelrank.scorers.trees.fast_xml import row_parts
from labelrank.store import Array, Field, Number, Sparse

__all__ = ["TailLabels"]


class TailLabels(Scorer):
    r"""Rank labels by how near a row lies to the mean of the training rows that have them.

    .. math::
        P(y_l = 1 \mid x) = \frac{1}{1 + e^{\frac{\gamma}{2} \|x - \mu_l\|^2}}, \qquad
        \mu_l = \frac{\sum_i y_{il}\, x_i}{\sum_i y_{il}}

    Paper 003, (5) and (7). A label that few rows have is predicted as well as any other. Scores are
    logarithms of P.

    Parameters
    ----------
    gamma : float
        How fast P falls with the distance.
    top : int, optional
        How many labels to list for a row; by default all that a training row has.
    n_jobs : int, optional
        Blocks of rows at a time; results do not depend on it.

    Attributes
    ----------
    means_ : float32 CSR (n_features, n_labels)
        :math:`\mu_l` of rows of length one.
    squares_ : float32 array (n_labels,)
        :math:`\|\mu_l\|^2`.
    counts_ : int64 array (n_labels,)
        How many training rows have the label.

    Notes
    -----
    Rows are scaled to length one, so that γ means the same for all data.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import TailLabels
    >>> X, Y = np.eye(3), np.array([[1, 0], [1, 0], [0, 1]])
    >>> TailLabels(gamma=2).fit(X, Y).rank(X[:1])  # the squared distances are 1/2 and 2
    Ranking(1 rows, 2 labels, 2 entries)
      0: 0 (-0.974), 1 (-2.13)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "means_": Sparse(),
        "squares_": Array("f4"),
        "counts_": Array("i8"),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    means_: sp.csr_array
    squares_: NDArray[np.float32]
    counts_: NDArray[np.int64]

    def __init__(
        self, gamma: float = 30.0, top: int | None = None, n_jobs: int | None = None
    ) -> None:
        self.gamma = gamma
        self.top = top
        self.n_jobs = n_jobs

    def log_probabilities(
        self, X: sp.csr_array, indptr: NDArray[np.int64], labels: NDArray[np.int32]
    ) -> NDArray[np.float32]:
        """Logarithms of P for some labels of each row, given as CSR; rows have length one."""
        return _native.tail_scores(
            *row_parts(X), *row_parts(self.means_), self.squares_, indptr, labels, self.gamma
        )

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self.counts_ = np.bincount(Y.indices, minlength=Y.shape[1]).astype(np.int64)
        mass = np.bincount(Y.indices, weights=Y.data, minlength=Y.shape[1])
        shares = (Y.data / mass[Y.indices]).astype(np.float32)
        weights = sp.csr_array((shares, Y.indices, Y.indptr), shape=Y.shape)
        self.means_ = sp.csr_array(sp.csc_array(unit_rows(X)).T @ weights)
        squares = np.square(self.means_.data, dtype=np.float64)
        sums = np.bincount(self.means_.indices, weights=squares, minlength=Y.shape[1])
        self.squares_ = sums.astype(np.float32)

    def _rank(self, X: Any, k: int | None) -> Ranking:
        rows = unit_rows(X)
        known = np.flatnonzero(self.counts_).astype(np.int32)

        def best(part: slice) -> Ranking:
            n = part.stop - part.start
            indptr = np.arange(n + 1, dtype=np.int64) * len(known)
            labels = np.tile(known, n)
            scores = self.log_probabilities(rows[part], indptr, labels)
            return Ranking.from_entries(indptr, labels, scores, self.n_labels_, k or self.top)

        block = max(1, min(1024, (1 << 22) // max(len(known), 1)))
        return Ranking.stack(over_blocks(best, rows.shape[0], self.n_jobs, block))

    def _check_params(self) -> None:
        positive("gamma", self.gamma)
        if self.top is not None:
            whole("top", self.top)
        check_n_jobs(self.n_jobs)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if self.means_.shape != (self.n_features_in_, self.n_labels_):
            raise ValueError(f"means of shape {self.means_.shape} do not fit")
        if self.squares_.shape != (self.n_labels_,) or self.counts_.shape != (self.n_labels_,):
            raise ValueError(f"squares and counts are not one for each of {self.n_labels_} labels")


def unit_rows(X: Any) -> sp.csr_array:
    """Rows divided by their length, which is taken in float64; rows of zeros stay."""
    rows = sp.csr_array(X)
    lengths = np.diff(rows.indptr)
    totals = np.concatenate([[0.0], np.cumsum(np.square(rows.data, dtype=np.float64))])
    sums = totals[rows.indptr[1:]] - totals[rows.indptr[:-1]]
    scale = 1 / np.sqrt(np.where(sums > 0, sums, 1))
    data = (rows.data * np.repeat(scale, lengths)).astype(np.float32)
    return sp.csr_array((data, rows.indices, rows.indptr), shape=rows.shape)
