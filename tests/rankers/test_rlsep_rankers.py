"""RLSEP as the objective of linear, networked and boosted rankers."""

import numpy as np
import pytest
from rankers.problems import problem, ranked
from scipy.optimize import minimize

from labelrank import InputError, evaluate
from labelrank.losses import cross_entropy, lsep, rlsep
from labelrank.rankers import RLSEP, LambdaMart, ListNet
from labelrank.rankers.scaling import Scaling

LOSSES = {"rlsep": rlsep, "lsep": lsep, "ce": cross_entropy}


def ordered(groups=60, size=6, seed=0):
    """One column says which labels are relevant, another in which order; no line says both."""
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(groups * size, 3)).astype(np.float32)
    relevant = F[:, 0] > 0
    worth = np.where(relevant, 3 + F[:, 1], 0)
    return ranked(np.zeros((groups, size))), F, worth.reshape(groups, size).clip(0)


@pytest.mark.parametrize("loss", ["rlsep", "lsep"])
def test_the_linear_model_is_at_the_minimum_of_the_loss(loss):
    ranking, F, Y = problem(groups=10, seed=4)
    model = RLSEP(loss=loss, alpha=0.1).fit(ranking, F, Y)
    X = Scaling(F).apply(F).astype(float)

    def objective(w):
        return LOSSES[loss]((X @ w).reshape(Y.shape), Y).mean + 0.1 / 2 * w @ w

    best = minimize(objective, np.zeros(X.shape[1])).x
    np.testing.assert_allclose(model.layer_[:, 0] / Scaling(F).factor, best, atol=2e-3)


def test_the_even_cross_entropy_is_list_net_without_grades():
    ranking, F, Y = problem(groups=10, seed=4)
    model = ListNet(alpha=0.1).fit(ranking, F, (Y > 0).astype(float))
    X = Scaling(F).apply(F).astype(float)

    def objective(w):
        return cross_entropy((X @ w).reshape(Y.shape), Y).mean + 0.1 / 2 * w @ w

    best = minimize(objective, np.zeros(X.shape[1])).x
    np.testing.assert_allclose(model.layer_[:, 0] / Scaling(F).factor, best, atol=2e-3)


@pytest.mark.parametrize("name", ["rlsep", "lsep", "ce"])
def test_boosting_brings_the_loss_down(name):
    ranking, F, Y = problem(groups=30, seed=1)
    values = []
    for n_trees in (1, 5, 40):
        model = LambdaMart(n_trees, objective=name, min_leaf=5).fit(ranking, F, Y)
        values.append(LOSSES[name](model.scores(ranking, F).reshape(Y.shape), Y).mean)
    assert values[0] > values[1] > values[2]


@pytest.mark.parametrize(
    ("graded", "binary"),
    [
        (RLSEP(hidden=6, random_state=0), RLSEP("lsep", hidden=6, random_state=0)),
        (LambdaMart(60, objective="rlsep"), LambdaMart(60, objective="lsep")),
        (LambdaMart(60, objective="rlsep"), LambdaMart(60, objective="ce")),
    ],
    ids=["network", "trees", "trees, ce"],
)
def test_the_order_is_learned_where_grades_are_known(graded, binary):
    new, F_new, Y_new = ordered(seed=1)
    found = []
    for model in (graded, binary):
        model.fit(*ordered())
        found.append(evaluate(model.rerank(new, F_new), Y_new, "ranked-Acc")["ranked-Acc"].value)
    assert found[0] > 0.93
    assert found[0] > found[1] + 0.02


def test_rows_of_one_grade_are_left_out_and_weights_count():
    ranking, F, Y = problem(groups=20, seed=3)
    tied = Y.copy()
    tied[10:] = 5
    alone = RLSEP().fit(ranking[np.arange(10)], F[:80], Y[:10])
    np.testing.assert_array_equal(alone.layer_, RLSEP().fit(ranking[:10], F[:80], tied[:10]).layer_)
    both = RLSEP(scale=False).fit(ranking, F, tied)
    weights = np.repeat([1.0, 0.0], 80)
    np.testing.assert_allclose(
        RLSEP(scale=False, alpha=0.005).fit(ranking, F, Y, pair_weights=weights).layer_,
        both.layer_, atol=1e-3,
    )  # fmt: skip
    with pytest.raises(InputError, match="there is no order to learn"):
        RLSEP().fit(ranking, F, np.ones_like(Y))


def test_parameters_that_cannot_be():
    ranking, F, Y = problem(groups=3)
    with pytest.raises(InputError, match="loss must be one of rlsep, lsep, found 'ce'"):
        RLSEP("ce").fit(ranking, F, Y)
    with pytest.raises(InputError, match="gain must be one of grade, propensity"):
        RLSEP(gain="exp").fit(ranking, F, Y)
