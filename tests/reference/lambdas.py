"""Lambdas of one group in plain Python, pair by pair."""

from __future__ import annotations

import math

import numpy as np


def ndcg(gains, scores, k, normed):
    """(gradients, hessians) of one group; equal scores keep their order."""
    n = len(gains)
    gradients, hessians, total = np.zeros(n), np.zeros(n), 0.0
    best = sum(g / math.log2(j + 2) for j, g in enumerate(sorted(gains, reverse=True)[:k]))
    if best == 0:
        return gradients, hessians
    place = np.empty(n, int)
    place[np.argsort(-np.asarray(scores), kind="stable")] = np.arange(n)
    for i in range(n):
        for j in range(n):
            if gains[i] <= gains[j] or min(place[i], place[j]) >= k:
                continue
            swap = abs(1 / math.log2(place[i] + 2) - 1 / math.log2(place[j] + 2))
            change = (gains[i] - gains[j]) * swap / best
            gap = scores[i] - scores[j]
            if normed and max(scores) != min(scores):
                change /= 0.01 + abs(gap)
            p = 1 / (1 + math.exp(gap))
            gradients[i] -= change * p
            gradients[j] += change * p
            hessians[[i, j]] += change * p * (1 - p)
            total += 2 * change * p
    factor = math.log2(1 + total) / total if normed and total > 0 else 1
    return gradients * factor, hessians * factor


def cross_entropy(scores, worth):
    """-Σ share of worth × log softmax of the scores."""
    shares = np.asarray(worth) / np.sum(worth)
    return float(-(shares * (scores - np.log(np.exp(scores).sum()))).sum())
