"""PfastreXML against formulas (5), (7) and (8), and the classifiers for tail labels alone."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import fast_xml as twin

from labelrank import InputError, PfastreXML, Ranking, _native, load_model
from labelrank.scorers import PfastXML, TailLabels

RNG = np.random.default_rng(0)
TOPICS = RNG.integers(0, 6, 200)
X = ((RNG.random((200, 20)) < 0.1) + (TOPICS[:, None] == np.arange(20) % 6) * 0.8).astype(
    np.float32
) * (RNG.random((200, 20)) < 0.7)
Y = ((RNG.random((200, 9)) < 0.05) | (TOPICS[:, None] == np.arange(9) % 6)).astype(float)


@st.composite
def problems(draw):
    n, d, m = draw(st.integers(1, 6)), draw(st.integers(1, 5)), draw(st.integers(1, 5))
    x = draw(arrays(np.float32, (n, d), elements=st.sampled_from([0, 0, 1, 2, -0.5])))
    y = draw(arrays(np.float64, (n, m), elements=st.sampled_from([0, 0, 1, 3])))
    return x, y


@given(problems(), st.sampled_from([0.5, 30.0, 1000.0]))
def test_log_probabilities_are_those_of_formula_5(problem, gamma):
    x, y = problem
    model = TailLabels(gamma=gamma).fit(x, y)
    want = twin.tail_log_probabilities(x, y, x, gamma)
    scores = np.full(want.shape, -np.inf)
    ranking = model.rank(x)
    scores[ranking.rows, ranking.labels] = ranking.scores
    known = y.sum(axis=0) > 0
    np.testing.assert_allclose(scores[:, known], want[:, known], rtol=1e-4, atol=1e-4)
    assert np.isneginf(scores[:, ~known]).all()


def test_means_are_those_of_formula_7():
    means = TailLabels().fit(X, 2 * Y).means_.toarray()
    length = np.linalg.norm(X, axis=1, keepdims=True)
    unit = X / np.where(length > 0, length, 1)
    for label in range(9):
        np.testing.assert_allclose(means[:, label], unit[Y[:, label] > 0].mean(axis=0), atol=1e-6)


def test_grades_weigh_the_rows_of_a_mean():
    x, y = np.eye(2), np.array([[1.0], [3.0]])
    np.testing.assert_allclose(TailLabels().fit(x, y).means_.toarray(), [[0.25], [0.75]])


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.8, 1.0])
def test_scores_are_those_of_formula_8(alpha):
    model = PfastreXML(n_trees=5, alpha=alpha, gamma=7.0, random_state=0).fit(X, Y)
    trees = model.trees_.rank(X).to_csr()
    tail = twin.tail_log_probabilities(X, Y, X, 7.0)
    ranking = model.rank(X)
    found = trees[ranking.rows, ranking.labels], tail[ranking.rows, ranking.labels]
    want = alpha * np.log(found[0]) + (1 - alpha) * found[1]
    np.testing.assert_allclose(ranking.scores, want, rtol=1e-4, atol=1e-4)
    assert ranking.n_entries == trees.nnz  # every label with a probability above 0, no other


def test_its_trees_are_those_of_pfast_xml():
    p = np.linspace(0.1, 1, 9)
    model = PfastreXML(n_trees=3, leaf_size=20, C=2, random_state=1).fit(X, Y, propensities=p)
    alone = PfastXML(n_trees=3, leaf_size=20, C=2, random_state=1).fit(X, Y, propensities=p)
    assert model.trees_.rank(X) == alone.rank(X)


def test_a_rare_label_near_the_row_comes_before_a_frequent_one_far_away():
    """In a leaf both labels are as frequent; the mean of the rare one is the row itself."""
    x = np.zeros((120, 13))
    x[np.arange(120), np.arange(120) // 10] = 1
    frequent = np.ones((120, 1))
    model = PfastreXML(n_trees=3, leaf_size=10, random_state=0).fit(x, np.hstack([frequent, x]))
    assert model.tail_.rank(x, 1).labels.tolist() == (1 + np.arange(120) // 10).tolist()
    assert model.rank(x, 1).labels.tolist() == (1 + np.arange(120) // 10).tolist()


@pytest.mark.parametrize("jobs", [2, -1])
def test_results_do_not_depend_on_n_jobs(jobs):
    one = PfastreXML(n_trees=4, random_state=0).fit(X, Y).rank(X)
    assert PfastreXML(n_trees=4, random_state=0, n_jobs=jobs).fit(sp.csr_array(X), Y).rank(X) == one


def test_a_row_alone_is_ranked_as_among_others():
    model = PfastreXML(n_trees=4, random_state=0).fit(X, Y)
    together = model.rank(X, 3)
    assert Ranking.stack([model.rank(X[i : i + 1], 3) for i in range(20)]) == together[:20]


def test_a_loaded_model_ranks_alike(tmp_path):
    model = PfastreXML(n_trees=4, random_state=0).fit(X, Y)
    model.save(tmp_path / "a.model")
    assert load_model(tmp_path / "a.model").rank(X) == model.rank(X)


def test_odd_rows():
    x, y = X.copy(), Y.copy()
    x[:20], y[10:30] = 0, 0
    ranking = PfastreXML(n_trees=4, random_state=0).fit(x, y).rank(x)
    assert np.isfinite(ranking.scores).all()
    nothing = PfastreXML(n_trees=2).fit(x, np.zeros_like(y)).rank(x)
    assert nothing.n_entries == 0


@pytest.mark.parametrize(
    "params",
    [{"alpha": -0.1}, {"alpha": 1.1}, {"alpha": np.nan}, {"alpha": "a"}, {"gamma": 0}, {"C": -1}],
)
def test_parameters_that_cannot_be(params):
    (name,) = params
    with pytest.raises(InputError, match=name):
        PfastreXML(**params).fit(X, Y)


def test_the_kernel_refuses_what_is_not_sound():
    x = np.array([0, 1], np.int64), np.array([0], np.int32), np.ones(1, np.float32)
    means, squares = (x[0], np.array([1], np.int32), x[2]), np.ones(2, np.float32)
    candidates = x[0], np.array([1], np.int32)
    _native.tail_scores(*x, *means, squares, *candidates, 1.0)
    for at, wrong in (
        (0, x[0] + 1), (1, x[1] + 1), (1, x[1] - 1), (3, x[0] + 1), (4, x[1] + 2), (4, x[1] - 1),
        (6, squares[:1]), (7, np.array([0, 1, 1])), (8, x[1] + 2), (8, x[1] - 1),
    ):  # fmt: skip
        arguments = [*x, *means, squares, *candidates, 1.0]
        arguments[at] = wrong
        with pytest.raises(ValueError, match=r"must|has"):
            _native.tail_scores(*arguments)
