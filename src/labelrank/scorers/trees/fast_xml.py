"""FastXML: a forest whose nodes are split so that labels are ranked well on both sides."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelrank import _native
from labelrank._parallel import over_blocks, over_tasks
from labelrank._progress import track
from labelrank._rows import known_rows
from labelrank.data.columns import columns_of, spill_folder
from labelrank.ranking import Ranking
from labelrank.scorers._checks import check_n_jobs, positive
from labelrank.scorers.base import Scorer, whole
from labelrank.scorers.trees.flat import FIELDS, Grown, flat
from labelrank.scorers.trees.gains import split_gains
from labelrank.store import Field, Number

__all__ = ["FastXML"]

_ROUNDS = 30  # of δ and r±; most nodes stand still after five
# Of the logistic regression: when to stop, steps of Newton, sweeps of each, and the slope at w = 0
# that a feature must have to be looked at again (1 is what it needs to enter).
_SOLVER = {"tolerance": 0.03, "steps": 10, "sweeps": 3, "screen": 0.6}


class FastXML(Scorer):
    r"""Rank labels by the mean label distribution of the leaves that a row ends in.

    .. math:: P(y_l = 1 \mid x) = \frac{1}{T} \sum_t P_t^{\text{leaf}}(y_l = 1 \mid x)

    Paper 003, (3). A node sends x by the sign of :math:`w^\top x`, and

    .. math::
        \min_{w, \delta, r^\pm}\ \|w\|_1 + C \sum_i \log(1 + e^{-\delta_i w^\top x_i})
        - \sum_i \tfrac{1 + \delta_i}{2}\, \text{nDCG}(r^+, y_i)
        - \sum_i \tfrac{1 - \delta_i}{2}\, \text{nDCG}(r^-, y_i)

    over its rows i, paper 003, (4) with propensities of 1. From random δ, the sides δ and the
    rankings r± are improved in turn by their closed forms until they stand still; then w is learned
    by an L1-regularised logistic regression of δ. A leaf is the mean of the labels of its rows.

    Parameters
    ----------
    n_trees : int
    leaf_size : int
        Nodes with at most so many rows are leaves.
    leaf_labels : int
        The most labels that a leaf keeps.
    C : float
        How much the log loss costs beside :math:`\|w\|_1`.
    bias : float
        The value of a feature that is added to every row.
    top : int, optional
        How many labels to list for a row; by default all that its leaves have.
    random_state : int, RandomState or None
    n_jobs : int, optional
        Trees, and in `rank` blocks of rows, at a time; results do not depend on it.
    verbose : int

    Attributes
    ----------
    roots_ : int32 array (n_trees,)
        The first node of each tree.
    children_ : int32 array (2 n_nodes,)
        Where a node sends rows with :math:`w^\top x \le 0`, and the others: a node, or ``~leaf``.
    weight_starts_, weight_features_, weights_, intercepts_
        :math:`w` of node i has the features ``weight_starts_[i]:weight_starts_[i + 1]``.
    leaf_starts_, leaf_labels_, leaf_values_, leaf_scale_
        Leaf i has the labels ``leaf_starts_[i]:leaf_starts_[i + 1]``, with values that are whole
        multiples of the scale.

    Notes
    -----
    In the log loss both sides weigh the same, :math:`C_i = C\, n / n_{\delta_i}`, which balances
    the trees. Feature and label numbers take two bytes where there are at most 65536.

    References
    ----------
    Prabhu & Varma (2014), "FastXML: A fast, accurate and stable tree-classifier for extreme
    multi-label learning"; paper 003, section 6.1.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import FastXML
    >>> X = np.repeat(np.eye(3), 10, axis=0)
    >>> Y = np.repeat([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0]], 10, axis=0)
    >>> FastXML(n_trees=5, random_state=0).fit(X, Y).rank(np.eye(3), k=2)
    Ranking(3 rows, 4 labels, 5 entries)
      0: 0 (1), 3 (1)
      1: 1 (1), 3 (1)
      2: 2 (1)
    """

    fitted: ClassVar[dict[str, Field]] = FIELDS | {
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    roots_: NDArray[np.int32]
    leaf_scale_: float

    def __init__(
        self,
        n_trees: int = 50,
        leaf_size: int = 10,
        leaf_labels: int = 100,
        C: float = 1.0,
        bias: float = 1.0,
        top: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.leaf_size = leaf_size
        self.leaf_labels = leaf_labels
        self.C = C
        self.bias = bias
        self.top = top
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def leaves(self, X: Any) -> NDArray[np.int32]:
        """The leaf that each row ends in, for each tree: (n_rows, n_trees)."""
        rows = sp.csr_array(known_rows(self, X))
        parts = over_blocks(
            lambda part: self._kernel.leaves(*row_parts(rows[part])), rows.shape[0], self.n_jobs
        )
        return np.concatenate(parts)

    def candidates(self, X: sp.csr_array) -> tuple[NDArray[Any], ...]:
        """(indptr, labels, probabilities) of all labels of checked rows, by number."""
        found: tuple[NDArray[Any], ...] = self._kernel.candidates(*row_parts(X), self.leaf_scale_)
        return found

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self.__dict__.pop("_kernel", None)
        self._grow(X, Y, Y)

    def _grow(self, X: Any, weighted: sp.csr_array, shares: sp.csr_array) -> None:
        """Trees split by the gains of `weighted`, with leaves that are means of `shares`."""
        columns, folder = columns_of(X), spill_folder(X)
        arrays = (
            *(columns.indptr.astype(np.int64), columns.indices.astype(np.int32, copy=False)),
            columns.data if (columns.data != 1).any() else columns.data[:0],  # all of them 1
            *(weighted.indptr.astype(np.int64), weighted.indices.astype(np.int32, copy=False)),
            *(split_gains(weighted), shares.data),
        )
        sizes = weighted.shape[1], self.leaf_size, self.leaf_labels, _ROUNDS
        # a feature whose values cannot move the slope by 1/4 will not reach 1 further down
        least = 0.25 / self.C

        def grow(seed: int) -> Grown:
            tree: Grown = _native.grow_xml_tree(
                *arrays, *sizes, self.C, self.bias, **_SOLVER, least=least, folder=folder, seed=seed
            )
            return tree

        rng = check_random_state(self.random_state)
        seeds = [int(seed) for seed in rng.randint(2**31 - 1, size=self.n_trees)]
        grown = over_tasks(grow, seeds, self.n_jobs)
        trees = list(track(grown, self.n_trees, type(self).__name__, self.verbose))
        for name, value in flat(trees).items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False  # checked once, then trusted
            setattr(self, name, value)

    def _rank(self, X: Any, k: int | None) -> Ranking:
        rows = sp.csr_array(X)
        width = k or self.top or self.n_labels_

        def best(part: slice) -> Ranking:
            found = self._kernel.rank(*row_parts(rows[part]), self.leaf_scale_, width)
            return Ranking._trusted(*found, self.n_labels_)

        return Ranking.stack(over_blocks(best, rows.shape[0], self.n_jobs))

    @cached_property
    def _kernel(self) -> _native.XmlForest:
        """The arrays checked: every index is verified before it is followed."""
        names = [name for name in FIELDS if name != "leaf_scale_"]
        # in a file an array may lie at any place; it is copied where a number would be cut
        arrays = [np.require(getattr(self, name), requirements=["C", "A"]) for name in names]
        return _native.XmlForest(*arrays, self.n_features_in_, self.n_labels_)

    def _check_params(self) -> None:
        for name in ("n_trees", "leaf_size", "leaf_labels"):
            whole(name, getattr(self, name))
        positive("C", self.C)
        positive("bias", self.bias)
        if self.top is not None:
            whole("top", self.top)
        check_n_jobs(self.n_jobs)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if not 0 < self.leaf_scale_ < np.inf:
            raise ValueError(f"leaf_scale_ = {self.leaf_scale_} is not above 0")
        if max(self.n_features_in_, self.n_labels_) >= 2**31:
            raise ValueError("numbers of features and labels must fit in 31 bits")
        assert self._kernel is not None  # raises where the trees are not sound

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in super().__getstate__().items() if k != "_kernel"}


def row_parts(X: sp.csr_array) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """A CSR array as kernels take it."""
    return X.indptr.astype(np.int64), X.indices.astype(np.int32, copy=False), X.data
