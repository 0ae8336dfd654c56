"""ListNet, LambdaRank, RankSVM, SVM-MAP and LinearMix: optima, slopes, explanations, odd groups."""

import numpy as np
import pytest
from rankers.problems import GAINS, problem, ranked
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from labelrank import InputError, evaluate
from labelrank.rankers import LambdaRank, LinearMix, ListNet, RankSVM, SVMMap
from labelrank.rankers.scaling import Scaling


def pairs_of(ranking, F, grades):
    """Scaled differences of all pairs of a group, the better one first."""
    X = Scaling(F).apply(F).astype(float)
    out = []
    for start, end in zip(ranking.indptr, ranking.indptr[1:], strict=False):
        for i in range(start, end):
            out += [X[i] - X[j] for j in range(start, end) if grades[i] > grades[j]]
    return np.array(out)


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_rank_svm_is_a_classifier_of_explicit_pairs(loss):
    ranking, F, Y = problem(groups=8, seed=1)
    D = pairs_of(ranking, F, Y.ravel())
    alpha = 0.05
    both, signs = np.vstack([D, -D]), np.repeat([1, -1], len(D))
    explicit = LinearSVC(
        loss=loss, C=1 / (2 * alpha * len(D)), fit_intercept=False, tol=1e-8, max_iter=1_000_000,
        dual=loss == "hinge",
    ).fit(both, signs)  # fmt: skip
    model = RankSVM(loss=loss, pairs="all", alpha=alpha, tolerance=1e-6).fit(ranking, F, Y)
    found = model.weights_ / Scaling(F).factor
    tolerance = 1e-3 if loss == "squared_hinge" else 5e-3
    np.testing.assert_allclose(found, explicit.coef_[0], atol=tolerance)


def test_the_hinge_reaches_the_minimum_that_a_linear_programme_of_pairs_has():
    ranking, F, Y = problem(groups=4, seed=2)
    D, alpha = pairs_of(ranking, F, Y.ravel()), 0.1

    def objective_at(w):
        return alpha / 2 * w @ w + np.maximum(0, 1 - D @ w).mean()

    model = RankSVM(loss="hinge", pairs="all", alpha=alpha, tolerance=1e-5).fit(ranking, F, Y)
    w = model.weights_ / Scaling(F).factor
    start = objective_at(np.zeros(len(w)))
    polished = minimize(objective_at, w, method="Nelder-Mead", options={"maxiter": 20_000}).fun
    assert objective_at(w) <= polished + 2e-5 * start


def test_a_group_counts_once_or_as_often_as_it_has_pairs():
    """One group has 9 pairs that rise with the feature, one 5 that fall, by 3 on average."""
    ranking = ranked(np.zeros((2, 6)))
    F = np.tile(np.arange(6.0), 2)[:, None].astype(np.float32)
    Y = np.array([[0, 0, 0, 1, 1, 1], [1, 0, 0, 0, 0, 0]], dtype=float)

    def weight(pairs, first=1.0):
        model = RankSVM(pairs=pairs)
        return model.fit(ranking, F, Y, pair_weights=np.repeat([first, 1], 6)).weights_[0]

    assert weight("group") == pytest.approx(0, abs=1e-6)
    assert weight("all") > 0.05
    assert weight("group", 2.0) > 0.05  # weights count for groups, too
    assert weight("all", 5 / 9) == pytest.approx(weight("group"), abs=1e-6)


@pytest.mark.parametrize("target", ["share", "softmax"])
def test_list_net_is_at_the_minimum_of_its_loss(target):
    ranking, F, Y = problem(groups=10, seed=4)
    model = ListNet(target=target, alpha=0.1).fit(ranking, F, Y)
    X, grades = Scaling(F).apply(F).astype(float), Y.ravel()

    def loss(w):
        total = 0.1 / 2 * w @ w
        for start, end in zip(ranking.indptr, ranking.indptr[1:], strict=False):
            y, s = grades[start:end], X[start:end] @ w
            truth = y / y.sum() if target == "share" else np.exp(y) / np.exp(y).sum()
            total -= truth @ (s - np.log(np.exp(s).sum())) / ranking.n_rows
        return total

    best = minimize(loss, np.zeros(X.shape[1])).x
    np.testing.assert_allclose(model.layer_[:, 0] / Scaling(F).factor, best, atol=2e-3)


