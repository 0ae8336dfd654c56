"""One row of a ranking beside its truth, as the reference measures see it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from reference.judging import tied_orders


class Row(NamedTuple):
    """What a measure sees of one row."""

    order: list[int]
    grades: dict[int, float]
    m: int
    p: np.ndarray | None = None
    complete: float | None = None


def rows(case, complete=None):
    """The rows of a `strategies.Case`, in the order of the list."""
    found = []
    for i, (labels, _) in enumerate(case.ranking):
        grades = {c: float(g) for c, g in enumerate(case.Y[i]) if g > 0}
        known = None if complete is None else complete[i]
        found.append(Row(labels.tolist(), grades, case.ranking.n_labels, case.p, known))
    return found


def reorderings(case):
    """For each row, all rows that differ from it in the order of tied labels only."""
    return [
        [row._replace(order=[row.order[place] for place in order]) for order in tied_orders(scores)]
        for row, (_, scores) in zip(rows(case), case.ranking, strict=True)
    ]


def hits(row, k=None):
    """Whether each of the first k labels is relevant."""
    return [c in row.grades for c in row.order[:k]]
