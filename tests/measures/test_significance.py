"""The tests of paper 000, section 4.3, and those over data sets, against their definitions."""

from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank import InputError
from labelrank.measures import friedman, holm, sign_test, wilcoxon


@pytest.mark.parametrize(("first", "second"), [(2, 10), (10, 2), (0, 5), (5, 5), (1, 0)])
def test_the_sign_test_is_a_fair_coin(first, second):
    common = np.arange(1000, 1100)  # both wrong: no evidence
    a = np.concatenate([np.arange(first), common])
    b = np.concatenate([np.arange(100, 100 + second), common])
    n, most = first + second, max(first, second)
    tail = sum(comb(n, i) for i in range(most, n + 1)) / 2**n
    found = sign_test(a, b)
    assert found.p == pytest.approx(min(2 * tail, 1))
    assert found.effect == pytest.approx((second - first) / n)  # the first is better: positive
    assert found.n == n


def test_equal_decisions_do_not_differ():
    assert sign_test([3, 4], [4, 3])[1:] == (1, 0, 0)
    assert sign_test([], [])[1:] == (1, 0, 0)


def signed_ranks(differences):
    """(W+, W-) of differences that are not zero, ties sharing their mean rank."""
    size = np.abs(differences)
    ranks = np.array([(size < s).sum() + ((size == s).sum() + 1) / 2 for s in size])
    return ranks[differences > 0].sum(), ranks[differences < 0].sum()


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8, unique=True), st.data())
def test_wilcoxon_adds_up_all_signs(sizes, data):
    signs = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(sizes), max_size=len(sizes)))
    difference = np.array(sizes) * np.array(signs) / 64
    up, down = signed_ranks(difference)
    extreme = max(up, down)
    n = len(sizes)
    more = [max(signed_ranks(difference * s)) >= extreme for s in product([-1, 1], repeat=n)]
    found = wilcoxon(difference + 1, np.ones(n))
    assert found.p == pytest.approx(np.mean(more))
    assert found.effect == pytest.approx((up - down) / (up + down))
    assert found.n == n


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_the_effect_with_ties_and_zeros(differences):
    difference = np.array(differences) / 8
    found = wilcoxon(difference, np.zeros(len(difference)))
    left = difference[difference != 0]
    assert found.n == len(left)
    if len(left):
        up, down = signed_ranks(left)
        assert found.effect == pytest.approx((up - down) / (up + down))
    else:
        assert (found.p, found.effect) == (1, 0)


def test_a_loss_turns_the_effect_round_and_leaves_p():
    a, b = np.array([0.1, 0.2, 0.3, 0.35]), np.array([0.5, 0.4, 0.2, 0.9])
    gain, loss = wilcoxon(a, b), wilcoxon(a, b, higher_is_better=False)
    assert gain.p == loss.p
    assert gain.effect == -loss.effect < 0


def test_rows_without_a_value_are_left_out():
    a, b = [0.9, np.nan, 0.8, 0.3, np.nan], [0.1, 0.5, np.nan, 0.2, np.nan]
    assert wilcoxon(a, b) == wilcoxon([0.9, 0.3], [0.1, 0.2])


def test_last_bits_do_not_order_equal_differences():
    a = np.array([0.3, 0.7, 0.9, 0.2])
    b = np.array([0.1 + 0.1, 0.6, 0.8, 0.1])  # all differ by 0.1, up to rounding
    assert wilcoxon(a, b) == wilcoxon([2, 2, 2, 2], [1, 1, 1, 1])
    assert wilcoxon([0.1 + 0.2], [0.3]).n == 0


def test_pairs_are_needed():
    with pytest.raises(InputError, match="paired values are needed"):
        wilcoxon([1, 2], [1, 2, 3])


# ---------------------------------------------------------------- Holm


def test_holm_by_hand():
    # In rising order 0.01 × 4, 0.02 × 3, 0.03 × 2, 0.04 × 1, and no value below one before it.
    found = holm([0.04, 0.01, 0.03, 0.02])
    np.testing.assert_allclose(found, [0.06, 0.04, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.5, 0.9]), [1, 1])
    np.testing.assert_array_equal(holm([0.3]), [0.3])
    assert len(holm([])) == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.sampled_from([0.01, 0.05, 0.2]))
def test_holm_rejects_what_the_step_down_procedure_rejects(p, alpha):
    """Holm 1979: in rising order, stop at the first p that exceeds alpha / (m - i)."""
    order = np.argsort(p, kind="stable")
    rejected = np.zeros(len(p), bool)
    for i, at in enumerate(order):
        if p[at] * (len(p) - i) > alpha:
            break
        rejected[at] = True
    np.testing.assert_array_equal(holm(p) <= alpha, rejected)


# ---------------------------------------------------------------- Friedman and Nemenyi

# Demšar 2006, Table 6: C4.5 with four settings on 14 data sets.
DEMSAR = np.array([
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],
    [0.957, 0.978, 0.946, 0.970],
])  # fmt: skip


def test_the_published_example():
    found = friedman(DEMSAR)
    np.testing.assert_allclose(found.mean_ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert found.critical_difference == pytest.approx(1.25, abs=0.005)
    assert found.critical_difference == pytest.approx(2.569 * sqrt(4 * 5 / (6 * 14)), abs=1e-3)
    assert friedman(DEMSAR, alpha=0.1).critical_difference == pytest.approx(1.12, abs=0.005)


@pytest.mark.parametrize(
    ("k", "q"), [(3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (8, 3.031), (10, 3.164)]
)
def test_the_published_critical_values(k, q):
    """Demšar 2006, Table 5 (a), Nemenyi at 5 %."""
    found = friedman(np.random.default_rng(0).random((20, k)))
    assert found.critical_difference == pytest.approx(q * sqrt(k * (k + 1) / (6 * 20)), rel=3e-4)


def test_friedmans_statistic_by_hand():
    """χ² = 12N/(k(k+1)) (Σ R² - k(k+1)²/4), and with two degrees of freedom p = exp(-χ²/2)."""
    values = np.array([[3, 2, 1], [3, 1, 2], [3, 2, 1], [2, 3, 1], [3, 2, 1]])
    N, k, R = 5, 3, np.array([6, 10, 14]) / 5
    statistic = 12 * N / (k * (k + 1)) * ((R**2).sum() - k * (k + 1) ** 2 / 4)
    found = friedman(values)
    np.testing.assert_allclose(found.mean_ranks, R)
    assert found.p == pytest.approx(np.exp(-statistic / 2))


def test_ranks_turn_round_for_losses_and_ties_share():
    values = [[0.1, 0.2, 0.2], [0.1, 0.3, 0.2]]
    np.testing.assert_allclose(friedman(values).mean_ranks, [3, 1.25, 1.75])
    np.testing.assert_allclose(friedman(values, False).mean_ranks, [1, 2.75, 2.25])


def test_equal_methods_do_not_differ():
    assert friedman(np.ones((12, 3))).p == 1


@pytest.mark.parametrize("values", [[[1, 2]] * 12, [[1, 2, 3]], [1, 2, 3], np.full((5, 3), np.nan)])
def test_tables_that_cannot_be_tested_are_refused(values):
    with pytest.raises(InputError, match="Friedman's test needs"):
        friedman(values)
