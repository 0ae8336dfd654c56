"""Propensity-scored measures in closed form: paper 003, Table 1 and section 7."""

from math import log2

import numpy as np
import pytest

from labelrank import InputError, Ranking, measure
from labelrank.measures import MEASURES

# Labels 0 and 1 are relevant with weights 1/p = 2 and 4; the list is 0, 2, 1: weights 2, -, 4.
RANKING = Ranking.from_lists([[0, 2, 1]], n_labels=4)
TRUTH = np.array([[1, 1, 0, 0]])
P = np.array([0.5, 0.25, 1, 0.8])


@pytest.mark.parametrize(
    ("notation", "complete", "value"),
    [
        ("PSP(norm=plain)@1", None, 2 / 1),
        ("PSP(norm=plain)@2", None, 2 / 2),
        ("PSP(norm=plain)@3", None, (2 + 4) / 3),
        ("PSP(norm=plain)@9", None, (2 + 4) / 9),
        ("PSP@1", None, 2 / 4),
        ("PSP@2", None, 2 / (4 + 2)),
        ("PSP@3", None, 1),
        # 1ᵀy* is 4 where it is known, and estimated as 2 + 4 where it is not.
        ("PSR(norm=plain)@2", [4], 2 / 4),
        ("PSR(norm=plain)@2", None, 2 / 6),
        ("PSR(norm=plain,count=observed)@2", [4], 2 / 2),
        ("PSR@2", [4], 2 / (4 + 2)),
        ("PSF1(norm=plain)@2", [4], 2 * 2 / (4 + 2)),
        ("PSF1(norm=plain)@2", None, 2 * 2 / (6 + 2)),
        ("PSF2(norm=plain)@3", [4], (1 + 4) * (2 + 4) / (4 * 4 + 3)),
        ("PSMRR(norm=plain)", [4], (2 / 1 + 4 / 3) / 4),
        ("PSMRR(norm=plain)@2", [4], (2 / 1) / 4),
        ("PSMRR", [4], (2 / 1 + 4 / 3) / (4 / 1 + 2 / 2)),
        ("PSADG(norm=plain)", [4], (2 / log2(2) + 4 / log2(4)) / 4),
        ("PSADG", None, (2 / log2(2) + 4 / log2(4)) / (4 / log2(2) + 2 / log2(3))),
        ("PSnDCG(norm=plain)@3", None, (2 + 4 / 2) / (1 + 1 / log2(3) + 1 / 2)),
        ("PSnDCG(norm=plain,depth=labels)@3", None, (2 + 4 / 2) / (1 + 1 / log2(3))),
        ("PSnDCG(norm=plain,depth=labels)@1", None, 2 / 1),
        ("PSnDCG(norm=plain)", None, (2 + 4 / 2) / (1 + 1 / log2(3) + 1 / 2 + 1 / log2(5))),
        ("PSnDCG@3", None, (2 + 4 / 2) / (4 + 2 / log2(3))),
        ("PSHLoss", None, (2 * (1 - 2) + 4 * (1 - 2) + 3) / 4),  # three labels are said to apply
    ],
)
def test_one_row(notation, complete, value):
    found = measure(notation)(RANKING, TRUTH, propensities=P, complete=complete).value
    assert found == pytest.approx(value, rel=1e-14)


def test_hamming_loss_of_a_label_that_was_left_out():
    ranking = Ranking.from_lists([[0]], n_labels=4)
    loss = measure("PSHLoss")(ranking, TRUTH, propensities=P).value
    assert loss == pytest.approx((2 * (1 - 2 * 1) + 1 + 4 * (1 - 2 * 0) + 0) / 4)


TWO = Ranking.from_lists([[0, 2, 1], [3, 0]], n_labels=4)
BOTH = np.array([[1, 1, 0, 0], [1, 0, 0, 1]])


def test_plain_values_are_averaged_over_rows():
    score = measure("PSP(norm=plain)@1")(TWO, BOTH, propensities=P)
    np.testing.assert_allclose(score.values, [2, 1 / 0.8])
    assert score.value == pytest.approx((2 + 1.25) / 2)


def test_the_normalised_value_is_a_ratio_of_sums_and_not_a_mean_of_ratios():
    score = measure("PSP@1")(TWO, BOTH, propensities=P)
    assert score.value == pytest.approx((2 + 1.25) / (4 + 2))  # paper 003: G({ŷ}) / G({y})
    assert score.value != pytest.approx((2 / 4 + 1.25 / 2) / 2)
    np.testing.assert_allclose(score.values, np.array([2, 1.25]) / np.mean([4, 2]))


def test_the_best_list_goes_by_weight_and_not_by_label():
    best = Ranking.from_lists([[1, 0]], n_labels=4)
    for notation in ("PSP@1", "PSR@1", "PSF1@1", "PSnDCG@2", "PSMRR", "PSADG"):
        assert measure(notation)(best, TRUTH, propensities=P).value == pytest.approx(1)


def test_rare_labels_count_more():
    rare, common = (Ranking.from_lists([[label]], n_labels=4) for label in (1, 0))
    for notation in ("PSP@1", "PSR@1", "PSF1@1", "PSnDCG@1", "PSMRR", "PSADG"):
        m = measure(notation)
        assert m(rare, TRUTH, propensities=P).value > m(common, TRUTH, propensities=P).value


def test_grades_do_not_matter():
    for notation in ("PSP@2", "PSnDCG@2", "PSHLoss"):
        m = measure(notation)
        found = m(RANKING, TRUTH * 7, propensities=P).value
        assert found == m(RANKING, TRUTH, propensities=P).value


# ---------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("propensities", "message"),
    [
        (None, "needs propensities: pass propensities=labelrank.propensities"),
        (P[:3], r"propensities has shape \(3,\) for 4 labels"),
        (P[None], r"propensities has shape \(1, 4\)"),
        ([0.5, 0, 1, 1], r"must lie in \(0, 1\]"),
        ([0.5, -1, 1, 1], r"must lie in \(0, 1\]"),
        ([0.5, 1.1, 1, 1], r"must lie in \(0, 1\]"),
        ([0.5, np.nan, 1, 1], r"must lie in \(0, 1\]"),
    ],
)
def test_propensities_are_checked(propensities, message):
    rare = [name for name, cls in MEASURES.items() if cls.needs_propensity]
    assert len(rare) == 7
    for name in rare:
        m = measure(name.replace("β", "1") + ("@2" if name[:3] in ("PSP", "PSR", "PSF") else ""))
        with pytest.raises(InputError, match=message):
            m(RANKING, TRUTH, propensities=propensities)


@pytest.mark.parametrize("complete", [[1], [2, 2], [np.nan], 3])
def test_the_complete_number_is_one_a_row_and_at_least_the_observed_one(complete):
    with pytest.raises(InputError, match="at least the observed"):
        measure("PSR@2")(RANKING, TRUTH, propensities=P, complete=complete)


def test_reports_say_whether_the_value_is_normalised():
    assert measure("PSP@1").policy.startswith("normalised: 100·G(ŷ)/G(y)")
    assert measure("PSP(norm=plain)@1").policy.startswith("plain estimate G(ŷ)")
    assert measure("PSHLoss").policy.startswith("plain estimate")
