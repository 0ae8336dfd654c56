"""Score: what a measure says of a ranking, row by row, with its mean and its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labelrank.errors import InputError

if TYPE_CHECKING:
    from labelrank.measures.base import Measure

__all__ = ["Score", "bootstrap"]


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
    largest_term, relevant : float and array, or None
        ρ and the estimated L* of Theorem 4.3, in propensity-scored measures.
    """

    measure: Measure
    numerators: NDArray[np.float64]
    denominators: NDArray[np.float64] | None = None
    n_empty: int = 0
    n_tied: int = 0
    n_short: int = 0
    wrong: NDArray[np.int64] | None = None
    largest_term: float | None = None
    relevant: NDArray[np.float64] | None = None

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
        _, below = self._sums()
        return self.numerators * (self.n_units / below if below else np.nan)

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
        low, high = bootstrap([self], level, n_resamples, random_state)[0]
        return float(low), float(high)

    def concentration(self, delta: float = 0.05, max_relevant: Any = None) -> tuple[float, float]:
        r"""Interval in which the expectation lies with chance 1 - delta (paper 003, Theorem 4.3).

        .. math:: |E[G] - G| \le \rho \bar L \sqrt{\tfrac{1}{2N} \log \tfrac{2}{\delta}}

        Parameters
        ----------
        delta : float
        max_relevant : float or array, optional
            L*, the most labels that can be relevant to a row in the complete truth; by default the
            estimate Σ y/p of each row.

        Notes
        -----
        The bound knows nothing but ρ and L̄ and is wide; `interval` is the one to report. For a
        normalised value the value of the best list is taken as fixed.
        """
        if self.largest_term is None or self.relevant is None:
            raise InputError(f"{self.measure}: only propensity-scored measures have this interval.")
        if not 0 < delta < 1:
            raise InputError(f"delta must lie between 0 and 1, found {delta}.")
        n = len(self.numerators)
        if n == 0:
            return float("nan"), float("nan")
        most = self.relevant if max_relevant is None else np.asarray(max_relevant, np.float64)
        most = np.broadcast_to(most, self.numerators.shape)
        mean_square = float(np.sqrt(np.mean(most**2)))
        reach = self.largest_term * mean_square * float(np.sqrt(np.log(2 / delta) / (2 * n)))
        if self.denominators is not None:
            mean = float(np.mean(self.denominators))
            reach = reach / mean if mean else float("nan")
        return self.value - reach, self.value + reach

    def __repr__(self) -> str:
        notes = [
            f"{n} {word}"
            for n, word in ((self.n_empty, "empty"), (self.n_tied, "tied"), (self.n_short, "short"))
            if n
        ]
        tail = f"; {', '.join(notes)}" if notes else ""
        return f"{self.measure} = {self.value:.4f} ({self.n_units} {self.measure.unit}s{tail})"


def bootstrap(
    scores: Sequence[Score], level: float = 0.95, n_resamples: int = 1000, random_state: int = 0
) -> NDArray[np.float64]:
    """Percentile intervals (n_scores, 2) of scores over the same rows, from the same resamples."""
    if not 0 < level < 1:
        raise InputError(f"level must lie between 0 and 1, found {level}.")
    above = np.stack([np.nan_to_num(s.numerators) for s in scores], axis=1)
    below = np.stack(
        [
            np.where(np.isnan(s.numerators), 0, 1 if s.denominators is None else s.denominators)
            for s in scores
        ],
        axis=1,
    )
    n = len(above)
    rng = np.random.default_rng(random_state)
    drawn = np.full((n_resamples, len(scores)), np.nan)
    for i in range(n_resamples if n else 0):
        times = np.bincount(rng.integers(n, size=n), minlength=n)
        total = times @ below
        np.divide(times @ above, total, out=drawn[i], where=total != 0)
    limits = np.full((len(scores), 2), np.nan)
    for j in np.flatnonzero(~np.isnan(drawn).all(axis=0)):
        limits[j] = np.nanquantile(drawn[:, j], [(1 - level) / 2, (1 + level) / 2])
    return limits


def _ratio(above: float, below: float) -> float:
    return float(above / below) if below else float("nan")
