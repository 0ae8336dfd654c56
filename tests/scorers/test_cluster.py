"""Clusters of labels: the kernels are their twins."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import linear as twin

from labelrank import _native


@st.composite
def vectors(draw):
    """Sparse rows of length one; some equal, some empty."""
    n, d, seed = draw(st.integers(1, 12)), draw(st.integers(1, 5)), draw(st.integers(0, 999))
    V = np.random.default_rng(seed).integers(0, 3, (n, d)).astype(np.float32)
    lengths = np.linalg.norm(V, axis=1, keepdims=True)
    return (V / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def run(V, k, balanced, seed, chosen=None):
    rows = sp.csr_array(V)
    chosen = np.arange(len(V)) if chosen is None else chosen
    return _native.cluster(
        *(rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data, V.shape[1]),
        *(np.asarray(chosen, np.int32), k, balanced, 1e-4, seed),
    )


@settings(max_examples=100)
@given(vectors(), st.data())
def test_halves(V, data):
    k, seed = data.draw(st.integers(1, len(V))), data.draw(st.integers(0, 99))
    found = run(V, k, True, seed)
    want = twin.halves(V, k, 1e-4, twin.SplitMix(seed))
    assert [np.flatnonzero(found == j).tolist() for j in range(k)] == [sorted(w) for w in want]
    sizes = np.bincount(found, minlength=k)
    assert sizes.min() >= 1


@settings(max_examples=100)
@given(vectors(), st.data())
def test_k_means(V, data):
    k, seed = data.draw(st.integers(1, len(V))), data.draw(st.integers(0, 99))
    np.testing.assert_array_equal(
        run(V, k, False, seed), twin.k_means(V, k, 1e-4, twin.SplitMix(seed))
    )


@pytest.mark.parametrize("balanced", [True, False])
def test_only_what_is_chosen_counts(balanced):
    rng = np.random.default_rng(0)
    V = np.vstack([np.eye(6)[[0, 1] * 10], rng.random((30, 6))]).astype(np.float32)
    found = run(V, 2, balanced, 4, chosen=np.arange(20))
    assert (found[::2] == found[0]).all()
    assert (found[1::2] == 1 - found[0]).all()


GOOD = {
    "indptr": np.array([0, 1, 3]),
    "indices": np.array([0, 0, 1], np.int32),
    "data": np.ones(3, np.float32),
    "n_features": 2,
    "chosen": np.array([0, 1], np.int32),
    "k": 2,
    "balanced": True,
    "tol": 1e-4,
    "seed": 0,
}


@pytest.mark.parametrize(
    "bad",
    [
        {"indptr": np.array([0, 1, 4])},
        {"indptr": np.array([0, 3, 1])},
        {"indptr": np.array([-1, 1, 3])},
        {"indptr": np.zeros(0, np.int64)},
        {"indices": np.array([0, 0, 2], np.int32)},
        {"indices": np.array([0, -1, 1], np.int32)},
        {"data": np.ones(2, np.float32)},
        {"n_features": -1},
        {"chosen": np.array([0, 2], np.int32)},
        {"k": 0},
        {"k": 3},
    ],
)
def test_the_kernel_refuses_arrays_that_do_not_fit(bad):
    assert sorted(_native.cluster(**GOOD)) == [0, 1]
    with pytest.raises(ValueError, match=r"must|has \d values"):
        _native.cluster(**GOOD | bad)
