"""The kernels of Euclidean neighbours: exact, sparse as dense, and nobody is his own neighbour."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import nearest_l2 as twin
from sklearn.neighbors import NearestNeighbors as Brute

from labelrank import _native
from labelrank.scorers._neighbourhood import count_labels, nearest_rows

FORMS = {"dense": np.asarray, "sparse": sp.csr_array}
SMALL = st.sampled_from([0.0, 0.0, 0.0, 1.0, 2.0, -1.0, 3.0])


def parts(X):
    X = sp.csr_array(np.asarray(X, dtype=np.float32))
    return X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data


def kernel(form, queries, rows, k, own=-1):
    queries, rows = (np.ascontiguousarray(a, dtype=np.float32) for a in (queries, rows))
    if form == "dense":
        return _native.nearest_l2_dense(queries, rows, k, own)
    return _native.nearest_l2_sparse(*parts(queries), *parts(rows), rows.shape[1], k, own)


@pytest.mark.parametrize("form", FORMS)
@given(data=st.data(), k=st.integers(1, 12))
def test_the_kernels_are_exact_with_ties_by_row(form, data, k):
    n, q, d = (data.draw(st.integers(1, top)) for top in (9, 4, 10))
    X = data.draw(arrays(np.float32, (n, d), elements=SMALL))
    queries = data.draw(arrays(np.float32, (q, d), elements=SMALL))
    rows, far = kernel(form, queries, X, k)
    want, distances = twin.nearest(queries, X, k)
    np.testing.assert_array_equal(rows, want)
    np.testing.assert_array_equal(far, distances)
    rows, far = kernel(form, X, X, k, own=0)
    want, distances = twin.nearest(X, X, k, own=True)
    np.testing.assert_array_equal(rows, want)
    np.testing.assert_array_equal(far, distances)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("k", [1, 10, 300])
def test_the_kernels_over_many_blocks(form, n, k):
    rng = np.random.default_rng(n + k)
    X = rng.integers(-2, 4, (n, 21)) * (rng.random((n, 21)) < 0.3)
    queries = rng.integers(-2, 4, (37, 21)) * (rng.random((37, 21)) < 0.3)
    rows, far = kernel(form, queries, X, k)
    want, distances = twin.nearest(queries, X, k)
    np.testing.assert_array_equal(rows, want)
    np.testing.assert_array_equal(far, distances)


@pytest.mark.parametrize("scale", [1e-38, 1e-24, 1.0, 1e18, 1e38])
@pytest.mark.parametrize("form", FORMS)
def test_distances_that_float32_cannot_hold(form, scale):
    """Squares that vanish or overflow are settled in float64."""
    rng = np.random.default_rng(0)
    X, queries = (rng.standard_normal((n, 30)).astype(np.float32) * 0.5 for n in (150, 20))
    X, queries = (np.float32(scale) * part for part in (X, queries))
    rows, far = kernel(form, queries, X, 7)
    want, distances = twin.nearest(queries, X, 7)
    np.testing.assert_array_equal(rows, want)
    np.testing.assert_allclose(far, distances, rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_rows_that_hardly_differ_far_from_zero(form):
    """Where |x|² + |q|² - 2 xq in float32 would be noise."""
    rng = np.random.default_rng(1)
    X = (1000 + rng.random((300, 8)) / 8).astype(np.float32)
    rows, _ = kernel(form, X[:50], X, 5)
    np.testing.assert_array_equal(rows, twin.nearest(X[:50], X, 5)[0])
    np.testing.assert_array_equal(rows[:, 0], np.arange(50))


def test_sparse_and_dense_are_equal_to_the_last_bit():
    rng = np.random.default_rng(2)
    X = (rng.standard_normal((400, 77)) * (rng.random((400, 77)) < 0.2)).astype(np.float32)
    for own in (-1, 0):
        dense, sparse = (kernel(form, X, X, 9, own) for form in FORMS)
        np.testing.assert_array_equal(dense[0], sparse[0])
        np.testing.assert_array_equal(dense[1], sparse[1])


@pytest.mark.parametrize("form", FORMS)
def test_against_scikit_learn(form):
    rng = np.random.default_rng(3)
    X, queries = (rng.standard_normal((n, 12)).astype(np.float32) for n in (500, 60))
    brute = Brute(n_neighbors=15, algorithm="brute").fit(X.astype(np.float64))
    distances, want = brute.kneighbors(queries.astype(np.float64))
    rows, far = kernel(form, queries, X, 15)
    np.testing.assert_array_equal(rows, want)
    np.testing.assert_allclose(np.sqrt(far), distances, rtol=1e-9)


@pytest.mark.parametrize("fitted", FORMS)
@pytest.mark.parametrize("asked", FORMS)
def test_blocks_and_forms(fitted, asked, monkeypatch):
    monkeypatch.setattr("labelrank.scorers._neighbourhood._BLOCK", 16)
    rng = np.random.default_rng(4)
    X = rng.integers(0, 3, (70, 6)).astype(np.float32)
    for own in (False, True):
        want = twin.nearest(X, X, 4, own)[0]
        for n_jobs in (None, 2):
            found = nearest_rows(FORMS[fitted](X), FORMS[asked](X), 4, own, n_jobs)
            np.testing.assert_array_equal(found, want)


def test_one_row_has_no_neighbour():
    near = nearest_rows(np.ones((1, 2), np.float32), np.ones((1, 2), np.float32), 3, own=True)
    assert near.shape == (1, 0)
    assert count_labels(near, sp.csr_array(np.ones((1, 4), np.float32))).toarray().tolist() == [
        [0, 0, 0, 0]
    ]


def test_labels_are_counted():
    Y = sp.csr_array(np.array([[1, 0], [1, 1], [0, 0]], dtype=np.float32))
    near = np.array([[0, 1], [2, 2], [2, 0]], dtype=np.int32)
    assert count_labels(near, Y).toarray().tolist() == [[2, 1], [0, 0], [1, 0]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0}, {"own": -2}, {"own": 1}, {"own": 2**62}, {"n_features": 0}, {"n_features": -1},
        {"q_indptr": np.array([0, 2])}, {"q_indices": np.ones(1, np.int32)},
        {"q_data": np.ones(2, np.float32)}, {"r_indptr": np.array([1, 1])},
        {"r_indices": np.full(1, -1, np.int32)}, {"r_data": np.ones(0, np.float32)},
    ],
)  # fmt: skip
def test_the_sparse_kernel_refuses_arrays_that_do_not_fit(wrong):
    one, zero = np.ones(1, np.float32), np.zeros(1, np.int32)
    good = {
        "q_indptr": np.array([0, 1]), "q_indices": zero, "q_data": one,
        "r_indptr": np.array([0, 1]), "r_indices": zero, "r_data": one,
        "n_features": 1, "k": 1, "own": -1,
    }  # fmt: skip
    assert _native.nearest_l2_sparse(**good)[0].tolist() == [[0]]
    with pytest.raises(ValueError, match=r"must|values"):
        _native.nearest_l2_sparse(**good | wrong)


@pytest.mark.parametrize("wrong", [{"k": 0}, {"own": 1}, {"queries": np.ones((1, 3), np.float32)}])
def test_the_dense_kernel_refuses_arrays_that_do_not_fit(wrong):
    one = np.ones((1, 2), np.float32)
    good = {"queries": one, "rows": one, "k": 1, "own": -1}
    assert _native.nearest_l2_dense(**good)[1].tolist() == [[0]]
    with pytest.raises(ValueError, match=r"must|values"):
        _native.nearest_l2_dense(**good | wrong)
