"""Shapley values: closed forms, the definition, and sums that are exact."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank.rankers import shapley as module
from labelrank.rankers.shapley import shapley

RNG = np.random.default_rng(0)


def by_orders(score, x, reference):
    """The mean of what each feature adds over all orders in which features become known."""
    found = np.zeros(len(x))
    orders = list(permutations(range(len(x))))
    for order in orders:
        row = reference.copy()
        for j in order:
            before = score(row[None])[0]
            row[j] = x[j]
            found[j] += score(row[None])[0] - before
    return found / len(orders)


def bent(F):
    return F[:, 0] * F[:, 1] - np.maximum(F[:, 2], F[:, 3]) * F[:, 0]


@given(st.integers(0, 1000))
def test_the_sets_give_what_the_orders_define(seed):
    rng = np.random.default_rng(seed)
    F = rng.integers(-3, 4, (2, 4)).astype(np.float32)
    reference = rng.integers(-3, 4, 4).astype(np.float32)
    found = shapley(bent, F, reference, range(4))
    for x, row in zip(F, found, strict=True):
        np.testing.assert_allclose(row, by_orders(bent, x, reference), atol=1e-12)


def test_of_a_sum_each_feature_has_its_own_term():
    F, reference = RNG.normal(size=(3, 2)).astype(np.float32), np.ones(2, dtype=np.float32)
    found = shapley(lambda F: 2.0 * F[:, 0] - 3.0 * F[:, 1], F, reference, [0, 1])
    np.testing.assert_allclose(found, (F - 1) * [2, -3], rtol=1e-5)


def test_drawn_orders_sum_to_the_score_and_come_close(monkeypatch):
    F, reference = RNG.normal(size=(2, 4)).astype(np.float32), np.zeros(4, dtype=np.float32)
    exact = shapley(bent, F, reference, range(4))
    monkeypatch.setattr(module, "_EXACT", 3)
    drawn = shapley(bent, F, reference, range(4))
    np.testing.assert_allclose(drawn.sum(axis=1), bent(F) - bent(reference[None]), atol=1e-5)
    np.testing.assert_allclose(drawn, exact, atol=0.2)
    assert (drawn != exact).any()


def test_nothing_known_adds_nothing():
    F = np.ones((2, 3), dtype=np.float32)
    assert shapley(lambda F: np.zeros(len(F)), F, F[0], []).tolist() == [[0] * 3] * 2
    assert shapley(bent, F[:0], F[0], [0]).shape == (0, 3)
    assert shapley(lambda F: F[:, 1], F, np.zeros(3, np.float32), [1])[0] == pytest.approx(
        [0, 1, 0]
    )
