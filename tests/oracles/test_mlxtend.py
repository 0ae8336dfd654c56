"""Association rules equal those of mlxtend."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelrank.data import Dataset, Settings, Things
from labelrank.data.relevance import Tuning
from labelrank.scorers.rules import rules

mlxtend = pytest.importorskip("mlxtend.frequent_patterns")
NAMES = list("abcdef")


@st.composite
def tables(draw):
    rows = st.lists(st.booleans(), min_size=len(NAMES), max_size=len(NAMES))
    return np.array(draw(st.lists(rows, min_size=1, max_size=12)))


def theirs(Y, given, length, support, confidence):
    """{(X, c): (things with X, things with both)} of mlxtend, for X of the given tags."""
    n = len(Y)
    if support > n:
        return {}
    frame = pd.DataFrame(Y, columns=NAMES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sets = mlxtend.fpgrowth(
            frame, min_support=(support - 0.5) / n, use_colnames=True, max_len=length + 1
        )
        if not (sets["itemsets"].map(len) > 1).any():
            return {}
        found = mlxtend.association_rules(
            sets, metric="confidence", min_threshold=max(confidence - 1e-9, 0)
        )
    return {
        (frozenset(X), next(iter(c))): (round(a * n), round(s * n))
        for X, c, a, s in zip(
            found["antecedents"], found["consequents"], found["antecedent support"],
            found["support"], strict=True,
        )
        if len(c) == 1 and given >= X and not c <= given
    }  # fmt: skip


@settings(max_examples=25)
@given(
    tables(), st.sets(st.sampled_from(NAMES), max_size=5), st.integers(1, 3), st.integers(1, 3),
    st.sampled_from([0.0, 0.5, 0.75]),
)  # fmt: skip
def test_rules_equal_those_of_mlxtend(Y, given, length, support, confidence):
    things = Things.of(
        Dataset(Y=Y, label_names=NAMES), Settings(support=support, confidence=confidence)
    )
    own = things.known_tags(sorted(given))
    found = rules(things, own, Tuning(length=length))
    ours = {
        (frozenset(NAMES[x] for x in X if x >= 0), NAMES[c]): (n, both)
        for X, c, n, both in zip(*(a.tolist() for a in found), strict=True)
    }
    assert ours == theirs(Y, given, length, support, confidence)
    assert len(ours) == len(found.consequents)  # each once
