"""The nodes of label trees: their classifiers, learned, and all of them as a few arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank._parallel import over_tasks
from labelrank.scorers._label_clusters import LabelNode
from labelrank.scorers._sparse_linear import Descent, SparseRows, Weights

__all__ = ["learn_nodes"]


def learn_nodes(
    roots: list[LabelNode],
    rows: SparseRows,
    Y: sp.csr_array,
    descent: Descent,
    seed: int,
    n_jobs: int | None,
) -> dict[str, NDArray[Any]]:
    """The arrays of `LabelTree`: every child's classifier, from the rows of its parent."""
    columns = sp.csc_array(Y)
    starts, having = columns.indptr.astype(np.int64), columns.indices.astype(np.int32)
    nodes, first_nodes = _in_order(roots)

    def rows_of(labels: NDArray[np.int32]) -> NDArray[np.int32]:
        lists = [having[starts[label] : starts[label + 1]] for label in labels]
        return lists[0] if len(lists) == 1 else np.unique(np.concatenate(lists))

    def learn(number: int) -> Weights:
        node = nodes[number]
        below = [child.labels for child in node.children] or list(node.labels[:, None])
        lists = [rows_of(labels) for labels in below]
        ends, together = np.cumsum([0, *map(len, lists)], dtype=np.int64), np.concatenate(lists)
        chosen = np.unique(together)
        relevant = np.searchsorted(chosen, together).astype(np.int32)
        return descent(rows, chosen, ends, relevant, seed + number)

    learned = list(over_tasks(learn, range(len(nodes)), n_jobs))
    return {"roots_": np.array(first_nodes, dtype=np.int32), **_shape(nodes), **_weights(learned)}


def _in_order(roots: list[LabelNode]) -> tuple[list[LabelNode], list[int]]:
    """All nodes, parents before children, tree after tree; and where each root stands."""
    nodes: list[LabelNode] = []
    starts = []
    for root in roots:
        starts.append(len(nodes))
        level = [root]
        while level:
            nodes += level
            level = [child for node in level for child in node.children]
    return nodes, starts


def _shape(nodes: list[LabelNode]) -> dict[str, NDArray[Any]]:
    """Which children each node has: node numbers, or ~label."""
    numbers = {id(node): number for number, node in enumerate(nodes)}
    children = [
        np.array([numbers[id(child)] for child in node.children] or ~node.labels, dtype=np.int32)
        for node in nodes
    ]
    return {
        "starts_": np.cumsum([0, *map(len, children)], dtype=np.int64),
        "children_": np.concatenate([np.empty(0, np.int32), *children]),
    }


def _weights(learned: list[Weights]) -> dict[str, NDArray[Any]]:
    """The weights of all nodes, one node after the other."""
    ends = np.cumsum([0, *(len(w.values) for w in learned)], dtype=np.int64)
    moved = [w.starts[1:] + end for w, end in zip(learned, ends[:-1], strict=True)]

    def joined(parts: list[NDArray[Any]], kind: type) -> NDArray[Any]:
        return np.concatenate([np.empty(0, kind), *parts])

    return {
        "intercept_": joined([w.bias for w in learned], np.float32),
        "feature_starts_": np.cumsum([0, *(len(w.features) for w in learned)], dtype=np.int64),
        "features_": joined([w.features for w in learned], np.int32),
        "weight_starts_": np.concatenate([np.zeros(1, np.int64), *moved]),
        "slots_": joined([w.labels for w in learned], np.uint16),
        "weights_": joined([w.values for w in learned], np.float32),
    }
