"""Comparable: the groups of which an order can be learned."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["comparable"]


def comparable(
    indptr: NDArray[np.int64], values: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The candidates of groups in which not all have the same value, and the groups' new borders.

    A group that is empty, has one candidate, none relevant or all equally so is as good in one
    order as in any other: boosting on groups or pairs learns nothing from it.

    Parameters
    ----------
    indptr : int64 array (n_groups + 1,)
    values : array (n_candidates,)

    Returns
    -------
    rows : int64 array
        The candidates that remain, in their order.
    indptr : int64 array
        Of the groups that remain.

    Examples
    --------
    >>> rows, indptr = comparable(np.array([0, 2, 2, 4]), np.array([1, 1, 0, 3]))
    >>> rows.tolist(), indptr.tolist()
    ([2, 3], [0, 2])
    """
    sizes = np.diff(indptr)
    keep = np.zeros(len(sizes), dtype=bool)
    filled = np.flatnonzero(sizes)
    if len(filled):
        starts = indptr[filled]
        keep[filled] = np.maximum.reduceat(values, starts) > np.minimum.reduceat(values, starts)
    borders = np.concatenate([[0], np.cumsum(sizes[keep])]).astype(np.int64)
    return np.flatnonzero(np.repeat(keep, sizes)), borders
