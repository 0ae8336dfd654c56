"""OneVsAllLogistic and IBLR against scikit-learn's logistic regression on the same features."""

import numpy as np
import pytest
import scipy.sparse as sp
from reference import nearest_l2 as twin
from sklearn.linear_model import LogisticRegression

from labelrank import InputError
from labelrank.scorers import IBLR, OneVsAllLogistic

FORMS = {"dense": np.asarray, "sparse": sp.csr_array}
RNG = np.random.default_rng(0)
X = (RNG.standard_normal((80, 5)) * (RNG.random((80, 5)) < 0.7)).astype(np.float32)
Y = np.column_stack([X[:, 0] > 0, X[:, 1] + X[:, 2] > 0.3, RNG.random(80) < 0.4])
Y = Y * RNG.integers(1, 4, Y.shape)
QUERIES = RNG.standard_normal((15, 5)).astype(np.float32)


def scores(model, rows):
    return model.rank(rows).to_csr().toarray()


def probabilities(train, queries, C):
    return np.column_stack(
        [
            LogisticRegression(C=C, tol=1e-10, max_iter=10**4)
            .fit(train, Y[:, label] > 0)
            .predict_proba(queries)[:, 1]
            for label in range(Y.shape[1])
        ]
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_probabilities_are_those_of_scikit_learn(form, C):
    model = OneVsAllLogistic(C=C, tol=1e-6).fit(FORMS[form](X), FORMS[form](Y))
    want = probabilities(X.astype(np.float64), QUERIES, C)
    np.testing.assert_allclose(scores(model, FORMS[form](QUERIES)), want, atol=1e-5)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize("k", [1, 7, 200])
def test_iblr_is_logistic_regression_on_the_neighbourhood(form, plus, k):
    train = twin.shares(Y, twin.nearest(X, X, k, own=True)[0], k)
    queries = twin.shares(Y, twin.nearest(QUERIES, X, k)[0], k)
    if plus:
        train, queries = np.hstack([train, X]), np.hstack([queries, QUERIES])
    model = IBLR(k, plus, C=5.0, tol=1e-6).fit(FORMS[form](X), FORMS[form](Y))
    assert model.weights_.shape == (8 if plus else 3, 3)
    want = probabilities(train, queries, 5.0)
    np.testing.assert_allclose(scores(model, FORMS[form](QUERIES)), want, atol=2e-5)


def test_labels_of_the_neighbourhood_speak_for_others():
    """Label 1 is where label 0 is among the neighbours, and never has itself as one."""
    rows = np.arange(40.0)[:, None] // 2 * 100 + np.tile([0.0, 1.0], 20)[:, None]
    first = np.repeat(np.arange(20) % 2, 2) * np.tile([1, 0], 20)
    truth = np.column_stack([first, np.roll(first, 1)])
    model = IBLR(k=1, C=100.0).fit(rows, truth)
    assert model.weights_[0, 1] > 3
    assert model.rank(rows[[3, 5]] + 0.2).n_rows == 2


@pytest.mark.parametrize("make", [OneVsAllLogistic, IBLR, lambda: IBLR(plus=True)])
def test_labels_of_nobody_and_of_all(make):
    truth = np.column_stack([np.zeros(80), np.ones(80), Y[:, 0]])
    found = scores(make().fit(X, truth), X)
    np.testing.assert_allclose(found[:, 0], 0.5 / 81, rtol=1e-5)
    np.testing.assert_allclose(found[:, 1], 80.5 / 81, rtol=1e-5)


@pytest.mark.parametrize("make", [OneVsAllLogistic, IBLR, lambda: IBLR(k=2, plus=True)])
def test_odd_data(make):
    cases = [
        (np.ones((1, 2)), np.ones((1, 1))),
        (np.zeros((5, 2)), np.eye(5)),
        (np.tile(X[:4], (3, 1)), np.tile(Y[:4], (3, 1))),
        (np.full((4, 1), 1e6), np.eye(4)),
        (X * 0, Y * 0),
    ]
    for rows, truth in cases:
        for form in FORMS.values():
            ranking = make().fit(form(rows), truth).rank(form(rows))
            assert ranking.n_entries == len(rows) * np.shape(truth)[1]


@pytest.mark.parametrize("make", [OneVsAllLogistic, lambda n_jobs: IBLR(plus=True, n_jobs=n_jobs)])
def test_n_jobs_does_not_matter(make):
    rng = np.random.default_rng(2)
    rows, truth = rng.standard_normal((600, 5)), rng.random((600, 40)) < 0.2
    for form in FORMS.values():
        one, two = (make(n_jobs=n).fit(form(rows[:90]), truth[:90]) for n in (1, 2))
        assert one.rank(form(rows)) == two.rank(form(rows))


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (OneVsAllLogistic(C=0), "C must be a number above 0, found 0"),
        (OneVsAllLogistic(tol=-1), "tol must be a number above 0, found -1"),
        (OneVsAllLogistic(top=0), "top must be a whole number"),
        (OneVsAllLogistic(n_jobs=0), "n_jobs must be"),
        (IBLR(k=0), "k must be a whole number from 1, found 0"),
        (IBLR(plus=1), "plus must be True or False, found 1"),
        (IBLR(C=None), "C must be a number above 0, found None"),
        (IBLR(tol="a"), "tol must be"),
        (IBLR(top=-1), "top must be"),
        (IBLR(n_jobs=0.5), "n_jobs must be"),
    ],
)
def test_parameters_that_cannot_be(model, says):
    with pytest.raises(InputError, match=says):
        model.fit(X, Y)
