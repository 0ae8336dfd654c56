"""What no measure may depend on, and what every measure must keep to."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import cases, truths

from labelrank import Ranking, measure

FAMILIES = {
    "gains": "P@2 R@2 F1@2 F0.5@3 nDCG nDCG(gain=exp)@3 MRR ADG@3",
    "orders": "MAP MAP@2 RankLoss OneError RR RR@2",
    "coverage": "Coverage",
    "decisions": "micro-F1 macro-F1 HLoss ex-F1 ex-P ex-R ex-Acc exact-match",
    "ratios": "PSP@2 PSR@2 PSR(count=observed)@2 PSF1@2 PSnDCG PSnDCG(depth=labels)@2 PSMRR PSADG",
    "estimates": "PSP(norm=plain)@2 PSMRR(norm=plain) PSHLoss",
    "ordered labels": "ranked-P ranked-R ranked-F1 ranked-Acc ranked-0/1 ranked-mAP",
    "label coverage": "C@2",
}
every_family = pytest.mark.parametrize("family", FAMILIES)
UNBOUNDED = ["estimates", "label coverage"]
BY_LABEL_ID = ["ranked-P", "ranked-R", "ranked-F1", "ranked-mAP"]  # the pairs are u < v by id
RIGHT_ON_NOTHING = {"HLoss": 0, "PSHLoss": 0, "ex-Acc": 1, "exact-match": 1}


def scored(notation, ranking, Y, p):
    return measure(notation)(ranking, Y, propensities=p)


def with_option(notation, option):
    name, at, k = notation.partition("@")
    return (name[:-1] + f",{option})" if name.endswith(")") else f"{name}({option})") + at + k


def members(family):
    return FAMILIES[family].split()


def by_tie_policy(notation, case):
    """The score under each policy that the measure offers."""
    policies = measure(notation).tie_policies
    return {ties: scored(with_option(notation, f"ties={ties}"), *case) for ties in policies}


def empty_policies(family):
    return ("skip", "zero") if family == "ratios" else ("skip", "zero", "one")


def same(first, second):
    np.testing.assert_allclose(
        first.value, second.value, rtol=1e-12, atol=1e-12, err_msg=str(first.measure)
    )


@every_family
@given(case=cases(ties=False), data=st.data())
def test_naming_the_labels_otherwise_changes_nothing(family, case, data):
    ranking, Y, p = case
    if family == "label coverage":
        Y = (Y.argsort(axis=1).argsort(axis=1) + 1) * (Y > 0)  # the oracle's ties go by label id
    new = np.array(data.draw(st.permutations(range(ranking.n_labels))))
    renamed = Ranking(ranking.indptr, new[ranking.labels], ranking.scores, ranking.n_labels)
    moved_Y, moved_p = np.empty_like(Y), np.empty_like(p)
    moved_Y[:, new], moved_p[new] = Y, p
    for notation in set(members(family)) - set(BY_LABEL_ID):
        same(scored(notation, ranking, Y, p), scored(notation, renamed, moved_Y, moved_p))


@every_family
@given(case=cases(max_rows=5), data=st.data())
def test_the_order_of_the_rows_changes_nothing(family, case, data):
    ranking, Y, p = case
    order = np.array(data.draw(st.permutations(range(len(Y)))))
    for notation in members(family):
        there, back = scored(notation, ranking, Y, p), scored(notation, ranking[order], Y[order], p)
        same(there, back)
        if there.measure.unit == "row":
            np.testing.assert_allclose(there.values[order], back.values, rtol=1e-12)


@every_family
@given(case=cases(), at=st.integers(0, 4))
def test_an_empty_row_that_is_skipped_changes_nothing(family, case, at):
    ranking, Y, p = case
    at = min(at, len(Y))
    nothing = Ranking.from_lists([[]], n_labels=ranking.n_labels)
    longer = Ranking.stack([ranking[:at], nothing, ranking[at:]])
    with_empty = np.insert(Y, at, 0, axis=0)
    for notation in members(family):
        skipping = with_option(notation, "empty=skip")
        first = scored(skipping, ranking, Y, p)
        second = scored(skipping, longer, with_empty, p)
        if notation in RIGHT_ON_NOTHING:  # not empty, but decided rightly
            value = (first.value * len(Y) + RIGHT_ON_NOTHING[notation]) / (len(Y) + 1)
            assert second.value == pytest.approx(value, abs=1e-12), notation
        else:
            same(first, second)
            if notation != "micro-F1":
                assert second.n_units == first.n_units, notation


@every_family
@given(case=cases())
def test_a_strictly_rising_change_of_scores_changes_nothing(family, case):
    ranking, Y, p = case
    scores = ranking.scores.astype(np.float64)
    for changed in (scores * 8 - 3, scores**3, np.exp2(scores)):
        moved = ranking.reordered(changed)
        for notation in members(family):
            same(scored(notation, ranking, Y, p), scored(notation, moved, Y, p))


@every_family
@given(case=cases())
def test_the_mean_of_the_values_is_the_value(family, case):
    for notation in members(family):
        for empty in empty_policies(family):
            score = scored(with_option(notation, f"empty={empty}"), *case)
            if not np.isnan(score.value):
                mean = np.nanmean(score.values)
                assert mean == pytest.approx(score.value, abs=1e-12), score.measure


@every_family
@given(case=cases())
def test_no_policy_on_ties_passes_the_worst_or_the_best(family, case):
    for notation in members(family):
        found = {ties: score.value for ties, score in by_tie_policy(notation, case).items()}
        if len(found) == 1 or np.isnan(found["order"]):
            continue
        low, high = found["worst"], found["best"]
        if not measure(notation).higher_is_better:
            low, high = high, low
        slack = 1e-12 * max(1, abs(high))
        for ties, value in found.items():
            assert low - slack <= value <= high + slack, (notation, ties)


@every_family
@given(case=cases(ties=False))
def test_without_ties_all_policies_agree(family, case):
    for notation in members(family):
        for score in by_tie_policy(notation, case).values():
            same(score, scored(notation, *case))
            assert score.n_tied == 0


@pytest.mark.parametrize("family", [f for f in FAMILIES if f not in UNBOUNDED])
@given(case=cases())
def test_values_are_bounded(family, case):
    """Estimates and C@k may pass 1; coverage counts labels; everything else lies in [0, 1]."""
    most = max(case.ranking.n_labels - 1, 1) if family == "coverage" else 1
    for notation in members(family):
        for empty in empty_policies(family):
            value = scored(with_option(notation, f"empty={empty}"), *case).value
            assert np.isnan(value) or 0 <= value <= most + 1e-12, notation


AT_K = ("P", "R", "F1", "nDCG", "MRR", "ADG", "MAP", "RR", "PSP", "PSR", "PSnDCG", "C")


@given(case=cases(), k=st.integers(1, 6), more=st.integers(0, 3))
def test_what_stands_below_k_does_not_matter_to_a_measure_at_k(case, k, more):
    ranking, Y, p = case
    for name in AT_K:
        wanted = scored(f"{name}@{k}", ranking, Y, p)
        cut = scored(f"{name}@{k}", ranking.top(k + more), Y, p)
        np.testing.assert_array_equal(cut.values, wanted.values, err_msg=name)


@given(case=cases(), k=st.integers(1, 6))
def test_with_p_1_the_propensity_scored_measures_are_the_plain_ones(case, k):
    ranking, Y, _ = case
    for rare, plain in {
        f"PSP(norm=plain)@{k}": f"P@{k}",
        f"PSR(norm=plain,count=observed)@{k}": f"R(empty=zero)@{k}",
        f"PSR(norm=plain)@{k}": f"R(empty=zero)@{k}",
        f"PSF2(norm=plain)@{k}": f"F2(empty=zero)@{k}",
        f"PSMRR(norm=plain)@{k}": f"MRR(empty=zero)@{k}",
        "PSMRR(norm=plain)": "MRR(empty=zero)",
        "PSADG(norm=plain)": "ADG(empty=zero)",
        f"PSnDCG(norm=plain,depth=labels)@{k}": f"nDCG(empty=zero)@{k}",
        "PSHLoss": "HLoss",
    }.items():
        found = scored(rare, ranking, Y > 0, np.ones(ranking.n_labels))
        wanted = scored(plain, ranking, Y > 0, None)
        np.testing.assert_allclose(
            found.values, wanted.values, rtol=1e-12, atol=1e-12, err_msg=rare
        )


@given(st.data(), st.integers(1, 3), st.integers(2, 5))
def test_the_truth_itself_is_perfect(data, n, m):
    Y = data.draw(truths(n, m))
    assume(((Y > 0).any(axis=1) & (Y == 0).any(axis=1)).all())
    oracle, p = Ranking.from_csr(Y), np.linspace(0.1, 1, m)
    for notation in ("nDCG", "nDCG(gain=exp)", "MAP", "RR", "micro-F1", "ex-F1", "exact-match"):
        assert scored(notation, oracle, Y, p).value == pytest.approx(1), notation
    for notation in members("ordered labels"):
        assert scored(notation, oracle, Y, p).value == 1, notation
    for notation in ("RankLoss", "OneError", "HLoss"):
        assert scored(notation, oracle, Y, p).value == 0, notation
