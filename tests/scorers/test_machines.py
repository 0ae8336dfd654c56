"""BinarySVM and RankSVMLabels: objectives, kernels, calibration and odd labels."""

import numpy as np
import pytest
import scipy.sparse as sp
from reference import machines as twin
from scipy.special import expit
from sklearn.calibration import _SigmoidCalibration
from sklearn.svm import SVC, LinearSVC

from labelrank import InputError, evaluate
from labelrank.scorers import BinarySVM, RankSVMLabels

FORMS = {"dense": np.asarray, "sparse": sp.csr_array}
MACHINES = {"binary": BinarySVM, "rank": RankSVMLabels}
RNG = np.random.default_rng(0)
X = (RNG.standard_normal((60, 6)) * (RNG.random((60, 6)) < 0.7)).astype(np.float32)
Y = np.column_stack([X[:, 0] > 0, X[:, 1] + X[:, 2] > 0.3, RNG.random(60) < 0.4, X[:, 3] ** 2 > 1])
Y = Y * RNG.integers(1, 4, Y.shape)


def scores(model, rows):
    return model.rank(rows).to_csr().toarray()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
def test_a_linear_machine_is_that_of_liblinear(form, C):
    """With an intercept that costs next to nothing there, as it costs nothing here."""
    ours = scores(BinarySVM(C=C, tol=1e-7).fit(FORMS[form](X), Y), X)
    for label in range(4):
        theirs = LinearSVC(C=C, dual=False, intercept_scaling=1e3, tol=1e-10, max_iter=10**6)
        theirs.fit(X.astype(np.float64), Y[:, label] > 0)
        np.testing.assert_allclose(ours[:, label], theirs.decision_function(X), atol=2e-3)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("C", "gamma"), [(0.1, 0.3), (10.0, "scale")])
def test_a_kernel_machine_is_that_of_libsvm(form, C, gamma):
    """A squared hinge is a hinge that must not be touched, with 1/2C on the kernel's diagonal."""
    model = BinarySVM(C=C, kernel="rbf", gamma=gamma).fit(FORMS[form](X), Y)
    width = 1 / (6 * X.var()) if gamma == "scale" else gamma
    assert model.gamma_ == pytest.approx(width, rel=1e-5)
    K, queries = twin.rbf(X, X, width), RNG.standard_normal((20, 6)).astype(np.float32)
    ours = scores(model, FORMS[form](queries))
    for label in range(4):
        theirs = SVC(kernel="precomputed", C=1e9, tol=1e-8)
        theirs.fit(K + np.eye(60) / (2 * C), Y[:, label] > 0)
        want = theirs.decision_function(twin.rbf(queries, X, width))
        np.testing.assert_allclose(ours[:, label], want, atol=1e-4)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_rank_svm_is_at_the_optimum_of_its_objective(form, kernel):
    """Counted pair by pair, no small change of weights or intercepts lowers it."""
    model = RankSVMLabels(C=2.0, kernel=kernel, gamma=0.3, tol=1e-6).fit(FORMS[form](X), Y)
    K = twin.rbf(X, X, 0.3) if kernel == "rbf" else X @ X.T.astype(np.float64)
    F = scores(model, X)
    slopes = twin.pair_hinge(F, Y, 2.0)[1]
    # f = -K slopes + b, and the slopes of each label sum up to 0
    np.testing.assert_allclose(F, -K @ slopes + model.intercept_, atol=2e-4)
    np.testing.assert_allclose(slopes.sum(axis=0), 0, atol=2e-4)
    assert model.intercept_.mean() == pytest.approx(0, abs=1e-6)


def test_rank_svm_by_hand():
    """Two rows at -1 and 1, a label each: v = w1 = -w0 makes v² + 2 C max(0, 1 - 2v)² least."""
    C = 3.0
    model = RankSVMLabels(C=C, tol=1e-8).fit(np.array([[-1.0], [1.0]]), np.eye(2))
    np.testing.assert_allclose(model.weights_, [[-4 * C / (1 + 8 * C), 4 * C / (1 + 8 * C)]])
    np.testing.assert_allclose(model.intercept_, 0, atol=1e-7)


