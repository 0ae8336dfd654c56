"""The kernels behind the measures agree with their plain twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import judging, ordering
from strategies import cases, entries

from labelrank import _native
from labelrank.measures import Judged

GAINS = st.sampled_from([0.0, 0.0, 1.0, 2.5])


@st.composite
def gained(draw):
    """The entries of a ranking, best first, with a gain for each."""
    ranking = draw(cases(min_rows=0)).ranking
    return ranking, draw(arrays(np.float64, ranking.n_entries, elements=GAINS))


@given(cases(min_rows=0))
def test_look_up(case):
    judged, r = Judged(case.ranking, case.Y), case.ranking
    arguments = (r.indptr, r.labels, judged.indptr, judged.labels, judged.grades)
    found = _native.look_up(*arguments)
    np.testing.assert_array_equal(found, judging.look_up(*arguments))
    np.testing.assert_array_equal(found, case.Y[r.rows, r.labels])


@pytest.mark.parametrize("kernel", ["discounted_sum", "discounted_max"])
@given(case=gained(), k=st.integers(0, 8))
def test_discounted(kernel, case, k):
    ranking, gains = case
    arguments = (ranking.indptr, gains, 1 / np.arange(1.0, k + 1))
    wanted = getattr(judging, kernel)(*arguments)
    np.testing.assert_allclose(getattr(_native, kernel)(*arguments), wanted)


@given(gained())
def test_sort_falling(case):
    ranking, gains = case
    found = _native.sort_falling(ranking.indptr, gains)
    np.testing.assert_array_equal(found, judging.sort_falling(ranking.indptr, gains))


@given(gained(), st.sampled_from([0, 1, 2]))
def test_settle_ties(case, policy):
    ranking, gains = case
    arguments = (ranking.indptr, ranking.scores, gains, policy)
    found = _native.settle_ties(*arguments)
    np.testing.assert_allclose(found, judging.settle_ties(*arguments), rtol=1e-12)


@given(gained(), st.integers(1, 7), st.booleans())
def test_precision_sum(case, k, expected):
    ranking, gains = case
    arguments = (ranking.indptr, ranking.scores, gains, k, expected)
    found = _native.precision_sum(*arguments)
    np.testing.assert_allclose(found, judging.precision_sum(*arguments), rtol=1e-12, atol=1e-12)


@given(gained(), st.sampled_from([-1.0, 0.0, 0.5, 1.0]))
def test_wrong_pairs(case, tie):
    ranking, gains = case
    arguments = (ranking.indptr, ranking.scores, gains, tie)
    np.testing.assert_allclose(_native.wrong_pairs(*arguments), judging.wrong_pairs(*arguments))


@given(cases(min_rows=0), st.sampled_from([-1.0, 0.0, 0.5, 1.0]), st.booleans())
def test_ordered_pairs(case, tie, levels):
    judged, r = Judged(case.ranking, case.Y), case.ranking
    arguments = (r.indptr, r.labels, r.scores, judged.indptr, judged.labels, judged.grades)
    found = _native.ordered_pairs(*arguments, r.n_labels, tie, levels)
    wanted = ordering.ordered_pairs(*arguments, r.n_labels, tie, levels)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@given(entries(max_rows=2))
def test_inputs_stay_as_they_are(rows):
    gains = np.arange(len(rows.labels), dtype=float)
    arguments = (rows.indptr, rows.scores, gains)
    before = [a.copy() for a in arguments]
    _native.settle_ties(*arguments, 1)
    _native.sort_falling(rows.indptr, gains)
    for array, old in zip(arguments, before, strict=True):
        np.testing.assert_array_equal(array, old)


def test_the_twin_of_the_expected_precision_is_the_published_one():
    # McSherry & Najork 2008: two tied labels, one relevant: half of 1/1 and half of 1/2.
    found = judging.precision_sum([0, 2], [1, 1], np.array([1, 0]), 2, True)
    np.testing.assert_allclose(found, [(1 / 1 + 1 / 2) / 2])


@pytest.mark.parametrize(
    ("kernel", "arguments", "message"),
    [
        ("look_up", "rows labels rows labels gains2", "t_values has 2 values where 3"),
        ("look_up", "rows labels rows2 labels gains", "t_indptr has 3 values where 2"),
        ("discounted_sum", "rows gains2 gains", "indptr must start at 0"),
        ("discounted_max", "rows gains2 gains", "indptr must start at 0"),
        ("sort_falling", "rows gains2", "indptr must start at 0"),
        ("settle_ties", "rows gains2 gains zero", "scores has 2 values where 3"),
        ("wrong_pairs", "rows gains2 gains half", "scores has 2 values where 3"),
        ("precision_sum", "rows gains2 gains one no", "scores has 2 values where 3"),
        ("ordered_pairs", "rows labels gains rows labels gains one half no", "must lie in 0..0"),
    ],
)
def test_shapes_that_disagree_are_refused(kernel, arguments, message):
    known = {
        "rows": np.array([0, 3]),
        "rows2": np.array([0, 1, 3]),
        "labels": np.arange(3, dtype=np.int32),
        "gains": np.ones(3),
        "gains2": np.ones(2),
        **{"zero": 0, "one": 1, "half": 0.5, "no": False},
    }
    with pytest.raises(ValueError, match=message):
        getattr(_native, kernel)(*(known[name] for name in arguments.split()))
