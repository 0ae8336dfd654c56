"""RLSEP, LSEP and cross entropy: kernels against lists of all pairs, slopes, bad input."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from reference import rlsep as twin
from strategies import cases, entries

from labelrank import InputError, Ranking, _native
from labelrank.losses import cross_entropy, lsep, rlsep
from labelrank.losses.pairs import drawn_pairs

GRADES = st.sampled_from([0, 0, 0.5, 1, 2, 7])
SCORES = st.one_of(st.floats(-3, 3), st.sampled_from([-500.0, 500.0, 0.0]))


@st.composite
def rows(draw, scores=SCORES, max_size=8):
    n = draw(st.integers(1, max_size))
    f = draw(st.lists(scores, min_size=n, max_size=n))
    r = draw(st.lists(GRADES, min_size=n, max_size=n))
    return np.array(f), np.array(r, dtype=float)


def of_row(f, r, levels=True):
    found = _native.rlsep_dense(f[None, :], *sparse(r[None, :]), levels)
    return found[0][0], found[1][0], found[2][0]


def sparse(Y):
    Y = sp.csr_array(Y)
    return Y.indptr.astype(np.int64), Y.indices.astype(np.int32), Y.data.astype(float)


@given(rows(), st.booleans())
def test_the_factored_sum_is_the_sum_over_pairs(row, levels):
    f, r = row
    for one, other in zip(of_row(f, r, levels), twin.rlsep(f, r, levels), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9, rtol=1e-12)


@given(entries(dtype=np.float64), st.booleans(), st.data())
def test_ragged_groups_are_rows_one_by_one(drawn, levels, data):
    size = len(drawn.labels)
    grades = np.array(data.draw(st.lists(GRADES, min_size=size, max_size=size)), dtype=float)
    n = len(drawn.indptr) - 1
    weights = np.array(data.draw(st.lists(st.sampled_from([0.0, 1, 2.5]), min_size=n, max_size=n)))
    found = _native.rlsep(drawn.indptr, drawn.scores, grades, weights, levels)
    for i, (a, b) in enumerate(zip(drawn.indptr[:-1], drawn.indptr[1:], strict=True)):
        loss, slope, bend = twin.rlsep(drawn.scores[a:b], grades[a:b], levels)
        assert found[0][i] == pytest.approx(weights[i] * loss, abs=1e-9)
        np.testing.assert_allclose(found[1][a:b], weights[i] * slope, atol=1e-9)
        np.testing.assert_allclose(found[2][a:b], weights[i] * bend, atol=1e-9)


@given(rows(st.floats(-3, 3)))
def test_slope_and_bend_are_finite_differences(row):
    f, r = row
    _, slope, bend = of_row(f, r)
    e = 1e-5 * np.eye(len(f))
    numeric = [(of_row(f + d, r)[0] - of_row(f - d, r)[0]) / 2e-5 for d in e]
    np.testing.assert_allclose(slope, numeric, atol=1e-6)
    numeric = [(of_row(f + d, r)[1] - of_row(f - d, r)[1])[i] / 2e-5 for i, d in enumerate(e)]
    np.testing.assert_allclose(bend, numeric, atol=1e-6)


def test_by_hand():
    """Three levels: the pairs (0, 1), (0, 2), (1, 2) have e^(f_v - f_u) = 1/2, 1/4, 1/2."""
    loss, slope, _ = of_row(np.log([4.0, 2, 1]), np.array([2.0, 1, 0]))
    assert loss == pytest.approx(np.log(9 / 4))
    np.testing.assert_allclose(slope, np.array([-3 / 4, 0, 3 / 4]) / (9 / 4), atol=1e-15)


@pytest.mark.parametrize("far", [500.0, -500.0, 1e5])
def test_scores_far_apart_do_not_overflow(far):
    f, r = np.array([far, 0, -far]), np.array([2.0, 1, 0])
    loss, slope, bend = of_row(f, r)
    assert loss == pytest.approx(0 if far > 0 else -2 * far, abs=1e-9)
    np.testing.assert_allclose(slope, [0, 0, 0] if far > 0 else [-1, 0, 1], atol=1e-9)
    np.testing.assert_allclose(bend, 0, atol=1e-9)


@pytest.mark.parametrize("grade", [0.0, 3.0])
def test_labels_of_one_grade_have_no_order(grade):
    loss, slope, bend = of_row(np.arange(4.0), np.full(4, grade))
    assert loss == 0
    assert not slope.any()
    assert not bend.any()


@given(rows())
def test_only_the_order_of_grades_counts_and_the_slope_sums_to_nothing(row):
    f, r = row
    as_ranks = np.unique(np.append(r, 0), return_inverse=True)[1][:-1].astype(float)
    np.testing.assert_array_equal(of_row(f, r)[0], of_row(f, as_ranks)[0])
    assert of_row(f, r)[1].sum() == pytest.approx(0, abs=1e-9)


@given(cases())
def test_rankings_and_dense_scores_say_the_same(case):
    full = Ranking.from_dense(case.ranking.to_csr().toarray().astype(float))
    dense = full.to_csr().toarray()
    for loss in (rlsep, lsep, cross_entropy):
        one, other = loss(full, case.Y), loss(dense, case.Y)
        np.testing.assert_allclose(one.values, other.values, atol=1e-12)
        at = full.rows, full.labels
        np.testing.assert_allclose(one.slope, other.slope[at], atol=1e-12)
        np.testing.assert_allclose(one.bend, other.bend[at], atol=1e-12)
    listed = rlsep(case.ranking, case.Y)
    for i, (labels, scores) in enumerate(case.ranking):
        assert listed.values[i] == pytest.approx(twin.rlsep(scores, case.Y[i, labels])[0])


@given(rows(st.floats(-3, 3)))
def test_cross_entropy_is_its_twin(row):
    f, r = row
    loss = cross_entropy(f[None], r[None])
    assert loss.values[0] == pytest.approx(twin.cross_entropy(f, r), abs=1e-12)
    e = 1e-5 * np.eye(len(f))
    numeric = [(twin.cross_entropy(f + d, r) - twin.cross_entropy(f - d, r)) / 2e-5 for d in e]
    np.testing.assert_allclose(loss.slope[0], numeric, atol=1e-6)


def test_single_precision_and_many_absent_labels():
    rng = np.random.default_rng(0)
    f, Y = rng.normal(size=(2, 3000)).astype(np.float32), np.zeros((2, 3000))
    Y[0, [5, 900]], Y[1, 2999] = [1, 2], 4
    found = rlsep(f, sp.csr_array(Y))
    for i in range(2):
        value, slope = twin.rlsep_in_arrays(f[i].astype(float), Y[i])
        assert found.values[i] == pytest.approx(value)
        np.testing.assert_allclose(found.slope[i], slope, atol=1e-12)


@given(rows(max_size=6), st.integers(1, 20), st.integers(0, 5))
def test_drawn_pairs_are_different_pairs_in_the_right_order(row, t, seed):
    _, r = row
    pairs = drawn_pairs(np.array([0, len(r)]), r, t, seed)
    assert (r[pairs.better] > r[pairs.worse]).all()
    every = sum(a > b for a in r for b in r)
    assert len(pairs.better) == min(t, every)
    assert len(set(zip(pairs.better.tolist(), pairs.worse.tolist(), strict=True))) == min(t, every)


def test_every_pair_is_drawn_as_often_as_any_other():
    r = np.array([0.0, 3, 1, 0, 1])
    indptr = np.arange(0, 5 * 3000 + 1, 5)
    pairs = drawn_pairs(indptr, np.tile(r, 3000), 3, 0)
    counts = np.unique(pairs.better % 5 * 5 + pairs.worse % 5, return_counts=True)[1]
    expected = 3 * 3000 / 8  # of four pairs with label 1 and four between the middle and zero
    assert len(counts) == 8
    assert np.abs(counts - expected).max() < 5 * np.sqrt(expected)


@given(rows(), st.booleans())
def test_all_pairs_drawn_are_the_exact_loss(row, levels):
    f, r = row
    exact = (rlsep if levels else lsep)(f[None], r[None])
    drawn = (rlsep if levels else lsep)(f[None], r[None], pairs=100, random_state=0)
    for one, other in zip(exact, drawn, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


def test_fewer_pairs_cost_less():
    f, Y = np.zeros((1, 5)), np.array([[3, 2, 1, 0, 0]])
    assert rlsep(f, Y, pairs=4).values[0] == pytest.approx(np.log(5))
    assert rlsep(f, Y).values[0] == pytest.approx(np.log(1 + 9))


@pytest.mark.parametrize(
    ("f", "Y", "says"),
    [
        (np.zeros((1, 2)), np.zeros((1, 3)), r"the scores are \(1, 2\) but Y is \(1, 3\)"),
        (np.array([[np.nan, 1]]), np.ones((1, 2)), "NaN or infinite"),
        (np.zeros(2), np.zeros((1, 2)), "scores must be a Ranking or numbers of shape"),
        (np.zeros((1, 2)), np.array([[0, -1]]), "Y has the value -1 in row 0, column 1"),
        (np.zeros((1, 2)), np.array([[0, np.nan]]), "Y has a value that is NaN"),
    ],
)
def test_bad_input_is_told(f, Y, says):
    for loss in (rlsep, lsep, cross_entropy):
        with pytest.raises(InputError, match=says):
            loss(f, Y)


@pytest.mark.parametrize("t", [0, -1, 1.5, True])
def test_numbers_of_pairs_that_cannot_be(t):
    with pytest.raises(InputError, match="pairs must be a whole number from 1 or None"):
        rlsep(np.zeros((1, 2)), np.eye(2)[:1], pairs=t)


def test_kernels_refuse_arrays_that_do_not_fit():
    two, ids = np.ones(2), np.array([0, 1], dtype=np.int32)
    indptr = np.array([0, 2])
    calls = (
        lambda: _native.rlsep(indptr, np.ones(3), two, np.ones(1), True),
        lambda: _native.rlsep(indptr, two, np.ones(3), np.ones(1), True),
        lambda: _native.rlsep(indptr, two, two, two, True),
        lambda: _native.rlsep(np.array([0, 3]), two, two, np.ones(1), True),
        lambda: _native.rlsep_dense(np.ones((2, 2)), indptr, ids, two, True),
        lambda: _native.rlsep_dense(np.ones((1, 2)), indptr, ids[::-1].copy(), two, True),
        lambda: _native.rlsep_dense(np.ones((1, 1)), indptr, ids, two, True),
        lambda: _native.rlsep_dense(np.ones((1, 2)), indptr, ids, np.ones(3), True),
        lambda: _native.sampled_pairs(np.array([0, 3]), two, 1, 0),
        lambda: _native.sampled_pairs(indptr, two, 0, 0),
    )
    for call in calls:
        with pytest.raises(ValueError, match=r"values where|must"):
            call()
