"""ML-kNN: how many neighbours have a label says how probable it is."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank._parallel import over_blocks
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers._checks import check_n_jobs, positive
from labelrank.scorers._neighbourhood import count_labels, nearest_rows, presence
from labelrank.scorers.base import Scorer, whole
from labelrank.store import Array, Field, Matrix, Number, Sparse

__all__ = ["MLkNN"]


class MLkNN(Scorer):
    r"""Rank labels by their probability given how many of the k nearest rows have them.

    With j the number of neighbours of x that have label l, and :math:`c_l[j]` (:math:`c'_l[j]`) the
    number of training rows with (without) l that have j such neighbours among the others,

    .. math::
        P(l) = \frac{s + n_l}{2s + n}, \quad
        P(j \mid l) = \frac{s + c_l[j]}{s (k + 1) + \sum_i c_l[i]}, \quad
        P(l \mid j) = \frac{P(l) P(j \mid l)}{P(l) P(j \mid l) + P(\bar l) P(j \mid \bar l)}

    Parameters
    ----------
    k : int
        Neighbours by Euclidean distance; of equally near ones the earlier training row comes first.
    smoothing : float
        s: how many rows of each kind are imagined beside those seen.
    ranks_by : {"posterior", "joint"}
        :math:`P(l \mid j)`, as the paper ranks, or only its numerator :math:`P(l) P(j \mid l)`, as
        scikit-multilearn's `predict_proba` does.
    leave_out : bool
        A training row is no neighbour of its own when the c are counted. False counts it, as
        scikit-multilearn does by default: then the counts have seen the label they shall tell.
    top : int, optional
        How many labels to list for a row; all by default.
    n_jobs : int, optional
        Blocks of rows at a time; results do not depend on it.

    Attributes
    ----------
    rows_ : float32 (n_rows, n_features)
        The training rows.
    labels_ : float32 CSR (n_rows, n_labels)
        1 where they have a label.
    probability_ : float64 array (n_labels, k + 1)
        The score of each label for each j.

    References
    ----------
    Zhang & Zhou (2007), "ML-KNN: A lazy learning approach to multi-label learning", equations 2 to
    4 and figure 1; compared with in paper 000, §3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import MLkNN
    >>> X = np.array([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]])
    >>> Y = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 1]])
    >>> MLkNN(k=2).fit(X, Y).rank(np.array([[0.5], [8.5]]))
    Ranking(2 rows, 2 labels, 4 entries)
      0: 0 (0.8), 1 (0.2)
      1: 1 (0.8), 0 (0.2)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "rows_": Matrix(),
        "labels_": Sparse(),
        "probability_": Array("f8", 2),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    rows_: Any
    labels_: sp.csr_array
    probability_: NDArray[np.float64]

    def __init__(
        self,
        k: int = 10,
        smoothing: float = 1.0,
        ranks_by: Literal["posterior", "joint"] = "posterior",
        leave_out: bool = True,
        top: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.smoothing = smoothing
        self.ranks_by = ranks_by
        self.leave_out = leave_out
        self.top = top
        self.n_jobs = n_jobs

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self.rows_ = X
        self.labels_ = presence(Y)
        near = nearest_rows(X, X, self.k, own=bool(self.leave_out), n_jobs=self.n_jobs)
        having, lacking = self._tables(near)
        n, s = Y.shape[0], float(self.smoothing)
        prior = (s + np.bincount(Y.indices, minlength=Y.shape[1])) / (2 * s + n)
        joint, other = (
            share[:, None] * (s + table) / (s * (self.k + 1) + table.sum(axis=1, keepdims=True))
            for share, table in ((prior, having), (1 - prior, lacking))
        )
        self.probability_ = joint / (joint + other) if self.ranks_by == "posterior" else joint

    def _tables(self, near: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows with, and without, each label that have j neighbours with it: (n_labels, k + 1)."""
        n, m = self.labels_.shape
        shape, width = (m, self.k + 1), self.k + 1
        all_, having = np.zeros(m * width, np.int64), np.zeros(m * width, np.int64)
        for start in range(0, n, 1024):
            part = slice(start, start + 1024)
            counts = count_labels(near[part], self.labels_)
            cells = counts.indices.astype(np.int64) * width + counts.data.astype(np.int64)
            all_ += np.bincount(cells, minlength=m * width)
            own = sp.csr_array(counts.multiply(self.labels_[part]))
            cells = own.indices.astype(np.int64) * width + own.data.astype(np.int64)
            having += np.bincount(cells, minlength=m * width)
        all_, having = all_.reshape(shape), having.reshape(shape)
        all_[:, 0] = having[:, 0] = 0  # the rest: counts of 0 are not stored
        all_[:, 0] = n - all_.sum(axis=1)
        sizes = np.bincount(self.labels_.indices, minlength=m)
        having[:, 0] = sizes - having.sum(axis=1)
        return having, all_ - having

    def _rank(self, X: Any, k: int | None) -> Ranking:
        near = nearest_rows(self.rows_, X, self.k, n_jobs=self.n_jobs)
        labels = np.arange(self.n_labels_)

        def best(part: slice) -> Ranking:
            counts = count_labels(near[part], self.labels_).toarray().astype(np.int64)
            return Ranking.from_dense(self.probability_[labels, counts], k or self.top)

        return Ranking.stack(over_blocks(best, len(near), self.n_jobs, 1024))

    def _check_params(self) -> None:
        whole("k", self.k)
        positive("smoothing", self.smoothing)
        if self.ranks_by not in ("posterior", "joint"):
            raise InputError(f"ranks_by must be posterior or joint, not {self.ranks_by!r}.")
        if not isinstance(self.leave_out, bool | np.bool_):
            raise InputError(f"leave_out must be True or False, found {self.leave_out!r}.")
        if self.top is not None:
            whole("top", self.top)
        check_n_jobs(self.n_jobs)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if self.rows_.shape != (self.labels_.shape[0], self.n_features_in_):
            raise ValueError("rows, labels and features do not have the same numbers")
        if self.labels_.shape[1] != self.n_labels_ or (self.labels_.data != 1).any():
            raise ValueError("the labels are not ones for every label")
        if not self.labels_.has_canonical_format:
            raise ValueError("a row has a label twice")
        if self.probability_.shape != (self.n_labels_, self.k + 1):
            raise ValueError(f"probabilities of shape {self.probability_.shape} do not fit")
