"""Models within models: one, none, or a list of them."""

import numpy as np
import pytest
from store.forging import forge

from labelrank import LabelRanker, ModelError, load_model
from labelrank.features import MetaLevel
from labelrank.rankers import LinearMix, ListNet, Mean
from labelrank.ranking import Ranking
from labelrank.scorers import Popularity

RANKING = Ranking.from_dense(np.zeros((4, 3)))
F = np.random.default_rng(0).normal(size=(12, 2)).astype(np.float32)
Y = np.eye(4, 3)


@pytest.fixture
def mean(tmp_path):
    one = ListNet().fit(RANKING, F, Y)
    other = LinearMix().fit(RANKING, F[:, :1], Y)
    Mean.of([one, other], [[0, 1], [0]], [2.0, 1.0], 2, ["a", "b"]).save(tmp_path / "m")
    return tmp_path / "m"


def test_a_list_of_models(mean):
    model = load_model(mean)
    one, other = model.rankers_
    want = (2 * one.scores(RANKING, F) + other.scores(RANKING, F[:, :1])) / 2
    np.testing.assert_allclose(model.scores(RANKING, F), want)
    assert model.feature_names == ["a", "b"]


def listed(change):
    """A change of the list of models in the manifest."""

    def changed(manifest):
        parts = manifest["model"]["parts"]
        parts["rankers_"] = change(parts["rankers_"])

    return changed


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found[:1],
        lambda found: [],
        lambda found: [*found, found[0]],
        lambda found: {"0": found[0], "1": found[1]},
        lambda found: None,
        lambda found: [None, found[1]],
        lambda found: found[::-1],
    ],
)
def test_a_list_that_does_not_fit_is_refused(mean, change):
    forge(mean, listed(change))
    with pytest.raises(ModelError):
        load_model(mean)


def test_a_part_that_may_be_none(tmp_path):
    X = np.random.default_rng(1).normal(size=(12, 2))
    truth = np.arange(36).reshape(12, 3) % 4 == 0
    model = LabelRanker(Popularity(), MetaLevel(k=2), ListNet(), holdout="own").fit(X, truth)
    model.save(tmp_path / "m")
    assert load_model(tmp_path / "m").cutoff_ is None

    def without(manifest):
        manifest["model"]["parts"]["ranker_"] = None

    forge(tmp_path / "m", without)
    with pytest.raises(ModelError):
        load_model(tmp_path / "m")
