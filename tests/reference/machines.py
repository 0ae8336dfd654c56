"""What the linear scorers minimise, in plain NumPy: pairs one by one, weights counted."""

from __future__ import annotations

import numpy as np


def pair_hinge(F, Y, C):
    """(loss, slopes, Hessian times a matrix) of Rank-SVM's squared hinge, pair by pair."""
    value, slopes, pairs = 0.0, np.zeros(F.shape), []
    for i, (f, y) in enumerate(zip(F, Y > 0, strict=True)):
        for k in np.flatnonzero(y):
            for other in np.flatnonzero(~y):
                weight = C / (y.sum() * (~y).sum())
                missing = 1 - f[k] + f[other]
                if missing > 0:
                    value += weight * missing**2
                    slopes[i, k] -= 2 * weight * missing
                    slopes[i, other] += 2 * weight * missing
                    pairs.append((i, k, other, 2 * weight))

    def bend(V):
        result = np.zeros(F.shape)
        for i, k, other, weight in pairs:
            result[i, k] += weight * (V[i, k] - V[i, other])
            result[i, other] += weight * (V[i, other] - V[i, k])
        return result

    return value, slopes, bend


def squared_hinge(F, Y, C):
    """The loss of each label."""
    return C * (np.maximum(1 - np.where(Y > 0, 1, -1) * F, 0) ** 2).sum(axis=0)


def logistic(F, Y, C):
    """The log loss of each label."""
    return C * np.log1p(np.exp(-np.where(Y > 0, 1, -1) * F)).sum(axis=0)


def rbf(A, B, gamma):
    """The Gaussian kernel, pair by pair."""
    return np.array([[np.exp(-gamma * ((a - b) ** 2).sum()) for b in B] for a in A])
