"""Early stopping: the best round is kept, and waiting ends."""

import numpy as np
import pytest

from labelrank import InputError, Ranking
from labelrank.rankers.watch import Watch

RANKING = Ranking.from_dense(np.zeros((2, 3)))
F = np.zeros((6, 1), dtype=np.float32)
Y = np.array([[1, 0, 0], [0, 0, 1]])
GOOD, HALF, BAD = (
    np.array([3.0, 2, 1, 1, 2, 3]),
    np.array([3.0, 2, 1, 3, 2, 1]),
    np.array([1.0, 2, 3, 3, 2, 1]),
)


def watching(measure="P@1", patience=None, truth=Y):
    watch = Watch(measure, patience)
    watch.on(RANKING, F, truth, None)
    return watch


def go(watch, *rounds):
    """Which rounds were the best so far, and after which it was over."""
    improved, over = [], []
    for scores in rounds:
        improved.append(watch.improved(lambda F, s=scores: s))
        over.append(watch.over)
    return improved, over


def test_without_a_validation_ranking_the_last_round_is_the_best():
    watch = Watch("P@1", 1)
    assert not watch.is_on
    assert go(watch, BAD, GOOD, BAD) == ([True] * 3, [False] * 3)
    assert watch.values == []


def test_the_best_round_is_the_first_of_equals():
    watch = watching()
    assert watch.is_on
    assert go(watch, BAD, HALF, HALF, GOOD, BAD)[0] == [True, True, False, True, False]
    assert watch.values == [0, 0.5, 0.5, 1, 0]


def test_patience_counts_the_rounds_since_the_best():
    assert go(watching(patience=2), HALF, BAD, GOOD, BAD, BAD)[1] == [False] * 4 + [True]


def test_smaller_is_better_where_the_measure_says_so():
    assert go(watching("RankLoss"), BAD, GOOD, HALF)[0] == [True, True, False]


def test_a_value_that_cannot_be_told_keeps_the_last_round():
    watch = watching("nDCG@1", truth=np.zeros((2, 3)))
    assert go(watch, GOOD, BAD)[0] == [True, True]
    assert np.isnan(watch.values).all()


@pytest.mark.parametrize("patience", [0, -1, 1.5, True, "3"])
def test_patience_must_be_a_whole_number(patience):
    with pytest.raises(InputError, match="patience must be a whole number from 1 or None"):
        Watch("P@1", patience)


def test_what_is_wrong_with_the_validation_part_is_said_before_the_first_round():
    with pytest.raises(InputError, match="the ranking has 2 rows but Y has 1"):
        watching(truth=Y[:1])
    with pytest.raises(InputError, match="there is no measure 'P1'"):
        Watch("P1")
