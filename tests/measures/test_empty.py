"""The policies on empty rows: skip, zero, one, error; and the documented defaults."""

import numpy as np
import pytest

from labelrank import InputError, Ranking, measure
from labelrank.measures import MEASURES

# Row 0 is judged; row 1 has no relevant label and, in measures of lists, the same list.
RANKING = Ranking.from_lists([[2, 0, 1], [2, 0, 1]], n_labels=4)
TRUTH = np.array([[1, 0, 0, 0], [0, 0, 0, 0]])
PROPENSITIES = np.array([0.5, 0.25, 1, 1])
LISTS = ["P@2", "R@2", "F1@2", "nDCG@2", "nDCG", "MRR", "ADG", "MAP", "RankLoss", "RR"]
LISTS += ["OneError", "Coverage", "ex-R", "ranked-P", "ranked-R", "ranked-F1", "ranked-Acc"]
LISTS += ["ranked-0/1", "ranked-mAP"]
LISTS += ["PSP(norm=plain)@2", "PSR(norm=plain)@2", "PSF1(norm=plain)@2", "PSnDCG(norm=plain)@2"]
LISTS += ["PSMRR(norm=plain)", "PSADG(norm=plain)"]
RATIOS = ["PSP@2", "PSR@2", "PSF1@2", "PSnDCG@2", "PSMRR", "PSADG"]


def with_policy(notation, empty):
    name, at, k = notation.partition("@")
    stem = name.replace(")", f",empty={empty})") if ")" in name else f"{name}(empty={empty})"
    return measure(stem + at + k)


def scored(notation, empty, ranking=RANKING, Y=TRUTH):
    return with_policy(notation, empty)(ranking, Y, propensities=PROPENSITIES)


@pytest.mark.parametrize("notation", LISTS)
def test_a_mean_over_rows(notation):
    alone = scored(notation, "error", RANKING[:1], TRUTH[:1]).value
    skip, zero, one = (scored(notation, empty) for empty in ("skip", "zero", "one"))
    assert skip.value == pytest.approx(alone)
    assert zero.value == pytest.approx((alone + 0) / 2)
    assert one.value == pytest.approx((alone + 1) / 2)
    np.testing.assert_allclose(skip.values, [alone, np.nan])
    np.testing.assert_allclose(zero.values, [alone, 0])
    np.testing.assert_allclose(one.values, [alone, 1])
    assert [s.n_units for s in (skip, zero, one)] == [1, 2, 2]
    assert [s.n_empty for s in (skip, zero, one)] == [1, 1, 1]


@pytest.mark.parametrize("notation", [*LISTS, *RATIOS])
def test_error_names_the_row_and_the_choices(notation):
    with pytest.raises(InputError, match="row 1 is empty and has no value; choose empty=skip"):
        scored(notation, "error")


@pytest.mark.parametrize("notation", RATIOS)
def test_in_a_ratio_of_sums_an_empty_row_adds_nothing_to_either(notation):
    alone = scored(notation, "error", RANKING[:1], TRUTH[:1])
    for empty in ("skip", "zero"):
        score = scored(notation, empty)
        assert score.value == pytest.approx(alone.numerators[0] / alone.denominators[0])
        assert (score.n_empty, score.n_units) == (1, 1 if empty == "skip" else 2)


@pytest.mark.parametrize("notation", RATIOS)
def test_in_a_ratio_of_sums_an_empty_row_cannot_count_one(notation):
    """It would add to the gain and not to the best gain: a perfect list would pass 1."""
    with pytest.raises(InputError, match="an empty row cannot count 1 in a normalised value"):
        scored(notation, "one")


@pytest.mark.parametrize("empty", ["skip", "zero"])
@pytest.mark.parametrize("notation", RATIOS)
def test_a_perfect_list_is_worth_one(notation, empty):
    perfect = Ranking.from_lists([[0], [0]], n_labels=4)
    assert scored(notation, empty, perfect).value == pytest.approx(1)


@pytest.mark.parametrize("empty", ["skip", "zero"])
@pytest.mark.parametrize("notation", [*LISTS, *RATIOS])
def test_the_mean_of_the_values_is_the_value(notation, empty):
    score = scored(notation, empty)
    assert np.nanmean(score.values) == pytest.approx(score.value)
    assert np.isnan(score.values).tolist() == [False, empty == "skip"]


