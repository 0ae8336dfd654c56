"""Shapley values: what each feature added to a score, for any function of features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["shapley"]

Score: TypeAlias = Callable[[NDArray[np.float32]], NDArray[Any]]

_EXACT = 12  # features: 4096 evaluations a candidate
_ORDERS = 256  # drawn orders where there are more


def shapley(
    score: Score,
    F: NDArray[np.float32],
    reference: NDArray[np.float32],
    features: Sequence[int],
) -> NDArray[np.float64]:
    r"""Contributions that sum to score(x) - score(reference).

    .. math::
        \phi_j = \sum_{S \subseteq M \setminus j} \frac{|S|!\,(|M| - |S| - 1)!}{|M|!}
                 \left(f(x_{S \cup j}) - f(x_S)\right)

    where x_S has the features in S from the candidate and the others from the reference. Exact for
    up to 12 features; with more, the mean over 256 orders of them (the same ones for every
    candidate), whose sum is still exact.

    Parameters
    ----------
    score : function of a float32 array (n, d)
    F : float32 array (n, d)
    reference : float32 array (d,)
    features : sequence of int
        Those that the score depends on (M); the others contribute nothing.

    Examples
    --------
    >>> import numpy as np
    >>> F = np.array([[2, 3, 9]], dtype=np.float32)
    >>> shapley(lambda F: F[:, 0] * F[:, 1], F, np.zeros(3, dtype=np.float32), [0, 1])
    array([[3., 3., 0.]])
    """
    out = np.zeros(F.shape)
    walk = _subsets if len(features) <= _EXACT else _orders
    for x, row in zip(F, out, strict=True):
        if len(features):
            row[list(features)] = walk(score, x, reference, np.asarray(features))
    return out


def _mixed(
    known: NDArray[np.bool_],
    x: NDArray[np.float32],
    reference: NDArray[np.float32],
    features: NDArray[np.intp],
) -> NDArray[np.float32]:
    """The candidate with only some features known, one row a set (n_sets, d)."""
    rows = np.tile(reference, (len(known), 1))
    rows[:, features] = np.where(known, x[features], reference[features])
    return rows


def _subsets(
    score: Score,
    x: NDArray[np.float32],
    reference: NDArray[np.float32],
    features: NDArray[np.intp],
) -> NDArray[np.float64]:
    """The formula, over all sets of features."""
    m = len(features)
    sets = np.arange(1 << m)
    known = (sets[:, None] >> np.arange(m) & 1).astype(bool)
    values = score(_mixed(known, x, reference, features)).astype(np.float64)
    weights = np.array([factorial(s) * factorial(m - s - 1) / factorial(m) for s in range(m)])
    found = np.empty(m)
    for j in range(m):
        without = sets[~known[:, j]]
        added = values[without | 1 << j] - values[without]
        found[j] = weights[known[without].sum(axis=1)] @ added
    return found


def _orders(
    score: Score,
    x: NDArray[np.float32],
    reference: NDArray[np.float32],
    features: NDArray[np.intp],
) -> NDArray[np.float64]:
    """The mean of what a feature adds as it becomes known, over drawn orders."""
    m = len(features)
    rng = np.random.default_rng(0)
    found = np.zeros(m)
    for _ in range(_ORDERS // 2):
        order = rng.permutation(m)
        for path in (order, order[::-1]):  # an order and its reverse: less noise for as much work
            known = np.zeros((m + 1, m), dtype=bool)
            for step, j in enumerate(path):
                known[step + 1 :, j] = True
            values = score(_mixed(known, x, reference, features)).astype(np.float64)
            found[path] += np.diff(values)
    return found / (_ORDERS // 2 * 2)
