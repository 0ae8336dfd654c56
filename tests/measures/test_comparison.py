"""Compare: methods side by side, as paper 000 prints them (Table 3 and section 4.3)."""

import json
import re

import numpy as np
import polars as pl
import pytest

from labelrank import InputError, Ranking, compare, evaluate
from labelrank.measures import holm, sign_test, wilcoxon

RNG = np.random.default_rng(0)
TRUTH = (RNG.random((60, 8)) < 0.3).astype(float)
TRUTH[:, 0] = 1  # no empty rows
NOISE = {"good": 0.4, "fair": 0.8, "poor": 3.0, "same": 0.4}
SCORES = {
    name: TRUTH + noise * np.random.default_rng(len(name) % 2).normal(size=TRUTH.shape)
    for name, noise in NOISE.items()
}
MEASURES = ["MAP", "RankLoss", "micro-F1", "macro-F1"]


def evaluated(scores, measures=MEASURES, Y=TRUTH, k=3):
    return evaluate(Ranking.from_dense(scores, k=k), Y, measures)


METHODS = {name: evaluated(scores) for name, scores in SCORES.items()}
COMPARED = compare(METHODS)


def record(method, measure, comparison=COMPARED):
    found = [r for r in comparison.rows if (r["method"], r["measure"]) == (method, measure)]
    assert len(found) == 1
    return found[0]


def test_values_are_those_of_the_evaluations():
    assert len(COMPARED.rows) == len(METHODS) * len(MEASURES)
    for row in COMPARED.rows:
        assert row["value"] == METHODS[row["method"]][row["measure"]].value


@pytest.mark.parametrize("name", MEASURES)
def test_rank_1_is_the_best_and_equal_values_share_a_rank(name):
    values = {method: METHODS[method][name].value for method in METHODS}
    sign = -1 if name == "RankLoss" else 1
    for method, value in values.items():
        better = sum(sign * other > sign * value for other in values.values())
        assert record(method, name)["rank"] == better + 1
    assert values["good"] == values["same"]
    assert record("good", name)["rank"] == record("same", name)["rank"] == 1
    assert record("poor", name)["rank"] == 4


@pytest.mark.parametrize("name", MEASURES)
def test_every_other_method_is_tested_against_the_reference_with_holm(name):
    others = ["fair", "poor", "same"]
    good = METHODS["good"][name]
    tests = []
    for method in others:
        other = METHODS[method][name]
        if name == "micro-F1":  # the sign test is on single decisions (section 4.3)
            tests.append(sign_test(good.wrong, other.wrong))
        else:  # rows, or for macro-F1 the labels
            tests.append(wilcoxon(good.values, other.values, name != "RankLoss"))
    corrected = holm([t.p for t in tests])
    for method, test, p in zip(others, tests, corrected, strict=True):
        row = record(method, name)
        assert row["test"] == ("sign test" if name == "micro-F1" else "Wilcoxon")
        assert (row["p"], row["p_holm"], row["effect"]) == pytest.approx((test.p, p, test.effect))
    assert record("good", name)["p"] is None
    assert record("same", name)["p"] == 1
    assert record("poor", name)["effect"] > 0.1  # positive when the reference is better


def test_the_table_has_ranks_in_brackets_and_stars():
    lines = str(COMPARED).splitlines()
    assert lines[0].split() == ["measure", *METHODS]
    for line, name in zip(lines[1:], MEASURES, strict=False):
        cells = re.split(r"\s{2,}", line)
        assert cells[0] == name
        for cell, method in zip(cells[1:], METHODS, strict=True):
            row = record(method, name)
            p = row["p_holm"]
            stars = "" if p is None or p > 0.05 else "*" if p > 0.01 else "**"
            assert cell == f"{row['value']:.4f}{stars} ({row['rank']})"
    assert "**" in lines[1]
    assert lines[-1].startswith("reference: good; ** p ≤ 1 %, * p ≤ 5 %")
    assert "Wilcoxon, sign test, Holm" in lines[-1]


def test_one_star_is_for_5_percent_and_two_for_1_percent():
    def against(n_worse):
        """n rows on which only the first is right: Wilcoxon's exact p is 2 / 2^n."""
        Y = np.eye(1, 2).repeat(12, axis=0)
        right = Y + np.linspace(0, 0.1, 12)[:, None]
        wrong = right.copy()
        wrong[:n_worse] = wrong[:n_worse, ::-1]
        return compare({"a": evaluated(right, ["P@1"], Y), "b": evaluated(wrong, ["P@1"], Y)})

    for n, stars in ((5, ""), (6, "*"), (7, "*"), (8, "**")):
        found = against(n)
        assert record("b", "P@1", found)["p"] == pytest.approx(2 / 2**n)
        assert f"{1 - n / 12:.4f}{stars} (2)" in str(found)


