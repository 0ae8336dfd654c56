"""Sparse rows for linear classifiers, and the weights that dual coordinate descent finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelrank import _native
from labelrank.errors import InputError
from labelrank.scorers._checks import positive
from labelrank.scorers.base import whole

__all__ = ["Descent", "SparseRows", "Weights", "check_descent", "seed_of"]

_BLOCK = 4096  # rows whose squares are in memory at a time
_Single = NDArray[np.float32]


@dataclass(frozen=True)
class SparseRows:
    """CSR rows as kernels take them, and a factor for each row.

    Values are not multiplied by the factor in memory: rows that are mapped from a file stay there.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: _Single
    scales: _Single
    n_features: int

    @classmethod
    def of(cls, X: Any, normalize: bool) -> SparseRows:
        """Checked float32 rows, CSR or dense; with `normalize`, factors give each length one."""
        rows = sp.csr_array(X)
        scales = np.ones(rows.shape[0])
        if normalize:
            for at in range(0, rows.shape[0], _BLOCK):
                starts = rows.indptr[at : at + _BLOCK + 1]
                squares = np.square(rows.data[starts[0] : starts[-1]], dtype=np.float64)
                sums = np.add.reduceat(np.append(squares, 0), starts[:-1] - starts[0])
                known = (np.diff(starts) > 0) & (sums > 0)
                scales[at : at + _BLOCK][known] = 1 / np.sqrt(sums[known])
        return cls(
            np.ascontiguousarray(rows.indptr, dtype=np.int64),
            np.ascontiguousarray(rows.indices, dtype=np.int32),
            np.ascontiguousarray(rows.data, dtype=np.float32),
            scales.astype(np.float32),
            rows.shape[1],
        )

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return len(self.indptr) - 1

    def arrays(self, part: slice | None = None) -> tuple[Any, Any, Any, Any]:
        """(indptr, indices, data, scales) of all rows, or of a block of them."""
        if part is None:
            return self.indptr, self.indices, self.data, self.scales
        begin, end = self.indptr[part.start], self.indptr[part.stop]
        starts = self.indptr[part.start : part.stop + 1] - begin
        return starts, self.indices[begin:end], self.data[begin:end], self.scales[part]


@dataclass(frozen=True)
class Weights:
    """Of some labels, by feature: those of ``features[f]`` are ``starts[f]:starts[f + 1]``."""

    features: NDArray[np.int32]
    starts: NDArray[np.int64]
    labels: NDArray[np.uint16]
    values: _Single
    bias: _Single


@dataclass(frozen=True)
class Descent:
    r"""Linear classifiers of several labels over the same rows.

    .. math:: \min_{w, b}\ \tfrac{1}{2} (\|w\|^2 + b^2)
        + C \sum_i \max(0, 1 - t_i (w^T x_i + b))^2

    with :math:`t_i = \pm 1`, by coordinate descent on the dual

    .. math:: \min_{\alpha \ge 0}\ \tfrac{1}{2} \sum_{ij} \alpha_i \alpha_j t_i t_j (x_i^T x_j + 1)
        + \tfrac{1}{4C} \sum_i \alpha_i^2 - \sum_i \alpha_i

    whose solution has :math:`w = \sum_i \alpha_i t_i x_i` and :math:`b = \sum_i \alpha_i t_i`
    (Hsieh et al. 2008, Algorithm 3). With the log loss the last two sums are
    :math:`\sum_i \alpha_i \log \alpha_i + (C - \alpha_i) \log(C - \alpha_i)` and α ends at C (Yu,
    Huang & Lin 2011).

    Attributes
    ----------
    loss : {"squared_hinge", "log"}
    C : float
        How much an error costs beside the length of w.
    relevant_cost : float
        How many times as much it costs where the label is relevant.
    tol : float
        The range of the projected gradient at which to stop.
    max_iter : int
        The most passes over the rows.
    threshold : float
        Weights that are not farther from zero are left out.
    fill : float
        A feature that at least this share of labels has a weight for gets one for all of them,
        zeros too, in the order of labels: quicker to go through.
    """

    loss: str
    C: float
    relevant_cost: float
    tol: float
    max_iter: int
    threshold: float
    fill: float = np.inf

    @classmethod
    def of(cls, scorer: Any, loss: str, C: float, fill: float = np.inf) -> Descent:
        """With the other parameters of a scorer."""
        s = scorer
        return cls(loss, C, s.relevant_cost, s.tol, s.max_iter, s.threshold, fill)

    def __call__(
        self,
        rows: SparseRows,
        chosen: NDArray[np.int32],
        indptr: NDArray[np.int64],
        relevant: NDArray[np.int32],
        seed: int,
    ) -> Weights:
        """Learn from the chosen rows; label j is relevant to ``chosen[relevant[a:b]]``.

        a and b are ``indptr[j]`` and ``indptr[j + 1]``. The order of rows in a pass is random.
        """
        try:
            solution = _native.dual_descent(
                *rows.arrays(),
                n_features=rows.n_features,
                chosen=chosen,
                p_indptr=indptr,
                p_rows=relevant,
                log_loss=self.loss == "log",
                C=self.C,
                relevant_cost=self.relevant_cost,
                tol=self.tol,
                passes=self.max_iter,
                threshold=self.threshold,
                fill=self.fill,
                seed=seed,
            )
        except OverflowError as error:
            raise InputError(f"X: {error}: scale it, or use normalize=True.") from None
        return Weights(*solution)


def check_descent(scorer: Any) -> None:
    """Raise InputError when a parameter of the classifiers cannot be used."""
    positive("relevant_cost", scorer.relevant_cost)
    positive("tol", scorer.tol)
    whole("max_iter", scorer.max_iter)
    number = isinstance(scorer.threshold, int | float | np.integer | np.floating)
    if isinstance(scorer.threshold, bool) or not number or not 0 <= scorer.threshold < np.inf:
        raise InputError(f"threshold must be a number from 0, found {scorer.threshold!r}.")
    if not isinstance(scorer.normalize, bool | np.bool_):
        raise InputError(f"normalize must be True or False, found {scorer.normalize!r}.")


def seed_of(random_state: Any) -> int:
    """A seed of 31 bits from what scikit-learn takes as a random state."""
    return int(check_random_state(random_state).randint(1 << 31))
