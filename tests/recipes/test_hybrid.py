"""HybridRanker: better than each of its stages, with a dial between the frequent and the rare."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from labelrank import HybridRanker, InputError, evaluate, load_model, propensities
from labelrank.cutoffs import LLSF
from labelrank.data import SyntheticExtreme
from labelrank.features import LabelStatistics
from labelrank.rankers import LambdaMart, LinearMix, ListNet
from labelrank.scorers import NearestNeighbours, Popularity


def rows(n, seed):
    """Labels for pairs of words where neither alone tells much; a third of them is not observed."""
    rng = np.random.default_rng(seed)
    words = rng.random((n, 30)) < np.linspace(0.5, 0.1, 30)
    X = words * rng.uniform(0.2, 1, words.shape)
    Y = np.column_stack([words[:, j] ^ words[:, j + 1] for j in range(29)])
    Y &= rng.random(Y.shape) < 0.7
    return sp.csr_array(X.astype(np.float32)), sp.csr_array(Y.astype(np.float32))


TRAIN, TEST = rows(900, 0), rows(400, 1)
NAMES = ["LabelTree", "NearestNeighbours 50", "NearestNeighbours 10"]


@pytest.fixture(scope="module")
def models():
    return {dial: HybridRanker(dial=dial).fit(*TRAIN) for dial in (0.0, 1.0)}


def value(ranking, name):
    p = propensities(TRAIN[1])
    return evaluate(ranking, TEST[1], name, propensities=p)[name].value


def test_better_than_each_stage(models):
    model = models[0.0]
    ours = value(model.rank(TEST[0]), "nDCG@3")
    assert model.scorer_.stages == NAMES
    for stage in model.scorer_.rank_stages(TEST[0]):
        assert ours > value(stage, "nDCG@3") + 0.01


def test_the_dial_turns_to_the_rare(models):
    often, rare = (models[dial].rank(TEST[0]) for dial in (0.0, 1.0))
    assert value(often, "P@1") > value(rare, "P@1")
    frequency = np.asarray(TRAIN[1].sum(axis=0))
    assert frequency[rare.top(1).labels].mean() < frequency[often.top(1).labels].mean()


def test_what_speaks_for_a_label(models):
    told = models[0.0].explain(TEST[0][:2], k=3)
    label, score, why = told[0][0]
    ranking = models[0.0].rank(TEST[0][:2])
    assert (label, score) == (ranking.row(0)[0][0], pytest.approx(ranking.row(0)[1][0]))
    assert {"LabelTree", "1/place of NearestNeighbours 50", "log rows", "cos_1"} <= set(why.names)


def test_saved_and_loaded(models, tmp_path):
    models[1.0].save(tmp_path / "m")
    assert load_model(tmp_path / "m").rank(TEST[0]) == models[1.0].rank(TEST[0])


def test_the_same_with_several_jobs(models):
    again = HybridRanker(n_jobs=2).fit(*TRAIN)
    assert again.rank(TEST[0]) == models[0.0].rank(TEST[0])


def test_parts_of_ones_own():
    model = HybridRanker(
        NearestNeighbours(k=20) | Popularity(), LabelStatistics(), ListNet(), 0.5, cutoff=LLSF()
    )
    kept = clone(model).fit(*TRAIN).decide(TEST[0])
    assert 1 < kept.lengths.mean() < 20
    names = HybridRanker(ranker="ranksvm").fit(*TRAIN).ranker_.feature_names
    assert names[:2] == ["LabelTree", "LabelTree - best"]


def test_a_dial_at_0_leaves_gains_by_propensity_as_they_are():
    rankers = [
        LambdaMart(n_trees=20, gain=gain, random_state=0) for gain in ("grade", "propensity")
    ]
    plain, by_propensity = (HybridRanker(ranker=each).fit(*TRAIN).rank(TEST[0]) for each in rankers)
    assert plain == by_propensity


def test_on_data_of_more_labels_than_rows():
    data = SyntheticExtreme(300, random_state=0).dataset()
    ranking = HybridRanker(dial=0.5).fit(data.X[:250], data.Y[:250]).rank(data.X[250:], k=5)
    assert evaluate(ranking, data.Y[250:], "R@5")["R@5"].value > 0


@pytest.mark.parametrize(
    ("params", "says"),
    [({"dial": 1.5}, "dial must be from 0 to 1, found 1.5"),
     ({"dial": True}, "dial must be from 0 to 1"),
     ({"scorer": "tree"}, "scorer must be a Scorer or None"),
     ({"features": 3}, "features must be a Features or None"),
     ({"ranker": "lambdamarth"}, "lambdamart"),
     ({"ranker": LinearMix({"LabelTree": 1.0}), "dial": 1}, "no gain by propensity"),
     ({"holdout": 1}, "holdout must be"),
     ({"holdout": "own"}, "stages that have not seen them"),
     ({"cutoff": 3}, "cutoff must be a Cutoff")],
)  # fmt: skip
def test_parameters_that_cannot_be(params, says):
    with pytest.raises(InputError, match=says):
        HybridRanker(**params).fit(*TRAIN)
