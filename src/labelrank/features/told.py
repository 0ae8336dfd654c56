"""What one ranking says of the entries of another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank.ranking import Ranking

__all__ = ["told"]


def told(listed: Ranking, ranking: Ranking) -> NDArray[np.float32]:
    """(score, 1/place) in one ranking of the entries of another.

    An entry that is not listed has the least score of its row's list, 0 where that is empty, and
    1/place 0.
    """
    entries = np.lexsort((listed.labels, listed.rows))
    labels = listed.labels[entries]
    at = (ranking.indptr, ranking.labels, listed.indptr, labels)
    places = _native.look_up(*at, 1 / (1.0 + listed.positions[entries]))
    # look_up says 0 for what is not listed: scores are lifted so that the least of a row is 0
    least = np.zeros(listed.n_rows)
    filled = listed.lengths > 0
    least[filled] = listed.scores[listed.indptr[1:][filled] - 1]
    lifted = listed.scores[entries] - least[listed.rows]
    scores = _native.look_up(*at, lifted.astype(np.float64)) + least[ranking.rows]
    return np.column_stack([scores, places]).astype(np.float32)
