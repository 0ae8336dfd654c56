"""What every ranker keeps to, one test for all of them."""

import json

import numpy as np
import pytest
from rankers.problems import problem, ranked
from sklearn.base import clone

from labelrank import InputError, ModelError, Ranking, evaluate, load_model
from labelrank.rankers import RANKERS, Ranker, ranker
from labelrank.store.folder import read_folder

SMALL = {
    "randomforest": {"n_trees": 20},
    "mart": {"n_trees": 20},
    "lambdamart": {"n_trees": 20},
    "geneticprogram": {"population": 30, "generations": 5},
    "linearmix": {"weights": [0.6, 0.4, 0, 0]},
}
"""Sizes at which each learns the small problem in a moment."""


def small(name, **params):
    made = ranker(name, **SMALL.get(name, {}))
    known = made.get_params()
    if "random_state" in known:
        made.set_params(random_state=0)
    return made.set_params(**{k: v for k, v in params.items() if k in known})


def scores(model, ranking, F):
    """In the order of the entries given."""
    found = model.rerank(ranking, F)
    order = np.lexsort((found.labels, found.rows))
    return found.scores[order]


@pytest.fixture(params=list(RANKERS))
def name(request):
    return request.param


RANKING, F, Y = problem(groups=30, seed=1)


def test_it_learns_and_the_better_order_holds_for_new_groups(name):
    new, F_new, Y_new = problem(groups=40, seed=2)
    model = small(name).fit(RANKING, F, Y)
    found = model.rerank(new, F_new)
    assert sorted(zip(found.rows, found.labels, strict=True)) == sorted(
        zip(new.rows, new.labels, strict=True)
    )
    value = evaluate(found, Y_new, "nDCG")["nDCG"].value
    least = 0.75 if name == "linearmix" else 0.85
    assert value > least > evaluate(new, Y_new, "nDCG")["nDCG"].value


def test_two_fits_are_the_same_and_inputs_stay(name):
    before = F.copy(), Y.copy(), RANKING.scores.copy()
    one, two = (small(name).fit(RANKING, F, Y) for _ in "ab")
    np.testing.assert_array_equal(scores(one, RANKING, F), scores(two, RANKING, F))
    for now, then in zip((F, Y, RANKING.scores), before, strict=True):
        np.testing.assert_array_equal(now, then)


def test_results_do_not_depend_on_the_number_of_jobs(name):
    one, two = (small(name, n_jobs=n).fit(RANKING, F, Y) for n in (1, 2))
    np.testing.assert_array_equal(scores(one, RANKING, F), scores(two, RANKING, F))


