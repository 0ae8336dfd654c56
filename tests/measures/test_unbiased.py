"""Theorems 4.1, 4.2 and 4.4 of paper 003, by adding up every observed truth with its chance."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import measures as reference
from reference.rare import PLAIN
from reference.rows import Row

from labelrank import Ranking, measure

ORDER = [3, 0, 4, 1]  # of six labels; 2 and 5 are not listed
RELEVANT = [0, 2, 3, 4]  # of the complete truth; 1 and 5 are not
P = np.array([0.5, 0.9, 0.25, 0.8, 0.1, 0.3])


def independent(relevant, p):
    """Every observed subset, with its chance when labels go missing one by one."""
    for kept in product([False, True], repeat=len(relevant)):
        chances = [p[c] if k else 1 - p[c] for c, k in zip(relevant, kept, strict=True)]
        yield [c for c, k in zip(relevant, kept, strict=True) if k], np.prod(chances)


def together(relevant, p):
    """The same propensities, but labels go missing together: label c stays while u < p_c."""
    cuts = sorted({0.0, 1.0, *(float(p[c]) for c in relevant)})
    for low, high in pairwise(cuts):
        yield [c for c in relevant if p[c] >= high], high - low


def expectation(notation, order, relevant, p, model):
    """E[value] over the observed truths, 1ᵀy* known."""
    subsets, chances = zip(*model(relevant, p), strict=True)
    Y = np.zeros((len(subsets), len(p)))
    for row, subset in zip(Y, subsets, strict=True):
        row[subset] = 1
    ranking = Ranking.from_lists([order] * len(subsets), n_labels=len(p))
    complete = np.full(len(subsets), len(relevant))
    score = measure(notation)(ranking, Y, propensities=p, complete=complete)
    assert sum(chances) == pytest.approx(1)
    return np.dot(chances, score.values)


def on_complete_truth(notation, order, relevant, m):
    """The value with nothing missing: the measure's own definition with p = 1."""
    name, _, k = notation.partition("@")
    row = Row(order, dict.fromkeys(relevant, 1.0), m, np.ones(m))
    return reference.value(name.partition("(")[0], row, int(k) if k else None)


NOTATIONS = [f"{name}(norm=plain)@{k}" for name in PLAIN for k in (1, 2, 4, 6)]
NOTATIONS += ["PSMRR(norm=plain)", "PSADG(norm=plain)", "PSnDCG(norm=plain)", "PSHLoss"]


@pytest.mark.parametrize("model", [independent, together])
@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_expected_value_is_the_value_on_the_complete_truth(notation, model):
    found = expectation(notation, ORDER, RELEVANT, P, model)
    assert found == pytest.approx(on_complete_truth(notation, ORDER, RELEVANT, 6), rel=1e-12)


@given(
    st.permutations(range(5)),
    st.integers(0, 5),
    st.sets(st.integers(0, 4), min_size=1),
    st.lists(st.sampled_from([0.1, 0.3, 0.5, 0.9, 1.0]), min_size=5, max_size=5),
    st.sampled_from(["PSP(norm=plain)@3", "PSnDCG(norm=plain)@3", "PSR(norm=plain)@3", "PSHLoss"]),
)
def test_of_any_list_truth_and_propensities(order, length, relevant, p, notation):
    order, relevant = list(order[:length]), sorted(relevant)
    found = expectation(notation, order, relevant, np.array(p), independent)
    wanted = on_complete_truth(notation, order, relevant, 5)
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("notation", "plain"), [("PSP(norm=plain)@2", "P@2"), ("PSHLoss", "HLoss")]
)
def test_the_measure_without_propensities_is_biased(notation, plain):
    """What the theorems repair: on observed labels P@k is too low and the loss is off."""
    truth = on_complete_truth(notation, ORDER, RELEVANT, 6)
    naive = expectation(plain, ORDER, RELEVANT, P, independent)
    assert abs(naive - truth) > 0.05
    assert expectation(notation, ORDER, RELEVANT, P, independent) == pytest.approx(truth)


def test_the_estimated_number_of_labels_is_unbiased():
    """Where 1ᵀy* is not known it is estimated as Σ y/p, whose expectation it is."""
    total = sum(chance * sum(1 / P[c] for c in kept) for kept, chance in independent(RELEVANT, P))
    assert total == pytest.approx(len(RELEVANT))
