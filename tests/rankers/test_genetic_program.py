"""GeneticProgram: finds what there is to find, the same every time, and survives odd groups."""

import json

import numpy as np
import pytest
from sklearn.base import clone
from store.forging import forge, with_arrays

from labelrank import InputError, ModelError, Ranking, load_model, measure
from labelrank.rankers import tune
from labelrank.rankers.genetic_program import GeneticProgram

RNG = np.random.default_rng(0)
N, M = 40, 6
RANKING = Ranking.from_dense(np.zeros((N, M)))
F = RNG.normal(size=(N * M, 4)).astype(np.float32)
Y = np.clip(F[:, 0] * F[:, 1] * 3, 0, 3).round().reshape(N, M)
SMALL = {"population": 60, "generations": 12, "random_state": 0}


@pytest.fixture(scope="module")
def fitted():
    return GeneticProgram(**SMALL).fit(RANKING, F, Y, names=["views", "age", "cost", "size"])


def test_a_product_is_found_and_written(fitted):
    assert fitted.fitness_[-1] > 0.99
    assert fitted.fitness_ == sorted(fitted.fitness_)
    assert "views" in fitted.formula_
    assert "age" in fitted.formula_
    np.testing.assert_array_equal(fitted.program_(F), fitted._scores(F))
    value = measure("nDCG(empty=zero,ties=expected)@10")(fitted.rerank(RANKING, F), Y).values
    relevant = (Y > 0).any(axis=1)
    assert value[relevant].mean() == pytest.approx(fitted.fitness_[-1], abs=1e-6)


@pytest.mark.parametrize("objective", ["nDCG", "MAP", "RR"])
@pytest.mark.parametrize("k", [0, 2])
def test_fitness_is_the_measure_of_the_ranking(objective, k):
    ranker = GeneticProgram(10, 2, objective=objective, k=k, random_state=1).fit(RANKING, F, Y)
    at = f"@{k}" if k else ""
    found = measure(f"{objective}(ties=expected){at}")(ranker.rerank(RANKING, F), Y).values
    assert np.nanmean(found) == pytest.approx(ranker.fitness_[-1], abs=1e-6)


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_results_do_not_depend_on_the_number_of_jobs(n_jobs):
    params = {"population": 150, "generations": 4, "random_state": 3}
    one = GeneticProgram(**params).fit(RANKING, F, Y)
    two = GeneticProgram(**params, n_jobs=n_jobs).fit(RANKING, F, Y)
    assert one.formula_ == two.formula_
    assert one.fitness_ == two.fitness_
    other = GeneticProgram(**params | {"random_state": 4}).fit(RANKING, F, Y)
    assert other.fitness_ != one.fitness_


def test_the_best_on_the_validation_ranking_is_kept():
    noise = RNG.integers(0, 2, (N, M)).astype(float)
    train, held = (RANKING, F, noise), (RANKING[:20], F[: 20 * M], Y[:20])
    ranker = GeneticProgram(**SMALL).fit(*train, validation=held)
    assert len(ranker.watched_) == 12
    value = measure("nDCG@10")(ranker.rerank(*held[:2]), held[2]).value
    assert value == pytest.approx(max(ranker.watched_))
    early = GeneticProgram(**SMALL, patience=2).fit(*train, validation=held)
    assert len(early.watched_) < 12
    assert early.watched_ == ranker.watched_[: len(early.watched_)]
    value = measure("nDCG@10")(early.rerank(*held[:2]), held[2]).value
    assert value == pytest.approx(max(early.watched_))


def test_explanations_have_the_formula_and_sum_to_the_score(fitted):
    explained = fitted.explain(F[:5])
    assert explained.formula == fitted.formula_
    assert str(explained).startswith(fitted.formula_)
    scores = fitted.program_(F[:5])
    np.testing.assert_allclose(explained.scores, scores, atol=1e-5 * np.abs(scores).max())
    unused = sorted(set(range(4)) - set(fitted.program_.features))
    assert not explained.contributions[:, unused].any()
    assert fitted.explain(F[0]).contributions.shape == (1, 4)
    assert explained.base[0] == fitted.program_(F.mean(axis=0, dtype=float)[None].astype("f4"))[0]


def test_large_features_are_scaled_by_powers_of_two_and_the_formula_says_so():
    wild = F * np.array([1, 1000, 1, 1e-6], dtype=np.float32)
    wild[:, 2] = 0
    ranker = GeneticProgram(**SMALL).fit(RANKING, wild, Y)
    largest = np.abs(wild).max(axis=0) * ranker.factors_
    assert ranker.factors_[[0, 2]].tolist() == [1, 1]
    assert (np.frexp(ranker.factors_)[0] == 0.5).all()
    assert ((largest[[1, 3]] > 0.5) & (largest[[1, 3]] <= 1)).all()
    assert f"f1 ÷ {1 / ranker.factors_[1]:.0f}" in ranker.formula_
    assert ranker.fitness_[-1] > 0.9


