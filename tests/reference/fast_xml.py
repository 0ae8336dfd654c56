"""Twins of the kernels of label trees: the sides of a node, its hyperplane, the way down."""

import numpy as np


def discounts(n):
    """Whole numbers, so that sums are exact; 2^24 is 1."""
    return np.rint(2**24 / np.log2(np.arange(n) + 2)).astype(np.int64)


def rankings(gains, side):
    """For both sides the discount of each label: (2, n_labels)."""
    sums = np.array([gains[side == s].sum(axis=0) for s in (0, 1)], dtype=np.int64)
    shift = max(int(sums.max(initial=0)).bit_length() - 16, 0)
    found = np.zeros(sums.shape, np.int64)
    for s in (0, 1):
        present = np.flatnonzero(sums[s])
        order = present[np.argsort(-(sums[s][present] >> shift), kind="stable")]
        found[s] = discounts(len(order) + 1)[-1]
        found[s, order] = discounts(len(order))
    return found


def partition(gains, side, rounds, still):
    """Sides by turns of the closed forms: (sides, rounds taken). gains: whole (n, n_labels)."""
    side = side.copy()
    taken, moved = 0, still + 1
    while taken < rounds and moved > still:
        low, high = rankings(gains, side)
        better = gains @ (high - low)
        to = np.where(better > 0, 1, np.where(better < 0, 0, side))
        moved = (to != side).sum()
        side = to.astype(np.uint8)
        taken += 1
    return side, taken


def ndcg(gains, side):
    """What the alternation makes larger."""
    discount = rankings(gains, side)
    return sum((gains[side == s] @ discount[s].astype(float)).sum() for s in (0, 1))


def costs(side, cost):
    """c_i: both sides weigh the same."""
    return cost * len(side) / np.where(side == 1, (side == 1).sum(), (side == 0).sum())


def objective(X, side, weights, intercept, cost, bias):
    """|w|_1 + |b| + Σ c log(1 + exp(-δ (Xw + b β))); `intercept` is b β."""
    margins = np.where(side == 1, 1, -1) * (X @ weights + intercept)
    loss = costs(side, cost) @ np.logaddexp(0, -margins)
    return np.abs(weights).sum() + abs(intercept / bias) + loss


def slopes(X, side, weights, intercept, cost):
    """The derivative of the loss by each weight."""
    sign = np.where(side == 1, 1, -1)
    wrong = 1 / (1 + np.exp(sign * (X @ weights + intercept)))
    return -X.T @ (costs(side, cost) * sign * wrong)


def way(forest, x, t):
    """The margins that x has on its way down a tree by the arrays of a forest, and its leaf."""
    node, margins = int(forest.roots_[t]), []
    while node >= 0:
        own = slice(forest.weight_starts_[node], forest.weight_starts_[node + 1])
        margin = forest.intercepts_[node] + forest.weights_[own] @ x[forest.weight_features_[own]]
        margins.append(float(margin))
        node = int(forest.children_[2 * node + int(margin > 0)])
    return margins, ~node


def leaf_of(forest, x, t):
    """The leaf that x ends in."""
    return way(forest, x, t)[1]


def is_clear(forest, x):
    """Whether no margin is so near to 0 that the order of a sum could decide its sign."""
    margins = [m for t in range(len(forest.roots_)) for m in way(forest, x, t)[0]]
    return min(map(abs, margins), default=1.0) > 1e-5


def probabilities(forest, x, n_labels):
    """(3): the mean of the leaves."""
    total = np.zeros(n_labels)
    for t in range(len(forest.roots_)):
        leaf = leaf_of(forest, x, t)
        own = slice(forest.leaf_starts_[leaf], forest.leaf_starts_[leaf + 1])
        total[forest.leaf_labels_[own]] += forest.leaf_values_[own] * forest.leaf_scale_
    return total / len(forest.roots_)


def leaf_values(Y, rows, most):
    """The mean of some rows of Y; the largest are kept."""
    mean = Y[rows].mean(axis=0)
    order = np.lexsort((np.arange(len(mean)), -mean))[:most]
    kept = np.zeros(len(mean))
    kept[order] = mean[order]
    return kept


def tail_log_probabilities(X, Y, queries, gamma):
    """(5) for the means (7) of rows of length one: (n_queries, n_labels)."""

    def unit(rows):
        length = np.linalg.norm(rows.astype(float), axis=1, keepdims=True)
        return rows / np.where(length > 0, length, 1)

    means = Y.T @ unit(X) / np.maximum(Y.sum(axis=0), 1e-30)[:, None]
    distances = ((unit(queries)[:, None] - means[None]) ** 2).sum(axis=2)
    return -np.logaddexp(0, gamma / 2 * distances)
