"""RandomForest, Mart and LambdaMart: gradients, LightGBM as oracle, odd groups, early stopping."""

import lightgbm
import numpy as np
import pytest
from sklearn.base import clone

from labelrank import InputError, ModelError, Ranking, load_model
from labelrank.measures import measure
from labelrank.rankers.lambda_mart import LambdaMart
from labelrank.rankers.mart import Mart
from labelrank.rankers.random_forest import RandomForest
from labelrank.rankers.tuning import tune

RANKERS = {
    "forest": RandomForest(n_trees=20, random_state=0),
    "forest of candidates": RandomForest(
        n_trees=20, sample="candidates", features=2, random_state=0
    ),
    "mart": Mart(n_trees=20, random_state=0),
    "lambda mart": LambdaMart(n_trees=20, random_state=0),
    "bags": LambdaMart(n_trees=8, bags=3, features=0.6, random_state=0),
    "bags of mart": Mart(n_trees=10, bags=3, rate=0.2, random_state=0),
    "cross entropy": LambdaMart(n_trees=20, objective="xendcg", sample=0.8, random_state=0),
    "rlsep": LambdaMart(n_trees=20, objective="rlsep", random_state=0),
    "lsep": LambdaMart(n_trees=20, objective="lsep", bags=2, random_state=0),
    "even cross entropy": LambdaMart(n_trees=20, objective="ce", random_state=0),
}
every = pytest.mark.parametrize("ranker", RANKERS.values(), ids=RANKERS)


def problem(n_groups=60, size=8, d=4, seed=0, grades=3):
    """(ranking, F, Y): the first two features say what is relevant; the last one never varies."""
    rng = np.random.default_rng(seed)
    F = rng.random((n_groups * size, d)).astype(np.float32)
    F[:, -1] = 7
    worth = F[:, 0] + 0.5 * F[:, 1] + rng.normal(size=len(F)) / 10
    Y = np.digitize(worth, np.linspace(0.6, 1.4, grades)).reshape(n_groups, size)
    return Ranking.from_dense(np.zeros((n_groups, size))), F, Y


@pytest.mark.parametrize("normed", [False, True])
def test_lambda_mart_grows_the_trees_of_lightgbm(normed):
    """Its own lambdarank on whole grades, which rounds the sigmoid, where no place is cut off.

    Beyond its truncation level LightGBM discounts places on; ours change nDCG@k as it is.
    """
    ranking, F, Y = problem()
    ours = LambdaMart(n_trees=8, k=8, normed=normed, leaves=6, rate=0.2).fit(ranking, F, Y)
    settings_ = {
        "objective": "lambdarank", "lambdarank_truncation_level": 8, "lambdarank_norm": normed,
        "label_gain": [0, 1, 2, 3], "num_leaves": 6, "learning_rate": 0.2, "verbosity": -1,
        "num_threads": 1, "min_data_in_bin": 1,
    }  # fmt: skip
    data = lightgbm.Dataset(F, Y.ravel(), group=ranking.lengths)
    theirs = lightgbm.train(settings_, data, 8)
    scores = ours.forest_.scores(F)
    np.testing.assert_allclose(scores, theirs.predict(F), atol=1e-3 * np.ptp(scores))


def test_mart_is_lightgbm_regression():
    ranking, F, Y = problem()
    ours = Mart(n_trees=30, leaves=7, l2=2.0).fit(ranking, F, Y * 1000)
    settings_ = {
        "objective": "regression", "num_leaves": 7, "lambda_l2": 2.0, "verbosity": -1,
        "num_threads": 1, "min_data_in_bin": 1,
    }  # fmt: skip
    theirs = lightgbm.train(settings_, lightgbm.Dataset(F, Y.ravel() * 1000), 30)
    np.testing.assert_allclose(ours.forest_.scores(F), theirs.predict(F), atol=1)


def test_a_forest_is_a_mean_of_means():
    """One tree without a split to choose: its leaves are mean gains over its bag."""
    ranking, F, Y = problem(n_groups=30)
    F[:, 0] = Y.ravel() > 1
    F[:, 1:] = 0
    forest = RandomForest(n_trees=200, features=1.0, random_state=0).fit(ranking, F, Y)
    for x in (0, 1):
        mean = Y.ravel()[F[:, 0] == x].mean()
        np.testing.assert_allclose(forest.forest_.scores(F)[F[:, 0] == x], mean, rtol=0.05)


