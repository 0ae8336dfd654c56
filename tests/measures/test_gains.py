"""Gains from the top of the list in closed form: paper 003 Table 1 with p = 1, paper 001 5.2."""

from math import log2

import numpy as np
import pytest

from labelrank import InputError, Ranking, measure
from labelrank.measures.gains import NDCG, FBeta, Precision

# The list is 2, 0, 1, 3; labels 0 and 3 are relevant: they stand at places 2 and 4.
RANKING = Ranking.from_lists([[2, 0, 1, 3]], n_labels=5)
TRUTH = np.array([[1, 0, 0, 1, 0]])


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        ("P@1", 0 / 1),
        ("P@2", 1 / 2),
        ("P@3", 1 / 3),
        ("P@4", 2 / 4),
        ("R@1", 0 / 2),
        ("R@2", 1 / 2),
        ("R@4", 2 / 2),
        ("F1@1", 0),
        ("F1@2", 2 * (1 / 2) * (1 / 2) / (1 / 2 + 1 / 2)),
        ("F1@3", 2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2)),
        ("F2@3", (1 + 4) * (1 / 3) * (1 / 2) / (4 * 1 / 3 + 1 / 2)),
        ("F0.5@3", (1 + 1 / 4) * (1 / 3) * (1 / 2) / (1 / 4 * 1 / 3 + 1 / 2)),
        ("nDCG", (1 / log2(3) + 1 / log2(5)) / (1 / log2(2) + 1 / log2(3))),
        ("nDCG@4", (1 / log2(3) + 1 / log2(5)) / (1 / log2(2) + 1 / log2(3))),
        ("nDCG@3", (1 / log2(3)) / (1 / log2(2) + 1 / log2(3))),
        ("nDCG@1", 0 / 1),
        ("MRR", (1 / 2 + 1 / 4) / 2),
        ("MRR@3", (1 / 2) / 2),
        ("ADG", (1 / log2(3) + 1 / log2(5)) / 2),
        ("ADG@2", (1 / log2(3)) / 2),
    ],
)
def test_one_row(notation, value):
    assert measure(notation)(RANKING, TRUTH).value == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        # Paper 001 looks at the first five; only four are listed: the fifth counts as wrong.
        ("P@5", 2 / 5),
        ("P@100", 2 / 100),
        ("R@5", 2 / 2),
        ("F1@6", 2 * 2 / (2 + 6)),
        ("nDCG@9", (1 / log2(3) + 1 / log2(5)) / (1 / log2(2) + 1 / log2(3))),
        ("MRR@9", (1 / 2 + 1 / 4) / 2),
        ("ADG@9", (1 / log2(3) + 1 / log2(5)) / 2),
    ],
)
def test_a_short_list_is_padded_with_wrong_labels(notation, value):
    score = measure(notation)(RANKING, TRUTH)
    assert score.value == pytest.approx(value, rel=1e-14)
    assert score.n_short == 1
    assert "short lists: padded with wrong labels" in score.measure.policy


@pytest.mark.parametrize("notation", ["P@2", "R@2", "F1@2", "nDCG@2", "MRR@2", "ADG@2"])
def test_an_empty_list_gains_nothing(notation):
    assert measure(notation)(Ranking.from_lists([[]], n_labels=5), TRUTH).value == 0


@pytest.mark.parametrize("notation", ["P@2", "R@2", "F1@2", "nDCG@2", "nDCG", "MRR", "ADG"])
def test_the_value_is_the_mean_of_the_rows(notation):
    two = Ranking.from_lists([[2, 0, 1, 3], [0, 3, 1, 2]], n_labels=5)
    Y = np.repeat(TRUTH, 2, axis=0)
    m = measure(notation)
    first, second = m(two[:1], Y[:1]).value, m(two[1:], Y[1:]).value
    score = m(two, Y)
    np.testing.assert_allclose(score.values, [first, second], rtol=1e-14)
    assert score.value == pytest.approx((first + second) / 2)
    assert first < second


# ---------------------------------------------------------------- graded truth

GRADED = np.array([[3, 0, 0, 1, 0]])


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        ("nDCG", (3 / log2(3) + 1 / log2(5)) / (3 / log2(2) + 1 / log2(3))),
        ("nDCG@2", (3 / log2(3)) / (3 / log2(2) + 1 / log2(3))),
        ("nDCG@1", 0),
        ("nDCG(gain=exp)", (7 / log2(3) + 1 / log2(5)) / (7 / log2(2) + 1 / log2(3))),
        ("nDCG(gain=exp)@2", (7 / log2(3)) / (7 / log2(2) + 1 / log2(3))),
        # The others ask only whether a label is relevant.
        ("P@2", 1 / 2),
        ("R@2", 1 / 2),
        ("MRR", (1 / 2 + 1 / 4) / 2),
        ("ADG", (1 / log2(3) + 1 / log2(5)) / 2),
    ],
)
def test_grades(notation, value):
    assert measure(notation)(RANKING, GRADED).value == pytest.approx(value, rel=1e-14)


def test_grades_need_not_be_whole():
    Y = np.array([[0.5, 0, 0, 0.25, 0]])
    linear = (0.5 / log2(3) + 0.25 / log2(5)) / (0.5 + 0.25 / log2(3))
    a, b = 2**0.5 - 1, 2**0.25 - 1
    exponential = (a / log2(3) + b / log2(5)) / (a + b / log2(3))
    assert NDCG()(RANKING, Y).value == pytest.approx(linear, rel=1e-14)
    assert NDCG(gain="exp")(RANKING, Y).value == pytest.approx(exponential, rel=1e-14)


@pytest.mark.parametrize("gain", ["linear", "exp"])
@pytest.mark.parametrize("grade", [1e-20, 1e-9, 1, 60])
def test_a_grade_may_be_small_or_large(gain, grade):
    perfect, second = Ranking.from_lists([[0, 1]]), Ranking.from_lists([[1, 0]])
    Y = np.array([[grade, 0]])
    assert NDCG(gain=gain)(perfect, Y).value == pytest.approx(1)
    assert NDCG(gain=gain)(second, Y).value == pytest.approx(1 / log2(3))


def test_the_best_list_of_ndcg_at_k_has_the_k_greatest_grades():
    Y = np.array([[1, 2, 3, 4, 5]])
    worst_first = Ranking.from_lists([[0, 1, 2, 3, 4]])
    assert NDCG(k=2)(worst_first, Y).value == pytest.approx((1 + 2 / log2(3)) / (5 + 4 / log2(3)))


def test_an_exponential_gain_that_overflows_is_refused():
    with pytest.raises(InputError, match=r"2\^grade overflows for the grade 2000"):
        NDCG(gain="exp")(RANKING, np.array([[2000, 0, 0, 1, 0]]))


# ---------------------------------------------------------------- arguments


@pytest.mark.parametrize("k", [0, -1, 1.5, "3"])
def test_k_must_be_a_whole_number_from_1(k):
    with pytest.raises(InputError, match="k must be a whole number from 1"):
        Precision(k=k)


def test_k_may_be_a_numpy_integer():
    assert Precision(k=np.int64(2))(RANKING, TRUTH).value == 1 / 2


@pytest.mark.parametrize("beta", [0, -1, np.inf, np.nan])
def test_beta_must_be_positive(beta):
    with pytest.raises(InputError, match="beta must be greater than 0"):
        FBeta(k=1, beta=beta)
