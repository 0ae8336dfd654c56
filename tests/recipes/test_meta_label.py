"""MetaLabelRanker: paper 000 in one object."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank import InputError, MetaLabelRanker, ModelError, evaluate, load_model, measure
from labelrank.cutoffs import Threshold
from labelrank.features import MetaLevel, Scored
from labelrank.rankers import ListNet, Mean
from labelrank.recipes.tries import columns_of
from labelrank.scorers import BinarySVM, Popularity

RNG = np.random.default_rng(1)
X = RNG.normal(size=(180, 3)).astype(np.float32)
Y = np.column_stack([X[:, 0] > 0, X[:, 1] > 0.5, (X**2).sum(1) < 2, X[:, 2] < -1]).astype(float)
TRAIN, TEST = slice(0, 120), slice(120, 180)


@pytest.mark.parametrize("ranker", ["listnet", "ranksvm", "svmmap", "lambdarank"])
def test_every_ranker_of_the_paper(ranker):
    model = MetaLabelRanker(ranker, k=[3, 10], grid=None).fit(X[TRAIN], Y[TRAIN])
    assert evaluate(model.rank(X[TEST]), Y[TEST], "MAP")["MAP"].value > 0.93
    assert evaluate(model.decide(X[TEST]), Y[TEST], "micro-F1")["micro-F1"].value > 0.8
    assert len(model.tuning_) == 2


def test_sparse_is_dense():
    dense = MetaLabelRanker(k=5, grid=None).fit(X, Y)
    sparse = MetaLabelRanker(k=5, grid=None).fit(sp.csr_array(X), sp.csr_array(Y))
    assert [r[0].tolist() for r in dense.rank(X)] == [r[0].tolist() for r in sparse.rank(X)]


def test_k_and_parameters_are_those_that_are_best_in_cross_validation():
    grid = {"alpha": [0.001, 0.3]}
    model = MetaLabelRanker(k=[2, 20], grid=grid, average=1, random_state=4).fit(X, Y)
    assert model.chosen_ == [{"k": model._meta_level().k, "alpha": model.ranker_.alpha}]
    ranking = Popularity().fit(X, Y).rank(X)
    values = {}
    for k, alpha in itertools.product((2, 20), grid["alpha"]):
        scores = np.zeros(ranking.n_entries)
        for train, held in KFold(5, shuffle=True, random_state=4).split(X):
            features = MetaLevel(k=k).fit(X[train], Y[train])  # held rows are nobody's neighbours
            ranker = ListNet(alpha=alpha, random_state=4)
            ranker.fit(ranking[train], features.describe_training(ranking[train]), Y[train])
            F = features.describe(X[held], ranking[held])
            scores[ranking.entries_of(held)] = ranker.scores(ranking[held], F)
        values[k, alpha] = measure("MAP")(ranking.reordered(scores), Y).value
    best = max(values, key=values.get)
    assert (model._meta_level().k, model.ranker_.alpha) == best
    told = {(row["k"], row["alpha"]): row["value"] for row in model.tuning_}
    assert told == pytest.approx(values)


def test_the_cutoff_learns_from_scores_of_rows_that_the_ranker_did_not_see():
    model = MetaLabelRanker(k=5, grid=None, cutoff=Threshold(), random_state=3).fit(X, Y)
    ranking = Popularity().fit(X, Y).rank(X)
    F = MetaLevel(k=5).fit(X, Y).describe_training(ranking)
    scores = np.zeros(ranking.n_entries)
    for train, held in KFold(5, shuffle=True, random_state=3).split(X):
        ranker = ListNet(random_state=3).fit(ranking[train], F[ranking.entries_of(train)], Y[train])
        scores[ranking.entries_of(held)] = ranker.scores(ranking[held], F[ranking.entries_of(held)])
    by_hand = Threshold().fit(ranking.reordered(scores), Y)
    assert model.cutoff_.threshold_ == by_hand.threshold_
    own = Threshold().fit(model.ranker_.rerank(ranking, F), Y)
    assert own.threshold_ != by_hand.threshold_


def test_the_mean_of_the_best_tries():
    grid = {"alpha": [0.001, 0.01, 0.3]}
    means = {
        n: MetaLabelRanker(k=[3, 9], grid=grid, average=n).fit(X[TRAIN], Y[TRAIN])
        for n in (3, "auto")
    }
    three = means[3]
    assert isinstance(three.ranker_, Mean)
    best = sorted(three.tuning_, key=lambda row: -row["value"])[:3]
    assert three.chosen_ == [{"k": row["k"], "alpha": row["alpha"]} for row in best]
    ranking, F = three.describe(X[TEST])
    names, scores = three.features_.names, 0
    for row, weight in zip(three.chosen_, three.ranker_.weights_, strict=True):
        one = MetaLabelRanker(k=row["k"], grid={"alpha": [row["alpha"]]}, average=1)
        one.fit(X[TRAIN], Y[TRAIN])
        own = [names.index(name) for name in one.features_.names]
        scores = scores + weight * one.ranker_.scores(ranking, F[:, own]) / 3
    np.testing.assert_allclose(three.ranker_.scores(ranking, F), scores, rtol=1e-6)
    told = three.explain(X[TEST][:1])[0][0]
    assert told[2].scores[0] == pytest.approx(told[1])
    value = evaluate(means["auto"].rank(X[TEST]), Y[TEST], "MAP")["MAP"].value
    assert value > 0.93


def test_a_mean_is_saved_with_its_rankers(tmp_path):
    model = MetaLabelRanker(k=[3, 9], grid={"alpha": [0.01, 0.1]}, average=3).fit(X, Y)
    model.save(tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert again.rank(X) == model.rank(X)
    assert again.decide(X) == model.decide(X)
    from store.forging import forge

    def fewer(manifest):
        manifest["model"]["parts"]["ranker_"]["parts"]["rankers_"].pop()

    forge(tmp_path / "m", fewer)
    with pytest.raises(ModelError):
        load_model(tmp_path / "m")


def test_fewer_neighbours_are_fewer_columns():
    names = [*MetaLevel(k=3, distances=["l2", "cosine"]).names, "k_9", "l2_x", "svm"]
    kept = [names[j] for j in columns_of(names, 2)]
    assert kept == ["l2_1", "l2_2", "cos_1", "cos_2", "centroid_l2", "centroid_cos",
                    "k_9", "l2_x", "svm"]  # fmt: skip


def test_a_scorer_can_be_one_more_feature():
    model = MetaLabelRanker(k=3, grid=None, features=Scored(BinarySVM())).fit(X, Y)
    assert model.ranker_.feature_names[-2] == "BinarySVM"
    assert len(model.neighbours(X[:2], k=1)) == 2


def test_the_neighbours_that_speak_for_a_label_have_it():
    model = MetaLabelRanker(k=4, grid=None).fit(X, Y)
    best = model.rank(X[:5], k=2)
    for i, row in enumerate(model.neighbours(X[:5], k=2)):
        assert [support.label for support in row] == best.row(i)[0].tolist()
        for label, rows, distances, labels in row:
            assert Y[rows, label].all()
            np.testing.assert_allclose(distances, np.linalg.norm(X[rows] - X[i], axis=1), atol=1e-6)
            assert [known.tolist() for known in labels] == [
                np.flatnonzero(Y[r]).tolist() for r in rows
            ]
            if Y[i, label]:
                assert rows[0] == i  # a training row finds itself when asked as a new one


def test_a_label_has_no_more_neighbours_than_rows():
    few = np.column_stack([Y, np.arange(180) < 2])
    found = MetaLabelRanker(k=4, grid=None).fit(X, few).neighbours(X[:1], k=5)[0]
    assert {s.label: len(s.rows) for s in found} == {0: 4, 1: 4, 2: 4, 3: 4, 4: 2}


def test_saved_with_its_cutoff(tmp_path):
    model = MetaLabelRanker(k=3, grid=None, cutoff=Threshold()).fit(X, Y)
    model.save(tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert again.rank(X) == model.rank(X)
    assert again.decide(X) == model.decide(X)
    np.testing.assert_array_equal(
        again.neighbours(X[:1])[0][0].rows, model.neighbours(X[:1])[0][0].rows
    )


def test_labels_without_rows_and_rows_without_labels():
    odd = np.column_stack([Y, np.zeros(180), np.arange(180) == 7])
    odd[:20] = 0
    model = MetaLabelRanker(k=[5, 50], grid=None).fit(X, odd)
    assert np.isfinite(model.rank(X).scores).all()
    assert (model.rank(X).lengths == 6).all()


def test_in_a_pipeline():
    model = make_pipeline(StandardScaler(), MetaLabelRanker(k=5, grid=None)).fit(X, Y)
    assert model.score(X, Y) > 0.9
    assert model.predict(X[:3]).shape == (3, 4)


def test_one_row_is_too_few():
    with pytest.raises(InputError, match="MetaLabelRanker needs at least two rows, found 1"):
        MetaLabelRanker(k=2, grid=None).fit(X[:1], Y[:1])


def test_one_label_has_no_order():
    with pytest.raises(InputError, match="there is no order to learn"):
        MetaLabelRanker(k=2, grid=None).fit(X, Y[:, :1])


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"k": 0}, "k must be a whole number from 1"),
        ({"k": []}, "k must be a whole number or several"),
        ({"k": "10"}, "k must be a whole number or several"),
        ({"k": 201}, "k must be a whole number from 1 to 200"),
        ({"ranker": "lisnet"}, "did you mean listnet"),
        ({"grid": "all"}, 'grid must be a mapping, "own" or None'),
        ({"average": 0}, "average must be a whole number from 1"),
        ({"folds": 1}, "folds must be a whole number from 2"),
        ({"features": 1}, "features must be Features or None"),
        ({"cutoff": 0.5}, "cutoff must be a Cutoff or None"),
        ({"distances": ["l3"]}, "distances must be some of"),
    ],
)
def test_parameters_that_cannot_be(params, says):
    with pytest.raises(InputError, match=says):
        MetaLabelRanker(**({"k": 3, "grid": None} | params)).fit(X, Y)
