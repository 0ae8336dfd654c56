"""The kernels that rankers learn by, in plain Python: pairs and rankings are listed one by one."""

from __future__ import annotations

import itertools

import numpy as np
from reference.group_values import MEASURES
from reference.judging import rows_of


def top_one(indptr, scores, targets):
    """ListNet: Σ_g -Σ_i target_i log softmax(scores)_i."""
    loss = 0.0
    for s, t in zip(rows_of(indptr, scores), rows_of(indptr, targets), strict=True):
        if t.sum() > 0:
            loss -= t @ (s - s.max() - np.log(np.exp(s - s.max()).sum()))
    return loss


def pair_hinge(indptr, scores, grades, weights, squared):
    """RankSVM: the loss of each group and its slope by each score."""
    losses, slope = [], np.zeros(len(scores))
    for start, end in itertools.pairwise(indptr):
        loss = 0.0
        for i, j in itertools.permutations(range(start, end), 2):
            room = 1 - scores[i] + scores[j]
            if grades[i] > grades[j] and room > 0:
                loss += weights[i] * (room**2 if squared else room)
                step = weights[i] * (2 * room if squared else 1)
                slope[i] -= step
                slope[j] += step
        losses.append(loss)
    return np.array(losses), slope


def most_violated(scores, relevant):
    """SVM-MAP: the largest 1 - AP(y) + w·Ψ(y) - w·Ψ(truth) over all rankings y of one group."""
    R, N = np.flatnonzero(relevant), np.flatnonzero(~relevant)
    if not len(R) or not len(N):
        return 0.0
    worst = -np.inf
    for order in itertools.permutations(range(len(scores))):
        place = np.argsort(order)
        hits = relevant[list(order)]
        precision = [hits[: j + 1].mean() for j in np.flatnonzero(hits)]
        below = sum(2 * (scores[j] - scores[i]) for i in R for j in N if place[j] < place[i])
        worst = max(worst, 1 - np.mean(precision) + below / (len(R) * len(N)))
    return worst


def lambdas(scores, gains, weight, measure, k, normed=False):
    """LambdaRank: (first, second derivatives) of one group; equal scores keep their order."""
    n = len(scores)
    slope, bend, total = np.zeros(n), np.zeros(n), 0.0
    if not (gains > 0).any():
        return slope, bend
    order = np.argsort(-scores, kind="stable")
    value = MEASURES[measure]
    now = value(gains[order], k or n)
    worth = gains if measure == "nDCG" else gains > 0
    for p, q in itertools.combinations(range(n), 2):
        i, j = order[p], order[q]
        if worth[i] == worth[j]:
            continue
        better, worse = (i, j) if worth[i] > worth[j] else (j, i)
        swapped = order.copy()
        swapped[[p, q]] = swapped[[q, p]]
        gap = scores[better] - scores[worse]
        change = abs(value(gains[swapped], k or n) - now)
        if normed and np.ptp(scores) > 0:
            change /= 0.01 + abs(gap)
        chance = 1 / (1 + np.exp(gap))
        slope[[better, worse]] += np.array([-1, 1]) * change * chance
        bend[[better, worse]] += change * chance * (1 - chance)
        total += 2 * change * chance
    factor = weight * (np.log2(1 + total) / total if normed and total > 0 else 1)
    return slope * factor, bend * factor


def network(X, layer, bias, output, slope):
    """(units, scores, slope by layer, by bias, by output) of a network with one hidden layer."""
    units = np.tanh(X @ layer + bias)
    back = slope[:, None] * output * (1 - units**2)
    return units, units @ output, X.T @ back, back.sum(axis=0), slope @ units
