"""Small learning-to-rank problems with a known answer."""

from __future__ import annotations

import numpy as np

from labelrank import Ranking

GAINS = ("grade", "exp", "propensity")


def ranked(scores):
    """All labels of each row, in the order of their numbers where scores are equal."""
    return Ranking.from_dense(np.asarray(scores, dtype=float))


def problem(groups=20, size=8, seed=0, features=4, noise=0.3):
    """Groups whose grades follow two of the columns: (ranking, F, Y)."""
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(groups * size, features)).astype(np.float32)
    F *= np.array([1, 5, 0.2, 1])[:features]
    worth = F[:, 0] + 0.4 * F[:, 1] + noise * rng.normal(size=len(F))
    worth = worth.reshape(groups, size)
    order = np.argsort(np.argsort(-worth, axis=1), axis=1)
    Y = np.where(order == 0, 2.0, np.where(order <= 2, 1.0, 0.0))
    return ranked(np.zeros((groups, size))), F, Y
