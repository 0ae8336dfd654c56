"""The kernels of selection agree with their plain twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import selection
from strategies import entries

from labelrank import _native


@given(st.data(), st.sampled_from([np.float32, np.float64]), st.integers(0, 9))
def test_top_dense_is_a_sort(data, dtype, k):
    shape = data.draw(st.tuples(st.integers(0, 4), st.integers(0, 8)))
    scores = data.draw(arrays(dtype, shape, elements=st.integers(-3, 3)))
    labels, best, bad = _native.top_dense(scores, k)
    want_labels, want_best, want_bad = selection.top_dense(scores, k)
    assert bad == want_bad
    assert labels.dtype == np.int32
    assert best.dtype == dtype
    np.testing.assert_array_equal(labels, want_labels)
    np.testing.assert_array_equal(best, want_best)


def hard_rows(m, dtype, rng):
    """Rows in which it is easy to lose a label or to keep one too many."""
    limits = np.finfo(dtype)
    rising = np.arange(m)
    return np.array(
        [
            rising,  # every block beats all before it
            -rising,
            np.zeros(m),
            np.where(rising % 2, -0.0, 0.0),  # equal, whatever their sign
            rng.random(m),
            rng.integers(0, 7, m),  # full of ties
            np.where(rng.random(m) < 0.02, 1e30, rng.random(m)),  # a few far above the rest
            np.exp(60 * rng.random(m)),
            rng.choice([limits.max, -limits.max, 0], m),
            rng.integers(0, 4, m) * np.float64(limits.smallest_subnormal),
        ]
    ).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("m", [7, 8, 9, 63, 64, 65, 129, 1000])
@pytest.mark.parametrize("k", [1, 2, 31, 64, 100])
def test_top_dense_of_wide_rows(dtype, m, k):
    scores = hard_rows(m, dtype, np.random.default_rng(m + k))
    labels, best, _ = _native.top_dense(scores, k)
    want_labels, want_best, _ = selection.top_dense(scores, k)
    np.testing.assert_array_equal(labels, want_labels)
    np.testing.assert_array_equal(best, want_best)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("column", [0, 63, 64, 199])
def test_top_dense_names_the_first_row_that_is_not_finite(dtype, bad, column):
    scores = np.zeros((4, 200), dtype)
    scores[2, column] = scores[3, 0] = bad
    assert _native.top_dense(scores, 3)[2] == 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_top_dense_takes_the_largest_finite_numbers(dtype):
    most = np.finfo(dtype).max
    scores = np.array([[-most, most, 0, most]], dtype)
    labels, _, bad = _native.top_dense(scores, 4)
    assert bad == -1
    np.testing.assert_array_equal(labels, [[1, 3, 2, 0]])


@given(entries(), st.data())
def test_top_rows_is_a_sort_of_each_row(rows, data):
    keep = data.draw(arrays(np.int64, len(rows.indptr) - 1, elements=st.integers(-1, 9)))
    indptr, labels, scores = _native.top_rows(rows.indptr, rows.labels, rows.scores, keep)
    want = selection.top_rows(rows.indptr, rows.labels, rows.scores, keep)
    assert scores.dtype == rows.scores.dtype
    for found, wanted in zip((indptr, labels, scores), want, strict=True):
        np.testing.assert_array_equal(found, wanted)


@given(entries(), st.data(), st.booleans())
def test_check_rows_finds_the_first_fault(rows, data, ordered):
    labels, scores = rows.labels.copy(), rows.scores.copy()
    for _ in range(data.draw(st.integers(0, 2)) if len(labels) else 0):
        at = data.draw(st.integers(0, len(labels) - 1))
        what = data.draw(st.sampled_from(["label", "nan", "inf"]))
        if what == "label":
            labels[at] = data.draw(st.integers(-1, rows.n_labels))
        else:
            scores[at] = float(what)
    arguments = (rows.indptr, labels, scores, rows.n_labels, ordered)
    assert _native.check_rows(*arguments) == selection.check_rows(*arguments)


@pytest.mark.parametrize("first", [0, 3, 29])
def test_check_rows_finds_a_label_twice_in_a_long_row(first):
    labels = np.arange(31, dtype=np.int32)
    labels[30] = first
    # The row before has the same labels once, which is no fault.
    both = np.concatenate([np.arange(30, dtype=np.int32), labels])
    found = _native.check_rows(np.array([0, 30, 61]), both, np.ones(61), 31, False)
    assert found == (3, 1)


@pytest.mark.parametrize("indptr", [[], [1, 3], [0, 2], [0, 4], [0, 2, 1, 3], [0, -1, 3]])
def test_a_broken_row_pointer_is_refused_before_it_is_used(indptr):
    pointer, labels, scores = np.array(indptr, np.int64), np.arange(3, dtype=np.int32), np.ones(3)
    with pytest.raises(ValueError, match="indptr must start at 0"):
        _native.check_rows(pointer, labels, scores, 3, False)
    with pytest.raises(ValueError, match="indptr must start at 0"):
        _native.top_rows(pointer, labels, scores, np.zeros(max(len(indptr) - 1, 0), np.int64))


def test_lengths_that_disagree_are_refused():
    indptr, labels, scores = np.array([0, 2]), np.arange(2, dtype=np.int32), np.ones(2)
    with pytest.raises(ValueError, match="scores has 3 values where 2"):
        _native.top_rows(indptr, labels, np.ones(3), np.array([-1]))
    with pytest.raises(ValueError, match="keep has 2 values where 1"):
        _native.top_rows(indptr, labels, scores, np.array([1, 1]))
    with pytest.raises(ValueError, match="k must not be negative"):
        _native.top_dense(np.ones((1, 2)), -1)
