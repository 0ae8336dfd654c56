"""Synthetic extreme data: the power law, the same rows always, memory of a block."""

import tracemalloc

import numpy as np
import pytest

from labelrank import InputError, evaluate
from labelrank.data import SyntheticExtreme
from labelrank.data.synthetic import _power_law
from labelrank.scorers import NearestNeighbours, Popularity


@pytest.mark.parametrize("s", [0.0, 0.5, 1.0, 1.5])
def test_the_law_of_labels(s):
    n, size = 200_000, 50
    counts = np.bincount(_power_law(np.random.default_rng(0), n, size, s), minlength=size)
    expected = np.arange(1, size + 1) ** -s
    expected *= n / expected.sum()
    assert (counts >= 0).all()
    assert counts.sum() == n
    np.testing.assert_allclose(counts, expected, rtol=0.15, atol=5 * n**0.5 / size**0.5)


def test_frequencies_of_labels_follow_a_power_law():
    data = SyntheticExtreme(8000, n_labels=2000, exponent=0.8).dataset()
    counts = np.sort(np.bincount(data.Y.indices, minlength=2000))[::-1]
    at = np.array([4, 8, 16, 32, 64, 128, 256])
    slope = np.polyfit(np.log(at), np.log(counts[at]), 1)[0]
    assert -0.9 < slope < -0.6
    assert data.Y.nnz / len(data) == pytest.approx(5, abs=0.3)
    assert (np.diff(data.Y.indptr) >= 1).all()


def test_rows_are_of_length_one_and_the_same_each_time():
    one, two = (SyntheticExtreme(5000, n_labels=300).dataset() for _ in range(2))
    np.testing.assert_allclose(np.sqrt(one.X.multiply(one.X).sum(axis=1)), 1, rtol=1e-5)
    assert (one.X != two.X).nnz == 0
    assert (one.Y != two.Y).nnz == 0
    other = SyntheticExtreme(5000, n_labels=300, random_state=1).dataset()
    assert (one.Y != other.Y).nnz > 0


def test_more_rows_begin_with_the_same_rows():
    few = SyntheticExtreme(100, n_labels=300, n_features=400).dataset()
    more = SyntheticExtreme(5000, n_labels=300, n_features=400).dataset()
    assert (more.X[:100] != few.X).nnz == 0
    assert (more.Y[:100] != few.Y).nnz == 0


def test_features_tell_labels():
    data = SyntheticExtreme(4000, n_labels=400).dataset()
    scores = []
    for scorer in (NearestNeighbours(k=5), Popularity()):
        ranking = scorer.fit(data.X[:3500], data.Y[:3500]).rank(data.X[3500:], 1)
        scores.append(evaluate(ranking, data.Y[3500:], "P@1")["P@1"].value)
    assert scores[0] > 0.7 > 0.3 > scores[1]


def test_memory_is_that_of_a_block():
    tracemalloc.start()
    rows = sum(len(block) for block in SyntheticExtreme(40_000, n_labels=2_000_000).blocks())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert rows == 40_000
    assert peak < 40e6


def test_one_row_and_one_label():
    data = SyntheticExtreme(1, n_labels=1).dataset()
    assert data.Y.toarray().tolist() == [[1]]
    assert SyntheticExtreme(5).shape == (5, 1000, 5)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"n_rows": 0}, "n_rows must be from 1"),
        ({"n_rows": 5, "n_labels": 2**31}, "n_labels must be from 1"),
        ({"n_rows": 5, "exponent": -1}, "exponent and noise must be 0 or more"),
        ({"n_rows": 5, "labels_per_row": 0.5}, "labels_per_row 1 or more"),
        ({"n_rows": 5, "clarity": 0}, "clarity must be above 0"),
    ],
)
def test_bad_parameters(params, said):
    with pytest.raises(InputError, match=said):
        SyntheticExtreme(**params)
