"""Described candidates for AdaRank and RankBoost: few values, so that ties are everywhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from labelrank import Ranking


class Described(NamedTuple):
    ranking: Ranking
    F: np.ndarray
    Y: np.ndarray
    grades: np.ndarray  # of the entries
    weights: np.ndarray


@st.composite
def described(draw, max_groups=4, max_size=4, max_features=3):
    """Groups, some empty; at least one has something to order."""
    m = max_size
    lists = draw(st.lists(st.lists(st.integers(0, m - 1), unique=True), max_size=max_groups))
    lists.append([0, 1])
    ranking = Ranking.from_lists(lists, n_labels=m)
    Y = draw(arrays(np.int8, ranking.shape, elements=st.integers(0, 3))).astype(float)
    Y[-1, :2] = [0, 1]
    d = draw(st.integers(1, max_features))
    F = draw(arrays(np.int8, (ranking.n_entries, d), elements=st.integers(-2, 3)))
    weights = draw(arrays(np.float64, ranking.n_entries, elements=st.sampled_from([0.5, 1, 3])))
    grades = Y[ranking.rows, ranking.labels]
    return Described(ranking, (F / 4).astype(np.float32), Y, grades, weights)
