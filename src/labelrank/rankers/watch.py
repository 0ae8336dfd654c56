"""Watch: the measure on a validation ranking, round by round, and when to stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank.errors import InputError
from labelrank.measures import measure as named
from labelrank.ranking import Ranking

__all__ = ["Watch"]


class Watch:
    """Early stopping; without a validation ranking every round is the best and none the last.

    Parameters
    ----------
    measure : str
    patience : int, optional
        Rounds without a better value until it is time to stop.

    Attributes
    ----------
    values : list of float
        The measure after each round.
    F : float32 array, or None
        The described candidates of the validation ranking.
    """

    def __init__(self, measure: str, patience: int | None = None) -> None:
        if patience is not None and (
            isinstance(patience, bool) or not isinstance(patience, int | np.integer) or patience < 1
        ):
            raise InputError(f"patience must be a whole number from 1 or None, found {patience!r}.")
        self._measure = named(measure)
        self._patience = patience
        self._ranking: Ranking | None = None
        self._best = -np.inf
        self._best_round = -1
        self.values: list[float] = []
        self.F: NDArray[np.float32] | None = None

    def on(self, ranking: Ranking, F: NDArray[np.float32], Y: Any, propensities: Any) -> None:
        """Watch a ranking."""
        self._ranking, self.F, self._Y, self._propensities = ranking, F, Y, propensities
        self._value(np.zeros(ranking.n_entries))  # says now what is wrong with them

    @property
    def is_on(self) -> bool:
        """Whether there is a validation ranking."""
        return self._ranking is not None

    def improved(self, scores: Callable[[NDArray[np.float32]], NDArray[Any]]) -> bool:
        """Whether this round is the best so far: keep its model.

        Parameters
        ----------
        scores : function of F
            Called with the validation candidates, when there are any.
        """
        if self.F is None:
            return True
        value = self._value(scores(self.F))
        self.values.append(value)
        # A value that cannot be told (no row counts) is like no validation: the last round stays.
        worth = np.inf if np.isnan(value) else value if self._measure.higher_is_better else -value
        if worth > self._best or np.isnan(value):
            self._best, self._best_round = worth, len(self.values) - 1
            return True
        return False

    @property
    def decides(self) -> bool:
        """Whether a method that converges should be stopped short of its end."""
        return self.is_on and self._patience is not None

    @property
    def over(self) -> bool:
        """Whether it is time to stop."""
        waited = len(self.values) - 1 - self._best_round
        return self._patience is not None and waited >= self._patience

    def _value(self, scores: NDArray[Any]) -> float:
        assert self._ranking is not None
        ranking = self._ranking.reordered(scores)
        return self._measure(ranking, self._Y, propensities=self._propensities).value
