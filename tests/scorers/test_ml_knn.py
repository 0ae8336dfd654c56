"""ML-kNN against its plain twin, by hand, and odd data."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import nearest_l2 as twin

from labelrank import InputError
from labelrank.scorers import MLkNN

FORMS = {"dense": np.asarray, "sparse": sp.csr_array}
SMALL = st.sampled_from([0.0, 0.0, 1.0, 2.0, -1.0, 3.0])
GRADES = st.sampled_from([0.0, 0.0, 1.0, 2.5])


@st.composite
def problems(draw):
    n, q, d = draw(st.integers(1, 9)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    X = draw(arrays(np.float32, (n, d), elements=SMALL))
    Y = draw(arrays(np.float32, (n, 3), elements=GRADES))
    return X, Y, draw(arrays(np.float32, (q, d), elements=SMALL))


@pytest.mark.parametrize("form", FORMS)
@given(
    problem=problems(),
    k=st.integers(1, 11),
    s=st.sampled_from([0.1, 1.0, 3.0]),
    leave_out=st.booleans(),
)
def test_scores_are_those_of_the_paper(form, problem, k, s, leave_out):
    X, Y, queries = problem
    for ranks_by, want in zip(
        ("posterior", "joint"), twin.ml_knn(X, Y, queries, k, s, leave_out), strict=True
    ):
        model = MLkNN(k, s, ranks_by, leave_out).fit(FORMS[form](X), FORMS[form](Y))
        ranking = model.rank(FORMS[form](queries))
        np.testing.assert_allclose(ranking.to_csr().toarray(), want, rtol=1e-12)
        assert (ranking.lengths == 3).all()


def test_by_hand():
    """On a line 0 1 | 10 11 12: with k = 1 each row's neighbour is of its own kind."""
    X, Y = np.array([[0.0], [1], [10], [11], [12.5]]), np.array([[1], [1], [0], [0], [0]])
    ranking = MLkNN(k=1).fit(X, Y).rank(np.array([[0.4], [11.2]]))
    # P = 3/7; both rows with the label have one such neighbour: P(1|l) = 3/4, P(0|l) = 1/4;
    # none of the three others has: P(1|not l) = 1/5, P(0|not l) = 4/5
    one = 3 / 7 * 3 / 4 / (3 / 7 * 3 / 4 + 4 / 7 * 1 / 5)
    none = 3 / 7 * 1 / 4 / (3 / 7 * 1 / 4 + 4 / 7 * 4 / 5)
    np.testing.assert_allclose(ranking.scores, [one, none], rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_a_row_is_no_neighbour_of_its_own(form):
    """Labels that nothing tells: counting itself, each row would seem to know its label."""
    rng = np.random.default_rng(0)
    X, Y = rng.random((200, 5)), rng.random((200, 1)) < 0.5
    out, within = (MLkNN(k=1, leave_out=leave).fit(form_(X), Y) for leave, form_ in
                   ((True, FORMS[form]), (False, FORMS[form])))  # fmt: skip
    assert np.ptp(out.probability_) < 0.2
    assert np.ptp(within.probability_) > 0.9


def test_many_rows_and_labels_block_by_block():
    rng = np.random.default_rng(1)
    X, Y = rng.integers(0, 9, (1100, 3)), rng.random((1100, 4)) < 0.3
    model = MLkNN(k=5).fit(X, Y)
    want = twin.ml_knn(X, Y, X[:20], 5, 1.0)[0]
    np.testing.assert_allclose(model.rank(X[:20]).to_csr().toarray(), want, rtol=1e-12)


def test_labels_of_nobody_and_of_all():
    X, Y = np.arange(6.0)[:, None], np.array([[0, 1, i % 2] for i in range(6)])
    ranking = MLkNN(k=2).fit(X, Y).rank(X)
    scores = ranking.to_csr().toarray()
    assert (scores[:, 0] < 0.1).all()
    assert (scores[:, 1] > 0.9).all()


def test_one_row_one_label():
    ranking = MLkNN().fit(np.zeros((1, 1)), np.ones((1, 1))).rank(np.ones((2, 1)))
    # without a neighbour of its own the row counted j = 0; a query has j = 1
    want = 2 / 3 * 1 / 12 / (2 / 3 * 1 / 12 + 1 / 3 * 1 / 11)
    np.testing.assert_allclose(ranking.scores, [want, want])


def test_what_is_learned_is_what_is_documented():
    model = MLkNN(k=3).fit(np.eye(4), 2 * np.eye(4))
    assert model.probability_.shape == (4, 4)
    assert model.rows_.dtype == model.labels_.dtype == np.float32
    assert set(model.labels_.data) == {1}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"k": 0}, "k must be a whole number from 1, found 0"),
        ({"smoothing": 0}, "smoothing must be a number above 0, found 0"),
        ({"smoothing": float("nan")}, "smoothing must be"),
        ({"ranks_by": "votes"}, "ranks_by must be posterior or joint, not 'votes'"),
        ({"leave_out": "no"}, "leave_out must be True or False, found 'no'"),
        ({"top": 0}, "top must be a whole number"),
        ({"n_jobs": 0}, "n_jobs must be"),
    ],
)
def test_parameters_that_cannot_be(wrong, says):
    with pytest.raises(InputError, match=says):
        MLkNN(**wrong).fit(np.eye(3), np.eye(3))