@every
def test_what_is_relevant_is_learned(ranker):
    ranking, F, Y = problem()
    ranker = clone(ranker).fit(ranking, F, Y)
    _, G, Z = problem(seed=1)
    ndcg = measure("nDCG@3")
    assert ndcg(ranker.rerank(ranking, G), Z).value > ndcg(ranking, Z).value + 0.25
    assert set(vars(ranker)) - set(ranker.get_params()) == {
        "n_features_in_", "names_", "watched_", "forest_",
    }  # fmt: skip


@every
def test_results_do_not_depend_on_n_jobs_and_repeat(ranker):
    ranking, F, Y = problem(n_groups=200)
    ranker = clone(ranker).set_params(n_trees=12)
    F.flags.writeable = False
    scores = [
        clone(ranker).set_params(n_jobs=n).fit(ranking, F, Y).rerank(ranking, F).scores
        for n in (None, 1, 2)
    ]
    for other in scores[1:]:
        np.testing.assert_array_equal(scores[0], other)
    seeded = clone(ranker).set_params(random_state=np.random.RandomState(0)).fit(ranking, F, Y)
    np.testing.assert_array_equal(seeded.rerank(ranking, F).scores, scores[0])


@every
@pytest.mark.parametrize(
    ("gain", "grades"),
    [
        ("grade", lambda g: g * 31 + g % 7),  # more than 31 grades
        ("grade", lambda g: g * 0.37 + 1e-9 * (g > 0)),
        ("grade", lambda g: g * 1e300 / 40),
        ("exp", lambda g: g * 2),
        ("propensity", lambda g: g),
    ],
)
def test_any_gain_can_be_learned_from(ranker, gain, grades):
    ranking, F, Y = problem(grades=30)
    ranker = clone(ranker).set_params(gain=gain)
    propensities = np.linspace(0.1, 1, 8)
    ranker.fit(ranking, F, grades(Y.astype(float)), propensities=propensities)
    ndcg = measure("nDCG@3")
    assert ndcg(ranker.rerank(ranking, F), Y).value > ndcg(ranking, Y).value + 0.15


@every
def test_odd_groups(ranker, capfd):
    """Empty ones, single candidates, all relevant, none relevant; nothing is printed."""
    ranking = Ranking.from_lists([[], [0], [1, 0], [2, 1, 0], [], [1, 2], [0]], n_labels=3)
    F = np.arange(18, dtype=np.float32).reshape(9, 2)
    Y = np.array([[1, 1, 1], [1, 0, 0], [0, 0, 0], [0, 1, 2], [0, 0, 0], [0, 1, 1], [0, 0, 0]])
    ranker = clone(ranker).fit(ranking, F, Y)
    assert np.isfinite(ranker.rerank(ranking, F).scores).all()
    assert capfd.readouterr() == ("", "")


@every
@pytest.mark.parametrize("n", [2, 3, 5, 10, 25])
def test_few_candidates(ranker, n, capfd):
    for F in (np.arange(n, dtype=np.float32)[:, None], np.ones((n, 3), np.float32)):
        ranking = Ranking.from_dense(np.zeros((1, n)))
        ranker = clone(ranker).set_params(n_trees=5).fit(ranking, F, np.arange(n)[None] % 3)
        scores = ranker.forest_.scores(F)
        assert np.isfinite(scores).all()
        assert n < 10 or F.shape[1] > 1 or np.ptp(scores) > 0  # ten can be told apart
    assert capfd.readouterr() == ("", "")


@every
def test_the_best_round_is_kept(ranker, capfd):
    ranking, F, Y = problem(n_groups=15)
    G, H, Z = problem(seed=1)
    ranker = (
        clone(ranker)
        .set_params(n_trees=40, measure="nDCG@2")
        .fit(ranking, F, Y, validation=(G, H, Z))
    )
    best = int(np.argmax(ranker.watched_))
    assert len(ranker.watched_) == 40
    assert ranker.forest_.n_trees == (best + 1) * getattr(ranker, "bags", 1)
    assert measure("nDCG@2")(ranker.rerank(G, H), Z).value == ranker.watched_[best]
    hasty = clone(ranker).set_params(patience=2, n_jobs=2)
    hasty.fit(ranking, F, Y, validation=(G, H, Z))
    assert hasty.watched_ == ranker.watched_[: len(hasty.watched_)]
    assert len(hasty.watched_) == int(np.argmax(hasty.watched_)) + 3
    assert capfd.readouterr() == ("", "")