@pytest.mark.parametrize("name", MACHINES)
def test_a_kernel_finds_what_a_line_cannot(name):
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((150, 2))
    truth = np.column_stack([(rows**2).sum(axis=1) < 1.2, (rows**2).sum(axis=1) >= 1.2])
    line, curve = (
        MACHINES[name](C=10.0, kernel=kernel).fit(rows[:100], truth[:100]).rank(rows[100:])
        for kernel in ("linear", "rbf")
    )
    wrong = [evaluate(r, truth[100:], "OneError")["OneError"].value for r in (line, curve)]
    assert wrong[1] < 0.1 < wrong[0]


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("name", MACHINES)
def test_sparse_and_dense_rows(name, kernel):
    dense, sparse = (MACHINES[name](kernel=kernel).fit(f(X), Y) for f in FORMS.values())
    for model in (dense, sparse):
        for form in FORMS.values():
            np.testing.assert_allclose(scores(model, form(X)), scores(dense, X), atol=1e-5)
    assert sp.issparse(sparse.vectors_) == (kernel == "rbf")


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("name", MACHINES)
def test_n_jobs_does_not_matter(name, kernel):
    rng = np.random.default_rng(2)
    rows, truth = rng.standard_normal((600, 5)), rng.random((600, 40)) < 0.2
    rows[:, 0] += truth[:, 0]
    for form in FORMS.values():
        one, two = (
            MACHINES[name](C=0.01, kernel=kernel, n_jobs=n).fit(form(rows[:80]), truth[:80])
            for n in (1, 2)
        )
        assert one.rank(form(rows)) == two.rank(form(rows))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_labels_of_nobody_and_of_all(kernel):
    truth = np.column_stack([np.zeros(60), np.ones(60), Y[:, 0]])
    binary = scores(BinarySVM(kernel=kernel).fit(X, truth), X)
    np.testing.assert_array_equal(binary[:, :2], [[-1, 1]] * 60)
    rank = scores(RankSVMLabels(kernel=kernel).fit(X, truth), X)
    assert (rank[:, 0] < rank[:, 2]).all()
    assert (rank[:, 1] > rank[:, 2]).all()


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("name", MACHINES)
def test_odd_data(name, kernel):
    cases = [
        (np.ones((1, 2)), np.ones((1, 1))),
        (np.zeros((5, 2)), np.eye(5)),
        (np.ones((4, 1)), [[1], [0], [1], [0]]),
        (np.tile(X[:4], (3, 1)), np.tile(Y[:4], (3, 1))),
        (np.tile(X[:1], (6, 1)), np.eye(6)),
        (X * 0, Y * 0),
    ]
    for rows, truth in cases:
        for form in FORMS.values():
            ranking = MACHINES[name](kernel=kernel).fit(form(rows), truth).rank(form(rows))
            assert ranking.n_entries == len(rows) * np.shape(truth)[1]


def test_rows_without_pairs_teach_nothing():
    truth = Y.copy()
    truth[:10], truth[10:20] = 0, 1
    some = RankSVMLabels(kernel="rbf", gamma=0.3).fit(X, truth)
    assert some.rank(X) == RankSVMLabels(kernel="rbf", gamma=0.3).fit(X[20:], truth[20:]).rank(X)
    none = RankSVMLabels().fit(X, np.zeros((60, 3)))
    np.testing.assert_array_equal(scores(none, X), 0)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_calibrated_scores_are_platts_probabilities(kernel):
    """Of decisions by machines that did not see the row."""
    model = BinarySVM(kernel=kernel, gamma=0.2, calibrate=True).fit(X, Y)
    plain = BinarySVM(kernel=kernel, gamma=0.2).fit(X, Y)
    held_out = np.empty(Y.shape)
    for fold in range(5):
        out = np.arange(60) % 5 == fold
        part = BinarySVM(kernel=kernel, gamma=0.2).fit(X[~out], Y[~out])
        held_out[out] = scores(part, X[out])
    for label in range(4):
        sigmoid = _SigmoidCalibration().fit(held_out[:, label], Y[:, label] > 0)
        want = sigmoid.predict(scores(plain, X)[:, label])
        np.testing.assert_allclose(scores(model, X)[:, label], want, atol=2e-3)


def test_calibration_of_labels_of_nobody_and_of_all():
    truth = np.column_stack([np.zeros(60), np.ones(60), Y[:, 0]])
    found = scores(BinarySVM(calibrate=True).fit(X, truth), X)
    np.testing.assert_allclose(found[:, 0], 1 / 62, rtol=1e-4)
    np.testing.assert_allclose(found[:, 1], 61 / 62, rtol=1e-4)
    assert 0.5 < expit(0.1) < 1
    one = BinarySVM(calibrate=True).fit(X[:1], truth[:1])
    np.testing.assert_allclose(scores(one, X[:1])[:, :2], [[1 / 3, 2 / 3]], rtol=1e-4)


def test_what_is_learned_is_what_is_documented():
    linear, kernel = (BinarySVM(kernel=kernel).fit(X, Y) for kernel in ("linear", "rbf"))
    assert linear.weights_.shape == (6, 4)
    assert linear.vectors_.shape == (0, 6)
    assert kernel.weights_.shape == (len(kernel.vectors_), 4)
    assert kernel.weights_.dtype == kernel.vectors_.dtype == kernel.intercept_.dtype == np.float32
    assert linear.sigmoid_.shape == (0, 2)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"C": 0}, "C must be a number above 0, found 0"),
        ({"C": "1"}, "C must be a number above 0, found '1'"),
        ({"C": float("inf")}, "C must be"),
        ({"C": True}, "C must be"),
        ({"kernel": "poly"}, "kernel must be linear or rbf, not 'poly'"),
        ({"gamma": "auto"}, "gamma must be a number above 0, found 'auto'"),
        ({"gamma": -1}, "gamma must be"),
        ({"tol": 0}, "tol must be"),
        ({"top": 0}, "top must be"),
        ({"n_jobs": 0}, "n_jobs must be"),
    ],
)
@pytest.mark.parametrize("name", MACHINES)
def test_parameters_that_cannot_be(name, wrong, says):
    with pytest.raises(InputError, match=says):
        MACHINES[name](**wrong).fit(X, Y)


def test_calibrate_is_yes_or_no():
    with pytest.raises(InputError, match="calibrate must be True or False, found 'no'"):
        BinarySVM(calibrate="no").fit(X, Y)
