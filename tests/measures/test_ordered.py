"""Measures of ordered labels in closed form: paper 002, section 5.3.

Pairs (u, v) with u < v and different grades; positive when u has the greater grade.
"""

import numpy as np
import pytest

from labelrank import Ranking, measure

# Grades of labels 0..3 are 2, 0, 3, 1. Positive pairs: 01, 03, 23; negative: 02, 12, 13.
# The list is 0, 1, 2, 3: it calls every pair positive, six in all.
TRUTH = np.array([[2, 0, 3, 1]])
BY_NUMBER = Ranking.from_lists([[0, 1, 2, 3]])


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        ("ranked-P", 3 / 6),
        ("ranked-R", 3 / 3),
        ("ranked-F1", 2 * (3 / 6) * 1 / (3 / 6 + 1)),
        ("ranked-Acc", (3 + 0) / 6),
        ("ranked-0/1", 0),
        # Levels 1, 2, 3. Level 1 changes nothing: 3/6. Level 2 leaves 2, 0, 3, 0: positive 01, 03,
        # 23 and negative 02, 12. Level 3 leaves 0, 0, 3, 0: positive 23, negative 02, 12.
        ("ranked-mAP", (3 / 6 + 3 / 5 + 1 / 3) / 3),
    ],
)
def test_a_list_that_calls_every_pair_positive(notation, value):
    assert measure(notation)(BY_NUMBER, TRUTH).value == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        # The list 2, 3, 0, 1 has 01 and 23 right among the positives and 02, 12, 13 among the
        # negatives; 03 is called negative: TP 2, FN 1, FP 0, TN 3.
        ("ranked-P", 2 / 2),
        ("ranked-R", 2 / 3),
        ("ranked-F1", 2 * 2 / (2 * 2 + 1)),
        ("ranked-Acc", 5 / 6),
        ("ranked-0/1", 0),
        # No level adds a false positive.
        ("ranked-mAP", 1),
    ],
)
def test_one_pair_is_wrong(notation, value):
    ranking = Ranking.from_lists([[2, 3, 0, 1]])
    assert measure(notation)(ranking, TRUTH).value == pytest.approx(value, rel=1e-14)


NAMES = ["ranked-P", "ranked-R", "ranked-F1", "ranked-Acc", "ranked-0/1", "ranked-mAP"]


@pytest.mark.parametrize("notation", NAMES)
def test_the_right_order_is_worth_one(notation):
    assert measure(notation)(Ranking.from_lists([[2, 0, 3, 1]]), TRUTH).value == 1


@pytest.mark.parametrize("notation", NAMES)
def test_the_reverse_is_worth_nothing(notation):
    assert measure(notation)(Ranking.from_lists([[1, 3, 0, 2]]), TRUTH).value == 0


@pytest.mark.parametrize("notation", NAMES)
def test_rows_are_scored_separately_and_averaged(notation):
    both = Ranking.from_lists([[0, 1, 2, 3], [2, 0, 3, 1]])
    m, Y = measure(notation), np.repeat(TRUTH, 2, axis=0)
    first = m(BY_NUMBER, TRUTH).value
    np.testing.assert_allclose(m(both, Y).values, [first, 1])
    assert m(both, Y).value == pytest.approx((first + 1) / 2)


@pytest.mark.parametrize("notation", NAMES)
@pytest.mark.parametrize("change", [lambda y: y * 10, lambda y: y**3, np.sqrt])
def test_only_the_order_of_the_grades_matters(notation, change):
    ranking = Ranking.from_lists([[2, 1, 0, 3]])
    m = measure(notation)
    assert m(ranking, change(TRUTH)).value == pytest.approx(m(ranking, TRUTH).value)


# ---------------------------------------------------------------- labels that are not listed


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        # Listed: 0. Right: 01, 03 (0 above what is not listed). Wrong: 02; and 12, 13, 23, of which
        # neither label is listed and which so have no order. TP 2, FN 1, FP 3, TN 0.
        ("ranked-P", 2 / (2 + 3)),
        ("ranked-R", 2 / 3),
        ("ranked-F1", 2 * 2 / (2 * 2 + 1 + 3)),
        ("ranked-Acc", 2 / 6),
        ("ranked-0/1", 0),
    ],
)
@pytest.mark.parametrize("ties", ["order", "worst", "best"])
def test_two_labels_that_are_not_listed_have_no_order(notation, value, ties):
    score = measure(f"{notation}(ties={ties})")(Ranking.from_lists([[0]], n_labels=4), TRUTH)
    assert score.value == pytest.approx(value, rel=1e-14)
    assert score.n_short == 1


def test_a_list_of_the_relevant_labels_in_order_is_perfect():
    """Labels of grade 0 are not compared with each other, so they need not be listed."""
    ranking = Ranking.from_lists([[2, 5, 0]], n_labels=9)
    Y = np.zeros((1, 9))
    Y[0, [2, 5, 0]] = [3, 2, 1]
    for notation in NAMES:
        assert measure(notation)(ranking, Y).value == 1, notation


# ---------------------------------------------------------------- rows with one kind of pair


@pytest.mark.parametrize(
    ("order", "grades", "values"),
    [
        # Only negative pairs, all right: nothing is called positive and nothing should be.
        ([1, 0], [0, 1], {"P": 1, "R": 1, "F1": 1, "Acc": 1, "0/1": 1, "mAP": 1}),
        # Only negative pairs, wrong: no positive pair to recall, but there is a mistake.
        ([0, 1], [0, 1], {"P": 0, "R": 0, "F1": 0, "Acc": 0, "0/1": 0, "mAP": 0}),
        # Only positive pairs, missed: nothing is called positive, wrongly.
        ([1, 0], [1, 0], {"P": 0, "R": 0, "F1": 0, "Acc": 0, "0/1": 0, "mAP": 0}),
    ],
)
def test_no_pair_to_divide_by(order, grades, values):
    ranking, Y = Ranking.from_lists([order]), np.array([grades])
    assert {n: measure(f"ranked-{n}")(ranking, Y).value for n in values} == values


def test_plain_labels_leave_the_pairs_of_relevant_and_irrelevant_ones():
    """With one level the accuracy is 1 - ranking loss."""
    rng = np.random.default_rng(0)
    ranking = Ranking.from_dense(rng.random((20, 7)))
    Y = rng.random((20, 7)) < 0.4
    accuracy = measure("ranked-Acc")(ranking, Y)
    loss = measure("RankLoss")(ranking, Y)
    np.testing.assert_allclose(accuracy.values, 1 - loss.values)
    assert 0.2 < accuracy.value < 0.8
