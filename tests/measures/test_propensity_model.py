"""The propensity model: paper 003, section 5, formulas (1) and (2)."""

from math import exp, log

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from labelrank import InputError, propensities
from labelrank.measures import estimate_propensity
from labelrank.measures.propensity_model import model

PUBLISHED = {"wikipedia": (0.5, 0.4), "amazon": (0.6, 2.6), "default": (0.55, 1.5)}


def labels(counts, n_points):
    """A truth in which label l is relevant to the first counts[l] points."""
    return (np.arange(n_points)[:, None] < np.array(counts)).astype(float)


@pytest.mark.parametrize("preset", PUBLISHED)
@pytest.mark.parametrize("times", [0, 1, 7, 100])
def test_formula_1(preset, times):
    A, B = PUBLISHED[preset]
    C = (log(100) - 1) * (B + 1) ** A
    p = 1 / (1 + C * exp(-A * log(times + B)))
    found = propensities(labels([times, 100], 100), preset)
    assert found[0] == pytest.approx(p, rel=1e-12)


def test_formula_2_a_label_seen_once_weighs_log_n():
    """N_l = 1 makes C (N_l + B)^-A = log N - 1, whatever A and B: the weight is log N."""
    for A, B in PUBLISHED.values():
        p = propensities(labels([1], 50), A=A, B=B)
        assert 1 / p[0] == pytest.approx(log(50), rel=1e-12)


def test_the_default_is_the_mean_of_the_two_estimated_pairs():
    A, B = np.mean([PUBLISHED["wikipedia"], PUBLISHED["amazon"]], axis=0)
    Y = labels([0, 1, 5, 20], 20)
    np.testing.assert_allclose(propensities(Y), propensities(Y, A=A, B=B), rtol=1e-12)


def test_a_or_b_alone_overrides_the_preset():
    Y = labels([3], 20)
    wanted = model([3], 20, 0.5, 9.0)
    np.testing.assert_array_equal(propensities(Y, "wikipedia", B=9.0), wanted)
    np.testing.assert_array_equal(propensities(Y, "amazon", A=0.1), propensities(Y, A=0.1, B=2.6))


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix])
def test_sparse_and_graded_truths_count_alike(kind):
    Y = labels([0, 4, 9], 10)
    np.testing.assert_array_equal(propensities(kind(Y * 3)), propensities(Y))


def test_a_label_is_counted_once_a_point_even_if_stored_twice():
    stored = sp.coo_array((np.ones(3), ([0, 0, 1], [0, 0, 0])), shape=(5, 1))
    np.testing.assert_array_equal(propensities(stored), propensities(labels([2], 5)))


@given(
    st.lists(st.integers(0, 30), min_size=2, max_size=6),
    st.sampled_from(sorted(PUBLISHED)),
)
def test_propensities_lie_in_0_1_and_rise_with_frequency(counts, preset):
    p = propensities(labels(counts, 30), preset)
    assert ((p > 0) & (p < 1)).all()
    order = np.argsort(counts, kind="stable")
    rising = np.diff(np.array(counts)[order]) > 0
    assert (np.diff(p[order])[rising] > 0).all()
    assert (np.diff(p[order])[~rising] == 0).all()


def test_fewer_than_three_points_are_refused():
    assert propensities(labels([1], 3)).shape == (1,)
    with pytest.raises(InputError, match="3 points or more; found 2"):
        propensities(labels([1], 2))


@pytest.mark.parametrize(
    ("A", "B"), [(-0.1, 1), (np.nan, 1), (0.5, np.inf), (0.5, 0), (0.5, -0.5), (0.5, -2)]
)
def test_parameters_that_give_no_chance_are_refused(A, B):
    with pytest.raises(InputError, match=r"give no propensity in \(0, 1\)"):
        propensities(labels([0, 2], 10), A=A, B=B)


def test_an_unknown_preset_is_refused():
    with pytest.raises(InputError, match="preset must be one of wikipedia, amazon, default"):
        propensities(labels([1], 5), "wiki")


# ---------------------------------------------------------------- fitting A and B


@pytest.mark.parametrize(("A", "B"), PUBLISHED.values())
def test_the_fit_finds_the_parameters_that_made_the_data(A, B):
    seen = np.arange(1, 3001)
    found = estimate_propensity(seen, seen / model(seen, 20_000, A, B), 20_000)
    assert found[0] == pytest.approx(A, abs=0.02)
    assert found[1] == pytest.approx(B, abs=0.3)


def test_the_fit_averages_out_noise_within_its_bins():
    rng = np.random.default_rng(0)
    complete = rng.integers(20, 5000, size=6000)
    p = 0.7
    for _ in range(50):  # N_l = p(N_l) N_l*, the model's fixed point
        p = model(complete * p, 50_000, 0.6, 2.6)
    observed = np.maximum(rng.binomial(complete, p), 1)
    A, B = estimate_propensity(observed, complete, 50_000)
    fitted, wanted = (model([10, 100, 1000], 50_000, *ab) for ab in ((A, B), (0.6, 2.6)))
    np.testing.assert_allclose(fitted, wanted, atol=0.03)


def test_the_fit_does_not_depend_on_the_order_of_the_labels():
    rng = np.random.default_rng(1)
    seen = np.arange(1, 401)
    complete = seen / model(seen, 5000, 0.5, 0.4)
    shuffled = rng.permutation(400)
    found = estimate_propensity(seen[shuffled], complete[shuffled], 5000)
    np.testing.assert_allclose(found, estimate_propensity(seen, complete, 5000), rtol=1e-9)


@pytest.mark.parametrize(
    ("observed", "complete", "message"),
    [
        ([1, 2], [1, 2, 3], "two lists of counts of the same labels"),
        ([[1, 2]], [[1, 2]], "two lists of counts"),
        ([1], [2], "two lists of counts"),
        ([0, 2], [1, 2], "observed counts must be 1 or more"),
        ([3, 2], [1, 2], "at most the complete counts"),
    ],
)
def test_counts_are_checked(observed, complete, message):
    with pytest.raises(InputError, match=message):
        estimate_propensity(observed, complete, 100)
