"""Pairs drawn at random: the losses as papers have them where all pairs were too many."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelrank import _native
from labelrank.errors import InputError
from labelrank.losses.base import Graded, Loss

__all__ = ["Pairs", "drawn_pairs", "sampled"]


class Pairs(NamedTuple):
    """Pairs of entries of a row with different grades.

    Attributes
    ----------
    indptr : int64 array (n_rows + 1,)
        Row i has the pairs ``indptr[i]:indptr[i + 1]``.
    better, worse : int64 arrays
        Which entries.
    """

    indptr: NDArray[np.int64]
    better: NDArray[np.int64]
    worse: NDArray[np.int64]


def drawn_pairs(
    indptr: NDArray[np.int64], grades: NDArray[np.float64], t: int, random_state: Any
) -> Pairs:
    """So many different pairs of each row, all equally likely; every pair where there are fewer.

    Parameters
    ----------
    indptr : int64 array (n_rows + 1,)
    grades : float64 array (n_entries,)
    t : int
    random_state : int, RandomState or None
    """
    if isinstance(t, bool) or not isinstance(t, int | np.integer) or t < 1:
        raise InputError(f"pairs must be a whole number from 1 or None, found {t!r}.")
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    return Pairs(*_native.sampled_pairs(indptr, grades, int(t), seed))


def sampled(graded: Graded, levels: bool, t: int, random_state: Any) -> Loss:
    r"""log(1 + Σ exp(f_v - f_u)) over t drawn pairs of each row; see `rlsep` and `lsep`."""
    indptr, grades = graded.entries
    pairs = drawn_pairs(indptr, grades if levels else (grades > 0).astype(np.float64), t,
                        random_state)  # fmt: skip
    scores = graded.scores.ravel().astype(np.float64)
    gaps = scores[pairs.worse] - scores[pairs.better]
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(pairs.indptr))
    top = np.zeros(len(indptr) - 1)  # the 1 of the formula is exp(0)
    np.maximum.at(top, rows, gaps)
    sums = np.exp(-top) + np.bincount(rows, np.exp(gaps - top[rows]), len(top))
    values: NDArray[np.float64] = top + np.log(sums)
    share = np.exp(gaps - values[rows])
    down = np.bincount(pairs.better, share, len(scores))
    up = np.bincount(pairs.worse, share, len(scores))
    slope, shape = np.asarray(up - down), graded.scores.shape
    bend = np.asarray(up + down - slope**2)
    return Loss(values, slope.reshape(shape), bend.reshape(shape))