LEARNERS = [
    ListNet(),
    ListNet(hidden=5, random_state=0, rounds=30),
    LambdaRank(random_state=0, rounds=30),
    LambdaRank(hidden=0, random_state=0),
    LambdaRank(objective="MAP", random_state=0, rounds=30),
    LambdaRank(objective="RR", random_state=0, rounds=30),
    RankSVM(),
    RankSVM(loss="hinge"),
    SVMMap(),
]


@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_what_was_learned_holds_for_new_groups(model):
    ranking, F, Y = problem(groups=60, seed=5)
    new, F_new, Y_new = problem(groups=60, seed=6)
    fitted = model.fit(ranking, F, Y)
    before = evaluate(new, Y_new, "nDCG")["nDCG"].value
    after = evaluate(fitted.rerank(new, F_new), Y_new, "nDCG")["nDCG"].value
    assert after > 0.9 > before + 0.1


@pytest.mark.parametrize("hidden", [0, 4])
def test_contributions_of_a_network_add_up_and_are_the_integral_of_its_slope(hidden):
    ranking, F, Y = problem(groups=20, seed=7)
    model = LambdaRank(hidden=hidden, random_state=0, rounds=20).fit(ranking, F, Y)
    told = model.explain(F)
    np.testing.assert_allclose(told.scores, model._scores(F), atol=1e-9)
    x = F[0] - model.means_
    steps = (np.arange(2000) + 0.5) / 2000
    slope = np.zeros(F.shape[1])
    for j in range(F.shape[1]):
        e = np.zeros(F.shape[1])
        e[j] = 1e-3
        way = model.means_ + steps[:, None] * x
        slope[j] = (model._scores(way + e) - model._scores(way - e)).mean() / 2e-3
    np.testing.assert_allclose(told.contributions[0], slope * x, atol=1e-5)
    at_mean = model.explain(model.means_.astype(np.float32))
    np.testing.assert_allclose(at_mean.contributions, 0, atol=1e-6)


def test_linear_explanations_add_up():
    ranking, F, Y = problem(groups=20, seed=8)
    for model in (RankSVM(), SVMMap(), ListNet(), LinearMix([1, 2, 3, 0])):
        told = model.fit(ranking, F, Y, names=list("abcd")).explain(F[:3])
        np.testing.assert_allclose(told.scores, model._scores(F[:3]), atol=1e-9)
        assert told.names == list("abcd")


def test_early_stopping_goes_back_to_the_best_round():
    ranking, F, Y = problem(groups=30, seed=9)
    held = problem(groups=30, seed=10)
    for model in (
        LambdaRank(random_state=0, rounds=40, patience=5),
        ListNet(patience=3, alpha=0),
        RankSVM(loss="hinge", patience=3, alpha=1e-3, tolerance=1e-6),
        SVMMap(patience=3, alpha=1e-3, tolerance=1e-6),
    ):
        model.fit(ranking, F, Y, validation=held)
        value = evaluate(model.rerank(*held[:2]), held[2], "nDCG@10")["nDCG@10"].value
        assert value == pytest.approx(max(model.watched_), abs=1e-9)
        assert len(model.watched_) <= np.argmax(model.watched_) + 1 + model.patience


def test_without_patience_a_convex_method_goes_to_its_minimum():
    ranking, F, Y = problem(groups=30, seed=9)
    held = problem(groups=30, seed=10)
    for make in (ListNet, RankSVM, SVMMap):
        alone, watched = make().fit(ranking, F, Y), make().fit(ranking, F, Y, validation=held)
        np.testing.assert_array_equal(alone._scores(F), watched._scores(F))
        assert len(watched.watched_) > 0


