"""Cutoffs: what the base checks, and the simplest of them."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from strategies import cases

from labelrank import InputError, Ranking
from labelrank.cutoffs import Cutoff, TopK

RANKING = Ranking.from_dense(np.array([[0.1, 0.7, 0.2], [0.5, 0.0, 0.5]]))
Y = np.array([[0, 1, 0], [2, 0, 0]])


@given(cases(min_rows=0), st.integers(0, 8))
def test_the_first_k_labels_stay(case, k):
    kept = TopK(k=k).keep(case.ranking)
    assert kept.shape == case.ranking.shape
    for (labels, scores), (old_labels, old_scores) in zip(kept, case.ranking, strict=True):
        np.testing.assert_array_equal(labels, old_labels[:k])
        np.testing.assert_array_equal(scores, old_scores[:k])


@given(cases())
def test_fit_learns_nothing_here(case):
    cutoff = TopK(k=2)
    assert cutoff.fit(case.ranking, case.Y) is cutoff
    assert cutoff.fit(case.ranking, sp.csr_matrix(case.Y), X=np.ones((len(case.Y), 2))) is cutoff
    assert vars(cutoff) == {"k": 2}


@pytest.mark.parametrize("k", [-1, 2.5, "2", None, True, [1]])
def test_numbers_that_cannot_be(k):
    with pytest.raises(InputError, match="TopK: k must be a whole number, 0 or more, found"):
        TopK(k=k).keep(RANKING)


def test_numpys_numbers_are_numbers():
    assert TopK(k=np.int32(1)).keep(RANKING) == RANKING.top(1)


@pytest.mark.parametrize(
    ("truth", "says"),
    [
        (Y[:1], r"the ranking has shape \(2, 3\) but Y has \(1, 3\)"),
        (Y[:, :2], r"the ranking has shape \(2, 3\) but Y has \(2, 2\)"),
        (-Y, "Y has the value -2 in row"),
        (Y * np.nan, "Y has a value that is NaN"),
        ([1, 0], "Y must be a sparse or dense matrix"),
        (None, "Y must be a sparse or dense matrix"),
    ],
)
def test_truths_that_cannot_be(truth, says):
    with pytest.raises(InputError, match=says):
        TopK().fit(RANKING, truth)


class AtLeast(Cutoff):
    """Keeps labels whose score reaches the lowest score of a relevant one."""

    def __init__(self, slack=0.0):
        self.slack = slack

    def _fit(self, ranking, Y, X):
        assert isinstance(Y, sp.csr_array)
        assert (Y.data > 0).all()
        self.rows_ = X
        listed = Y.toarray()[ranking.rows, ranking.labels] > 0
        self.threshold_ = float(ranking.scores[listed].min()) - self.slack

    def _keep(self, ranking, X):
        assert X is self.rows_
        return ranking.filtered(ranking.scores >= self.threshold_)


def test_a_cutoff_that_learns_gets_checked_truths_and_the_rows():
    X = np.ones((2, 1))
    cutoff = AtLeast().fit(RANKING, sp.coo_matrix(Y), X)
    assert cutoff.threshold_ == 0.5
    kept = cutoff.keep(RANKING, X)
    assert [labels.tolist() for labels, _ in kept] == [[1], [0, 2]]
    assert clone(cutoff).get_params() == {"slack": 0.0}


def test_a_cutoff_without_a_rule_says_so():
    with pytest.raises((TypeError, NotImplementedError)):
        Cutoff().keep(RANKING)