@every
def test_explanations_add_up(ranker):
    ranking, F, Y = problem()
    ranker = clone(ranker).fit(ranking, F, Y, names=["good", "fair", "idle", "constant"])
    found = ranker.explain(F)
    np.testing.assert_allclose(found.scores, ranker.forest_.scores(F), atol=1e-9)
    weight = np.abs(found.contributions).mean(axis=0)
    assert weight[0] > weight[1] > weight[2] >= weight[3] == 0
    assert found.strongest(int(np.argmax(F[:, 0])))[0][0] == "good"
    one = ranker.explain(F[5])
    np.testing.assert_allclose(one.contributions[0], found.contributions[5])


@every
def test_a_saved_ranker_is_the_same(ranker, tmp_path):
    ranking, F, Y = problem()
    ranker = clone(ranker).fit(ranking, F, Y)
    ranker.save(tmp_path / "ranker.model")
    loaded = load_model(tmp_path / "ranker.model")
    assert loaded.get_params() == ranker.get_params()
    np.testing.assert_array_equal(
        loaded.rerank(ranking, F).scores, ranker.rerank(ranking, F).scores
    )
    ranker.forest_.n_features_in_ = 5
    ranker.save(tmp_path / "ranker.model")
    with pytest.raises(ModelError, match="5 features"):
        load_model(tmp_path / "ranker.model")


@every
def test_the_order_of_candidates_and_labels_does_not_matter_to_scores(ranker):
    """Scores are a function of F alone, and a feature never seen to vary says nothing."""
    ranking, F, Y = problem()
    ranker = clone(ranker).fit(ranking, F, Y)
    G = F.copy()
    G[:, -1] = np.arange(len(G))
    np.testing.assert_array_equal(ranker.forest_.scores(G), ranker.forest_.scores(F))


@pytest.mark.parametrize("objective", LambdaMart.objectives)
def test_a_group_may_be_larger_than_lightgbm_allows(objective):
    rng = np.random.default_rng(0)
    F = rng.random((12_000, 1)).astype(np.float32)
    ranking = Ranking.from_dense(np.zeros((1, 12_000)))
    ranker = LambdaMart(n_trees=3, objective=objective).fit(ranking, F, (F.T > 0.9).astype(float))
    assert measure("P@100")(ranker.rerank(ranking, F), F.T > 0.9).value > 0.9


def test_tuning_goes_through_the_grid():
    ranking, F, Y = problem(n_groups=20)
    for ranker in (RandomForest(n_trees=3), Mart(n_trees=3), LambdaMart(n_trees=3)):
        found = tune(ranker, ranking, F, Y, folds=2, random_state=0, n_jobs=2)
        assert len(found.rows) == np.prod([len(values) for values in ranker.grid.values()])


BAD = [
    (RandomForest(n_trees=0), "n_trees"), (Mart(leaves=1), "leaves"), (Mart(leaves=2.5), "leaves"),
    (Mart(min_leaf=0), "min_leaf"), (Mart(bins=1), "bins"), (Mart(rate=0), "rate"),
    (Mart(rate=np.nan), "rate"), (Mart(l2=-1), "l2"), (Mart(l2=np.inf), "l2"),
    (Mart(features=1.5), "features"), (Mart(sample=0), "sample"), (Mart(sample="all"), "sample"),
    (Mart(gain="linear"), "gain"), (Mart(n_jobs=0), "n_jobs"), (LambdaMart(k=0), "k must"),
    (LambdaMart(objective="ndcg"), "objective"), (LambdaMart(normed=2), "normed"),
    (RandomForest(features="all"), "features"), (RandomForest(features=0), "features"),
    (RandomForest(features=1.5), "features"), (RandomForest(sample="rows"), "sample"),
    (Mart(bags=0), "bags"),
    (Mart(patience=0), "patience"), (Mart(n_trees=True), "n_trees"),
]  # fmt: skip


@pytest.mark.parametrize(("ranker", "word"), BAD, ids=lambda x: str(x))
def test_parameters_that_cannot_be_used(ranker, word):
    with pytest.raises(InputError, match=word):
        ranker.fit(*problem(n_groups=3))
