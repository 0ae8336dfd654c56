"""The tests of significance against SciPy, and against simulation where SciPy has none."""

import numpy as np
import pytest
from scipy import stats

from labelrank.measures import friedman, holm, sign_test, wilcoxon


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("n", [3, 10, 60, 400])
def test_wilcoxon(n, rng):
    a, b = rng.normal(size=n), rng.normal(0.2, size=n)
    wanted = stats.wilcoxon(a, b)
    found = wilcoxon(a, b)
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-9)
    assert min(1 - found.effect, 1 + found.effect) * n * (n + 1) / 4 == pytest.approx(
        wanted.statistic
    )


def test_wilcoxon_leaves_out_equal_pairs_as_wilcoxon_did(rng):
    a, b = rng.integers(0, 5, size=80) / 4, rng.integers(0, 4, size=80) / 4
    wanted = stats.wilcoxon(a, b, zero_method="wilcox")
    assert wilcoxon(a, b).p == pytest.approx(wanted.pvalue, rel=1e-9)
    assert wilcoxon(a, b).n == (a != b).sum() < 80


@pytest.mark.parametrize(("first", "second"), [(3, 9), (40, 61), (7, 7)])
def test_sign_test(first, second):
    wanted = stats.binomtest(first, first + second).pvalue
    found = sign_test(np.arange(first), np.arange(100, 100 + second))
    assert found.p == pytest.approx(wanted, rel=1e-12)


def test_friedman(rng):
    values = rng.normal(size=(15, 5)) + np.linspace(0, 1, 5)
    assert friedman(values).p == pytest.approx(stats.friedmanchisquare(*values.T).pvalue)


def test_friedman_with_ties(rng):
    values = rng.integers(0, 4, size=(15, 4))
    found = friedman(values)
    assert found.p == pytest.approx(stats.friedmanchisquare(*values.T).pvalue)
    np.testing.assert_allclose(found.mean_ranks, stats.rankdata(-values, axis=1).mean(axis=0))


@pytest.mark.parametrize("k", [3, 6])
def test_nemenyi_rejects_one_in_twenty_where_nothing_differs(k, rng):
    """The widest gap of mean ranks of k equal methods passes CD on 5 % of the occasions."""
    n = 400
    critical = friedman(rng.random((n, k))).critical_difference
    ranks = rng.permuted(np.tile(np.arange(1.0, k + 1), (4000, n, 1)), axis=2).mean(axis=1)
    rate = (np.ptp(ranks, axis=1) > critical).mean()
    assert rate == pytest.approx(0.05, abs=0.012)


def test_holm_keeps_the_chance_of_any_false_alarm(rng):
    """With all hypotheses true, at most alpha; and more power than Bonferroni never hurts."""
    p = rng.random((4000, 5))
    corrected = np.array([holm(row) for row in p])
    assert (corrected.min(axis=1) <= 0.05).mean() == pytest.approx(0.05, abs=0.012)
    assert (corrected <= np.minimum(p * 5, 1) + 1e-15).all()
    assert (corrected >= p).all()
