"""Measures of ordered labels of one row, from paper 002, section 5.3."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def ordered(row, formula, level=0.0):
    """The formula of (tp, fp, fn, tn) over the pairs u < v whose grades, cut at level, differ."""
    place = {c: i for i, c in enumerate(row.order)}
    count = dict.fromkeys(["tp", "fp", "fn", "tn"], 0)
    for u, v in combinations(range(row.m), 2):
        a, b = (g if g >= level else 0.0 for g in (row.grades.get(u, 0), row.grades.get(v, 0)))
        if a == b:
            continue
        first = u in place and place[u] < place.get(v, row.m)
        second = v in place and place[v] < place.get(u, row.m)
        if a > b:
            count["tp" if first else "fn"] += 1
        else:
            count["tn" if second else "fp"] += 1
    return formula(**count) if any(count.values()) else None


def share(right, total, mistakes):
    """Right over total; 0/0 is 1 on a row without a mistake, else 0."""
    return right / total if total else float(mistakes == 0)


ORDERED = {
    "ranked-P": lambda tp, fp, fn, tn: share(tp, tp + fp, fp + fn),
    "ranked-R": lambda tp, fp, fn, tn: share(tp, tp + fn, fp + fn),
    "ranked-F1": lambda tp, fp, fn, tn: share(2 * tp, 2 * tp + fp + fn, fp + fn),
    "ranked-Acc": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
    "ranked-0/1": lambda tp, fp, fn, tn: float(fp + fn == 0),
}


def ranked_map(row):
    if ordered(row, ORDERED["ranked-P"]) is None:
        return None
    levels = sorted(set(row.grades.values()))
    return np.mean([ordered(row, ORDERED["ranked-P"], level) for level in levels])
