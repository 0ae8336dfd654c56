"""Evaluate: several measures of one ranking, and what a reader must know to trust them."""

import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import labelrank
from labelrank import InputError, Ranking, evaluate, measure

# Row 0 is tied at @1, row 1 is empty, row 2 is short for @2.
RANKING = Ranking.from_lists([[0, 1, 2], [1, 0, 2], [2]], [[1, 1, 0], [3, 2, 1], [1]], n_labels=3)
TRUTH = np.array([[1, 0, 0], [0, 0, 0], [1, 0, 1]])
P = np.array([0.5, 1, 0.8])


def test_it_maps_names_to_scores():
    found = evaluate(RANKING, TRUTH, ["P@1", "nDCG", measure("R@2")])
    assert list(found) == ["P@1", "nDCG", "R@2"]
    assert len(found) == 3
    assert found["P@1"].value == pytest.approx((1 + 0 + 1) / 3)
    for name, score in found.items():
        np.testing.assert_array_equal(score.values, measure(name)(RANKING, TRUTH).values)


def test_one_measure_needs_no_list():
    for given in ("R@2", measure("R@2"), ("R@2",), iter(["R@2"])):
        assert evaluate(RANKING, TRUTH, given)["R@2"].value == pytest.approx((1 + 1 / 2) / 2)


def test_names_are_written_in_one_way():
    assert list(evaluate(RANKING, TRUTH, ["P(empty=zero)@1", " nDCG(gain=exp , ties=worst)"])) == [
        "P@1",
        "nDCG(ties=worst,gain=exp)",
    ]


def test_a_measure_that_was_not_evaluated():
    with pytest.raises(KeyError, match=r"'MAP' was not evaluated, only P@1, R@2"):
        evaluate(RANKING, TRUTH, ["P@1", "R@2"])["MAP"]


def test_the_table_shows_values_intervals_counts_and_policies():
    found = evaluate(RANKING, TRUTH, ["P@1", "R@2", "HLoss"])
    text = str(found)
    assert text == repr(found)
    lines = text.splitlines()
    assert lines[0] == "3 rows, 3 labels"
    header = re.split(r"\s{2,}", lines[1])
    assert header == ["measure", "value", "95 % interval", "counted", "empty", "tied", "short"]
    for line, name, counts in zip(
        lines[2:5],
        found,
        ("3 rows 1 1 0", "2 rows 1 0 1", "3 rows 0 0 0"),
        strict=True,
    ):
        low, high = found.intervals[name]
        cells = re.split(r"\s{2,}", line)
        assert cells[:3] == [name, f"{found[name].value:.4f}", f"{low:.4f} – {high:.4f}"]
        assert " ".join(cells[3:]) == counts
    assert "P@1: empty rows: zero, ties: order, short lists: padded with wrong labels" in lines
    assert "R@2: empty rows: skip, ties: order, short lists: padded with wrong labels" in lines
    assert "HLoss: empty rows: skip" in lines


def test_measures_of_one_policy_share_a_line():
    lines = str(evaluate(RANKING, TRUTH, ["R@1", "R@2", "nDCG"])).splitlines()
    policy = "empty rows: skip, ties: order, short lists: padded with wrong labels"
    assert f"R@1, R@2, nDCG: {policy}" in lines


def test_where_there_is_no_value_the_table_has_a_dash_and_json_null():
    found = evaluate(RANKING, np.zeros((3, 3)), ["nDCG", "P@1"])
    assert re.search(r"^nDCG +– +– – –", str(found), re.MULTILINE)
    text = found.to_json()
    assert "NaN" not in text
    first = json.loads(text)["measures"][0]
    assert (first["value"], first["low"], first["high"]) == (None, None, None)


def test_json_holds_what_the_table_holds():
    found = evaluate(RANKING, TRUTH, ["P@1", "PSP@1", "macro-F1"])
    record = json.loads(found.to_json())
    assert (record["rows"], record["labels"]) == (3, 3)
    assert len(record["notes"]) == 1
    for row, (name, score) in zip(record["measures"], found.items(), strict=True):
        assert row["measure"] == name
        assert row["value"] == pytest.approx(score.value)
        assert (row["low"], row["high"]) == pytest.approx(found.intervals[name])
        assert row["policy"] == score.measure.policy
        assert row["unit"] == score.measure.unit
        assert row["counted"] == score.n_units
        assert [row[c] for c in ("empty", "tied", "short")] == [
            score.n_empty,
            score.n_tied,
            score.n_short,
        ]


