"""RLSEP's loss and derivatives with every pair written out, and the K² form in arrays."""

from __future__ import annotations

import numpy as np


def rlsep(scores, grades, levels=True):
    """(loss, slope, bend) of one row: a term for each pair of labels with different grades."""
    r = np.asarray(grades) if levels else (np.asarray(grades) > 0).astype(int)
    f = np.asarray(scores, dtype=float)
    n = len(f)
    gaps = [f[v] - f[u] for u in range(n) for v in range(n) if r[u] > r[v]]
    loss = np.logaddexp.reduce([0.0, *gaps])
    slope, bend = np.zeros(n), np.zeros(n)
    for u in range(n):
        for v in range(n):
            if r[u] > r[v]:
                share = np.exp(f[v] - f[u] - loss)
                slope[[u, v]] += -share, share
                bend[[u, v]] += share, share
    return loss, slope, bend - slope**2


def rlsep_in_arrays(scores, grades):
    """(loss, slope) of one row, K² numbers at a time."""
    higher = grades[:, None] > grades[None, :]
    gaps = np.where(higher, scores[None, :] - scores[:, None], -np.inf)
    top = max(0.0, gaps.max())
    terms = np.exp(gaps - top)
    total = np.exp(-top) + terms.sum()
    shares = terms / total
    return top + np.log(total), shares.sum(axis=0) - shares.sum(axis=1)


def cross_entropy(scores, grades):
    """Formula (1) of paper 002 for one row."""
    relevant = np.asarray(grades) > 0
    if not relevant.any():
        return 0.0
    return np.logaddexp.reduce(scores) - np.mean(np.asarray(scores)[relevant])
