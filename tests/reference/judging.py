"""The kernels of native/judge.cpp in plain Python: what they are meant to compute."""

from __future__ import annotations

from itertools import pairwise, permutations, product

import numpy as np


def rows_of(indptr, values):
    """The rows that `indptr` cuts `values` into."""
    return [values[a:b] for a, b in pairwise(indptr)]


def tied_groups(scores):
    """The places 0..n-1 of a list, in groups of equal scores."""
    groups = []
    for place, score in enumerate(scores):
        if place and score == scores[place - 1]:
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def tied_orders(scores):
    """Every order of the places 0..n-1 that only moves places with equal scores."""
    for parts in product(*map(permutations, tied_groups(scores))):
        yield [place for part in parts for place in part]


def look_up(indptr, labels, t_indptr, t_labels, t_values):
    """The truth's value of every entry, 0 where the truth has no such label."""
    truth = [
        dict(zip(a, b, strict=True))
        for a, b in zip(rows_of(t_indptr, t_labels), rows_of(t_indptr, t_values), strict=True)
    ]
    lists = rows_of(indptr, labels)
    return np.array([t.get(c, 0.0) for row, t in zip(lists, truth, strict=True) for c in row])


def discounted_sum(indptr, gains, discount):
    """Per row Σ gain × discount over the places that the discount reaches."""
    pairs = (zip(row, discount, strict=False) for row in rows_of(indptr, gains))
    return np.array([sum(g * d for g, d in row) for row in pairs], dtype=float)


def discounted_max(indptr, gains, discount):
    """Per row the largest gain × discount over the places that the discount reaches, at least 0."""
    pairs = (zip(row, discount, strict=False) for row in rows_of(indptr, gains))
    return np.array([max((g * d for g, d in row), default=0) for row in pairs], dtype=float)


def sort_falling(indptr, gains):
    """Each row from its largest gain down."""
    return np.array([g for row in rows_of(indptr, gains) for g in sorted(row, reverse=True)])


def settle_ties(indptr, scores, gains, policy):
    """Gains within tied groups: 0 their mean, 1 falling, 2 rising."""
    out = []
    for row, s in zip(rows_of(indptr, gains), rows_of(indptr, scores), strict=True):
        for group in tied_groups(s):
            tied = [row[place] for place in group]
            mean = [sum(tied) / len(tied)] * len(tied)
            out += (mean, sorted(tied, reverse=True), sorted(tied))[policy]
    return np.array(out, dtype=float)


def precision_sum(indptr, scores, gains, k, expected):
    """Σ of precision at each relevant label of the first k; or its mean over all tied orders."""
    out = []
    for row, s in zip(rows_of(indptr, gains), rows_of(indptr, scores), strict=True):
        sums = []
        for order in tied_orders(s) if expected else [range(len(row))]:
            hit = [row[place] > 0 for place in order]
            sums.append(sum(sum(hit[: j + 1]) / (j + 1) for j in range(len(hit[:k])) if hit[j]))
        out.append(np.mean(sums))
    return np.array(out, dtype=float)


def wrong_pairs(indptr, scores, gains, tie):
    """Pairs (relevant, irrelevant) in the wrong order; tied ones count `tie`, by place if < 0."""
    out = []
    for row, s in zip(rows_of(indptr, gains), rows_of(indptr, scores), strict=True):
        wrong = 0.0
        for a, b in product(np.flatnonzero(row > 0), np.flatnonzero(row <= 0)):
            wrong += tie if tie >= 0 and s[a] == s[b] else float(a > b)
        out.append(wrong)
    return np.array(out, dtype=float)
