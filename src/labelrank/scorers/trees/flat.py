"""All trees of a forest in a few flat arrays, as they are kept, stored and read by the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelrank.store import Array, Field, Ids, Number

__all__ = ["FIELDS", "Grown", "flat"]

# children, weight_starts, weight_features, weights, intercepts, leaf_starts, leaf_labels,
# leaf_values: of one tree, as the kernel `grow_xml_tree` gives them
Grown: TypeAlias = tuple[NDArray[Any], ...]

FIELDS: dict[str, Field] = {
    "roots_": Array("i4"),
    "children_": Array("i4"),
    "weight_starts_": Array("i8"),
    "weight_features_": Ids(),
    "weights_": Array("f4"),
    "intercepts_": Array("f4"),
    "leaf_starts_": Array("i8"),
    "leaf_labels_": Ids(),
    "leaf_values_": Array("u2"),
    "leaf_scale_": Number(float),
}
_LARGEST = 2**16 - 1


def flat(trees: Sequence[Grown]) -> dict[str, Any]:
    """The arrays of `FIELDS`: trees one after the other, their nodes and leaves renumbered.

    The values of leaves become whole multiples of `leaf_scale_`, 65535 at most and 1 at least.
    """
    parts = list(zip(*trees, strict=True))
    nodes, leaves = ([0, *np.cumsum([len(a) for a in parts[at]])] for at in (4, 5))
    leaves = [end - t for t, end in enumerate(leaves)]  # leaf_starts has one more than leaves
    children = [
        np.where(own >= 0, own + first, own - leaf)
        for own, first, leaf in zip(parts[0], nodes, leaves, strict=False)
    ]
    roots = [nodes[t] if nodes[t + 1] > nodes[t] else ~int(leaves[t]) for t in range(len(trees))]
    values = np.concatenate(parts[7])
    scale = float(values.max(initial=0)) / _LARGEST or 1.0
    return {
        "roots_": np.array(roots, dtype=np.int32),
        "children_": np.concatenate(children).astype(np.int32),
        "weight_starts_": _joined(parts[1]),
        "weight_features_": Ids.narrow(np.concatenate(parts[2])),
        "weights_": np.concatenate(parts[3]),
        "intercepts_": np.concatenate(parts[4]),
        "leaf_starts_": _joined(parts[5]),
        "leaf_labels_": Ids.narrow(np.concatenate(parts[6])),
        "leaf_values_": np.maximum(np.rint(values / scale), 1).astype(np.uint16),
        "leaf_scale_": scale,
    }


def _joined(starts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Row pointers one after the other."""
    ends = np.cumsum([0, *(own[-1] for own in starts)])
    moved = [own[1:] + end for own, end in zip(starts, ends, strict=False)]
    return np.concatenate([np.zeros(1, np.int64), *moved])
