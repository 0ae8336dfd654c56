"""LSEP: a relevant label below an irrelevant one costs; the order of relevant ones is free."""

from __future__ import annotations

from typing import Any

from labelrank.losses.base import Graded, Loss
from labelrank.losses.rlsep import rlsep_of
from labelrank.ranking import Ranking

__all__ = ["lsep"]


def lsep(
    scores: Ranking | Any, Y: Any, *, pairs: int | None = None, random_state: Any = None
) -> Loss:
    r"""Log-sum-exp pairwise loss (paper 002, formula 3; Li et al. 2017): `rlsep` of two levels.

    .. math::
        l = \log\Big(1 + \sum_{u \in Y} \sum_{v \notin Y} e^{f_v - f_u}\Big)

    Parameters
    ----------
    scores, Y, pairs, random_state
        As in `rlsep`; a label is in Y when its grade is above 0.

    Returns
    -------
    Loss

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.losses import lsep
    >>> loss = lsep(np.log([[4.0, 2.0, 1.0]]), np.array([[2, 1, 0]]))
    >>> float(np.exp(loss.values[0]))            # 1 + 1/4 + 1/2
    1.75
    """
    return rlsep_of(Graded.of(scores, Y), False, pairs, random_state)
