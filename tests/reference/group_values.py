"""The kernel of native/group_values.cpp in plain Python: a group's measure, mean over ties."""

from __future__ import annotations

import numpy as np
from reference.judging import rows_of, tied_orders


def ndcg(gains, k):
    """Σ gain / log2(1 + place) over that of the best order."""
    discount = 1 / np.log2(np.arange(len(gains)) + 2) * (np.arange(len(gains)) < k)
    return gains @ discount / (np.sort(gains)[::-1] @ discount)


def average_precision(gains, k):
    """Mean over the relevant of the precision at their places; beyond k it is 0."""
    hit = gains > 0
    at = np.flatnonzero(hit[:k])
    return sum(hit[: j + 1].mean() for j in at) / hit.sum()


def reciprocal_rank(gains, k):
    """1 / place of the first relevant candidate, 0 beyond k."""
    return max(1 / (j + 1) if j < k else 0 for j in np.flatnonzero(gains > 0))


MEASURES = {"nDCG": ndcg, "MAP": average_precision, "RR": reciprocal_rank}


def group_values(indptr, scores, gains, measure, k):
    """The measure of every group, 0 where nothing is relevant; k = 0 is all places."""
    out = []
    for g, s in zip(rows_of(indptr, gains), rows_of(indptr, scores), strict=True):
        if not (g > 0).any():
            out.append(0.0)
            continue
        order = np.argsort(-s, kind="stable")
        g, s = g[order], s[order]
        out.append(np.mean([MEASURES[measure](g[o], k or len(g)) for o in tied_orders(s)]))
    return np.array(out, dtype=float)
