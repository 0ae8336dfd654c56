"""The losses that rankers learn by: kernels against lists of all pairs and rankings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import ranking_losses as twin
from strategies import entries

from labelrank import _native

ONE = np.ones(1, dtype=np.float32)
QUARTERS = st.integers(-6, 6).map(lambda n: n / 4)


def drawn(data, size, values):
    return np.array(data.draw(st.lists(values, min_size=size, max_size=size)), dtype=float)


def slope_of(loss, at, step=1e-6):
    """The slope of a function by finite differences."""
    return np.array([(loss(at + step * e) - loss(at - step * e)) / (2 * step)
                     for e in np.eye(len(at))])  # fmt: skip


@given(entries(dtype=np.float64), st.data())
def test_top_one_is_its_twin_and_its_slope_is_a_slope(rows, data):
    targets = drawn(data, len(rows.labels), st.sampled_from([0, 0, 0.5, 2]))
    loss, slope = _native.top_one(rows.indptr, rows.scores, targets)
    assert loss == pytest.approx(twin.top_one(rows.indptr, rows.scores, targets), abs=1e-12)
    numeric = slope_of(lambda s: _native.top_one(rows.indptr, s, targets)[0], rows.scores)
    np.testing.assert_allclose(slope, numeric, atol=1e-6)


def test_top_one_of_two_candidates():
    loss, slope = _native.top_one(np.array([0, 2]), np.array([np.log(3), 0.0]), np.array([1.0, 0]))
    assert loss == pytest.approx(np.log(4 / 3))
    np.testing.assert_allclose(slope, [3 / 4 - 1, 1 / 4])


def test_top_one_does_not_overflow():
    loss, slope = _native.top_one(np.array([0, 2]), np.array([500.0, -500]), np.array([0.0, 1]))
    assert loss == pytest.approx(1000)
    np.testing.assert_allclose(slope, [1, -1])


@given(entries(dtype=np.float64), st.booleans(), st.data())
def test_pair_hinge_is_its_twin(rows, squared, data):
    size = len(rows.labels)
    scores = drawn(data, size, QUARTERS)
    grades = drawn(data, size, st.sampled_from([0, 1, 2, 2.5]))
    weights = drawn(data, size, st.sampled_from([0, 0.5, 1, 3]))
    found = _native.pair_hinge(rows.indptr, scores, grades, weights, squared)
    want = twin.pair_hinge(rows.indptr, scores, grades, weights, squared)
    np.testing.assert_allclose(found[0], want[0], atol=1e-9)
    np.testing.assert_allclose(found[1], want[1], atol=1e-9)


def test_the_slope_of_the_squared_hinge_is_a_slope():
    rng = np.random.default_rng(0)
    indptr, scores = np.array([0, 7, 7, 12]), rng.normal(size=12)
    grades, weights = rng.integers(0, 4, 12).astype(float), rng.random(12)

    def loss(s):
        return _native.pair_hinge(indptr, s, grades, weights, True)[0].sum()

    slope = _native.pair_hinge(indptr, scores, grades, weights, True)[1]
    np.testing.assert_allclose(slope, slope_of(loss, scores), atol=1e-6)


def test_large_scores_do_not_cancel():
    scores = np.array([0.0, 0.5, 0.25]) + 1e8
    losses, _ = _native.pair_hinge(
        np.array([0, 3]), scores, np.array([1.0, 0, 0]), np.ones(3), True
    )
    assert losses[0] == pytest.approx(1.5**2 + 1.25**2)


@given(st.lists(st.tuples(QUARTERS, st.booleans()), min_size=0, max_size=6))
def test_the_most_violated_ranking_is_the_worst_of_all(group):
    scores = np.array([s for s, _ in group], dtype=float)
    relevant = np.array([r for _, r in group], dtype=bool)
    indptr = np.array([0, len(group)])
    losses, slope = _native.most_violated(indptr, scores, relevant, np.array([2.0]))
    assert losses[0] == pytest.approx(2 * twin.most_violated(scores, relevant), abs=1e-9)
    # the violation is linear in the scores as long as the same ranking is the worst
    assert slope.sum() == pytest.approx(0, abs=1e-9)


def test_the_slope_of_the_violation_is_a_slope():
    rng = np.random.default_rng(1)
    indptr, scores = np.array([0, 8, 8, 9, 15]), rng.normal(size=15)
    relevant, weights = rng.random(15) < 0.4, np.array([1.0, 1, 1, 0.5])

    def loss(s):
        return _native.most_violated(indptr, s, relevant, weights)[0].sum()

    slope = _native.most_violated(indptr, scores, relevant, weights)[1]
    np.testing.assert_allclose(slope, slope_of(loss, scores), atol=1e-6)


@given(
    st.lists(st.tuples(QUARTERS, st.sampled_from([0, 0, 1, 2.5])), min_size=1, max_size=6),
    st.sampled_from(["nDCG", "MAP", "RR"]),
    st.integers(0, 7),
    st.booleans(),
)
def test_lambdas_are_their_twin(group, measure, k, normed):
    scores, gains = (np.array(column, dtype=float) for column in zip(*group, strict=True))
    indptr, weight = np.array([0, len(group)]), np.array([1.5])
    found = _native.lambdas(indptr, scores, gains, weight, measure, k, normed)
    want = twin.lambdas(scores, gains, 1.5, measure, k, normed)
    np.testing.assert_allclose(found, want, atol=1e-12)
    assert (found[1] >= 0).all()


def test_lambdas_of_a_pair_by_hand():
    """Two candidates in the wrong order: swapping them changes nDCG from 1/log2(3) to 1."""
    change = 1 - 1 / np.log2(3)
    p = 1 / (1 + np.exp(-2.0))
    arrays = np.array([0, 2]), np.array([1.0, -1.0]), np.array([0.0, 3.0]), np.ones(1)
    slope, bend = _native.lambdas(*arrays, "nDCG", 10, False)
    np.testing.assert_allclose(slope, [change * p, -change * p])
    np.testing.assert_allclose(bend, [change * p * (1 - p)] * 2)


@given(st.integers(1, 6), st.data())
def test_the_simplex_minimum_has_no_better_exchange(n, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    A = rng.normal(size=(n, data.draw(st.integers(1, 6))))
    Q, b = A @ A.T, rng.normal(size=n)
    x = _native.simplex_minimum(Q, b, np.eye(n)[0], 1e-10, 100_000)
    assert x.sum() == pytest.approx(1)
    assert (x >= 0).all()
    slope = Q @ x - b
    assert (slope[x > 0] <= slope.min() + 1e-9).all()  # the conditions of the optimum


@given(st.integers(0, 5), st.integers(1, 4), st.integers(1, 9), st.integers(0, 99))
def test_the_network_is_its_twin(n, d, h, seed):
    rng = np.random.default_rng(seed)
    X, layer, bias, output = (
        rng.normal(size=shape).astype(np.float32) for shape in ((n, d), (d, h), h, h)
    )
    slope = rng.normal(size=n)
    units, scores = _native.network_scores(X, layer, bias, output)
    found = (units, scores, *_native.network_slopes(X, units, output, slope))
    for one, other in zip(found, twin.network(X, layer, bias, output, slope), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_arrays_that_do_not_fit_are_refused():
    indptr, two, three = np.array([0, 2]), np.ones(2), np.ones(3)
    calls = (
        lambda: _native.top_one(indptr, three, two),
        lambda: _native.top_one(np.array([0, 3]), two, two),
        lambda: _native.pair_hinge(indptr, two, three, two, True),
        lambda: _native.pair_hinge(indptr, two, two, three, True),
        lambda: _native.most_violated(indptr, two, np.ones(3, bool), np.ones(1)),
        lambda: _native.most_violated(indptr, two, np.ones(2, bool), two),
        lambda: _native.lambdas(indptr, two, three, np.ones(1), "nDCG", 0, False),
        lambda: _native.lambdas(indptr, two, two, np.ones(1), "P", 0, False),
        lambda: _native.lambdas(indptr, two, two, two, "MAP", 0, False),
        lambda: _native.simplex_minimum(np.eye(3), two, two, 0.1, 1),
        lambda: _native.network_scores(np.ones((2, 3), "f4"), np.ones((2, 1), "f4"), ONE, ONE),
        lambda: _native.network_scores(np.ones((2, 1), "f4"), np.ones((1, 2), "f4"), ONE, ONE),
        lambda: _native.network_slopes(np.ones((2, 1), "f4"), np.ones((1, 1), "f4"), ONE, two),
        lambda: _native.network_slopes(np.ones((2, 1), "f4"), np.ones((2, 1), "f4"), ONE, three),
        lambda: _native.simplex_minimum(np.eye(0), np.ones(0), np.ones(0), 0.1, 1),
    )
    for call in calls:
        with pytest.raises(ValueError, match=r"has \d values|must|needs"):
            call()
