"""Popularity counts; Union joins what two scorers list."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from labelrank import InputError, Ranking
from labelrank.cutoffs import TopK
from labelrank.scorers import NearestNeighbours, Popularity, Union

GRADES = st.sampled_from([0.0, 0.0, 1.0, 2.0, 0.5])


@given(
    arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(1, 6)), elements=GRADES), st.data()
)
def test_popularity_is_the_mean_grade_of_each_label(Y, data):
    X = np.ones((len(Y), 1))
    top = data.draw(st.sampled_from([None, 1, 2, 10]))
    k = data.draw(st.sampled_from([None, 1, 3, 10]))
    model = Popularity(top=top).fit(X, sp.csr_array(Y))
    mean = Y.mean(axis=0).astype(np.float32)
    np.testing.assert_array_equal(model.frequency_, mean)
    assert model.frequency_.dtype == np.float32
    order = sorted(range(len(mean)), key=lambda label: (-mean[label], label))[: k or top]
    ranking = model.rank(np.zeros((3, 1)), k=k)
    assert ranking.shape == (3, Y.shape[1])
    for labels, scores in ranking:
        assert labels.tolist() == order
        np.testing.assert_array_equal(scores, mean[order])


def test_popularity_does_not_look_at_x():
    Y = np.eye(3)[[0, 1, 1, 2]]
    rng = np.random.default_rng(0)
    one, other = (Popularity().fit(rng.random((4, 2)), Y) for _ in range(2))
    assert one.rank(np.zeros((2, 2))) == other.rank(rng.random((2, 2)))


def test_popularity_of_labels_that_nobody_has():
    ranking = Popularity().fit(np.ones((2, 1)), np.zeros((2, 3))).rank(np.ones((1, 1)))
    assert ranking == Ranking([0, 3], [0, 1, 2], np.zeros(3, np.float32), 3)


def test_what_popularity_learns_is_what_is_documented():
    model = Popularity().fit(np.ones((2, 3)), np.eye(2))
    assert set(vars(model)) == {"top", "frequency_", "n_features_in_", "n_labels_"}
    assert (model.n_features_in_, model.n_labels_) == (3, 2)


RNG = np.random.default_rng(0)
X = RNG.random((30, 4))
Y = (RNG.random((30, 6)) < 0.3).astype(float)


@pytest.mark.parametrize("combine", ["reciprocal", "max", "sum", "first"])
@pytest.mark.parametrize("k", [None, 1, 3])
def test_union_is_the_union_of_both_rankings(combine, k):
    first, second = NearestNeighbours(k=5, top=3), Popularity(top=2)
    model = Union(first, second, combine).fit(X, Y)
    want = first.fit(X, Y).rank(X).union(second.fit(X, Y).rank(X), combine)
    assert model.rank(X, k=k) == (want if k is None else want.top(k))


def test_union_of_scores_by_hand():
    model = (Popularity(top=1) | NearestNeighbours(k=1)).fit(np.eye(3), np.eye(3)[[0, 2, 0]])
    ranking = model.rank(np.eye(3)[1:2])
    # Popularity lists 0, the one neighbour has 2: both are first in their lists.
    assert ranking.labels.tolist() == [0, 2]
    np.testing.assert_allclose(ranking.scores, [1 / 61, 1 / 61])
    both = model.rank(np.eye(3)[:1])
    assert both.labels.tolist() == [0]
    np.testing.assert_allclose(both.scores, [2 / 61])


def test_or_makes_a_union_and_fit_changes_neither_part():
    first, second = NearestNeighbours(k=2), Popularity(top=1)
    model = first | second
    assert isinstance(model, Union)
    assert (model.first, model.second) == (first, second)
    model.fit(X, Y)
    assert not hasattr(first, "rows_")
    assert not hasattr(second, "frequency_")
    assert set(vars(model)) == {
        *("first", "second", "combine", "first_", "second_", "n_features_in_", "n_labels_")
    }


def test_unions_of_unions():
    three = Popularity(top=1) | NearestNeighbours(k=2) | Popularity(top=4)
    assert three.get_params()["first__second__k"] == 2
    ranking = three.fit(sp.csr_array(X), Y).rank(sp.csr_array(X))
    assert (ranking.lengths >= 4).all()
    assert three.set_params(first__second__k=3).first.second.k == 3


def test_unions_that_cannot_be():
    with pytest.raises(
        InputError, match="combine must be reciprocal, max, sum or first, not 'mean'"
    ):
        Union(Popularity(), Popularity(), "mean").fit(X, Y).rank(X)
    for other in (TopK(), 3, None):
        with pytest.raises((InputError, TypeError)):
            (Popularity() | other).fit(X, Y).rank(X)
