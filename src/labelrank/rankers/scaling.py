"""Scaling: columns of mean 0 and variance 1, for methods that feel how large a feature is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Scaling"]


class Scaling:
    """Standardised columns; a column that never varied in training counts for nothing, ever.

    Parameters
    ----------
    F : float32 array (n, d)
        The training columns.

    Attributes
    ----------
    mean, factor : float64 arrays (d,)
        A scaled value is ``(x - mean) * factor``.
    """

    def __init__(self, F: NDArray[np.float32]) -> None:
        self.mean = F.mean(axis=0, dtype=np.float64)
        # float32 sums of a constant column leave a tiny variance: the range says it exactly
        varies = F.max(axis=0) > F.min(axis=0)
        spread = np.where(varies, F.std(axis=0, dtype=np.float64), 0)
        self.factor = np.divide(1, spread, out=np.zeros_like(spread), where=spread > 0)

    def apply(self, F: NDArray[np.float32]) -> NDArray[np.float32]:
        """The scaled columns."""
        return scaled(F, self.mean, self.factor)


def scaled(
    F: NDArray[np.float32], mean: NDArray[np.float64], factor: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Columns scaled by numbers that were kept."""
    out = F - mean.astype(np.float32)
    out *= factor.astype(np.float32)
    return out
