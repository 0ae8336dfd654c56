"""AdaRank and RankBoost in plain Python: explicit groups, explicit pairs, every step tried."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from reference.group_values import group_values
from reference.judging import rows_of


def ordered_groups(indptr, values):
    """Whether each group has candidates of different value."""
    return np.array([len(set(row.tolist())) > 1 for row in rows_of(indptr, values)], dtype=bool)


def ada_rank(indptr, F, gains, measure, k, rounds, tried):
    """The weights of standardised features after each round."""
    counts = ordered_groups(indptr, gains)
    known = F[np.repeat(counts, np.diff(indptr))].astype(float)
    spread = np.where(np.ptp(known, axis=0) > 0, known.std(axis=0), np.inf)
    H = ((F - known.mean(axis=0)) * (1 / spread)).astype(np.float32).astype(float)
    d = F.shape[1]

    def E(scores):
        return group_values(indptr, scores, gains, measure, k)[counts]

    weak = [(j, sign) for sign in (1, -1) for j in range(d)]
    alone = [E(sign * H[:, j]) for j, sign in weak]
    after = [np.zeros(d)]
    scores, P = np.zeros(len(F)), np.full(counts.sum(), 1 / counts.sum())
    for _ in range(rounds):
        worth = np.array([P @ e if spread[j] < np.inf else 0.0
                          for (j, _), e in zip(weak, alone, strict=True)])  # fmt: skip
        tries = [i for i in np.argsort(-worth.round(12), kind="stable")[:tried] if worth[i] > 0]
        if not tries:
            break
        found = []
        for i in tries:
            j, sign = weak[i]
            step = sign * 0.5 * np.log((1 + worth[i] + 1e-6) / (1 - worth[i] + 1e-6))
            e = E(scores + step * H[:, j])
            found.append((np.exp(-e).mean().round(12), j, step, e))
        _, j, step, e = min(found, key=lambda f: f[0])
        after.append(after[-1] + step * (np.arange(d) == j))
        scores += step * H[:, j]
        if e.min() > 1 - 1e-9:  # perfect: nothing to average
            return after[-1:]
        P = np.exp(-e) / np.exp(-e).sum()
    return after[1:] or after


def pairs_of(indptr, grades, weights, balance=0.0):
    """(u, v, weight) for every two candidates of a group where u has the larger grade."""
    out = []
    for start, end in pairwise(indptr):
        own = [(u, v) for u in range(start, end) for v in range(start, end)
               if grades[u] > grades[v]]  # fmt: skip
        out += [(u, v, weights[u] * len(own) ** -balance) for u, v in own]
    return out


def rank_boost(indptr, F, grades, weights, rounds, rate, balance):
    """Scores of the training candidates after so many rounds; all thresholds between values."""
    u, v, w = (np.array(x) for x in zip(*pairs_of(indptr, grades, weights, balance), strict=True))
    in_groups = np.repeat(ordered_groups(indptr, grades), np.diff(indptr))
    steps = [
        F[:, j] > (low + high) / 2
        for j in range(F.shape[1])
        for low, high in pairwise(np.unique(F[in_groups, j]))
    ] if in_groups.any() else []  # fmt: skip
    scores = np.zeros(len(F))
    first = w.sum()
    for _ in range(rounds):
        D = w * np.exp(scores[v] - scores[u])
        if D.sum() < 1e-9 * first or not steps:
            break
        D /= D.sum()
        r = np.abs([D @ (h[u] * 1.0 - h[v]) for h in steps])
        if r.max() <= 1e-12:
            break
        h = steps[int(r.round(12).argmax())]
        right, wrong = D[h[u] & ~h[v]].sum(), D[~h[u] & h[v]].sum()
        scores = scores + rate * 0.5 * np.log((right + 1e-6) / (wrong + 1e-6)) * h
    return scores