def test_features_of_any_size_give_finite_scores():
    huge = np.full((2, 4), 3e38, dtype=np.float32)
    tiny = F * np.float32(1e-38)
    ranker = GeneticProgram(**SMALL).fit(RANKING, tiny, Y)
    assert np.isfinite(ranker.explain(huge).scores).all()
    assert np.isfinite(ranker.rerank(Ranking.from_lists([[0, 1]]), huge).scores).all()


def test_gains_weights_and_propensities_change_what_is_worth_most():
    ranking = Ranking.from_dense(np.zeros((30, 2)))
    truth = np.ones((30, 2))
    truth[:, 1] = 2
    first = np.tile([[1.0], [0.0]], (30, 1))  # 1 for label 0
    value = {}
    for name, given in {
        "grade": {},
        "propensity": {"propensities": np.array([0.1, 1.0])},
        "weights": {"label_weights": np.array([5.0, 1.0])},
        "pairs": {"pair_weights": np.tile([5.0, 1.0], 30)},
    }.items():
        gain = "propensity" if name == "propensity" else "grade"
        ranker = GeneticProgram(40, 5, gain=gain, random_state=0).fit(
            ranking, first, truth, **given
        )
        value[name] = int(ranker.rerank(ranking, first).row(0)[0][0])
    assert value == {"grade": 1, "propensity": 0, "weights": 0, "pairs": 0}


def test_saved_and_loaded(fitted, tmp_path):
    fitted.save(tmp_path / "gp.model")
    again = load_model(tmp_path / "gp.model")
    assert again.formula_ == fitted.formula_
    assert again.get_params() == fitted.get_params()
    np.testing.assert_array_equal(again.rerank(RANKING, F).scores, fitted.rerank(RANKING, F).scores)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"codes_": np.array([-5], "i4")}, "operator without operands"),
        ({"codes_": np.array([0, 1], "i4")}, "leaves 2 values"),
        ({"codes_": np.array([], "i4")}, "leaves 0 values"),
        ({"codes_": np.array([10**9], "i4")}, "no operator, feature or constant"),
        ({"codes_": np.array([-77], "i4")}, "no operator, feature or constant"),
        ({"codes_": np.array([0] * 99 + [-5] * 98, "i4")}, "nested too deeply"),
        ({"codes_": np.array([0], "i8")}, "array of int64"),
        ({"constants_": np.array([np.nan], "f4")}, "NaN or infinite"),
        ({"factors_": np.ones(3, "f4")}, "factors_ does not have 4 values"),
        ({"factors_": np.zeros(4, "f4")}, "not above 0"),
        ({"reference_": np.ones(5, "f4")}, "reference_ does not have 4 values"),
    ],
)
def test_forged_programs_are_refused(fitted, tmp_path, changes, says):
    folder = tmp_path / "gp.model"
    fitted.save(folder)
    forge(folder, arrays=with_arrays(folder, changes))
    with pytest.raises(ModelError, match=says):
        load_model(folder)


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"population": 1}, "population must be a whole number from 2"),
        ({"generations": 0}, "generations must be"),
        ({"generations": 2.5}, "generations must be"),
        ({"tournament": True}, "tournament must be"),
        ({"depth": 21}, "depth must be a whole number from 1 to 20"),
        ({"k": -1}, "k must be"),
        ({"crossover": 1.1}, "crossover must be a number from 0 to 1"),
        ({"mutation": "often"}, "mutation must be a number from 0 to 1"),
        ({"objective": "P"}, "objective must be one of nDCG, MAP, RR"),
        ({"gain": "none"}, "gain must be one of"),
        ({"patience": 0}, "patience must be"),
        ({"measure": "nDGC@3"}, "there is no measure"),
    ],
)
def test_parameters_that_cannot_be_used(params, says):
    with pytest.raises(InputError, match=says):
        GeneticProgram(**params).fit(RANKING, F, Y)


def test_it_is_an_estimator(fitted):
    assert clone(fitted).get_params() == GeneticProgram(**SMALL).get_params()
    with pytest.raises(InputError, match="F has 2 columns, but 4"):
        fitted.rerank(RANKING, F[:, :2])
    found = tune(GeneticProgram(20, 3, random_state=0), RANKING, F, Y, folds=2)
    assert len(found.rows) == 8
    json.dumps(found.best_params)


def test_inputs_are_not_changed(fitted):
    kept = F.copy()
    GeneticProgram(10, 2, random_state=0).fit(RANKING, F, Y).explain(F[:2])
    np.testing.assert_array_equal(F, kept)


def test_progress_is_shown_when_asked_for(capsys):
    GeneticProgram(5, 2, random_state=0, verbose=1).fit(RANKING, F, Y)
    assert "generations" in capsys.readouterr().err
