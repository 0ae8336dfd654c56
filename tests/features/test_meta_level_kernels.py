"""The kernels of meta-level features: the sorting network, and arrays that do not fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank import _native

QUARTERS = st.integers(0, 2**32 - 1)


@given(n=st.integers(0, 150), k=st.integers(1, 200), seed=QUARTERS, kinds=st.integers(1, 300))
def test_the_network_sorts(n, k, seed, kinds):
    rng = np.random.default_rng(seed)
    distances = (rng.integers(0, kinds, (n + 3, 16)) / 4).astype(np.float32)
    distances[rng.random(distances.shape) < 0.1] = np.inf
    rows = rng.permutation(n + 3)[:n].astype(np.int32)
    found = _native.smallest_in_lanes(distances, rows, k)
    np.testing.assert_array_equal(found, np.sort(distances[rows], axis=0)[:k])


@pytest.mark.parametrize("size", [16, 32, 64])
def test_the_network_sorts_what_is_zeros_and_ones(size):
    """A network that sorts every sequence of zeros and ones sorts everything."""
    if size == 16:
        bits = (np.arange(2**16)[:, None] >> np.arange(16) & 1).astype(np.float32)
    else:  # two sorted halves are what a merge is given
        ones = np.arange(size // 2 + 1)
        half = (np.arange(size // 2) >= ones[:, None]).astype(np.float32)
        bits = np.vstack([np.hstack([a, b]) for a in half for b in half])
        bits = np.vstack([bits, np.zeros((-len(bits) % 16, size), np.float32)])
    for sixteen in bits.reshape(-1, 16, size)[:: max(1, len(bits) // 16384)]:
        columns = np.ascontiguousarray(sixteen.T)
        found = _native.smallest_in_lanes(columns, np.arange(size, dtype=np.int32), size)
        np.testing.assert_array_equal(found, np.sort(columns, axis=0))


ONE, ZERO = np.ones(1, np.float32), np.zeros(1, np.int32)
PAIRS = {
    "lists_indptr": np.array([0, 1]), "lists_rows": ZERO, "indptr": np.array([0, 1]),
    "labels": ZERO, "own": ZERO - 1, "k": 1, "starts": (0, 1, 2, 3), "width": 5, "ids": False,
}  # fmt: skip
DENSE = {
    "queries": np.ones((1, 1), np.float32), "rows": np.ones((1, 1), np.float32), "inverse": ONE,
    "sums": np.ones((1, 1)), "back": 1.0, **PAIRS,
}  # fmt: skip
SPARSE = {
    "q_indptr": np.array([0, 1]), "q_indices": ZERO, "q_data": ONE,
    "x_indptr": np.array([0, 1]), "x_indices": ZERO, "x_data": ONE, "n_features": 1,
    "row_abs": np.ones(1), "row_squares": np.ones(1), "sum_squares": np.ones(1),
    "has_negative": False, **PAIRS,
}  # fmt: skip
BAD_PAIRS = [
    ("lists_indptr", np.array([0, 2])),
    ("lists_rows", ZERO + 1),
    ("lists_rows", ZERO - 1),
    ("indptr", np.array([1, 1])),
    ("indptr", np.array([0, 0, 1])),
    ("labels", ZERO + 1),
    ("labels", ZERO - 1),
    ("own", ZERO + 1),
    ("own", ZERO - 2),
    ("own", np.zeros(2, np.int32)),
    ("k", 0),
    ("k", 2**62),
    ("starts", (5, 1, 2, 3)),
    ("starts", (2**62, 1, 2, 3)),
    ("starts", (0, 1, 2, 4)),
    ("width", 4),
    ("width", -1),
]
BAD_DENSE = [
    ("queries", np.ones((1, 2), np.float32)),
    ("rows", np.ones((1, 2), np.float32)),
    ("rows", np.ones((0, 1), np.float32)),
    ("inverse", np.ones(2, np.float32)),
    ("sums", np.ones((2, 1))),
    ("sums", np.ones((1, 2))),
]
BAD_SPARSE = [
    ("q_indptr", np.array([0, 2])),
    ("q_indices", ZERO + 1),
    ("q_data", np.ones(2, np.float32)),
    ("x_indptr", np.array([0, 2])),
    ("x_indices", ZERO - 1),
    ("x_data", np.ones(2, np.float32)),
    ("n_features", 0),
    ("row_abs", np.ones(2)),
    ("row_squares", np.ones(2)),
    ("sum_squares", np.ones(2)),
]


@pytest.mark.parametrize(
    ("kernel", "arguments", "bad"),
    [
        *(("meta_level_dense", DENSE, bad) for bad in BAD_PAIRS + BAD_DENSE),
        *(("meta_level_sparse", SPARSE, bad) for bad in BAD_PAIRS + BAD_SPARSE),
    ],
)
def test_the_kernels_refuse_what_does_not_fit(kernel, arguments, bad):
    good, _ = getattr(_native, kernel)(**arguments)
    np.testing.assert_array_equal(good, [[0, 0, 0, 0, 0]])
    with pytest.raises(ValueError, match=r"must|has \d+ values"):
        getattr(_native, kernel)(**{**arguments, bad[0]: bad[1]})


def test_the_network_refuses_what_does_not_fit():
    distances, rows = np.ones((2, 16), np.float32), np.zeros(1, np.int32)
    assert _native.smallest_in_lanes(distances, rows, 3).shape == (1, 16)
    for arguments in ((distances, rows + 2, 1), (distances[:, :8].copy(), rows, 1)):
        with pytest.raises(ValueError, match=r"must lie|has 8 values"):
            _native.smallest_in_lanes(*arguments)
    with pytest.raises(ValueError, match="k must be"):
        _native.smallest_in_lanes(distances, rows, 0)
