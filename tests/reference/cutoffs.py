"""Cutoffs in plain Python: every threshold is tried, every row by itself."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def worth(kept, right, relevant, criterion):
    """Of a decision: F1 (1 when there is nothing to find and nothing said), or minus the errors."""
    if criterion == "errors":
        return -(kept - right) - (relevant - right)
    return Fraction(2 * right, kept + relevant) if kept + relevant else Fraction(1)


def best_cut(scores, hits, relevant, criterion, ties="fewest"):
    """How many of one falling list to keep: what a threshold can do, best first, then by `ties`."""
    n = len(scores)
    places = [k for k in range(n + 1) if k in (0, n) or scores[k - 1] > scores[k]]
    value = {k: worth(k, sum(hits[:k]), relevant, criterion) for k in places}
    best = [k for k in places if value[k] == max(value.values())]
    if ties == "most":
        return best[-1]
    if ties == "fewest":
        return best[0]
    width = {k: float(scores[k - 1]) - float(scores[k]) if 0 < k < n else 0.0 for k in best}
    return max(best, key=lambda k: (width[k], -k))


def best_decision(scores, hits, relevant, criterion):
    """The best worth of any one threshold on all scores, by trying each."""
    tried = [np.inf, *scores]
    return max(
        worth(sum(s >= t for s in scores), sum(h for s, h in zip(scores, hits, strict=True)
              if s >= t), relevant, criterion)
        for t in tried
    )  # fmt: skip


def softmax(scores, temperature):
    """Of one list."""
    weights = np.exp((scores - np.max(scores)) / temperature)
    return weights / weights.sum()


def middle(values, k, half):
    """Half way between the k-th value and the next; half a typical gap beyond the ends."""
    if k == 0:
        return values[0] + half
    return values[-1] - half if k == len(values) else (values[k - 1] + values[k]) / 2


def llsf(ranking, Y, criterion, scale, temperature):
    """(scores by label (n, m), thresholds) of the paper's regression: minimum norm least squares.

    For rankings that list all labels.
    """
    n, m = ranking.shape
    U, cuts, lists = np.zeros((n, m)), [], []
    for i, (labels, scores) in enumerate(ranking):
        s = scores.astype(float)
        values = s / temperature if scale == "scores" else softmax(s, temperature)
        U[i, labels] = values = np.log(values) if scale == "log-softmax" else values
        cuts.append(best_cut(scores, Y[i, labels] > 0, (Y[i] > 0).sum(), criterion))
        lists.append(values)
    gaps = [v[k - 1] - v[k] for v, k in zip(lists, cuts, strict=True) if 0 < k < m]
    gaps = [gap for gap in gaps if gap > 0]
    half = (np.median(gaps) if gaps else np.std(np.concatenate(lists))) / 2 or 1.0
    targets = np.array([middle(v, k, half) for v, k in zip(lists, cuts, strict=True)])
    centre, level = U.mean(axis=0), targets.mean()
    weights = np.linalg.lstsq(U - centre, targets - level, rcond=1e-6)[0]
    return U, (U - centre) @ weights + level
