"""Trees of labels: alike ones together, by clustering the means of their rows again and again."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank._parallel import over_tasks
from labelrank.scorers._sparse_linear import SparseRows

__all__ = ["Clusters", "LabelNode", "grow_trees", "label_means"]


@dataclass
class LabelNode:
    """A node of a tree of labels; a leaf has no children."""

    labels: NDArray[np.int32]
    children: list[LabelNode] = field(default_factory=list)


@dataclass(frozen=True)
class Clusters:
    """How labels are parted.

    Attributes
    ----------
    arity : int
        The most clusters of a node.
    max_leaf : int
        Nodes of at most as many labels are not parted.
    balanced : bool
        Clusters of equal size, or as k-means finds them.
    """

    arity: int
    max_leaf: int
    balanced: bool

    def parts(self, n: int) -> int:
        """How many clusters a node of n labels gets: as many at every level down to the leaves."""
        leaves = math.ceil(n / self.max_leaf)
        depth = max(1, math.ceil(math.log(leaves) / math.log(self.arity) - 1e-9))
        each: float = leaves ** (1 / depth)
        return max(2, min(self.arity, math.ceil(each - 1e-9)))


def label_means(rows: SparseRows, Y: sp.csr_array) -> sp.csr_array:
    r"""The mean of each label's rows, made length one: :math:`\sum_i y_{il} x_i / \|\cdot\|`."""
    data = rows.data * np.repeat(rows.scales, np.diff(rows.indptr))
    shape = (rows.n_rows, rows.n_features)
    X = sp.csr_array((data, rows.indices, rows.indptr), shape=shape)
    has = sp.csr_array((np.ones(Y.nnz, np.float32), Y.indices, Y.indptr), shape=Y.shape)
    sums = sp.csr_array(has.T @ X)
    squares = np.append(np.square(sums.data, dtype=np.float64), 0)
    lengths = np.sqrt(np.add.reduceat(squares, sums.indptr[:-1]))
    sums.data /= np.repeat(np.where(lengths > 0, lengths, 1), np.diff(sums.indptr))
    return sums


def grow_trees(
    means: sp.csr_array,
    labels: NDArray[np.int32],
    clusters: Clusters,
    seeds: list[int],
    n_jobs: int | None,
) -> list[LabelNode]:
    """A tree of the labels for each seed; all nodes of a level are parted at a time."""
    arrays = (
        means.indptr.astype(np.int64),
        means.indices.astype(np.int32, copy=False),
        means.data.astype(np.float32, copy=False),
        means.shape[1],
    )

    def part(task: tuple[LabelNode, int]) -> list[NDArray[np.int32]]:
        members, seed = task[0].labels, task[1]
        parts = clusters.parts(len(members))
        found = _native.cluster(*arrays, members, parts, clusters.balanced, 1e-4, seed)
        if found.min() == found.max():  # all alike
            found = _native.cluster(*arrays, members, parts, True, 1e-4, seed)
        order = np.argsort(found, kind="stable")
        ends = np.flatnonzero(np.diff(found[order])) + 1
        return np.split(members[order], ends)

    roots = [LabelNode(labels) for _ in seeds]
    level = list(zip(roots, seeds, strict=True))
    while level := [(node, seed) for node, seed in level if len(node.labels) > clusters.max_leaf]:
        deeper = []
        for (node, seed), found in zip(level, over_tasks(part, level, n_jobs), strict=True):
            node.children = [LabelNode(members) for members in found]
            deeper += [(child, seed + 1 + i) for i, child in enumerate(node.children)]
        level = deeper
    return roots
