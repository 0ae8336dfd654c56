"""Score: what a measure says of a ranking, row by row, with its mean and its intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from labelrank.measures.base import Measure

__all__ = ["Score"]


@dataclass(frozen=True, eq=False)
class Score:
    """The value of a measure with everything that went into it.

    Attributes
    ----------
    measure : Measure
        The measure, policies included; ``str(score.measure)`` names it.
    numerators, denominators : arrays
        One for each row (for each label, in macro-F1 and C@k): the value is Σ numerators over
        Σ denominators, NaN rows left out. Denominators are None where the value is a plain mean.
    n_empty, n_tied, n_short : int
        Rows that the policies on empty rows, ties and short lists concerned.
    wrong : array or None
        ``row * n_labels + label`` of every wrong decision, where the measure judges decisions.
    """

    measure: Measure
    numerators: NDArray[np.float64]
    denominators: NDArray[np.float64] | None = None
    n_empty: int = 0
    n_tied: int = 0
    n_short: int = 0
    wrong: NDArray[np.int64] | None = None

    @property
    def value(self) -> float:
        """The measure's value; NaN when no row counts."""
        return float(_ratio(*self._sums()))

    def __float__(self) -> float:
        return self.value

    @property
    def values(self) -> NDArray[np.float64]:
        """One value for each row, NaN where it was left out; their mean is `value`."""
        if self.denominators is None:
            return self.numerators
        mean = np.mean(self.denominators) if len(self.denominators) else np.nan
        return self.numerators / (mean if mean != 0 else np.nan)

    @property
    def n_units(self) -> int:
        """How many rows (or labels) count."""
        return int((~np.isnan(self.numerators)).sum())

    def _sums(self) -> tuple[Any, Any]:
        counted = ~np.isnan(self.numerators)
        below = counted.sum() if self.denominators is None else self.denominators[counted].sum()
        return self.numerators[counted].sum(), below

    def interval(
        self, level: float = 0.95, n_resamples: int = 1000, random_state: int = 0
    ) -> tuple[float, float]:
        """Percentile bootstrap interval: rows are drawn again with replacement.

        Parameters
        ----------
        level : float
            The coverage asked for, in (0, 1).
        n_resamples : int
        random_state : int

        Returns
        -------
        (low, high), both NaN when no row counts.
        """
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1, found {level}.")
        counted = ~np.isnan(self.numerators)
        above = self.numerators[counted]
        below = np.ones_like(above) if self.denominators is None else self.denominators[counted]
        if len(above) == 0:
            return float("nan"), float("nan")
        rng = np.random.default_rng(random_state)
        drawn = np.empty(n_resamples)
        for i in range(n_resamples):
            rows = rng.integers(len(above), size=len(above))
            drawn[i] = _ratio(above[rows].sum(), below[rows].sum())
        low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)

    def __repr__(self) -> str:
        notes = [
            f"{n} {word}"
            for n, word in ((self.n_empty, "empty"), (self.n_tied, "tied"), (self.n_short, "short"))
            if n
        ]
        tail = f"; {', '.join(notes)}" if notes else ""
        return f"{self.measure} = {self.value:.4f} ({self.n_units} {self.measure.unit}s{tail})"


def _ratio(above: float, below: float) -> float:
    return float(above / below) if below else float("nan")
