"""What a group's order is worth: the kernel against its twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import group_values as twin
from strategies import entries

from labelrank import _native


@given(entries(max_labels=6), st.sampled_from(["nDCG", "MAP", "RR"]), st.integers(0, 7), st.data())
def test_the_kernel_is_its_twin(rows, measure, k, data):
    size = len(rows.labels)
    gains = np.array(data.draw(st.lists(st.sampled_from([0, 0, 1, 2.5]), min_size=size,
                                        max_size=size)), dtype=float)  # fmt: skip
    found = _native.group_values(rows.indptr, rows.scores, gains, measure, k)
    want = twin.group_values(rows.indptr, rows.scores, gains, measure, k)
    np.testing.assert_allclose(found, want, atol=1e-12)


@pytest.mark.parametrize("measure", ["nDCG", "MAP", "RR"])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_of_a_long_group_only_the_first_places_are_sorted(measure, k):
    """Ties across place k, and nearly all candidates below it, in any order."""
    rng = np.random.default_rng(k)
    for size in (4 * k, 4 * k + 4, 50):
        scores = rng.permutation(np.concatenate([[9] * (k - 1), [8] * 3, np.arange(size) / size]))
        gains = rng.integers(0, 3, len(scores)) * 1.0
        found = _native.group_values(np.array([0, len(scores)]), scores, gains, measure, k)
        want = twin.group_values(np.array([0, len(scores)]), scores, gains, measure, k)
        np.testing.assert_allclose(found, want, atol=1e-12)


def test_what_does_not_fit_is_refused():
    indptr, ones = np.array([0, 2]), np.ones(2)
    for args in (
        (indptr, np.ones(3), ones, "nDCG", 1),
        (np.array([0, 3]), ones, ones, "nDCG", 1),
        (indptr, ones, ones, "P", 1),
        (indptr, ones, ones, "nDCG", -1),
    ):
        with pytest.raises(ValueError, match=r"scores has|indptr must|measure must|k must"):
            _native.group_values(*args)
