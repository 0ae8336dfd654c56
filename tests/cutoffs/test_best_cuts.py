"""The kernel that finds each list's best cut, against trying every threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import cutoffs as twin
from strategies import cases

from labelrank import Ranking, _native
from labelrank._labels import check_labels
from labelrank.cutoffs.learned import TIES, Truth, best_cuts, between


@given(cases(min_rows=0), st.sampled_from(["f1", "errors"]), st.sampled_from(TIES))
def test_the_best_cut_of_every_row(case, criterion, ties):
    truth = Truth.of(case.ranking, check_labels(case.Y))
    cuts = best_cuts(case.ranking.indptr, case.ranking.scores, truth, criterion, ties)
    for i, (labels, scores) in enumerate(case.ranking):
        hits = case.Y[i, labels] > 0
        assert cuts[i] == twin.best_cut(scores, hits, (case.Y[i] > 0).sum(), criterion, ties)


def cut(scores, hits, relevant, criterion="f1", ties="fewest"):
    ranking = Ranking([0, len(scores)], np.arange(len(scores)), scores, max(len(scores), 1))
    truth = Truth(np.array(hits, bool), np.array([relevant]))
    return int(best_cuts(ranking.indptr, ranking.scores, truth, criterion, ties)[0])


def test_by_hand():
    # F1 after 1, 2, 3 and 4: 2/4, 2/5, 4/6, 4/7 of 3 relevant ones, one of them not listed
    assert cut([4.0, 3, 2, 1], [1, 0, 1, 0], 3) == 3
    # errors: 3, 2, 3, 2, 3; the widest gap decides between 1 and 3
    for ties, k in {"fewest": 1, "most": 3, "widest": 3}.items():
        assert cut([4.0, 3, 2, 0], [1, 0, 1, 0], 3, "errors", ties) == k


@pytest.mark.parametrize("criterion", ["f1", "errors"])
@pytest.mark.parametrize("ties", TIES)
def test_odd_lists(criterion, ties):
    assert cut([], [], 0, criterion, ties) == 0
    assert cut([], [], 2, criterion, ties) == 0
    assert cut([1.0], [1], 1, criterion, ties) == 1
    assert cut([1.0], [0], 0, criterion, ties) == 0
    assert cut([500.0, -500], [0, 0], 0, criterion, ties) == 0  # nothing is relevant
    assert cut([500.0, -500], [1, 1], 2, criterion, ties) == 2  # everything is
    assert cut([1.0, 1, 1], [1, 1, 0], 2, criterion, ties) == 3  # a threshold parts no equals


def test_ties_of_a_row_that_no_threshold_helps():
    """Its relevant label is not listed: with F1 all cuts are worth 0."""
    assert cut([2.0, 1], [0, 0], 1) == 0
    assert cut([2.0, 1], [0, 0], 1, ties="most") == 2
    assert cut([2.0, 1], [0, 0], 1, ties="widest") == 1
    assert cut([2.0, 1], [0, 0], 1, "errors", "most") == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"indptr": np.array([0, 3])}, "indptr"),
        ({"scores": np.ones(3)}, "scores has 3 values"),
        ({"relevant": np.array([1, 1])}, "relevant has 2 values"),
        ({"relevant": np.array([-1])}, "relevant must lie in"),
        ({"relevant": np.array([10**10])}, "relevant must lie in"),
        ({"ties": 3}, "ties must be"),
        ({"ties": -1}, "ties must be"),
    ],
)
def test_the_kernel_refuses_arrays_that_do_not_fit(change, says):
    good = {
        "indptr": np.array([0, 2]), "scores": np.array([2.0, 1.0]),
        "hits": np.array([1, 0], np.uint8), "relevant": np.array([1]), "f1": True, "ties": 0,
    }  # fmt: skip
    assert _native.best_cuts(**good).tolist() == [1]
    with pytest.raises(ValueError, match=says):
        _native.best_cuts(**good | change)


@given(st.floats(-1e300, 1e300), st.floats(0, 1e300))
def test_a_threshold_between_parts_them(low, gap):
    high = low + gap
    middle = between(np.array([high]), np.array([low]))[0]
    assert middle <= high
    assert middle > low or high == low
    following = np.nextafter(low, np.inf)
    assert between(np.array([following]), np.array([low]))[0] == following
