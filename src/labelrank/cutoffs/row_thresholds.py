"""Row thresholds: the regression that gives each row of a ranking its own threshold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from labelrank.cutoffs.learned import between
from labelrank.cutoffs.ridge import Line, Moments
from labelrank.cutoffs.scales import top_columns
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["DEPTH", "INPUTS", "columns", "cross_fitted", "middles", "moments_of", "predicted"]

Floats = NDArray[np.float64]
INPUTS = ("labels", "sorted")
DEPTH = 10  # how many of the sorted scores speak
_FOLDS = 5
_MANY, _BLOCK = 4096, 4096  # labels that may each have a weight; rows at a time


def middles(ranking: Ranking, values: Floats, cuts: NDArray[np.int64]) -> Floats:
    """The threshold of each row: half way from the last value kept to the next.

    Before the first and after the last there is no gap: half the median gap is taken. Rows that
    list nothing have one that means nothing.
    """
    some, inside = cuts > 0, cuts < ranking.lengths
    padded, start = np.append(values, 0.0), ranking.indptr[:-1]
    higher = padded[np.maximum(start + cuts - 1, 0)]
    lower = padded[np.minimum(start + cuts, len(values))]
    gaps = (higher - lower)[some & inside]
    gaps = gaps[gaps > 0]
    half = float(np.median(gaps) if len(gaps) else np.std(values)) / 2 or 1.0
    ends = np.where(some, higher - half, lower + half)
    return np.where(some & inside, between(higher, lower), ends)


def moments_of(
    ranking: Ranking, values: Floats, targets: Floats, inputs: str, folds: int = 1
) -> Moments:
    """Sums over the rows that list something; row i is in fold i modulo `folds`."""
    moments = Moments(folds, ranking.n_labels if inputs == "labels" else _depth(ranking))
    for rows, F in columns(ranking, values, inputs):
        listed = ranking.lengths[rows] > 0
        fold = np.arange(rows.start, rows.stop) % folds
        moments.add(F[listed], targets[rows][listed], fold[listed])
    return moments


def cross_fitted(
    ranking: Ranking, values: Floats, targets: Floats, inputs: str, ridges: tuple[float, ...]
) -> Floats:
    """For each ridge the threshold of each row by a line fitted to the other folds."""
    folds = max(1, min(_FOLDS, ranking.n_rows))
    moments = moments_of(ranking, values, targets, inputs, folds)
    lines = [moments.solve(ridges, k if folds > 1 else None) for k in range(folds)]
    thresholds = np.empty((len(ridges), ranking.n_rows))
    for rows, F in columns(ranking, values, inputs):
        for k in range(folds):
            first = (k - rows.start) % folds  # the block's first row of fold k
            mine = slice(rows.start + first, rows.stop, folds)
            for r in range(len(ridges)):
                thresholds[r, mine] = lines[k][r].at(F[first::folds])
    return thresholds


def predicted(ranking: Ranking, values: Floats, inputs: str, line: Line) -> Floats:
    """What a line says of each row."""
    found = [line.at(F) for _, F in columns(ranking, values, inputs)]
    return np.concatenate([*found, np.empty(0)])


def columns(ranking: Ranking, values: Floats, inputs: str) -> Iterator[tuple[slice, Floats]]:
    """The columns of the regression, some rows at a time.

    The values of all labels, where the row's lowest stands for those it does not list; or its
    first ten, where the last is repeated.
    """
    n, m = ranking.shape
    if inputs == "labels" and m > _MANY:
        raise InputError(f"LLSF: inputs='labels' is for at most {_MANY} labels, found {m}.")
    for at in range(0, n, _BLOCK):
        rows = slice(at, min(at + _BLOCK, n))
        part = ranking[rows]
        own = values[ranking.indptr[rows.start] : ranking.indptr[rows.stop]]
        if inputs == "sorted":
            yield rows, top_columns(part, own, _depth(ranking))
            continue
        ends = np.append(own, 0.0)[np.maximum(part.indptr[1:] - 1, 0)]
        F = np.repeat(ends[:, None], m, axis=1)
        F[part.rows, part.labels] = own
        yield rows, F


def _depth(ranking: Ranking) -> int:
    return min(DEPTH, ranking.n_labels)
