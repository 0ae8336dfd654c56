"""RLSEP: every pair of labels in the wrong order costs, exponentially more the wronger it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelrank import _native
from labelrank.losses.base import Graded, Loss
from labelrank.losses.pairs import sampled
from labelrank.ranking import Ranking

__all__ = ["rlsep", "rlsep_of"]


def rlsep(
    scores: Ranking | Any, Y: Any, *, pairs: int | None = None, random_state: Any = None
) -> Loss:
    r"""Ranked log-sum-exp pairwise loss (paper 002, formula 6), by default over all pairs.

    .. math::
        l = \log\Big(1 + \sum_{(u, v):\, r_u > r_v} e^{f_v - f_u}\Big)

    The sum has a term for each of up to :math:`K^2` pairs, but level by level it factors into

    .. math::
        \sum_{\ell} \Big(\sum_{u:\, r_u = \ell} e^{-f_u}\Big)
        \Big(\sum_{v:\, r_v < \ell} e^{f_v}\Big),

    so that with running sums from level to level value and derivatives cost
    :math:`O(K + k \log k)` for k labels of grade above 0. Running sums are kept as logarithms:
    scores may be of any size.

    Parameters
    ----------
    scores : Ranking, or array (n_rows, n_labels)
        Of a Ranking the listed labels count and no others.
    Y : sparse or dense array (n_rows, n_labels)
        Grades; only their order counts. Labels of grade 0 are one level, below all others, and
        cost no sorting. A row whose labels are all of one grade costs nothing.
    pairs : int, optional
        Only so many pairs of each row, drawn at random without repetition: the paper's
        :math:`\zeta(R; t)`.
    random_state : int, RandomState or None
        Of the drawing.

    Returns
    -------
    Loss

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.losses import rlsep
    >>> loss = rlsep(np.log([[4.0, 2.0, 1.0]]), np.array([[2, 1, 0]]))
    >>> float(np.exp(loss.values[0]))            # 1 + 2/4 + 1/4 + 1/2
    2.25
    >>> loss.slope.round(3)
    array([[-0.333,  0.   ,  0.333]])
    """
    return rlsep_of(Graded.of(scores, Y), True, pairs, random_state)


def rlsep_of(graded: Graded, levels: bool, pairs: int | None, random_state: Any) -> Loss:
    """The loss of scores beside their grades; without `levels` grades above 0 are one level."""
    if pairs is not None:
        return sampled(graded, levels, pairs, random_state)
    if graded.ranking is None:
        return Loss(*_native.rlsep_dense(graded.scores, *graded.rows, levels))
    indptr, grades = graded.entries
    ones = np.ones(len(indptr) - 1)
    return Loss(*_native.rlsep(indptr, graded.scores, grades, ones, levels))
