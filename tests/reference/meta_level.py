"""Meta-level features in plain NumPy, in double: formulas (1) and (2) of Yang & Gopal 2012."""

from __future__ import annotations

import numpy as np


def distance(name, x, row):
    """L2, L1 or cosine distance of two vectors; 1 less the cosine, which is 0 for zeros."""
    if name == "l2":
        return np.sqrt(((x - row) ** 2).sum())
    if name == "l1":
        return np.abs(x - row).sum()
    lengths = np.sqrt((x**2).sum()) * np.sqrt((row**2).sum())
    return 1 - np.clip(x @ row / lengths, -1, 1) if lengths > 0 else 1.0


def far(name, x, rows):
    """The distance to a row as long as the longest of `rows` that shares nothing with x."""
    if name == "l2":
        return np.sqrt((x**2).sum() + max(((row**2).sum() for row in rows), default=0))
    if name == "l1":
        return np.abs(x).sum() + max((np.abs(row).sum() for row in rows), default=0)
    return 1.0


def phi(x, members, rows, k, names, centroid, left=None):
    """The description of x and a label: `members` are the label's rows, `rows` all of them.

    Of the neighbours, but not of the centroid, the member number `left` is left out.
    """
    numbers = []
    others = members if left is None else np.delete(members, left, axis=0)
    if not len(others):
        members = others
    for name in names:
        near = sorted(distance(name, x, row) for row in others)[:k] or [far(name, x, rows)]
        numbers += near + [near[-1]] * (k - len(near))
    if centroid and len(members):
        mean = np.mean(members, axis=0)
        numbers += [distance("l2", x, mean), distance("cosine", x, mean)]
    elif centroid:
        numbers += [far("l2", x, rows), 1.0]
    return numbers


def describe(X, Y, queries, pairs, k, distances, centroid, left_out=False):
    """F of `pairs`, (query, label) each; `left_out`: queries are X, each left out itself.

    Then every label counts one row less, its own or not, so that nothing tells which it is.
    """
    X, queries = np.asarray(X, np.float64), np.asarray(queries, np.float64)
    F = []
    for i, label in pairs:
        others = np.arange(len(X)) != i if left_out else np.ones(len(X), bool)
        members = X[others & (Y[:, label] > 0)]
        own = not left_out or Y[i, label] > 0 or not len(members)
        left = None if own else (i + label) % len(members)
        F.append(phi(queries[i], members, X[others], k, distances, centroid, left))
    return np.array(F, np.float64).reshape(len(pairs), k * len(distances) + 2 * centroid)


def nearest_rows(name, X, Y, x, label, k):
    """(row, distance) of the k rows of a label that are nearest to x, ties by number."""
    members = np.flatnonzero(Y[:, label] > 0)
    return sorted((distance(name, x, X[row]), row) for row in members)[:k]