@pytest.mark.parametrize(("backend", "kind"), [("polars", pl.DataFrame), ("pandas", pd.DataFrame)])
def test_data_frames(backend, kind):
    found = evaluate(RANKING, TRUTH, ["P@1", "nDCG"])
    frame = found.to_frame(backend)
    assert isinstance(frame, kind)
    assert list(frame["measure"]) == ["P@1", "nDCG"]
    np.testing.assert_allclose(frame["value"], [s.value for s in found.values()])
    assert list(frame["empty"]) == [1, 1]


def test_the_intervals_are_those_of_the_scores():
    found = evaluate(RANKING, TRUTH, ["P@1", "R@1", "macro-F1"])
    for name, score in found.items():
        assert found.intervals[name] == pytest.approx(score.interval())


# ---------------------------------------------------------------- propensities


def test_given_propensities_are_used_without_a_note():
    found = evaluate(RANKING, TRUTH, ["PSP@1", "P@1"], propensities=P)
    assert found.notes == []
    wanted = (1 / 0.5 + 1 / 0.8) / (1 / 0.5 + 1 / 0.5)
    assert found["PSP@1"].value == pytest.approx(wanted)


def test_without_propensities_the_default_model_is_used_and_said():
    found = evaluate(RANKING, TRUTH, ["PSP@1"])
    p = labelrank.propensities(TRUTH)
    assert found["PSP@1"].value == measure("PSP@1")(RANKING, TRUTH, propensities=p).value
    assert "default model (A=0.55, B=1.5) of the evaluated Y itself" in str(found)
    assert evaluate(RANKING, TRUTH, ["P@1"]).notes == []


def test_the_complete_number_of_labels_is_passed_on():
    found = evaluate(RANKING, TRUTH, "PSR(norm=plain)@1", propensities=P, complete=[4, 1, 2])
    np.testing.assert_allclose(found["PSR(norm=plain)@1"].values, [2 / 4, 0, 1.25 / 2])


# ---------------------------------------------------------------- the truth in its many forms


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize(
    "form",
    [
        lambda Y: Y.astype(bool),
        lambda Y: Y.astype(np.uint8),
        lambda Y: Y.astype(np.float32),
        lambda Y: Y.tolist(),
        np.asfortranarray,
        np.matrix,
        pd.DataFrame,
        sp.csr_array,
        sp.csc_matrix,
        sp.coo_array,
        sp.lil_array,
    ],
)
def test_any_matrix_may_be_the_truth(form):
    wanted = evaluate(RANKING, TRUTH, ["nDCG", "R@1", "HLoss"])
    found = evaluate(RANKING, form(TRUTH), ["nDCG", "R@1", "HLoss"])
    assert {n: s.value for n, s in found.items()} == {n: s.value for n, s in wanted.items()}


def test_stored_zeros_are_not_relevant_and_the_truth_is_not_changed():
    Y = sp.csr_array((np.array([0.0, 2.0, 1.0]), np.array([2, 1, 1]), np.array([0, 2, 3])))
    before = Y.data.copy(), Y.indices.copy()
    found = measure("ex-R")(Ranking.from_lists([[1], [2]], n_labels=3), Y)
    np.testing.assert_array_equal(found.values, [1, 0])
    np.testing.assert_array_equal((Y.data, Y.indices), before)


@pytest.mark.parametrize(
    ("Y", "message"),
    [
        (np.zeros((2, 3)), "the ranking has 3 rows but Y has 2"),
        (np.zeros((3, 4)), "the ranking has 3 labels but Y has 4"),
        (np.zeros(3), r"Y must be a sparse or dense matrix \(n_rows, n_labels\), found ndarray"),
        ([["a"] * 3] * 3, "Y must be a sparse or dense matrix"),
        (None, "Y must be a sparse or dense matrix"),
        (np.full((3, 3), np.nan), "Y has a value that is NaN or infinite"),
        (np.full((3, 3), np.inf), "Y has a value that is NaN or infinite"),
        (-np.eye(3), r"Y has the value -1 in row 0, column 0 \(from 0\): grades are 0 or more"),
    ],
)
def test_a_truth_that_cannot_be_used_is_refused(Y, message):
    with pytest.raises(InputError, match=message):
        evaluate(RANKING, Y, ["P@1"])


def test_no_measure_is_refused():
    with pytest.raises(InputError, match="evaluate needs at least one measure"):
        evaluate(RANKING, TRUTH, [])
