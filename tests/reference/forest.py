"""A forest in plain Python: LightGBM's decisions in double precision, Shapley's own formula."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

ZERO = float(np.float32(1e-35))  # what LightGBM takes for zero


def goes_left(x, threshold, decision):
    """Whether a value goes left: bit 2 of the decision is for what is missing, 12 say what that is.

    Bits 12: 0 nothing is missing and NaN is 0; 4 zero (and NaN) is missing; 8 NaN is missing.
    """
    x = float(x)
    missing = decision >> 2
    if missing != 2 and math.isnan(x):
        x = 0.0
    if abs(x) <= ZERO:
        x = 0.0
    if (missing == 1 and x == 0) or (missing == 2 and math.isnan(x)):
        return bool(decision & 2)
    return x <= threshold


def trees(forest):
    """The arrays of each tree: features, thresholds, decisions, left, right, values, covers."""
    for t, (a, b) in enumerate(zip(forest.starts_[:-1], forest.starts_[1:], strict=True)):
        of_splits = ("features_", "thresholds_", "decisions_", "left_", "right_")
        of_leaves = ("values_", "covers_")
        yield (
            *(getattr(forest, name)[a:b] for name in of_splits),
            *(getattr(forest, name)[a + t : b + t + 1] for name in of_leaves),
        )


def score(forest, row):
    """The sum of the leaves that a row ends in."""
    total = 0.0
    for features, thresholds, decisions, left, right, values, _ in trees(forest):
        at = 0 if len(features) else -1
        while at >= 0:
            goes = goes_left(row[features[at]], thresholds[at], decisions[at])
            at = left[at] if goes else right[at]
        total += values[~at]
    return total


def expected(tree, row, known, at=0):
    """(what is expected of a tree when only the features in `known` are, training rows here)."""
    features, thresholds, decisions, left, right, values, covers = tree
    if at < 0 or not len(features):
        leaf = ~at if at < 0 else 0
        return values[leaf], covers[leaf]
    (a, m), (b, n) = (expected(tree, row, known, child[at]) for child in (left, right))
    if features[at] in known:
        return (a if goes_left(row[features[at]], thresholds[at], decisions[at]) else b), m + n
    return (m * a + n * b) / (m + n), m + n


def contributions(forest, row, n_features):
    """Each feature's Shapley value, and last what is expected when no feature is known."""
    out = np.zeros(n_features + 1)
    for tree in trees(forest):
        out[-1] += expected(tree, row, ())[0]
        for j in range(n_features):
            others = [i for i in range(n_features) if i != j]
            for size in range(n_features):
                share = 1 / (n_features * math.comb(n_features - 1, size))
                for known in combinations(others, size):
                    with_j = expected(tree, row, (*known, j))[0]
                    out[j] += share * (with_j - expected(tree, row, known)[0])
    return out
