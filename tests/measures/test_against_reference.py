"""Every measure of rows equals its plain definition (reference/measures.py) on random rankings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import measures as reference
from reference.rare import PLAIN, best
from reference.rows import rows
from strategies import cases

from labelrank import measure

OPTIONAL_K = ["PSMRR", "PSADG", "PSnDCG"]


def named(name, k=None, **options):
    """The notation of a measure, options added to those that the name has."""
    stem, _, own = name.partition("(")
    chosen = [own.rstrip(")")] * bool(own) + [f"{o}={v}" for o, v in options.items()]
    return stem + (f"({','.join(chosen)})" if chosen else "") + (f"@{k}" if k else "")


def check(case, name, k=None, **options):
    m = measure(named(name, k, empty="skip", **options))
    found = m(case.ranking, case.Y, propensities=case.p).numerators
    wanted = [reference.value(name, row, k) for row in rows(case)]
    np.testing.assert_allclose(found, np.array(wanted, float), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", reference.AT_K)
@given(case=cases(), k=st.integers(1, 8))
def test_at_k(name, case, k):
    check(case, name, k)


@pytest.mark.parametrize("name", [*reference.WHOLE, *reference.RANKED, *reference.DECISIONS])
@given(case=cases())
def test_whole_list(name, case):
    check(case, name)


@pytest.mark.parametrize("name", PLAIN)
@given(case=cases(), k=st.integers(1, 8))
def test_propensity_scored_at_k(name, case, k):
    check(case, name, k, norm="plain")


@pytest.mark.parametrize("name", OPTIONAL_K)
@given(case=cases())
def test_propensity_scored_whole_list(name, case):
    check(case, name, norm="plain")


@pytest.mark.parametrize("name", PLAIN)
@given(case=cases(), k=st.integers(1, 8), missing=st.integers(0, 3))
def test_propensity_scored_with_a_known_number_of_labels(name, case, k, missing):
    complete = (case.Y > 0).sum(axis=1) + missing
    m = measure(named(name, k, empty="skip", norm="plain"))
    found = m(case.ranking, case.Y, propensities=case.p, complete=complete).values
    wanted = [reference.value(name, row, k) for row in rows(case, complete)]
    np.testing.assert_allclose(found, np.array(wanted, float), rtol=1e-12)


@pytest.mark.parametrize("name", PLAIN)
@given(case=cases(), k=st.integers(1, 8))
def test_normalised_is_the_sum_of_gains_over_that_of_the_best_lists(name, case, k):
    """Paper 003, section 7: G({ŷ}) / G({y}), sums over all rows on both sides."""
    found = measure(named(name, k))(case.ranking, case.Y, propensities=case.p).value
    judged = [row for row in rows(case) if row.grades]
    gained = sum(reference.value(name, row, k) for row in judged)
    most = sum(reference.value(name, best(row), k) for row in judged)
    np.testing.assert_allclose(found, gained / most if most else np.nan, rtol=1e-12)