def test_too_few_planes_are_told():
    ranking, F, Y = problem(groups=10, seed=1)
    with pytest.warns(ConvergenceWarning, match="SVMMap: after 2 rounds the objective may be"):
        SVMMap(rounds=2, alpha=1e-3).fit(ranking, F, Y)


def test_rare_labels_count_more_with_propensities():
    """Two kinds of relevant labels that no function serves at once: the rarer one wins."""
    n = 40
    ranking = ranked(np.zeros((n, 2)))
    F = np.tile([[1.0, 0], [0, 1.0]], (n, 1)).astype(np.float32)
    Y = np.zeros((n, 2))
    Y[: n * 6 // 10, 0] = 1
    Y[n * 6 // 10 :, 1] = 1
    p = np.array([1.0, 0.2])
    for model in (ListNet(gain="propensity"), LambdaRank(gain="propensity", hidden=0, rounds=20),
                  RankSVM(gain="propensity"), SVMMap(gain="propensity", alpha=0.01)):  # fmt: skip
        plain = type(model)(**{**model.get_params(), "gain": "grade"}).fit(ranking, F, Y)
        rare = model.fit(ranking, F, Y, propensities=p)
        assert plain.rerank(ranking, F).row(0)[0][0] == 0
        assert rare.rerank(ranking, F).row(0)[0][0] == 1


def test_linear_mix_by_name_and_number():
    ranking, F, Y = problem(groups=3, seed=0)
    names = list("abcd")
    by_name = LinearMix({"b": 3, "d": 1}).fit(ranking, F, Y, names=names)
    np.testing.assert_allclose(by_name.weights_, [0, 0.75, 0, 0.25])
    np.testing.assert_allclose(LinearMix().fit(ranking, F, Y).weights_, [0.25] * 4)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (LinearMix([1, 2]), "2 weights were given for 4 features"),
        (LinearMix([0, 0, 0, 0]), "one of them above 0"),
        (LinearMix([1, -1, 1, 1]), "finite numbers from 0"),
        (LinearMix([1, np.nan, 1, 1]), "finite numbers from 0"),
        (LinearMix(["a", 1, 1, 1]), "weights must be numbers"),
        (LinearMix({"z": 1}), "there is no feature 'z'; there are f0, f1, f2, f3"),
        (ListNet(target="top"), "target must be one of share, softmax"),
        (ListNet(alpha=-1), "alpha must be a number from 0, found -1"),
        (ListNet(hidden=-1), "hidden must be a whole number from 0"),
        (ListNet(hidden=1.5), "hidden must be a whole number from 0"),
        (LambdaRank(rounds=0), "rounds must be a whole number from 1"),
        (LambdaRank(rate=0), "rate must be a number above 0"),
        (LambdaRank(objective="P"), "objective must be one of nDCG, MAP, RR"),
        (LambdaRank(k=-1), "k must be a whole number from 0"),
        (RankSVM(loss="log"), "loss must be one of squared_hinge, hinge"),
        (RankSVM(pairs="some"), "pairs must be one of group, all"),
        (RankSVM(gain="exp"), "gain must be one of grade, propensity"),
        (RankSVM(alpha=0), "alpha must be a number above 0"),
        (SVMMap(alpha="1"), "alpha must be a number above 0"),
        (SVMMap(tolerance=np.inf), "tolerance must be a number above 0"),
    ],
)
def test_parameters_that_cannot_be(model, says):
    ranking, F, Y = problem(groups=3, seed=0)
    with pytest.raises(InputError, match=says):
        model.fit(ranking, F, Y)


def test_every_gain_that_is_allowed_can_be_used():
    ranking, F, Y = problem(groups=8, seed=2)
    p = np.full(ranking.n_labels, 0.5)
    for make in (ListNet, LambdaRank, RankSVM, SVMMap):
        assert set(make.gains) <= set(GAINS)
        for gain in make.gains:
            model = make(gain=gain).fit(ranking, F, Y, propensities=p)
            assert np.isfinite(model._scores(F)).all()
