"""StageScores and LabelStatistics: what stages say, and how often a label is used."""

import numpy as np
import pytest

from labelrank import InputError, LabelRanker, Ranking, load_model
from labelrank.features import LabelStatistics, MetaLevel, StageScores
from labelrank.rankers import ListNet
from labelrank.scorers import NearestNeighbours, Popularity

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4)).astype(np.float32)
Y = np.column_stack([X[:, 0] > 0, X[:, 1] > 0, RNG.random(60) < 0.2]).astype(float)


def test_columns_by_hand():
    stages = [
        Ranking.from_lists([[2, 0], []], [[0.9, 0.4], []], n_labels=3),
        Ranking.from_lists([[1], [0]], [[3.0], [2.0]], n_labels=3),
    ]
    features = StageScores(["a", "b"]).fit(X[:2], Y[:2])
    assert features.names[:3] == ["a", "a - best", "1/place of a"]
    ranking = Ranking.from_lists([[0, 1, 2], [0, 1]], n_labels=3)
    F = features.describe(X[:2], ranking, stages)
    np.testing.assert_allclose(
        F,
        [
            [0.4, -0.5, 1 / 2, 3, 0, 0],
            [0.4, -0.5, 0, 3, 0, 1],  # not listed by a: as low as its last
            [0.9, 0, 1, 3, 0, 0],
            [0, 0, 0, 2, 0, 1],  # a lists nothing for the row
            [0, 0, 0, 2, 0, 0],
        ],
        rtol=1e-6,
    )


def test_stages_of_unions_have_names_of_their_own():
    scorer = (NearestNeighbours(k=[3, 9]) | Popularity()) | Popularity(top=1)
    assert scorer.fit(X, Y).stages == [
        "NearestNeighbours 9", "NearestNeighbours 3", "Popularity", "Popularity 2",
    ]  # fmt: skip
    stages = scorer.rank_stages(X[:5])
    assert stages[0] == NearestNeighbours(k=9).fit(X, Y).rank(X[:5])
    assert stages[1] == NearestNeighbours(k=3).fit(X, Y).rank(X[:5])
    assert stages[3] == Popularity(top=1).fit(X, Y).rank(X[:5])
    assert scorer.joined(stages) == scorer.rank(X[:5])


def test_in_a_label_ranker_each_row_is_described_by_stages_that_have_not_seen_it(tmp_path):
    scorer = NearestNeighbours(k=[20, 5]) | Popularity()
    features = StageScores(["near 20", "near 5", "popular"]) + LabelStatistics()
    features += MetaLevel(k=2, distances=["cosine"])
    model = LabelRanker(scorer, features, ListNet(), holdout=4, random_state=1).fit(X[:50], Y[:50])
    ranking, F = model.describe(X[50:])
    stages = model.scorer_.rank_stages(X[50:])
    np.testing.assert_array_equal(F, model.features_.describe(X[50:], ranking, stages))
    assert F.shape[1] == 9 + 1 + 4
    model.save(tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert again.rank(X[50:]) == model.rank(X[50:])


def test_what_cannot_be_described():
    features = StageScores(["a"]).fit(X, Y)
    every = Ranking.from_dense(np.zeros((60, 3)))
    with pytest.raises(InputError, match="has 1 stages, but 0 were handed on"):
        features.describe(X, every)
    with pytest.raises(InputError, match="by stages that have not seen them"):
        features.describe_training(every)
    with pytest.raises(InputError, match="must be a list of names"):
        StageScores("tree").fit(X, Y)
    with pytest.raises(InputError, match=r"the ranking has shape \(59, 3\)"):
        features.describe(X, every, [every[:59]])


def test_statistics_leave_the_row_itself_out():
    every = Ranking.from_dense(np.zeros((60, 3)))
    features = LabelStatistics().fit(X, Y)
    told = features.describe_training(every).reshape(60, 3)
    for i in (0, 7):
        rest = np.arange(60) != i
        without = LabelStatistics().fit(X[rest], Y[rest])
        alone = without.describe(X[i : i + 1], every[i : i + 1]).ravel()
        order = every.row(i)[0]
        np.testing.assert_array_equal(told[i][order], alone[order])
    np.testing.assert_allclose(features.describe(X, every)[:3, 0], np.log1p(Y.sum(axis=0)))


@pytest.mark.parametrize("k", [[], [0], "many", [5, 2.5]])
def test_neighbours_that_cannot_vote(k):
    with pytest.raises(InputError, match="k must be a whole number"):
        NearestNeighbours(k=k).fit(X, Y)
