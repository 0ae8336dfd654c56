"""Ridge: least squares from moments that are summed once, for any part of the rows left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Line", "Moments"]

Floats = NDArray[np.float64]


class Line(NamedTuple):
    """A linear function of the columns."""

    weights: Floats
    intercept: float

    def at(self, F: Floats) -> Floats:
        """Its value for each row of columns."""
        values: Floats = F @ self.weights + self.intercept
        return values


class Moments:
    """Sums of squares and products of (columns, target), by fold.

    Parameters
    ----------
    folds : int
    n_columns : int

    Notes
    -----
    A shift near the mean is taken off first, so that large values with small differences keep
    their digits. Memory is ``folds × n_columns²`` numbers, whatever the number of rows.
    """

    def __init__(self, folds: int, n_columns: int) -> None:
        self.sums = np.zeros((folds, n_columns + 2, n_columns + 2))
        self.shift: Floats | None = None

    def add(self, F: Floats, target: Floats, fold: NDArray[np.int64]) -> None:
        """Add rows, each to its fold."""
        rows = np.column_stack([F, target, np.ones(len(F))])
        if self.shift is None:
            self.shift = rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
            self.shift[-1] = 0
        rows -= self.shift
        for k in np.unique(fold):
            part = rows[fold == k]
            self.sums[k] += part.T @ part

    def solve(self, ridges: tuple[float, ...], without: int | None = None) -> list[Line]:
        r"""The least squares line for each ridge, of all rows or without one fold.

        .. math::
            \min_{w,b} \sum_i (w^\top f_i + b - t_i)^2 + \rho\,\bar\lambda\, |w|^2

        where the ridge :math:`\rho` is a share of the columns' mean sum of squares
        :math:`\bar\lambda`. Directions without variance get no weight, so ridge 0 is the shortest
        of all solutions also where columns depend on each other (a softmax sums to one).
        """
        total = self.sums.sum(axis=0) if without is None else _rest(self.sums, without)
        n = total[-1, -1]
        d = len(total) - 2
        shift = np.zeros(d + 2) if self.shift is None else self.shift
        if n == 0:
            return [Line(np.zeros(d), 0.0) for _ in ridges]
        means = total[-1, :-1] / n
        centred = total[:-1, :-1] - n * np.outer(means, means)
        values, vectors = np.linalg.eigh(centred[:d, :d])
        values = np.maximum(values, 0)
        cross = vectors.T @ centred[:d, d]
        # what rounding leaves of no variance at all: relative to the largest and to the raw sums
        floor = max(values.max(initial=0) * 1e-12, np.trace(total[:d, :d]) * 1e-15)
        lines = []
        for ridge in ridges:
            damped = values + ridge * values.mean() if d else values
            share = np.divide(cross, damped, out=np.zeros(d), where=values > floor)
            weights = vectors @ share
            intercept = means[d] + shift[d] - weights @ (means[:d] + shift[:d])
            lines.append(Line(weights, float(intercept)))
        return lines


def _rest(sums: Floats, fold: int) -> Floats:
    """The sum over all folds but one."""
    rest: Floats = np.delete(sums, fold, axis=0).sum(axis=0)
    return rest
