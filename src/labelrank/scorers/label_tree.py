"""Label trees: alike labels under one node, linear classifiers at the nodes, a beam to search."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank._parallel import over_blocks
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers._checks import check_n_jobs, positive
from labelrank.scorers._label_clusters import Clusters, grow_trees, label_means
from labelrank.scorers._label_nodes import learn_nodes
from labelrank.scorers._sparse_linear import Descent, SparseRows, check_descent, seed_of
from labelrank.scorers.base import Scorer, whole
from labelrank.store import Array, Field, Number

__all__ = ["LabelTree"]

_ARRAYS = {
    "roots_": "i4", "starts_": "i8", "children_": "i4", "intercept_": "f4",
    "feature_starts_": "i8", "features_": "i4", "weight_starts_": "i8", "slots_": "u2",
    "weights_": "f4",
}  # fmt: skip
_FILL = 0.4  # a whole row of weights is added in vector instructions
_WIDEST = 65535  # slots are uint16


class LabelTree(Scorer):
    r"""Rank labels by trees of linear classifiers: the method of Parabel, Bonsai and their kin.

    Labels are clustered by the mean of their rows, and clusters again, until few are left together:
    the leaves of a tree. At a node, each child c (a node, or in a leaf a label) has a classifier,
    learned from the rows that have any label below the node,

    .. math:: \min_{w_c, b_c}\ \tfrac{1}{2} (\|w_c\|^2 + b_c^2)
        + C \sum_{i \in \text{node}} \max(0, 1 - t_{ic} (w_c^T x_i + b_c))^2

    where :math:`t_{ic}` is 1 if row i has a label below c, and -1 otherwise. A label l scores

    .. math:: s_l(x) = \frac{1}{T} \sum_{\text{trees}} \exp\Big(
        -\sum_{c \in \text{path to } l} \max(0, 1 - w_c^T x - b_c)^2 \Big)

    from 0 to 1, where a tree counts only if its search comes by the label: level by level, the
    `beam` best nodes are looked into.

    Parameters
    ----------
    n_trees : int
        Trees with different clusters.
    arity : int
        The most children of a node that is no leaf; all levels get about as many.
    max_leaf : int
        The most labels of a leaf.
    balanced : bool
        Whether clusters have equal size, by halves again and again (balanced 2-means, Parabel), or
        are what k-means finds (Bonsai).
    C : float
        How much an error costs beside the length of w.
    relevant_cost : float
        How many times as much an error costs in a row that has the label.
    tol : float
        The range of the projected gradient of the dual at which to stop.
    max_iter : int
        The most passes over a node's rows, where `tol` is not reached.
    threshold : float
        Weights must be farther from zero than this to be kept.
    normalize : bool
        Rows are divided by their Euclidean length, in fit and in rank.
    beam : int
        How many nodes of a level are looked into. More find more candidates, and cost time.
    top : int, optional
        How many labels to list for a row; None for all that the search comes by.
    random_state : int, RandomState instance or None
        For clusters, and for the order of rows in a pass.
    n_jobs : int, optional
        Nodes, and blocks of rows, at a time; results do not depend on it.

    Attributes
    ----------
    roots_ : int32 array (n_trees,)
        The first node of each tree.
    starts_ : int64 array (n_nodes + 1,)
        Node n has the children ``starts_[n]:starts_[n + 1]``.
    children_ : int32 array (n_children,)
        A later node, or ~label.
    intercept_ : float32 array (n_children,)
    feature_starts_ : int64 array (n_nodes + 1,)
        Node n looks at the features ``features_[feature_starts_[n]:feature_starts_[n + 1]]``.
    features_ : int32 array (n_entries,)
    weight_starts_ : int64 array (n_entries + 1,)
        Entry f of them has the weights ``weight_starts_[f]:weight_starts_[f + 1]``.
    slots_, weights_ : uint16 and float32 arrays (n_weights,)
        To which child of the node a weight belongs, and the weight.

    Notes
    -----
    Weights of siblings lie together by feature, so that one pass over the features of a row scores
    all children of a node (Etter et al. 2022). Labels that no training row has are never listed.
    The arrays are mapped from a model's folder; a row touches the nodes on its paths alone. While
    training, the means of all labels are in memory (at most as many entries as the features of a
    label's rows, added up over labels), then for each job the rows of a node and sixteen numbers
    for each of its rows and features.

    References
    ----------
    Parabel: Prabhu, Kag, Harsola, Agrawal & Varma (2018). Bonsai: Khandagale, Xiao & Babbar (2020).

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import LabelTree
    >>> X = np.eye(4)
    >>> Y = np.eye(4, dtype=int)
    >>> tree = LabelTree(max_leaf=2, beam=1, tol=1e-4, max_iter=1000, random_state=0)
    >>> tree.fit(X, Y).rank(X[:2], k=1)
    Ranking(2 rows, 4 labels, 2 entries)
      0: 0 (0.801)
      1: 1 (0.801)
    """

    fitted: ClassVar[dict[str, Field]] = {
        **{name: Array(kind) for name, kind in _ARRAYS.items()},
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    roots_: NDArray[np.int32]
    starts_: NDArray[np.int64]
    children_: NDArray[np.int32]
    intercept_: NDArray[np.float32]
    feature_starts_: NDArray[np.int64]
    features_: NDArray[np.int32]
    weight_starts_: NDArray[np.int64]
    slots_: NDArray[np.uint16]
    weights_: NDArray[np.float32]

    def __init__(
        self,
        n_trees: int = 5,
        arity: int = 32,
        max_leaf: int = 400,
        balanced: bool = True,
        C: float = 1.0,
        relevant_cost: float = 1.0,
        tol: float = 0.5,
        max_iter: int = 20,
        threshold: float = 0.1,
        normalize: bool = True,
        beam: int = 10,
        top: int | None = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.arity = arity
        self.max_leaf = max_leaf
        self.balanced = balanced
        self.C = C
        self.relevant_cost = relevant_cost
        self.tol = tol
        self.max_iter = max_iter
        self.threshold = threshold
        self.normalize = normalize
        self.beam = beam
        self.top = top
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self.__dict__.pop("_kernel", None)
        rows = SparseRows.of(X, self.normalize)
        labels = np.flatnonzero(np.bincount(Y.indices, minlength=Y.shape[1])).astype(np.int32)
        seed = seed_of(self.random_state)
        seeds = [seed + (t << 32) for t in range(self.n_trees if len(labels) else 0)]
        clusters = Clusters(self.arity, self.max_leaf, self.balanced)
        roots = grow_trees(label_means(rows, Y), labels, clusters, seeds, self.n_jobs)
        descent = Descent.of(self, "squared_hinge", self.C, _FILL)
        arrays = learn_nodes(roots, rows, Y, descent, seed, self.n_jobs)
        for name, kind in _ARRAYS.items():
            setattr(self, name, arrays[name].astype(kind, copy=False))

    def _rank(self, X: Any, k: int | None) -> Ranking:
        rows, kernel = SparseRows.of(X, self.normalize), self._kernel
        most = min(k or self.top or self.n_labels_, self.n_labels_)

        def best(part: slice) -> Ranking:
            found = kernel.rank(*rows.arrays(part), self.beam, most)
            return Ranking(*found, self.n_labels_)

        return Ranking.stack(over_blocks(best, rows.n_rows, self.n_jobs, 512))

    @cached_property
    def _kernel(self) -> _native.LabelTrees:
        return _native.LabelTrees(
            *(self.roots_, self.starts_, self.children_, self.intercept_),
            *(self.feature_starts_, self.features_, self.weight_starts_),
            *(self.slots_, self.weights_),
            *(self.n_features_in_, self.n_labels_),
        )

    def _check_params(self) -> None:
        for name in ("n_trees", "beam"):
            whole(name, getattr(self, name))
        for name, least in (("arity", 2), ("max_leaf", 1)):
            if not least <= whole(name, getattr(self, name)) <= _WIDEST:
                raise InputError(
                    f"{name} must lie in {least}..{_WIDEST}, found {getattr(self, name)}."
                )
        if not isinstance(self.balanced, bool | np.bool_):
            raise InputError(f"balanced must be True or False, found {self.balanced!r}.")
        positive("C", self.C)
        check_descent(self)
        if self.top is not None:
            whole("top", self.top)
        check_n_jobs(self.n_jobs)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        assert self._kernel is not None  # raises where the trees are not sound

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in super().__getstate__().items() if k != "_kernel"}
