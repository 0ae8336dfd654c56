"""OneVsAll: the optimum, lanes of sixteen labels, dropped weights and odd labels."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import linear as twin
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from labelrank import InputError, Ranking, _native, load_model
from labelrank.scorers import OneVsAll
from labelrank.scorers._sparse_linear import Descent, SparseRows

RNG = np.random.default_rng(0)
X = (RNG.standard_normal((90, 12)) * (RNG.random((90, 12)) < 0.6)).astype(np.float32)
Y = (X @ RNG.standard_normal((12, 20)) + RNG.standard_normal((90, 20)) > 1).astype(int)
EXACT = {
    "loss": "squared_hinge",
    "tol": 1e-4,
    "max_iter": 20000,
    "threshold": 0.0,
    "random_state": 0,
}


def scores(model, rows):
    return model.rank(rows, k=model.n_labels_).to_csr().toarray()


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("C", [0.1, 2.0])
def test_each_label_is_the_machine_of_liblinear(form, normalize, C):
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    rows = X / np.where(lengths > 0, lengths, 1) if normalize else X
    model = OneVsAll(C=C, normalize=normalize, **EXACT).fit(form(X), Y)
    ours = scores(model, form(X))
    for label in range(Y.shape[1]):
        theirs = LinearSVC(C=C, loss="squared_hinge", dual=True, tol=1e-9, max_iter=10**6)
        theirs.fit(rows.astype(np.float64), Y[:, label])
        np.testing.assert_allclose(model.weights_[:, [label]].toarray().T, theirs.coef_, atol=1e-3)
        assert model.intercept_[label] == pytest.approx(theirs.intercept_[0], abs=1e-3)
        np.testing.assert_allclose(ours[:, label], theirs.decision_function(rows), atol=2e-3)


@pytest.mark.parametrize(("C", "cost"), [(0.1, 1.0), (10.0, 1.0), (2.0, 5.0)])
def test_with_the_log_loss_each_label_is_the_regression_of_liblinear(C, cost):
    model = OneVsAll(C=C, relevant_cost=cost, normalize=False, **EXACT | {"loss": "log"}).fit(X, Y)
    for label in range(0, Y.shape[1], 3):
        theirs = LogisticRegression(
            C=C, class_weight={1: cost}, solver="liblinear", tol=1e-8, max_iter=10**5
        ).fit(X.astype(np.float64), Y[:, label])
        found = model.weights_[:, [label]].toarray().T
        np.testing.assert_allclose(found, theirs.coef_, atol=3e-3 * max(1, C**0.5))
        assert model.intercept_[label] == pytest.approx(
            theirs.intercept_[0], abs=3e-3 * max(1, C**0.5)
        )


@st.composite
def problems(draw):
    """Rows, which of them are looked at, and labels over those, some without any."""
    n, d, m = draw(st.integers(1, 7)), draw(st.integers(1, 4)), draw(st.integers(1, 18))
    rows = draw(arrays(np.int8, (n, d), elements=st.integers(-2, 2))).astype(np.float32)
    chosen = draw(st.lists(st.integers(0, n - 1), unique=True, min_size=1))
    relevant = draw(arrays(np.bool_, (len(chosen), m)))
    return rows, np.array(chosen, np.int32), relevant


@settings(max_examples=60)
@given(problems(), st.sampled_from([0.2, 1.0]), st.sampled_from([1.0, 3.0]))
def test_the_kernel_finds_the_optimum_of_the_dual(problem, C, cost):
    rows, chosen, relevant = problem
    columns = sp.csc_array(relevant)
    lists = columns.indptr.astype(np.int64), columns.indices.astype(np.int32)
    descent = Descent("squared_hinge", C, cost, 1e-4, 5000, 0.0)
    found = descent(SparseRows.of(rows, normalize=False), chosen, *lists, seed=3)
    W = np.zeros((rows.shape[1], relevant.shape[1]))
    of = np.repeat(found.features, np.diff(found.starts))
    W[of, found.labels] = found.values
    for label in range(relevant.shape[1]):
        w, b = twin.dual_descent(rows[chosen], relevant[:, label], C, cost)
        np.testing.assert_allclose(W[:, label], w, atol=2e-3)
        assert found.bias[label] == pytest.approx(b, abs=2e-3)


def test_small_weights_are_dropped():
    whole = OneVsAll(**EXACT).fit(X, Y)
    cut = OneVsAll(**EXACT | {"threshold": 0.2}).fit(X, Y)
    want = whole.weights_.toarray()
    np.testing.assert_array_equal(cut.weights_.toarray(), np.where(np.abs(want) > 0.2, want, 0))
    np.testing.assert_array_equal(cut.intercept_, whole.intercept_)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_results_do_not_depend_on_n_jobs(form):
    many = np.random.default_rng(1).random((90, 150)) < 0.1
    one, three = (OneVsAll(n_jobs=n, random_state=5).fit(form(X), many) for n in (None, 3))
    assert one.rank(form(X)) == three.rank(form(X))
    assert (one.weights_ != three.weights_).nnz == 0
    again = OneVsAll(random_state=np.random.RandomState(5)).fit(form(X), many)
    assert again.rank(form(X)) == one.rank(form(X))


@settings(max_examples=50)
@given(st.data())
def test_the_best_labels_are_those_of_the_product(data):
    n, d, m = (data.draw(st.integers(1, 6)) for _ in range(3))
    m = data.draw(st.sampled_from([m, 700]))
    quarters = st.integers(-8, 8)
    rows = data.draw(arrays(np.int8, (n, d), elements=quarters)).astype(np.float32) / 4
    seed = data.draw(st.integers(0, 99))
    W = np.random.default_rng(seed).integers(-4, 5, (d, m)).astype(np.float32) / 4
    bias = data.draw(arrays(np.int8, m, elements=quarters)).astype(np.float32) / 4
    k = data.draw(st.integers(1, m))
    q, w = SparseRows.of(rows, normalize=False), sp.csr_array(W)
    arrays_ = w.indptr.astype(np.int64), w.indices.astype(np.int32), w.data
    labels, best = _native.rank_linear(*q.arrays(), *arrays_, bias, k)
    want = Ranking.from_dense(rows @ W + bias, k)  # exact: multiples of 1/16
    np.testing.assert_array_equal(labels.ravel(), want.labels)
    np.testing.assert_array_equal(best.ravel(), want.scores)


def test_labels_that_no_row_or_every_row_has():
    truth = np.column_stack([np.zeros(90), np.ones(90), Y[:, 0]])
    model = OneVsAll(**EXACT).fit(X, truth)
    found = scores(model, X)
    assert (found[:, 0] == -1).all()
    assert (found[:, 1] > 0.9).all()
    odds = scores(OneVsAll(random_state=0).fit(X, truth), X)
    np.testing.assert_allclose(odds[:, 0], np.log(0.5 / 90.5), rtol=1e-6)
    assert (odds[:, 0] < odds[:, 2]).mean() > 0.8
    alone = OneVsAll(**EXACT).fit(X, np.zeros((90, 2))).rank(X)
    assert alone.labels.reshape(90, 2).tolist() == [[0, 1]] * 90


def test_rows_without_features_labels_or_anything_new():
    rows, truth = X.copy(), Y.copy()
    rows[:5] = 0
    truth[3:8] = 0
    rows[:, 11] = 0  # a feature that training does not have
    model = OneVsAll(random_state=0).fit(sp.csr_array(rows), truth)
    unknown = np.zeros((2, 12), np.float32)
    unknown[1, 11] = 3
    found = scores(model, unknown)
    np.testing.assert_array_equal(found, np.tile(model.intercept_, (2, 1)))


def test_all_rows_alike_and_one_label():
    rows, truth = np.ones((10, 3)), np.arange(10)[:, None] < 7
    model = OneVsAll(**EXACT).fit(rows, truth)
    w, b = twin.dual_descent(rows / np.sqrt(3), truth[:, 0], 1.0, 1.0)
    found = scores(model, rows)
    np.testing.assert_allclose(found, (rows / np.sqrt(3)) @ w[:, None] + b, atol=1e-3)


def test_rows_that_are_mapped_from_files(tmp_path):
    parts = sp.csr_array(X)
    for name in ("data", "indices", "indptr"):
        np.save(tmp_path / f"{name}.npy", getattr(parts, name))
    mapped = sp.csr_array(
        tuple(np.load(tmp_path / f"{n}.npy", mmap_mode="r") for n in ("data", "indices", "indptr")),
        shape=X.shape,
    )
    assert OneVsAll(random_state=0).fit(mapped, Y).rank(mapped) == (
        OneVsAll(random_state=0).fit(parts, Y).rank(parts)
    )


def test_a_saved_model_ranks_the_same(tmp_path):
    model = OneVsAll(random_state=0).fit(X, Y)
    model.save(tmp_path / "a.model")
    assert load_model(tmp_path / "a.model").rank(X) == model.rank(X)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("C", 0),
        ("C", "1"),
        ("loss", "hinge"),
        ("relevant_cost", 0),
        ("tol", -1),
        ("max_iter", 0),
        ("threshold", -0.1),
        ("threshold", np.nan),
        ("normalize", 1),
        ("top", 0),
        ("n_jobs", 0),
    ],
)
def test_parameters_that_cannot_be(name, value):
    with pytest.raises(InputError, match=name):
        OneVsAll(**{name: value}).fit(X, Y)


def test_values_that_are_too_large():
    rows = np.full((4, 3), 3e38, np.float32)
    truth = np.eye(4)
    assert OneVsAll(random_state=0).fit(rows, truth).rank(rows).n_rows == 4
    with pytest.raises(InputError, match="normalize=True"):
        OneVsAll(normalize=False).fit(rows, truth)
    small = OneVsAll(normalize=False, **EXACT).fit(X, Y)
    with pytest.raises(InputError, match="a score is too large"):
        small.rank(np.full((1, 12), 3e38))


GOOD = {
    "indptr": np.array([0, 1, 3]),
    "indices": np.array([0, 0, 1], np.int32),
    "data": np.ones(3, np.float32),
    "scales": np.ones(2, np.float32),
    "n_features": 2,
    "chosen": np.array([0, 1], np.int32),
    "p_indptr": np.array([0, 1]),
    "p_rows": np.array([1], np.int32),
}
LEARNING = {
    "log_loss": False,
    "C": 1.0,
    "relevant_cost": 1.0,
    "tol": 0.1,
    "passes": 9,
    "threshold": 0.0,
    "fill": 0.5,
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
        {"scales": np.ones(1, np.float32)},
        {"n_features": -1},
        {"n_features": 1},
        {"chosen": np.array([0, 2], np.int32)},
        {"chosen": np.array([-1], np.int32)},
        {"p_indptr": np.array([0, 2])},
        {"p_indptr": np.zeros(0, np.int64)},
        {"p_rows": np.array([2], np.int32)},
        {"C": 0.0},
        {"relevant_cost": -1.0},
    ],
)
def test_the_learning_kernel_refuses_arrays_that_do_not_fit(bad):
    _native.dual_descent(**GOOD, **LEARNING)
    with pytest.raises(ValueError, match=r"must|has \d values"):
        _native.dual_descent(**GOOD | LEARNING | bad)


RANKING = {
    "q_indptr": np.array([0, 1, 3]),
    "q_indices": np.array([0, 0, 1], np.int32),
    "q_data": np.ones(3, np.float32),
    "scales": np.ones(2, np.float32),
    "w_indptr": np.array([0, 1, 2]),
    "w_indices": np.array([0, 1], np.int32),
    "w_data": np.ones(2, np.float32),
    "bias": np.ones(2, np.float32),
    "k": 2,
}


@pytest.mark.parametrize(
    "bad",
    [
        {"q_indptr": np.array([0, 1, 2])},
        {"q_indices": np.array([0, 0, 2], np.int32)},
        {"q_data": np.ones(2, np.float32)},
        {"scales": np.ones(3, np.float32)},
        {"w_indptr": np.array([0, 2, 1])},
        {"w_indptr": np.zeros(0, np.int64)},
        {"w_indices": np.array([0, 2], np.int32)},
        {"w_data": np.ones(1, np.float32)},
        {"k": 0},
    ],
)
def test_the_ranking_kernel_refuses_arrays_that_do_not_fit(bad):
    _native.rank_linear(**RANKING)
    with pytest.raises(ValueError, match=r"must|has \d values"):
        _native.rank_linear(**RANKING | bad)
