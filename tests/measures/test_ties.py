"""The policies on ties, against the values of all orders of the tied labels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import measures as reference
from reference.rare import PLAIN
from reference.rows import reorderings
from strategies import cases

from labelrank import InputError, Ranking, evaluate, measure
from labelrank.measures import MEASURES

LOSSES = ["RankLoss", "OneError", "Coverage"]
SMALL = cases(max_rows=2, max_labels=5)


def values(name, case, k=None, **options):
    chosen = ",".join(f"{o}={v}" for o, v in {"empty": "skip", **options}.items())
    stem = name.replace(")", f",{chosen})") if "(" in name else f"{name}({chosen})"
    m = measure(stem + (f"@{k}" if k else ""))
    return m(case.ranking, case.Y, propensities=case.p).numerators


def check(name, case, k=None, **options):
    """expected is the mean over all orders of tied labels, worst and best are the extremes."""
    every = [
        np.array([reference.value(name, row, k) for row in orders], float)
        for orders in reorderings(case)
    ]
    low, mean, high = ([f(v) for v in every] for f in (np.min, np.mean, np.max))
    worst, best = (high, low) if name in LOSSES else (low, high)
    for policy, wanted in (("worst", worst), ("best", best), ("expected", mean)):
        if policy not in measure(f"{name}@{k}" if k else name).tie_policies:
            continue
        found = values(name, case, k, ties=policy, **options)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12, err_msg=policy)


@pytest.mark.parametrize("name", reference.AT_K)
@given(case=SMALL, k=st.integers(1, 6))
@settings(max_examples=30)
def test_at_k(name, case, k):
    check(name, case, k)


@pytest.mark.parametrize("name", PLAIN)
@given(case=SMALL, k=st.integers(1, 6))
@settings(max_examples=30)
def test_propensity_scored(name, case, k):
    check(name, case, k, norm="plain")


@pytest.mark.parametrize("name", reference.WHOLE)
@given(case=SMALL)
@settings(max_examples=30)
def test_whole_list(name, case):
    check(name, case)


@pytest.mark.parametrize("name", reference.RANKED)
@given(case=SMALL)
@settings(max_examples=30)
def test_ordered_labels(name, case):
    check(name, case)


# ---------------------------------------------------------------- one tied row, by hand

# Labels 0 and 1 share the first score, 2 and 3 the second; 1 and 2 are relevant, 2 more so.
TIED = Ranking.from_dense(np.array([[0.9, 0.9, 0.1, 0.1]]))
TRUTH = np.array([[0, 1, 2, 0]])
LOG3, LOG5 = np.log2(3), np.log2(5)
BY_HAND = {  # notation: order, expected, worst, best
    "P@1": (0, 1 / 2, 0, 1),
    "R@3": (2 / 2, 3 / 4, 1 / 2, 2 / 2),
    "RR": (1 / 2, (1 / 1 + 1 / 2) / 2, 1 / 2, 1 / 1),
    "RankLoss": (1 / 4 + 1 / 4, 2 / 4, 3 / 4, 1 / 4),
    "OneError": (1, 1 / 2, 1, 0),
    "Coverage": (2, (2 + 3) / 2, 3, 2),
    "MRR": (
        (1 / 2 + 1 / 3) / 2,
        ((1 + 1 / 2) / 2 + (1 / 3 + 1 / 4) / 2) / 2,
        (1 / 2 + 1 / 4) / 2,
        (1 / 1 + 1 / 3) / 2,
    ),
    "MAP": (
        (1 / 2 + 2 / 3) / 2,
        ((1 + 1 / 2) / 2 + (2 / 3 + 2 / 4) / 2) / 2,
        (1 / 2 + 2 / 4) / 2,
        (1 / 1 + 2 / 3) / 2,
    ),
    "nDCG": (
        (1 / LOG3 + 2 / 2) / (2 + 1 / LOG3),
        ((1 + 1 / LOG3) / 2 + (2 / 2 + 2 / LOG5) / 2) / (2 + 1 / LOG3),
        (1 / LOG3 + 2 / LOG5) / (2 + 1 / LOG3),
        (1 + 2 / 2) / (2 + 1 / LOG3),
    ),
    # The pairs with different grades are 01, 02, 12, 13, 23; only 13 and 23 should stand so.
    # The list has 02 and 12 the wrong way round and 13 the right way; 01 and 23 are tied.
    "ranked-Acc": (2 / 5, (1 + 1 / 2 + 1 / 2) / 5, 1 / 5, 3 / 5),
    "ranked-R": (2 / 2, (1 + 1 / 2) / 2, 1 / 2, 2 / 2),
    "ranked-P": (2 / 5, None, 1 / 4, 2 / 4),
    "ranked-F1": (2 * 2 / (4 + 3), None, 2 * 1 / (2 + 3 + 1), 2 * 2 / (4 + 2)),
    "ranked-0/1": (0, None, 0, 0),
}


@pytest.mark.parametrize("notation", BY_HAND)
def test_by_hand(notation):
    name, at, k = notation.partition("@")
    for policy, wanted in zip(
        ("order", "expected", "worst", "best"), BY_HAND[notation], strict=True
    ):
        if wanted is not None:
            found = measure(f"{name}(ties={policy}){at}{k}")(TIED, TRUTH).value
            assert found == pytest.approx(wanted, rel=1e-12), policy


def test_ranked_exact_match_of_a_tied_pair():
    ranking, truth = Ranking.from_dense(np.array([[1.0, 1.0]])), np.array([[1, 0]])
    found = {p: measure(f"ranked-0/1(ties={p})")(ranking, truth).value for p in ("worst", "best")}
    assert found == {"worst": 0, "best": 1}


@pytest.mark.parametrize("name", ["ranked-P", "ranked-F1", "ranked-0/1", "ranked-mAP"])
def test_a_mean_over_orders_that_is_no_sum_over_pairs_is_not_offered(name):
    with pytest.raises(InputError, match="ties must be one of order, worst, best, not 'expected'"):
        measure(f"{name}(ties=expected)")


@pytest.mark.parametrize("name", [n for n, cls in MEASURES.items() if len(cls.tie_policies) == 1])
def test_measures_that_only_see_the_order_refuse_another_policy(name):
    with pytest.raises(InputError, match="ties must be one of order, not 'worst'"):
        MEASURES[name](**({"k": 1} if name == "C" else {}), ties="worst")


def test_ties_are_counted_at_the_cut():
    ranking = Ranking.from_dense(np.array([[2.0, 1, 1], [1, 1, 0], [3, 2, 1], [0, 0, 0]]))
    found = evaluate(ranking, np.eye(4, 3), ["P@1", "P@2", "P@3", "MAP", "HLoss"])
    # @1: rows 1 and 3; @2: rows 0 and 3; @3: nothing stands below; anywhere: rows 0, 1 and 3.
    tied = {name: score.n_tied for name, score in found.items()}
    assert tied == {"P@1": 2, "P@2": 2, "P@3": 0, "MAP": 3, "HLoss": 0}


def test_two_rows_that_meet_with_one_score_are_not_tied():
    assert measure("MAP")(Ranking.from_lists([[0], [1]], n_labels=2), np.eye(2)).n_tied == 0
