"""C@k: paper 003, section 7, "normalized unique labels present in the top k predictions"."""

import numpy as np
import pytest

from labelrank import Ranking, measure

RANKING = Ranking.from_lists([[0, 1], [0, 2], [0, 1]], n_labels=5)
TRUTH = np.array([[1, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1]])


@pytest.mark.parametrize(
    ("k", "value"),
    [
        (1, 1 / 3),  # shown: 0; the oracle shows 0, 2 and 4 first
        (2, 3 / 4),  # shown: 0, 1, 2; the oracle shows 0, 3, 2, 4
        (9, 3 / 4),
    ],
)
def test_labels_shown_over_labels_the_oracle_shows(k, value):
    score = measure(f"C@{k}")(RANKING, TRUTH)
    assert score.value == pytest.approx(value, rel=1e-14)
    assert score.values.mean() == pytest.approx(value)
    assert len(score.values) == 5  # one for each label


def test_the_oracle_shows_the_greatest_grades():
    ranking, truth = Ranking.from_lists([[0], [1]], n_labels=3), np.array([[1, 2, 0], [1, 0, 2]])
    assert measure("C@1")(ranking, truth).value == 2 / 2
    assert measure("C@2")(ranking, truth).value == 2 / 3


def test_the_oracle_takes_the_smaller_of_equal_labels():
    ranking, truth = Ranking.from_lists([[0], [0]], n_labels=3), np.array([[0, 1, 1], [0, 1, 0]])
    assert measure("C@1")(ranking, truth).value == 1 / 1


def test_the_oracle_is_worth_one():
    rng = np.random.default_rng(0)
    truth = (rng.random((6, 9)) < 0.4).astype(float)
    oracle = Ranking.from_csr(truth, k=2)
    for k in (1, 2):
        assert measure(f"C@{k}")(oracle, truth).value == 1


def test_shown_labels_need_not_be_right():
    wrong = Ranking.from_lists([[1], [1], [3]], n_labels=5)
    assert measure("C@1")(wrong, TRUTH).value == 2 / 3
    assert measure("P@1")(wrong, TRUTH).value == 0


def test_a_system_may_show_more_than_the_oracle():
    many = Ranking.from_lists([[0, 1], [2, 3], [4, 1]], n_labels=5)
    assert measure("C@2")(many, TRUTH).value == 5 / 4


def test_without_a_relevant_label_there_is_no_value():
    assert np.isnan(measure("C@1")(RANKING, np.zeros((3, 5))).value)


def test_nothing_shown_covers_nothing():
    assert measure("C@1")(Ranking.from_lists([[], [], []], n_labels=5), TRUTH).value == 0