@pytest.mark.parametrize(
    ("notation", "ranking", "truth"),
    [
        ("ex-P", Ranking.from_lists([[0], []], n_labels=2), np.eye(2)),  # lists nothing
        ("ex-F1", Ranking.from_lists([[0], []], n_labels=2), np.eye(2) * [1, 0]),  # and no truth
        ("macro-F1", Ranking.from_lists([[0]], n_labels=2), np.eye(1, 2)),  # label 1 never occurs
        ("RankLoss", Ranking.from_lists([[1, 0]] * 2), np.array([[0, 1], [1, 1]])),  # no pair
        ("ranked-R", Ranking.from_lists([[0, 1]] * 2), np.array([[2, 1], [2, 2]])),  # one grade
    ],
)
def test_what_else_is_empty(notation, ranking, truth):
    found = {empty: scored(notation, empty, ranking, truth) for empty in ("skip", "zero", "one")}
    assert [score.n_empty for score in found.values()] == [1, 1, 1]
    first = found["skip"].value
    assert found["zero"].value == pytest.approx(first / 2)
    assert found["one"].value == pytest.approx((first + 1) / 2)
    unit = "label 1" if notation == "macro-F1" else "row 1"
    with pytest.raises(InputError, match=f"{unit} is empty"):
        scored(notation, "error", ranking, truth)


@pytest.mark.parametrize(
    "notation", ["HLoss", "ex-Acc", "exact-match", "micro-F1", "PSHLoss", "C@2"]
)
def test_measures_that_have_a_value_for_every_row(notation):
    found = [scored(notation, empty) for empty in ("skip", "zero", "one", "error")]
    assert {score.value for score in found} == {found[0].value}
    assert {score.n_empty for score in found} == {0}


def test_no_row_counts():
    score = scored("MAP", "skip", RANKING[1:], TRUTH[1:])
    assert np.isnan(score.value)
    assert score.n_units == 0
    assert "nan" in repr(score)


NEED_K = ["P", "R", "Fβ", "C", "PSP", "PSR", "PSFβ"]
DEFAULTS = {"P": "zero", "OneError": "one", "ex-F1": "one", "ex-P": "zero", "macro-F1": "zero"}
DEFAULTS |= dict.fromkeys(["PSP", "PSR", "PSFβ", "PSnDCG", "PSMRR", "PSADG"], "zero")


@pytest.mark.parametrize("name", MEASURES)
def test_defaults_are_as_documented_and_printed(name):
    m = measure(name.replace("β", "1") + ("@1" if name in NEED_K else ""))
    assert (m.empty, m.ties) == (DEFAULTS.get(name, "skip"), "order")
    assert f"empty {m.unit}s: {m.empty}" in m.policy


DEGENERATE = {
    "no rows": (Ranking.from_lists([], n_labels=4), np.zeros((0, 4))),
    "no labels": (Ranking.from_lists([[], []], n_labels=0), np.zeros((2, 0))),
    "nothing at all": (Ranking.from_lists([], n_labels=0), np.zeros((0, 0))),
    "nothing listed": (Ranking.from_lists([[], []], n_labels=4), np.eye(2, 4)),
    "nothing relevant": (RANKING, np.zeros((2, 4))),
    "nothing found": (Ranking.from_lists([[1], [0]], n_labels=4), np.eye(2, 4)),
    "one label": (Ranking.from_lists([[0], [0]], n_labels=1), np.ones((2, 1))),
}


@pytest.mark.parametrize("shape", DEGENERATE)
@pytest.mark.parametrize("name", MEASURES)
def test_whatever_is_missing_there_is_a_number_or_nan(name, shape):
    ranking, Y = DEGENERATE[shape]
    p = np.full(ranking.n_labels, 0.5)
    m = measure(name.replace("β", "1") + ("@1" if name in NEED_K else ""))
    score = m(ranking, Y, propensities=p)
    assert len(score.values) == (len(Y) if m.unit == "row" else ranking.n_labels)
    assert np.isnan(score.value) or abs(score.value) <= 4  # C@k and estimates may pass 1
    if len(score.values) == 0:
        assert np.isnan([score.value, *score.interval()]).all()
    if shape == "nothing found" and m.needs_propensity and name != "PSHLoss":
        assert score.value == 0
