"""What a cutoff is: it learns how many labels of each row to keep."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import scipy.sparse as sp
from sklearn.base import BaseEstimator

from labelrank._labels import check_labels
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.store import Stored

__all__ = ["Cutoff"]


class Cutoff(Stored, BaseEstimator, ABC):
    """Shortens a Ranking to a decision: the labels that stay are said to be relevant.

    A subclass writes `_keep`, and `_fit` when it learns something.
    """

    def fit(self, ranking: Ranking, Y: Any, X: Any = None) -> Self:
        """Learn from a ranking and the truth.

        Parameters
        ----------
        ranking : Ranking
            Of rows that the scorer was not fitted on, or a cross-fitted one.
        Y : sparse or dense array (n_rows, n_labels)
        X : array, optional
            The rows themselves, for cutoffs that look at them.

        Returns
        -------
        self
        """
        truth = check_labels(Y)
        if truth.shape != ranking.shape:
            raise InputError(
                f"the ranking has shape {ranking.shape} but Y has {truth.shape}: they must agree."
            )
        self._fit(ranking, truth, X)
        return self

    def keep(self, ranking: Ranking, X: Any = None) -> Ranking:
        """The labels of each row that stay, in their order."""
        return self._keep(ranking, X)

    def _fit(self, ranking: Ranking, Y: sp.csr_array, X: Any) -> None:
        """Learn nothing."""

    @abstractmethod
    def _keep(self, ranking: Ranking, X: Any) -> Ranking:
        """Shorten the ranking."""
