"""Hypothesis strategies: rankings, truths and propensities, small enough to check by hand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from labelrank import Ranking

DTYPES = st.sampled_from([np.float32, np.float64])


class Case(NamedTuple):
    """A ranking, its truth (dense grades) and the propensity of each label."""

    ranking: Ranking
    Y: np.ndarray
    p: np.ndarray


class Entries(NamedTuple):
    """Rows of (label, score) as the kernels take them; labels are distinct within a row."""

    indptr: np.ndarray
    labels: np.ndarray
    scores: np.ndarray
    n_labels: int


@st.composite
def entries(draw, max_rows=5, max_labels=8, dtype=None):
    """Rows in no order, some empty, with ties; scores are small quarters, exact in float32."""
    n_labels = draw(st.integers(1, max_labels))
    row = st.lists(st.integers(0, n_labels - 1), unique=True, max_size=n_labels)
    rows = draw(st.lists(row, max_size=max_rows))
    size = sum(map(len, rows))
    quarters = draw(arrays(np.int8, size, elements=st.integers(-4, 4)))
    return Entries(
        np.cumsum([0, *map(len, rows)]).astype(np.int64),
        np.array([label for row in rows for label in row], dtype=np.int32),
        (quarters / 4).astype(dtype or draw(DTYPES)),
        n_labels,
    )


@st.composite
def truths(draw, n_rows, n_labels, max_grade=3):
    """Grades of shape (n_rows, n_labels), about half of them 0."""
    grade = st.one_of(st.just(0), st.integers(0, max_grade))
    return draw(arrays(np.int8, (n_rows, n_labels), elements=grade)).astype(np.float64)


@st.composite
def cases(draw, min_rows=1, max_rows=4, min_labels=1, max_labels=6, ties=True, full=False):
    """A ranking (partial unless `full`) with a graded truth and propensities."""
    n = draw(st.integers(min_rows, max_rows))
    m = draw(st.integers(min_labels, max_labels))
    if ties:
        scores = draw(arrays(np.int8, (n, m), elements=st.integers(0, 3))) / 4
    else:
        scores = np.array([draw(st.permutations(range(m))) for _ in range(n)]).reshape(n, m) / 4
    listed = np.ones((n, m), bool) if full else draw(arrays(bool, (n, m)))
    lists = [np.flatnonzero(row) for row in listed]
    ranking = Ranking.from_entries(
        np.cumsum([0, *map(len, lists)]),
        np.concatenate([*lists, np.empty(0, np.int64)]),
        scores[listed].astype(draw(DTYPES)),
        m,
    )
    p = draw(arrays(np.float64, m, elements=st.sampled_from([0.1, 0.25, 0.5, 0.8, 1.0])))
    return Case(ranking, draw(truths(n, m)), p)
