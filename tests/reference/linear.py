"""One-vs-all and label trees in plain Python: the dual, halves and k-means, the beam."""

from __future__ import annotations

import numpy as np


def dual_descent(X, relevant, C, cost, passes=3000):
    """(w, b) of the squared hinge, by passes over the dual's coordinates in order."""
    Z = np.column_stack([X, np.ones(len(X))]).astype(np.float64)
    t = np.where(relevant, 1.0, -1.0)
    diagonal = 0.5 / np.where(relevant, C * cost, C)
    alpha, w = np.zeros(len(Z)), np.zeros(Z.shape[1])
    for _ in range(passes):
        before = alpha.copy()
        for i, z in enumerate(Z):
            slope = t[i] * (w @ z) - 1 + diagonal[i] * alpha[i]
            new = max(alpha[i] - slope / (z @ z + diagonal[i]), 0)
            w += (new - alpha[i]) * t[i] * z
            alpha[i] = new
        if np.abs(alpha - before).max() < 1e-12:
            break
    return w[:-1], w[-1]


class SplitMix:
    """The random numbers of the kernels."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 32) * n >> 32


def _sum(vectors):
    """Added one after the other in float32, as a kernel does it."""
    return np.add.accumulate(vectors, dtype=np.float32)[-1]


def _unit(v):
    length = np.sqrt(np.add.accumulate(v.astype(np.float64) ** 2)[-1])
    return v * np.float32(1 / length if length > 0 else 0)


def halves(V, parts, tol, random, members=None):
    """Lists of members by cluster: halves of equal size again and again."""
    members = list(range(len(V))) if members is None else members
    n, left = len(members), len(members) * (parts // 2) // max(parts, 1)
    if parts <= 1 or n <= 1:
        return [members]
    a = random.below(n)
    b = (a + 1 + random.below(n - 1)) % n
    difference, before = V[members[a]] - V[members[b]], -np.inf
    for _ in range(50):
        nearer = {m: np.add.accumulate(V[m] * difference)[-1] for m in members}
        chosen = set(sorted(members, key=lambda m: (-nearer[m], m))[:left])
        one, two = ([m for m in members if (m in chosen) is side] for side in (True, False))
        gain = sum(float(nearer[m]) * (1 if m in chosen else -1) for m in members) / n
        members = one + two
        if gain - before <= tol:
            break
        before = gain
        difference = _unit(_sum(V[one])) - _unit(_sum(V[two]))
    return halves(V, parts // 2, tol, random, one) + halves(V, parts - parts // 2, tol, random, two)


def k_means(V, k, tol, random):
    """The cluster of each vector: the nearest centroid, of equally near ones the first."""
    seeds = list(range(len(V)))
    for j in range(k):
        other = j + random.below(len(V) - j)
        seeds[j], seeds[other] = seeds[other], seeds[j]
    centroids, before = V[seeds[:k]], -np.inf
    for _ in range(50):
        near = np.add.accumulate(V[:, None, :] * centroids[None], axis=2)[:, :, -1]
        cluster = near.argmax(axis=1)
        gain = sum(near.max(axis=1).astype(float)) / len(V)
        if gain - before <= tol:
            break
        before = gain
        zero = np.zeros((1, V.shape[1]), np.float32)
        centroids = np.array([_unit(_sum(np.vstack([zero, V[cluster == j]]))) for j in range(k)])
    return cluster


def beam_search(trees, x, beam):
    """{label: mean over trees of exp(score)}; a node is a list of (w, b, node or label)."""
    sums = {}
    for root in trees:
        level = [(0.0, root)]
        while level:
            deeper = []
            for score, node in level:
                for w, b, child in node:
                    below = score - max(0.0, 1 - (w @ x + b)) ** 2
                    if isinstance(child, list):
                        deeper.append((below, child))
                    else:
                        sums[child] = sums.get(child, 0.0) + np.exp(below)
            level = sorted(deeper, key=lambda place: -place[0])[:beam]
    return {label: total / len(trees) for label, total in sums.items()}
