"""Support: the training rows that speak for a label, with what is known of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.features import MetaLevel
from labelrank.ranking import Ranking

__all__ = ["Support", "supports"]


class Support(NamedTuple):
    """The training rows that speak for a label.

    Attributes
    ----------
    label : int
    rows : int32 array
        Their numbers, the nearest first: as many as describe a pair, or all there are.
    distances : float32 array
        How far they are, by the first of the distances that describe pairs.
    labels : list of int32 arrays
        All labels of each of them.
    """

    label: int
    rows: NDArray[np.int32]
    distances: NDArray[np.float32]
    labels: list[NDArray[np.int32]]


def supports(features: MetaLevel, X: Any, ranking: Ranking) -> list[list[Support]]:
    """What speaks for each label that a ranking lists, row by row.

    Parameters
    ----------
    features : MetaLevel
        Fitted.
    X : array (n_rows, n_features)
    ranking : Ranking
        The labels asked about.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.features import MetaLevel
    >>> from labelrank.recipes.support import supports
    >>> X, Y = np.array([[0.0], [3.0], [4.0]]), np.array([[1, 0], [1, 1], [0, 1]])
    >>> second = Ranking.from_lists([[1]], n_labels=2)
    >>> one = supports(MetaLevel(k=2).fit(X, Y), [[2.0]], second)[0][0]
    >>> one.rows.tolist(), one.distances.tolist(), [labels.tolist() for labels in one.labels]
    ([1, 2], [1.0, 2.0], [[0, 1], [1]])
    """
    near = features.neighbours(X, ranking)
    having = sp.csr_array(features.members_.T)  # the labels of each training row

    def of(e: int) -> Support:
        rows = near.rows[e][near.rows[e] >= 0]
        known = [having.indices[having.indptr[i] : having.indptr[i + 1]] for i in rows]
        return Support(int(ranking.labels[e]), rows, near.distances[e][: len(rows)], known)

    ends = zip(ranking.indptr[:-1], ranking.indptr[1:], strict=True)
    return [[of(e) for e in range(start, end)] for start, end in ends]
