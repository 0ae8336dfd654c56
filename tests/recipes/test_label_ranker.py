"""LabelRanker: four stages in one, and no row described by stages that have seen it."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank import InputError, LabelRanker, ModelError, Ranking, evaluate, load_model
from labelrank.cutoffs import LLSF, TopK
from labelrank.features import Features, MetaLevel, Scored
from labelrank.rankers import LambdaMart, ListNet
from labelrank.recipes.label_ranker import Described, crossed_scores
from labelrank.scorers import NearestNeighbours, OneVsAllLogistic, Popularity

RNG = np.random.default_rng(0)
X = RNG.normal(size=(160, 3)).astype(np.float32)
Y = np.column_stack([X[:, 0] > 0, X[:, 1] > 0.5, (X**2).sum(1) < 2, X[:, 2] < -1]).astype(float)
TRAIN, TEST = slice(0, 100), slice(100, 160)


def composed(**params):
    given = {"scorer": NearestNeighbours(k=10) | Popularity(), "features": MetaLevel(k=4),
             "ranker": ListNet(), "random_state": 0}  # fmt: skip
    return LabelRanker(**(given | params))


@pytest.mark.parametrize("holdout", [4, 0.3, "own"])
def test_better_than_its_first_stage(holdout):
    scorer = Popularity() if holdout == "own" else composed().scorer
    model = composed(scorer=scorer, holdout=holdout).fit(X[TRAIN], Y[TRAIN])
    first = model.scorer_.rank(X[TEST])
    value = evaluate(model.rank(X[TEST]), Y[TEST], "MAP")["MAP"].value
    assert value > max(0.85, evaluate(first, Y[TEST], "MAP")["MAP"].value - 0.02)


class Seen(Features):
    """Says of each row whether it was in fit."""

    names = ["seen"]  # noqa: RUF012

    def _fit(self, X, Y):
        self.rows_ = {row.tobytes() for row in X}

    def _describe(self, X, ranking):
        seen = np.array([row.tobytes() in self.rows_ for row in X], dtype=np.float32)
        return seen[ranking.rows][:, None]

    def _describe_training(self, ranking):
        raise AssertionError("cross-fitting does not ask for it")


@pytest.mark.parametrize("holdout", [3, 0.25])
def test_no_row_is_described_by_stages_that_have_seen_it(holdout):
    model = composed(features=Seen(), holdout=holdout)
    model.n_labels_ = 4
    described = model._described(X, sp.csr_array(Y), model._parts(X, Y))
    assert described.ranking.n_rows == (160 if holdout == 3 else 40)
    assert not described.F.any()
    fitted = composed(features=Seen(), holdout=holdout).fit(X, Y).features_
    assert fitted.describe(X, Popularity().fit(X, Y).rank(X)).all()  # all rows at last


def test_rows_keep_their_truth_in_cross_fitting():
    """Features that tell the truth of the row itself: a ranker on them makes no mistake."""
    told = np.concatenate([X, Y.astype(np.float32)], axis=1)
    model = composed(scorer=Popularity(), features=MetaLevel(k=3), holdout=5).fit(told, Y)
    assert evaluate(model.rank(told), Y, "MAP")["MAP"].value > 0.95


def test_crossed_scores_are_of_rankers_that_have_not_seen_the_rows():
    ranking = Ranking.from_dense(np.zeros((30, 4)))
    F = RNG.normal(size=(120, 2)).astype(np.float32)
    truth = sp.csr_array(RNG.random((30, 4)) < 0.4, dtype=float)
    crossed = crossed_scores(ListNet(), Described(ranking, F, truth), 3, 0, {})
    from sklearn.model_selection import KFold

    split = KFold(3, shuffle=True, random_state=np.random.RandomState(0))
    train, held = next(iter(split.split(np.arange(30))))
    model = ListNet().fit(ranking[train], F[ranking.entries_of(train)], truth[train])
    own = ranking.entries_of(held)
    np.testing.assert_array_equal(crossed[own], model.scores(ranking[held], F[own]))


def test_decisions_and_predictions():
    model = composed(cutoff=LLSF()).fit(X[TRAIN], Y[TRAIN])
    kept = model.decide(X[TEST])
    assert evaluate(kept, Y[TEST], "micro-F1")["micro-F1"].value > 0.75
    predicted = model.predict(X[TEST])
    assert predicted.dtype == np.int8
    assert set(predicted.data.tolist()) <= {1}
    np.testing.assert_array_equal(predicted.toarray() > 0, kept.to_csr().toarray() != 0)
    with pytest.raises(InputError, match="has no cutoff"):
        composed().fit(X, Y).decide(X)


def test_explanations_are_of_the_best_labels():
    model = composed(features=MetaLevel(k=2) + Scored(OneVsAllLogistic())).fit(X, Y)
    told = model.explain(X[:3], k=2)
    ranking = model.rank(X[:3], k=2)
    for i, row in enumerate(told):
        assert [label for label, _, _ in row] == ranking.row(i)[0].tolist()
        for _, score, why in row:
            assert why.scores[0] == pytest.approx(score)
            assert why.names[-2:] == ["OneVsAllLogistic", "1/place of OneVsAllLogistic"]


def test_saved_and_loaded(tmp_path):
    for cutoff in (None, LLSF()):
        model = composed(cutoff=cutoff, ranker=LambdaMart(n_trees=10, random_state=0)).fit(X, Y)
        model.save(tmp_path / "m", label_names=["a", "b", "c", "d"])
        again = load_model(tmp_path / "m")
        assert again.rank(X) == model.rank(X)
        assert again.label_names_ == ["a", "b", "c", "d"]
        if cutoff is not None:
            assert again.decide(X) == model.decide(X)


def test_forged_parts_are_refused(tmp_path):
    from store.forging import forge

    composed(cutoff=TopK(2)).fit(X, Y).save(tmp_path / "m")

    def exchanged(manifest):
        parts = manifest["model"]["parts"]
        parts["cutoff_"] = None
        parts["ranker_"]["values"]["n_features_in_"] = 3

    forge(tmp_path / "m", exchanged)
    with pytest.raises(ModelError):
        load_model(tmp_path / "m")


def test_rare_labels_get_their_propensities():
    rare = composed(ranker=ListNet(gain="propensity")).fit(X, Y)
    plain = composed().fit(X, Y)
    assert rare.rank(X) != plain.rank(X)


def test_in_a_pipeline_and_a_search():
    pipeline = make_pipeline(StandardScaler(), composed())
    assert pipeline.fit(X, Y).score(X, Y) > 0.8
    search = GridSearchCV(composed(), {"ranker__alpha": [0.01, 1.0], "features__k": [2, 5]}, cv=2)
    search.fit(X, Y)
    assert len(search.cv_results_["mean_test_score"]) == 4
    assert clone(composed()).get_params().keys() == composed().get_params().keys()


def test_few_rows():
    model = composed(features=MetaLevel(k=3), cutoff=LLSF(), holdout=5)
    with pytest.raises(InputError, match="needs at least two rows, found 1"):
        model.fit(X[:1], Y[:1])
    kept = model.fit(X[:6], Y[:6]).decide(X[:6])
    assert kept.n_rows == 6


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"scorer": None}, "scorer must be a Scorer"),
        ({"features": "meta"}, "features must be a Features"),
        ({"ranker": Popularity()}, "ranker must be a Ranker"),
        ({"cutoff": 5}, "cutoff must be a Cutoff"),
        ({"holdout": 1}, "holdout must be a number of folds from 2"),
        ({"holdout": 1.0}, "holdout must be"),
        ({"holdout": True}, "holdout must be"),
        ({"holdout": "all"}, "holdout must be"),
    ],
)
def test_parameters_that_cannot_be(params, says):
    with pytest.raises(InputError, match=says):
        composed(**params).fit(X, Y)
