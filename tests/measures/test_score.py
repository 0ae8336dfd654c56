"""Score: the mean, the bootstrap interval and the interval of Theorem 4.3."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from strategies import cases

from labelrank import InputError, Ranking, measure
from labelrank.measures.score import bootstrap

RNG = np.random.default_rng(0)
MANY = Ranking.from_dense(RNG.random((80, 6)))
TRUTH = (RNG.random((80, 6)) < 0.3).astype(float)
P = np.array([0.5, 0.9, 0.25, 0.8, 0.4, 1])
NOTATIONS = ["P@2", "nDCG", "RankLoss", "micro-F1", "macro-F1", "C@1", "PSP@2", "PSHLoss"]


def scored(notation, ranking=MANY, Y=TRUTH):
    return measure(notation)(ranking, Y, propensities=P)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_interval_holds_the_value_and_is_the_same_every_time(notation):
    score = scored(notation)
    low, high = score.interval()
    assert low <= score.value <= high
    assert score.interval() == (low, high)
    if notation != "C@1":  # all labels are shown, in every resample
        assert low < high
        assert score.interval(random_state=1) != (low, high)


def test_a_higher_level_gives_a_wider_interval():
    score = scored("nDCG")
    widths = [np.ptp(score.interval(level)) for level in (0.5, 0.9, 0.99)]
    assert widths == sorted(widths)
    assert widths[0] < widths[2]


def test_the_interval_is_near_that_of_the_normal_approximation():
    score = scored("nDCG")
    error = np.nanstd(score.values, ddof=1) / sqrt(score.n_units)
    low, high = score.interval(n_resamples=4000)
    assert low == pytest.approx(score.value - 1.96 * error, abs=0.2 * error)
    assert high == pytest.approx(score.value + 1.96 * error, abs=0.2 * error)


def test_rows_that_are_left_out_do_not_narrow_the_interval():
    some = scored("nDCG")
    Y = np.concatenate([TRUTH, np.zeros((400, 6))])
    more = scored("nDCG", Ranking.stack([MANY] * 6), Y)
    assert more.value == pytest.approx(some.value)
    assert np.ptp(more.interval()) == pytest.approx(np.ptp(some.interval()), rel=0.15)


def test_equal_rows_leave_no_width():
    score = scored("P@2", Ranking.from_lists([[0, 1]] * 5, n_labels=6), np.eye(1, 6).repeat(5, 0))
    np.testing.assert_allclose(score.interval(), [1 / 2, 1 / 2])


def test_scores_of_one_evaluation_share_their_resamples():
    first, second = scored("P@1"), scored("R@1")
    both = bootstrap([first, second])
    np.testing.assert_array_equal(both, [first.interval(), second.interval()])


def test_no_rows_have_no_interval():
    score = scored("nDCG", MANY[:0], TRUTH[:0])
    assert np.isnan([score.value, *score.interval()]).all()
    assert score.n_units == 0


@pytest.mark.parametrize("notation", ["PSP@1", "PSP(norm=plain)@1", "PSHLoss"])
def test_no_rows_have_no_concentration_interval_either(notation):
    assert np.isnan(scored(notation, MANY[:0], TRUTH[:0]).concentration()).all()


@pytest.mark.parametrize("level", [0, 1, -1, 95])
def test_the_level_is_checked(level):
    with pytest.raises(InputError, match="level must lie between 0 and 1"):
        scored("P@1").interval(level)


# ---------------------------------------------------------------- Theorem 4.3

SMALL = Ranking.from_lists([[0, 1], [2, 0]], n_labels=6)
OBSERVED = np.array([[1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 1]])


@pytest.mark.parametrize("delta", [0.05, 0.5])
@pytest.mark.parametrize(
    ("notation", "largest_term"),
    [
        ("PSP(norm=plain)@1", max(1 / 0.5, 1 / 0.25) / 1),
        ("PSP(norm=plain)@2", max(1 / 0.5, 1 / 0.9, 1 / 0.25) / 2),
        ("PSnDCG(norm=plain)@2", (1 / 0.25) / (1 + 1 / np.log2(3))),
        ("PSR(norm=plain)@2", max((1 / 0.5) / 3, (1 / 0.25) / 4)),
        ("PSMRR(norm=plain)", max((1 / 0.5) / 3, (1 / 0.25) / 4)),
        ("PSHLoss", (1 / 0.25) / 6),  # Theorem 4.4: max 1/p of all labels, over m
    ],
)
def test_the_concentration_interval_is_that_of_the_theorem(notation, largest_term, delta):
    most = np.array([3, 4])  # L*_i, and 1ᵀy* of each row
    score = measure(notation)(SMALL, OBSERVED, propensities=P, complete=most)
    low, high = score.concentration(delta, max_relevant=most)
    mean_square = sqrt((3**2 + 4**2) / 2)
    reach = largest_term * mean_square * sqrt(log(2 / delta) / (2 * 2))
    assert high - score.value == pytest.approx(reach, rel=1e-12)
    assert score.value - low == pytest.approx(reach, rel=1e-12)


def test_one_number_may_stand_for_all_rows():
    score = measure("PSP(norm=plain)@1")(SMALL, OBSERVED, propensities=P)
    assert score.concentration(max_relevant=3) == score.concentration(max_relevant=[3, 3])


def test_the_number_of_relevant_labels_is_estimated_when_it_is_not_given():
    p = np.array([0.5, 0.25, 0.25, 1, 1, 0.25])
    score = measure("PSP(norm=plain)@1")(SMALL, OBSERVED, propensities=p)
    assert score.concentration() == score.concentration(max_relevant=[2 + 4, 2 + 4])


def test_of_a_normalised_value_the_best_list_is_taken_as_fixed():
    plain, ratio = (
        measure(f"PSP(norm={norm})@1")(SMALL, OBSERVED, propensities=P)
        for norm in ("plain", "normalised")
    )
    best = np.mean([1 / 0.5, 1 / 0.5])  # the heaviest observed label of each row
    assert np.ptp(ratio.concentration()) == pytest.approx(np.ptp(plain.concentration()) / best)


@pytest.mark.parametrize("ties", ["order", "expected", "worst", "best"])
@given(case=cases())
def test_no_row_gains_more_than_rho_for_each_relevant_label(ties, case):
    """What ρ stands for in the theorem, whichever order the policy on ties gives the list."""
    for name in ("PSP", "PSR", "PSnDCG", "PSMRR"):
        m = measure(f"{name}(norm=plain,ties={ties})@2")
        score = m(case.ranking, case.Y, propensities=case.p)
        assert (score.numerators <= score.largest_term * (case.Y > 0).sum(axis=1) + 1e-9).all()


def test_the_interval_narrows_with_the_number_of_rows():
    m = measure("PSP(norm=plain)@1")
    once = m(SMALL, OBSERVED, propensities=P)
    often = m(Ranking.stack([SMALL] * 9), np.tile(OBSERVED, (9, 1)), propensities=P)
    assert np.ptp(once.concentration()) == pytest.approx(3 * np.ptp(often.concentration()))


def test_other_measures_and_bad_chances_are_refused():
    with pytest.raises(InputError, match="only propensity-scored measures"):
        scored("P@1").concentration()
    for delta in (0, 1, 2, -1):
        with pytest.raises(InputError, match="delta must lie between 0 and 1"):
            scored("PSP@1").concentration(delta)


# ---------------------------------------------------------------- what it shows


def test_repr_says_what_was_empty_tied_and_short():
    ranking = Ranking.from_lists([[0], [1, 0], [0, 1, 2]], [[1], [1, 1], [3, 2, 2]], n_labels=3)
    score = measure("nDCG@2")(ranking, np.array([[1, 0, 0], [0, 0, 0], [0, 1, 0]]))
    assert repr(score).startswith("nDCG@2 = 0.81")
    assert repr(score).endswith("(2 rows; 1 empty, 1 tied, 1 short)")


@given(cases())
def test_a_score_is_a_number(case):
    score = measure("P@1")(case.ranking, case.Y)
    assert float(score) == score.value == np.mean(score.values)