def test_the_reference_can_be_chosen():
    found = compare(METHODS, reference="poor")
    assert found.reference == "poor"
    assert record("poor", "MAP", found)["p"] is None
    assert record("good", "MAP", found)["effect"] == -record("poor", "MAP")["effect"]
    assert "reference: poor" in str(found)


def test_holms_correction_counts_the_methods_of_one_row_only():
    alone = compare({name: METHODS[name] for name in ("good", "fair")})
    row = record("fair", "MAP", alone)
    assert row["p_holm"] == row["p"] == record("fair", "MAP")["p"]
    assert record("fair", "MAP")["p_holm"] >= row["p"]


# ---------------------------------------------------------------- several data sets


def several(n, methods=("good", "fair", "poor"), measures=("MAP", "RankLoss")):
    rng = np.random.default_rng(n)
    found = {}
    for i in range(n):
        noise = rng.normal(size=TRUTH.shape)
        found[f"set {i}"] = {m: evaluated(TRUTH + NOISE[m] * noise, measures) for m in methods}
    return found


def test_rank_totals_add_up_over_data_sets_and_measures():
    found = compare(several(3))
    totals = dict.fromkeys(("good", "fair", "poor"), 0)
    for row in found.rows:
        totals[row["method"]] += row["rank"]
    assert found.rank_totals == totals
    assert totals["good"] < totals["fair"] < totals["poor"] == 3 * 2 * 3
    lines = str(found).splitlines()
    assert lines[0].split()[:2] == ["dataset", "measure"]
    total = next(line for line in lines if line.startswith("rank total"))
    assert total.split()[2:] == [str(totals[m]) for m in ("good", "fair", "poor")]


def test_friedman_needs_more_than_ten_data_sets_and_two_methods():
    assert compare(several(10)).friedman() == {}
    assert compare(several(11, methods=("good", "poor"))).friedman() == {}
    found = compare(several(11))
    tests = found.friedman()
    assert list(tests) == ["MAP", "RankLoss"]
    for result in tests.values():
        assert result.p < 0.01
        assert result.mean_ranks[0] < result.mean_ranks[2] == 3
        assert result.critical_difference == pytest.approx(
            2.343 * np.sqrt(3 * 4 / (6 * 11)), abs=1e-3
        )
    assert re.search(r"MAP over 11 data sets: Friedman p = .*differ beyond 1\.00", str(found))
    assert set(json.loads(found.to_json())["friedman"]) == {"MAP", "RankLoss"}
    assert "Friedman" not in str(compare(several(3)))


def test_a_data_set_without_a_value_does_not_break_the_table():
    sets = several(11, measures=["MAP"])
    nothing = np.zeros_like(TRUTH)
    sets["set 0"] = {m: evaluated(SCORES[m], ["MAP"], nothing) for m in ("good", "fair", "poor")}
    assert "–" in str(compare(sets))


# ---------------------------------------------------------------- export and errors


def test_json_and_data_frames():
    text = COMPARED.to_json()
    assert "NaN" not in text
    assert json.loads(text)["rank_totals"] == COMPARED.rank_totals
    assert [r["p_holm"] for r in json.loads(text)["rows"]] == [r["p_holm"] for r in COMPARED.rows]
    frame = COMPARED.to_frame("polars")
    assert isinstance(frame, pl.DataFrame)
    assert frame["value"].to_list() == [r["value"] for r in COMPARED.rows]


def test_json_of_a_measure_without_a_value_has_no_nan():
    empty = evaluated(SCORES["good"], ["MAP"], np.zeros_like(TRUTH))
    text = compare({"a": empty, "b": empty}).to_json()
    assert "NaN" not in text
    assert json.loads(text)["rows"][0]["value"] is None


@pytest.mark.parametrize(
    ("evaluations", "message"),
    [
        ({}, "compare needs at least one evaluation"),
        ({"a": 1}, "'a' is no Evaluation of evaluate, but 1"),
        ({"set": {"a": 1}}, "'a' is no Evaluation of evaluate, but 1"),
        ({"set": {}}, "at least one"),
        (
            {"a": METHODS["good"], "b": evaluated(SCORES["good"], ["MAP"])},
            "'b' was not evaluated by RankLoss",
        ),
        (
            {"a": evaluated(SCORES["good"], ["MAP"]), "b": METHODS["good"]},
            "'a' was not evaluated by RankLoss",
        ),
        (
            {"a": METHODS["good"], "b": evaluated(SCORES["good"][:9], MEASURES, TRUTH[:9])},
            "'b' was evaluated on 9 rows and the reference on 60",
        ),
        ({"s": {"a": METHODS["good"]}, "t": {"b": METHODS["good"]}}, "data set 't' has methods"),
    ],
)
def test_evaluations_that_do_not_match_are_refused(evaluations, message):
    with pytest.raises(InputError, match=message):
        compare(evaluations)


def test_an_unknown_reference_is_refused():
    with pytest.raises(InputError, match="the reference 'best' is not among the methods"):
        compare(METHODS, reference="best")
