"""Measures by name: what can be written, and what is said when it cannot be read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank import InputError, measure
from labelrank.measures import MEASURES, Measure
from labelrank.measures.gains import MRR, NDCG, FBeta, Precision
from labelrank.measures.propensity import PSFBeta, PSPrecision, PSRecall

NEED_K = ["P", "R", "Fβ", "C", "PSP", "PSR", "PSFβ"]
MAY_HAVE_K = ["nDCG", "MRR", "ADG", "MAP", "RR", "PSnDCG", "PSMRR", "PSADG"]
CHOICES = {
    "empty": ["skip", "zero", "one", "error"],
    "ties": ["order", "expected", "worst", "best"],
    "gain": ["linear", "exp"],
    "norm": ["normalised", "plain"],
    "depth": ["k", "labels"],
    "count": ["complete", "observed"],
}


@st.composite
def measures(draw):
    """Any measure with any of its options."""
    cls = MEASURES[draw(st.sampled_from(sorted(MEASURES)))]
    known = cls.__dataclass_fields__
    given = {}
    for option in [name for name in CHOICES if name in known]:
        choices = list(cls.tie_policies) if option == "ties" else CHOICES[option]
        given[option] = draw(st.sampled_from(choices))
    if given.get("norm") == "normalised" and given["empty"] == "one":
        given["norm"] = "plain"
    if cls.name in NEED_K or (cls.name in MAY_HAVE_K and draw(st.booleans())):
        given["k"] = draw(st.integers(1, 10**6))
    if "beta" in known:
        given["beta"] = draw(st.integers(1, 40)) / 4
    return cls(**given)


@given(measures())
def test_what_is_printed_can_be_read(m):
    assert measure(str(m)) == m


@pytest.mark.parametrize("beta", [0.5, 2.0, 1 / 3, 12345.678, 1e-5, 1e6])
@pytest.mark.parametrize("cls", [FBeta, PSFBeta])
def test_beta_is_printed_so_that_it_can_be_read(cls, beta):
    assert measure(str(cls(k=3, beta=beta))).beta == beta


@pytest.mark.parametrize(
    ("notation", "wanted"),
    [
        ("P@5", Precision(k=5)),
        (" P@5 ", Precision(k=5)),
        ("P()@5", Precision(k=5)),
        ("P(empty=skip)@5", Precision(k=5, empty="skip")),
        ("P( ties = worst , empty=one )@5", Precision(k=5, empty="one", ties="worst")),
        ("F1@5", FBeta(k=5)),
        ("F0.5@5", FBeta(k=5, beta=0.5)),
        ("F2(ties=best)@3", FBeta(k=3, beta=2, ties="best")),
        ("nDCG", NDCG()),
        ("nDCG(gain=exp)@10", NDCG(k=10, gain="exp")),
        ("MRR@3", MRR(k=3)),
        ("PSP(norm=plain)@1", PSPrecision(k=1, norm="plain")),
        ("PSR(count=observed)@5", PSRecall(k=5, count="observed")),
        ("PSF2@5", PSFBeta(k=5, beta=2)),
    ],
)
def test_names_options_and_lengths(notation, wanted):
    assert measure(notation) == wanted


def test_every_measure_can_be_written_by_its_name():
    for name, cls in MEASURES.items():
        written = name.replace("β", "1") + ("@5" if name in NEED_K else "")
        m = measure(written)
        assert type(m) is cls
        assert str(m) == written
        assert measure(m) is m


def test_defaults_are_left_out_and_options_are_kept():
    assert str(measure("nDCG(gain=linear,empty=skip)@10")) == "nDCG@10"
    assert str(measure("P(empty=zero,ties=best)@1")) == "P(ties=best)@1"
    assert str(measure("MAP(empty=zero)")) == "MAP(empty=zero)"


@pytest.mark.parametrize(
    ("notation", "meant"),
    [
        ("ndcg@5", "nDCG"),
        ("NDCG@5", "nDCG"),
        ("map", "MAP"),
        ("micro-f1", "micro-F1"),
        ("macroF1", "macro-F1"),
        ("PSNDCG@5", "PSnDCG"),
        ("RankingLoss", "RankLoss"),
        ("Hloss", "HLoss"),
        ("ranked-acc", "ranked-Acc"),
        ("OneErr", "OneError"),
    ],
)
def test_an_unknown_name_gets_a_suggestion(notation, meant):
    message = f"there is no measure '{notation}'; did you mean {meant}? Known are P, R, "
    with pytest.raises(InputError, match=re.escape(message)):
        measure(notation)


def test_a_name_like_no_other_gets_the_list():
    with pytest.raises(InputError, match=r"there is no measure 'xyzzy@5'; known are P, R") as e:
        measure("xyzzy@5")
    assert "did you mean" not in str(e.value)
    assert all(name in str(e.value) for name in MEASURES)


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("", "cannot read the measure ''"),
        ("@5", "cannot read the measure '@5'"),
        ("P@5@6", "cannot read the measure"),
        ("P(empty=skip", "cannot read the measure"),
        ("P(empty=skip))@1", "cannot read the measure"),
        ("P@", "cannot read the measure"),
        ("P@x", "k must be a whole number from 1"),
        ("P@-1", "k must be a whole number from 1"),
        ("P@1.5", "k must be a whole number from 1"),
        ("P@0", "k must be a whole number from 1, found 0"),
        ("P", "'P' needs a length: write P@5, say"),
        ("PSF1", "'PSF1' needs a length"),
        ("C", "'C' needs a length"),
        ("HLoss@3", "HLoss looks at the whole list and takes no @k"),
        ("RankLoss@3", "takes no @k"),
        ("P(empty)@5", "cannot read 'empty' in"),
        ("P(=skip)@5", "cannot read '=skip' in"),
        ("P(empty=)@5", "cannot read 'empty=' in"),
        ("P(k=5)", "cannot read 'k=5'"),
        ("F1(beta=2)@5", "cannot read 'beta=2'"),
        ("P(gain=exp)@5", "P has no option 'gain'; it has empty, k, ties"),
        ("P(empty=drop)@5", "empty must be one of skip, zero, one, error, not 'drop'"),
        ("P(ties=random)@5", "ties must be one of order, expected, worst, best, not 'random'"),
        ("nDCG(gain=square)", "gain must be one of linear, exp"),
        ("PSP(norm=yes)@1", "norm must be one of normalised, plain"),
        ("PSnDCG(depth=5)@1", "depth must be one of k, labels"),
        ("PSR(count=all)@1", "count must be one of complete, observed"),
        ("F0@5", "beta must be greater than 0"),
    ],
)
def test_what_cannot_be_read_is_explained(notation, message):
    with pytest.raises(InputError, match=re.escape(message)):
        measure(notation)


def test_an_option_given_twice_is_refused():
    with pytest.raises(InputError, match="empty"):
        measure("P(empty=zero,empty=one)@5")


def test_measures_cannot_be_changed_and_can_be_keys():
    m = measure("P@5")
    with pytest.raises(AttributeError):
        m.k = 6
    assert {m: 1}[measure("P@5")] == 1
    assert isinstance(m, Measure)