def test_a_saved_ranker_ranks_the_same(name, tmp_path):
    model = small(name).fit(RANKING, F, Y, names=["a", "b", "c", "d"])
    model.save(tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert type(again) is type(model)
    assert again.get_params() == model.get_params()
    assert again.feature_names == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(scores(again, RANKING, F), scores(model, RANKING, F))
    np.testing.assert_allclose(
        again.explain(F[:2]).contributions, model.explain(F[:2]).contributions, atol=1e-9
    )


def test_a_folder_whose_arrays_do_not_fit_is_refused(name, tmp_path):
    """The number of features in the file is made one larger than the arrays are."""
    from store.forging import forge

    small(name).fit(RANKING, F, Y).save(tmp_path / "m")
    if "n_features_in_" not in json.dumps(read_folder(tmp_path / "m")):
        raise AssertionError("the number of features is not kept")

    def fewer(manifest):
        values = manifest["model"]["values"]
        values["n_features_in_"] = 1

    forge(tmp_path / "m", fewer)
    with pytest.raises(ModelError):
        load_model(tmp_path / "m")


def test_contributions_add_up_to_the_score(name):
    model = small(name).fit(RANKING, F, Y)
    told = model.explain(F[:5])
    first = RANKING[[0]]
    np.testing.assert_allclose(told.scores, scores(model, first, F[:8])[:5], atol=1e-5)
    assert told.contributions.shape == (5, 4)
    assert model.explain(F[0]).contributions.shape == (1, 4)
    assert str(told)


@pytest.mark.parametrize("gain", ["grade", "exp", "propensity"])
def test_a_gain_is_used_or_refused(name, gain):
    p = np.linspace(0.2, 1, RANKING.n_labels)
    model = small(name)
    if "gain" not in model.get_params():
        return
    model.set_params(gain=gain)
    if gain in model.gains:
        assert np.isfinite(scores(model.fit(RANKING, F, Y, propensities=p), RANKING, F)).all()
    else:
        with pytest.raises(InputError, match="gain must be one of"):
            model.fit(RANKING, F, Y, propensities=p)


def test_more_than_31_grades_and_grades_between_whole_numbers(name):
    rng = np.random.default_rng(0)
    ranking = ranked(np.zeros((5, 60)))
    columns = rng.normal(size=(300, 4)).astype(np.float32)
    grades = np.argsort(np.argsort(columns[:, 0].reshape(5, 60), axis=1), axis=1) + 0.5
    model = small(name).fit(ranking, columns, grades)
    if name not in ("linearmix", "svmmap"):  # these know no grades
        value = evaluate(model.rerank(ranking, columns), grades, "nDCG@10")["nDCG@10"].value
        assert value > 0.9


def odd_groups():
    """Empty, of one candidate, none relevant, all relevant, all alike, and two that teach."""
    lists = [[], [0], [1], [0, 1, 2], [0, 1, 2], [0, 1], [2, 1, 0, 3], [0, 1, 3]]
    ranking = Ranking.from_lists(lists, n_labels=4)
    Y = np.zeros((8, 4))
    Y[1, 0] = Y[4, :3] = Y[5, 0] = Y[6, 2] = Y[7, 1] = 1
    F = np.zeros((ranking.n_entries, 3), dtype=np.float32)
    F[:, 0] = Y[ranking.rows, ranking.labels]  # says it all
    F[:, 1] = 7  # constant
    F[ranking.rows == 5] = 3  # two candidates alike
    return ranking, F, Y


def test_odd_groups(name):
    ranking, columns, truth = odd_groups()
    model = small(name)
    if name == "linearmix":
        model.set_params(weights=[1, 0, 0])
    found = model.fit(ranking, columns, truth).rerank(ranking, columns)
    assert found.lengths.tolist() == ranking.lengths.tolist()
    assert np.isfinite(found.scores).all()
    assert found.row(6)[0][0] == 2
    assert found.row(7)[0][0] == 1
    alike = found.row(5)[1]
    assert alike[0] == alike[1]


def test_nothing_but_constant_features(name):
    model = small(name)
    constant = np.full_like(F, 3)
    for _, row in model.fit(RANKING, constant, Y).rerank(RANKING, constant):
        assert (row == row[0]).all()


def test_no_group_teaches_an_order(name):
    if name == "linearmix":  # has nothing to learn
        return
    with pytest.raises(InputError, match="there is no order to learn: no group has two candidates"):
        small(name).fit(RANKING, F, np.zeros_like(Y))


def test_one_pair_is_enough(name):
    ranking = ranked(np.zeros((1, 2)))
    columns = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0]], dtype=np.float32)
    found = small(name).fit(ranking, columns, np.array([[1.0, 0]])).rerank(ranking, columns)
    assert np.isfinite(found.scores).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e39])
def test_numbers_that_are_none(name, bad):
    columns = F.astype(float)
    columns[3, 1] = bad
    with pytest.raises(InputError, match="NaN or infinite"):
        small(name).fit(RANKING, columns, Y)
    model = small(name).fit(RANKING, F, Y)
    with pytest.raises(InputError, match="NaN or infinite"):
        model.rerank(RANKING, columns)


def test_what_does_not_fit_is_told(name):
    model = small(name)
    with pytest.raises(InputError, match="F has shape"):
        model.fit(RANKING, F[:-1], Y)
    with pytest.raises(InputError, match="rows but Y has"):
        model.fit(RANKING, F, Y[:-1])
    with pytest.raises(InputError, match="the ranking is empty"):
        model.fit(ranked(np.zeros((0, 4))), F[:0], np.zeros((0, 4)))
    with pytest.raises(InputError, match="no columns"):
        model.fit(RANKING, F[:, :0], Y)
    model.fit(RANKING, F, Y)
    with pytest.raises(InputError, match="F has 3 columns, but 4 were seen in fit"):
        model.rerank(RANKING, F[:, :3])
    empty = ranked(np.zeros((0, RANKING.n_labels)))
    assert model.rerank(empty, F[:0]).n_entries == 0


def test_a_validation_ranking_is_watched(name):
    held = problem(groups=10, seed=3)
    model = small(name).fit(RANKING, F, Y, validation=held)
    assert all(0 <= value <= 1 for value in model.watched_)
    if "patience" in model.get_params():
        assert model.watched_


def test_it_is_an_estimator(name):
    model = small(name)
    assert isinstance(model, Ranker)
    assert clone(model).get_params() == model.get_params()
    for param in type(model).grid:
        assert param in model.get_params()
    if name != "linearmix":
        assert type(model).grid, "nothing to tune by default"


def test_names_in_any_spelling():
    assert type(ranker("LambdaMART")).__name__ == "LambdaMart"
    assert type(ranker("rank-svm")).__name__ == "RankSVM"
    assert type(ranker("rf")).__name__ == "RandomForest"
    assert type(ranker("gp")).__name__ == "GeneticProgram"
    given = ranker("listnet", alpha=0.5)
    assert given.alpha == 0.5
    assert ranker(given, alpha=1.0) is given
    with pytest.raises(InputError, match="did you mean listnet"):
        ranker("lisnet")
    with pytest.raises(InputError, match="ListNet has no parameter 'leaves'"):
        ranker("listnet", leaves=3)
