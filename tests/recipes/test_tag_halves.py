"""A model of tags judged by halves; the number of trees that held-out things can bear."""

import numpy as np
import pytest
from tagged import dataset

from labelrank import InputError, Ranking, evaluate
from labelrank.rankers import Mart, RankSVM
from labelrank.recipes import LATREwTS, TagRecommender
from labelrank.recipes.label_ranker import Described
from labelrank.recipes.rounds import with_best_rounds
from labelrank.recipes.tag_halves import rank_halves

PAIRS = [({"a", "b"}, (["x"], [])), ({"c", "d"}, (["y"], []))] * 10


def test_the_other_half_is_found_and_unknown_tags_are_missed():
    model = LATREwTS(alpha=1.0).fit(dataset(PAIRS))
    ranking, hidden = rank_halves(model, dataset([*PAIRS[:2], ({"a", "new"}, ([], []))]), k=1)
    assert ranking.shape == hidden.shape == (3, model.n_labels_ + 1)
    assert np.diff(hidden.indptr).tolist() == [1, 1, 1]
    hits = evaluate(ranking, hidden, ["P@1"])["P@1"].values
    assert hits[:2].tolist() == [1, 1]


def test_things_with_one_tag_are_left_out_and_none_is_an_error():
    model = LATREwTS(alpha=1.0).fit(dataset(PAIRS))
    assert rank_halves(model, dataset([PAIRS[0], ({"a"}, ([], []))]))[0].n_rows == 1
    with pytest.raises(InputError, match="no thing with two tags"):
        rank_halves(model, dataset([({"a"}, ([], []))]))


def test_noise_bears_few_trees_and_other_rankers_stay_as_they_are():
    rng = np.random.default_rng(0)
    ranking = Ranking.from_dense(np.zeros((60, 5)))
    V = Described(ranking, rng.random((300, 2)), rng.random((60, 5)) > 0.7)
    ranker = Mart(300, random_state=0)
    assert with_best_rounds(ranker, V).n_trees < 100
    assert ranker.n_trees == 300  # not the one that was given
    assert with_best_rounds(RankSVM(alpha=0.1), V).alpha == 0.1
    few = V.rows(np.arange(20))
    assert with_best_rounds(ranker, few).n_trees == 300


def test_similar_things_are_a_reason_with_their_ids():
    things = [({"a", "b"}, (["x", "y"], [])), ({"c", "d"}, (["y"], [])), ({"c"}, (["d"], []))] * 15
    model = TagRecommender(random_state=0).fit(dataset(things, [f"t{i}" for i in range(45)]))
    best = model.recommend("x y", k=1)[0]
    told = next(reason for reason in best.reasons if reason.kind == "similar")
    assert told.numbers["both"] == len(told.numbers["ids"]) > 0
    assert "most similar things have it" in told.text
