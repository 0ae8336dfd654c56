"""Cross entropy: the labels of a row share its probability evenly, whatever their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelrank import _native
from labelrank.losses.base import Graded, Loss
from labelrank.ranking import Ranking

__all__ = ["cross_entropy"]


def cross_entropy(scores: Ranking | Any, Y: Any) -> Loss:
    r"""Cross entropy with an even truth (paper 002, formula 1).

    .. math::
        l = -\sum_j p_j \log \sigma(f)_j, \qquad p_j = \frac{[r_j > 0]}{|Y|}, \qquad
        \sigma(f)_j = \frac{e^{f_j}}{\sum_k e^{f_k}}

    Parameters
    ----------
    scores, Y
        As in `rlsep`. A row without a relevant label costs nothing.

    Returns
    -------
    Loss

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.losses import cross_entropy
    >>> loss = cross_entropy(np.log([[4.0, 2.0, 2.0]]), np.array([[2, 1, 0]]))
    >>> float(np.exp(-2 * loss.values[0]))       # 4/8 times 2/8
    0.125...
    """
    graded = Graded.of(scores, Y)
    indptr, grades = graded.entries
    lengths = np.diff(indptr)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    relevant = (grades > 0).astype(np.float64)
    counts = np.bincount(rows, relevant, len(lengths))
    targets = relevant / np.maximum(counts, 1)[rows]
    flat = np.ascontiguousarray(graded.scores.ravel())
    _, slope = _native.top_one(indptr, flat, targets)
    share = slope + targets  # σ(f), or 0 where nothing is relevant
    values = np.zeros(len(lengths))
    filled = np.flatnonzero(lengths)
    if len(filled):
        starts = indptr[filled]
        top = np.zeros(len(lengths))
        top[filled] = np.maximum.reduceat(flat, starts)
        above = flat - top[rows]
        values[filled] = np.log(np.add.reduceat(np.exp(above), starts))
        values[filled] -= np.add.reduceat(targets * above, starts)
        values[counts == 0] = 0
    shape = graded.scores.shape
    return Loss(values, slope.reshape(shape), (share * (1 - share)).reshape(shape))
