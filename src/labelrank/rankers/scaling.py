"""Scaling: columns of mean 0 and variance 1, for methods that feel how large a feature is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["Scaling"]

_BLOCK = 1 << 14  # rows in double precision at a time


class Scaling:
    """Standardised columns; a column that never varied in training counts for nothing, ever.

    Parameters
    ----------
    F : float32 array (n, d)
        The training columns.
    unit : bool
        Whether the variance becomes 1; if not, only the mean becomes 0.

    Attributes
    ----------
    mean, factor : float64 arrays (d,)
        A scaled value is ``(x - mean) * factor``.
    """

    def __init__(self, F: NDArray[np.float32], unit: bool = True) -> None:
        self.mean = F.mean(axis=0, dtype=np.float64)
        squares = np.zeros(F.shape[1])
        for rows in _blocks(len(F)):
            squares += np.square(F[rows] - self.mean).sum(axis=0)
        # sums of a constant column leave a tiny variance: the range says it exactly
        varies = F.max(axis=0) > F.min(axis=0)
        spread = np.where(varies, np.sqrt(squares / len(F)), 0)
        self.factor = np.divide(1, spread, out=np.zeros_like(spread), where=spread > 0)
        if not unit:
            self.factor = (self.factor > 0).astype(np.float64)

    def apply(self, F: NDArray[np.float32]) -> NDArray[np.float32]:
        """The scaled columns."""
        out = np.empty_like(F)
        for rows in _blocks(len(F)):
            out[rows] = (F[rows] - self.mean) * self.factor
        return out


def _blocks(n: int) -> Iterator[slice]:
    return (slice(at, at + _BLOCK) for at in range(0, n, _BLOCK))
