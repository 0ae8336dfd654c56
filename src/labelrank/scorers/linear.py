"""One-vs-all: a sparse linear classifier for each of many labels."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank._parallel import over_blocks, over_tasks
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers._checks import check_n_jobs, positive
from labelrank.scorers._sparse_linear import Descent, SparseRows, Weights, check_descent, seed_of
from labelrank.scorers.base import Scorer, whole
from labelrank.store import Array, Field, Number, Sparse

__all__ = ["OneVsAll"]

_COSTS = {"log": 10.0, "squared_hinge": 1.0}
_LABELS = 64  # learned by one task, sixteen side by side


class OneVsAll(Scorer):
    r"""Rank labels by one sparse linear classifier each: 1-vs-All for many labels.

    .. math:: s_l(x) = w_l^T x + b_l, \qquad
        \min_{w_l, b_l}\ \tfrac{1}{2} (\|w_l\|^2 + b_l^2) + C \sum_i \ell(t_{il}\, s_l(x_i))

    where :math:`t_{il}` is 1 for the rows that have the label and -1 for the others, and the loss
    is :math:`\ell(m) = \log(1 + e^{-m})` or the squared hinge :math:`\max(0, 1 - m)^2`. Weights
    within `threshold` of zero are then dropped. Each label costs passes over all rows, so that time
    grows with labels × rows; `LabelTree` only shows a label to rows that are near to it.

    Parameters
    ----------
    loss : {"log", "squared_hinge"}
        The log loss orders the labels of a row a little better from the third on where rows have
        few, the squared hinge where they have many.
    C : float, optional
        How much an error costs beside the length of w: by default 10, and 1 with the squared hinge,
        which asks more of the same error.
    relevant_cost : float
        How many times as much an error costs in a row that has the label.
    tol : float
        The range of the projected gradient of the dual at which to stop; with the log loss, how far
        α / C may be from the share that the margin asks for.
    max_iter : int
        The most passes over the rows, where `tol` is not reached.
    threshold : float
        Weights must be farther from zero than this to be kept.
    normalize : bool
        Rows are divided by their Euclidean length, in fit and in rank.
    top : int, optional
        How many labels to list for a row; None for all.
    random_state : int, RandomState instance or None
        For the order of rows in a pass.
    n_jobs : int, optional
        Labels, and blocks of rows, at a time; results do not depend on it.

    Attributes
    ----------
    weights_ : float32 CSR (n_features, n_labels)
    intercept_ : float32 array (n_labels,)

    Notes
    -----
    A label that none of n training rows has scores -1 everywhere, and with the log loss its
    smoothed log odds, :math:`-\log(2n + 1)`. Sixteen labels are solved side by side on dense
    weights of n_features × 16, the only ones there are. `BinarySVM` and `OneVsAllLogistic` have
    the same losses with an intercept that costs nothing, solved precisely and kept dense: for few
    labels.

    References
    ----------
    "1-vs-All" of paper 003, §6. Dual coordinate descent: Hsieh, Chang, Lin, Keerthi & Sundararajan
    (2008); for the log loss Yu, Huang & Lin (2011). Dropping small weights: Babbar & Schölkopf
    (2017).

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import OneVsAll
    >>> X = np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    >>> Y = np.array([[1, 0], [1, 1], [0, 1]])
    >>> model = OneVsAll("squared_hinge", tol=1e-5, max_iter=10000, random_state=0).fit(X, Y)
    >>> model.rank(np.array([[0.5, 0.0]]))
    Ranking(1 rows, 2 labels, 2 entries)
      0: 0 (0.842), 1 (0.0126)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "weights_": Sparse(),
        "intercept_": Array("f4"),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    weights_: sp.csr_array
    intercept_: NDArray[np.float32]

    def __init__(
        self,
        loss: Literal["log", "squared_hinge"] = "log",
        C: float | None = None,
        relevant_cost: float = 1.0,
        tol: float = 0.1,
        max_iter: int = 20,
        threshold: float = 0.1,
        normalize: bool = True,
        top: int | None = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.loss = loss
        self.C = C
        self.relevant_cost = relevant_cost
        self.tol = tol
        self.max_iter = max_iter
        self.threshold = threshold
        self.normalize = normalize
        self.top = top
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        rows = SparseRows.of(X, self.normalize)
        descent = Descent.of(self, self.loss, C=self.C or _COSTS[self.loss])
        columns = sp.csc_array(Y)
        starts, relevant = columns.indptr.astype(np.int64), columns.indices.astype(np.int32)
        counts = np.diff(starts)
        order = np.argsort(-counts, kind="stable")  # equally frequent labels converge alike
        order = order[: np.count_nonzero(counts)]
        blocks = [order[at : at + _LABELS] for at in range(0, len(order), _LABELS)]
        every = np.arange(rows.n_rows, dtype=np.int32)
        seed = seed_of(self.random_state)

        def learn(number: int) -> Weights:
            labels = blocks[number]
            lists = [relevant[starts[label] : starts[label + 1]] for label in labels]
            indptr = np.cumsum([0, *counts[labels]], dtype=np.int64)
            return descent(rows, every, indptr, np.concatenate(lists), seed + number)

        learned = list(over_tasks(learn, range(len(blocks)), self.n_jobs))
        unseen = -1 if self.loss == "squared_hinge" else -np.log(2 * rows.n_rows + 1)
        self.intercept_ = np.full(Y.shape[1], unseen, dtype=np.float32)
        for labels, weights in zip(blocks, learned, strict=True):
            self.intercept_[labels] = weights.bias
        self.weights_ = _joined(blocks, learned, (rows.n_features, Y.shape[1]))

    def _rank(self, X: Any, k: int | None) -> Ranking:
        rows, weights = SparseRows.of(X, self.normalize), self.weights_
        model = (
            weights.indptr.astype(np.int64),
            weights.indices.astype(np.int32, copy=False),
            *(weights.data, self.intercept_),
        )
        width = min(k or self.top or self.n_labels_, self.n_labels_)

        def best(part: slice) -> Ranking:
            labels, scores = _native.rank_linear(*rows.arrays(part), *model, width)
            indptr = np.arange(len(labels) + 1, dtype=np.int64) * width
            return Ranking(indptr, labels.ravel(), scores.ravel(), self.n_labels_)

        try:
            return Ranking.stack(over_blocks(best, rows.n_rows, self.n_jobs, 256))
        except OverflowError as error:
            raise InputError(f"{error}: scale X, or use normalize=True.") from None

    def _check_params(self) -> None:
        if self.loss not in _COSTS:
            raise InputError(f"loss must be squared_hinge or log, not {self.loss!r}.")
        if self.C is not None:
            positive("C", self.C)
        check_descent(self)
        if self.top is not None:
            whole("top", self.top)
        check_n_jobs(self.n_jobs)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if self.weights_.shape != (self.n_features_in_, self.n_labels_):
            raise ValueError(f"weights of shape {self.weights_.shape} do not fit")
        if self.intercept_.shape != (self.n_labels_,):
            raise ValueError(f"{len(self.intercept_)} intercepts for {self.n_labels_} labels")


def _joined(
    blocks: list[NDArray[np.intp]], learned: list[Weights], shape: tuple[int, int]
) -> sp.csr_array:
    """The weights of all blocks of labels as one matrix, features × labels."""
    counts = np.zeros(shape[0] + 1, dtype=np.int64)
    for weights in learned:
        counts[weights.features + 1] += np.diff(weights.starts)
    indptr = np.cumsum(counts)
    indices = np.empty(indptr[-1], dtype=np.int32)
    values = np.empty(indptr[-1], dtype=np.float32)
    free = indptr[:-1].copy()
    for labels, weights in zip(blocks, learned, strict=True):
        sizes = np.diff(weights.starts)
        to = np.repeat(free[weights.features] - weights.starts[:-1], sizes)
        to += np.arange(len(to))
        indices[to] = labels[weights.labels]
        values[to] = weights.values
        free[weights.features] += sizes
    matrix = sp.csr_array((values, indices, indptr), shape=shape)
    matrix.sort_indices()
    return matrix
