"""Measures of decisions in closed form: paper 000 (10) to (16), paper 002 section 5.3."""

import numpy as np
import pytest

from labelrank import Ranking, measure

# Said:     row 0: {0, 1}, row 1: {0},    row 2: {}
# Relevant: row 0: {0, 2}, row 1: {0},    row 2: {1}; of four labels, 3 never occurs.
RANKING = Ranking.from_lists([[1, 0], [0], []], n_labels=4)
TRUTH = np.array([[1, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0]])


@pytest.mark.parametrize(
    ("notation", "values"),
    [
        ("HLoss", [2 / 4, 0 / 4, 1 / 4]),  # (16), row by row
        ("ex-Acc", [2 / 4, 4 / 4, 3 / 4]),  # (TP + TN) / m
        ("ex-F1", [2 * 1 / (2 + 2), 1, 0]),
        ("ex-P", [1 / 2, 1, 0]),  # the last row lists nothing: counts 0
        ("ex-R", [1 / 2, 1, 0]),
        ("exact-match", [0, 1, 0]),
    ],
)
def test_each_row(notation, values):
    score = measure(notation)(RANKING, TRUTH)
    np.testing.assert_allclose(score.values, values, rtol=1e-14)
    assert score.value == pytest.approx(np.mean(values))


def test_hamming_loss_is_the_share_of_all_decisions():
    assert measure("HLoss")(RANKING, TRUTH).value == pytest.approx((2 + 0 + 1) / (3 * 4))


def test_micro_f1_pools_all_decisions():
    precision, recall = 2 / 3, 2 / 4  # (10), (11): TP 2, FP 1, FN 2
    value = 2 * precision * recall / (precision + recall)  # (12)
    assert measure("micro-F1")(RANKING, TRUTH).value == pytest.approx(value, rel=1e-14)


def test_macro_f1_is_the_mean_over_labels():
    score = measure("macro-F1")(RANKING, TRUTH)
    # Label 0: P = R = 1; label 1: one said, another relevant; label 2: never said; label 3: empty.
    np.testing.assert_allclose(score.values, [1, 0, 0, 0])
    assert score.value == (1 + 0 + 0 + 0) / 4
    assert (score.n_empty, score.n_units) == (1, 4)


@pytest.mark.parametrize(("empty", "value"), [("skip", 1 / 3), ("zero", 1 / 4), ("one", 2 / 4)])
def test_the_policy_on_labels_that_never_occur(empty, value):
    assert measure(f"macro-F1(empty={empty})")(RANKING, TRUTH).value == pytest.approx(value)


def test_macro_f1_of_a_label_that_is_half_right():
    ranking = Ranking.from_lists([[0], [0], []], n_labels=1)
    precision, recall = 1 / 2, 1 / 2  # (13), (14)
    value = 2 * precision * recall / (precision + recall)
    assert measure("macro-F1")(ranking, np.array([[1], [0], [1]])).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("notation", "nothing_listed", "nothing_at_all"),
    [("ex-F1", 0, 1), ("ex-P", 0, 0), ("ex-R", 0, np.nan), ("exact-match", 0, 1), ("HLoss", 1, 0)],
)
def test_rows_without_a_decision(notation, nothing_listed, nothing_at_all):
    silent, m = Ranking.from_lists([[]], n_labels=1), measure(notation)
    assert m(silent, np.array([[1]])).value == nothing_listed
    np.testing.assert_equal(m(silent, np.array([[0]])).value, nothing_at_all)


def test_micro_f1_without_any_label_has_no_value():
    score = measure("micro-F1")(Ranking.from_lists([[]], n_labels=2), np.zeros((1, 2)))
    assert np.isnan(score.value)


def test_a_full_list_says_yes_to_every_label():
    everything = Ranking.from_dense(np.zeros((3, 4)))
    assert measure("micro-F1")(everything, TRUTH).value == pytest.approx(2 * 4 / (12 + 4))
    assert measure("ex-R")(everything, TRUTH).value == 1
    assert measure("HLoss")(everything, TRUTH).value == pytest.approx(8 / 12)


@pytest.mark.parametrize(
    "notation",
    ["micro-F1", "macro-F1", "HLoss", "ex-F1", "ex-P", "ex-R", "ex-Acc", "exact-match"],
)
def test_neither_order_nor_grades_nor_short_lists_matter(notation):
    m = measure(notation)
    there, back = m(RANKING, TRUTH), m(RANKING.reordered(np.array([0.1, 0.9, 0.5])), TRUTH * 3)
    np.testing.assert_array_equal(there.values, back.values)
    assert (there.n_short, there.n_tied) == (0, 0)
    assert "short" not in m.policy
    assert "ties" not in m.policy


def test_wrong_decisions_are_kept_for_the_sign_test():
    score = measure("micro-F1")(RANKING, TRUTH)
    # (row, label) pairs (0, 1) said wrongly, (0, 2) and (2, 1) left out wrongly; 4 labels a row.
    np.testing.assert_array_equal(score.wrong, [0 * 4 + 1, 0 * 4 + 2, 2 * 4 + 1])
