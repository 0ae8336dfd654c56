"""What a ranker is: it learns to re-order candidates from the numbers that describe them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank.errors import InputError
from labelrank.measures import Judged
from labelrank.ranking import Ranking
from labelrank.store import Stored

__all__ = ["Ranker"]


class Ranker(Stored, BaseEstimator, ABC):
    """Learning to rank: the rows of a Ranking are the groups, its entries the candidates.

    A subclass writes `_fit` and `_scores`.

    Attributes
    ----------
    n_features_in_ : int
        Columns of F.
    """

    n_features_in_: int

    def fit(self, ranking: Ranking, F: Any, Y: Any) -> Self:
        """Learn from described candidates and the truth.

        Parameters
        ----------
        ranking : Ranking
        F : array (ranking.n_entries, n_features)
        Y : sparse or dense array of the shape of the ranking
            Grades; a candidate without an entry has grade 0.

        Returns
        -------
        self
        """
        described = _described(ranking, F)
        grades = Judged(ranking, Y).listed_grades
        if ranking.n_entries == 0:
            raise InputError("there is no candidate to learn from: the ranking is empty.")
        self.n_features_in_ = described.shape[1]
        self._fit(ranking, described, grades)
        return self

    def rerank(self, ranking: Ranking, F: Any) -> Ranking:
        """The same candidates in the learned order."""
        check_is_fitted(self)
        described = _described(ranking, F)
        if described.shape[1] != self.n_features_in_:
            raise InputError(
                f"F has {described.shape[1]} columns, but {self.n_features_in_} were seen in fit."
            )
        return ranking.reordered(self._scores(ranking, described))

    @abstractmethod
    def _fit(self, ranking: Ranking, F: NDArray[np.float32], grades: NDArray[np.float64]) -> None:
        """Learn from checked float32 columns and a grade for each entry."""

    @abstractmethod
    def _scores(self, ranking: Ranking, F: NDArray[np.float32]) -> NDArray[Any]:
        """One score for each entry."""


def _described(ranking: Ranking, F: Any) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is told
        matrix = np.ascontiguousarray(F, dtype=np.float32)
    if matrix.ndim != 2 or matrix.shape[0] != ranking.n_entries:
        raise InputError(
            f"F has shape {matrix.shape}, but the ranking has {ranking.n_entries} entries: one row "
            "an entry."
        )
    if not np.isfinite(matrix).all():
        raise InputError("F has a value that is NaN or infinite (or too large for float32).")
    return matrix
