"""Scored: what a scorer says of a pair, and nothing that it could only know of its own rows."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from labelrank import InputError, Ranking
from labelrank.features import Scored
from labelrank.scorers import NearestNeighbours, OneVsAllLogistic, Popularity

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3)).astype(np.float32)
Y = np.column_stack([X[:, 0] > 0, X[:, 1] > 0, RNG.random(40) < 0.5]).astype(float)
ALL = Ranking.from_dense(np.zeros((40, 3)))


def test_scores_and_places_of_new_rows():
    model = OneVsAllLogistic().fit(X, Y)
    F = Scored(OneVsAllLogistic()).fit(X, Y).describe(X[:5], ALL[:5])
    ranking = model.rank(X[:5])
    for i in range(5):
        labels, scores = ranking.row(i)
        for place, (label, score) in enumerate(zip(labels, scores, strict=True)):
            np.testing.assert_allclose(F[3 * i + label], [score, 1 / (place + 1)], rtol=1e-6)


def test_training_rows_are_described_by_scorers_that_have_not_seen_them():
    F = Scored(OneVsAllLogistic(), folds=4, random_state=3).fit(X, Y).describe_training(ALL)
    split = KFold(4, shuffle=True, random_state=np.random.RandomState(3))
    for train, held in split.split(X):
        model = OneVsAllLogistic().fit(X[train], Y[train])
        scores = model.rank(X[held]).to_csr().toarray()
        np.testing.assert_allclose(F[ALL.entries_of(held), 0], scores.ravel(), rtol=1e-6)


def test_labels_that_are_not_listed_are_below_those_that_are():
    F = Scored(NearestNeighbours(k=1, top=1)).fit(X, Y).describe(X[:10], ALL[:10])
    listed = NearestNeighbours(k=1, top=1).fit(X, Y).rank(X[:10])
    for i, (labels, scores) in enumerate(listed):
        own = F[3 * i : 3 * i + 3]
        assert set(np.flatnonzero(own[:, 1])) == set(labels.tolist())
        if len(labels):
            assert (own[:, 0] == scores.min()).sum() >= 1
    nothing = Scored(NearestNeighbours(k=1)).fit(X, Y * 0).describe(X[:2], ALL[:2])
    assert not nothing.any()


def test_saved_with_its_scorer(tmp_path):
    from labelrank import load_model

    features = Scored(Popularity(), name="often").fit(X, Y)
    features.save(tmp_path / "f")
    again = load_model(tmp_path / "f")
    assert again.names == features.names == ["often", "1/place of often"]
    np.testing.assert_array_equal(again.describe(X, ALL), features.describe(X, ALL))
    with pytest.raises(InputError, match="fit them again"):
        again.describe_training(ALL)


@pytest.mark.parametrize(
    ("features", "says"),
    [(Scored("svm"), "scorer must be a Scorer, found 'svm'"),
     (Scored(Popularity(), folds=1), "folds must be a whole number from 2")],
)  # fmt: skip
def test_parameters_that_cannot_be(features, says):
    with pytest.raises(InputError, match=says):
        features.fit(X, Y)
