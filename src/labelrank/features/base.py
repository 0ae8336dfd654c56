"""What features are: every (row, label) pair of a Ranking described by numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from labelrank._labels import check_labels
from labelrank._rows import fit_rows, known_rows
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.store import Field, Number, Part, Stored

__all__ = ["Features", "Joined"]


class Features(Stored, BaseEstimator, ABC):
    """Describes the entries of a Ranking: F is float32 (n_entries, len(names)), entry by entry.

    A subclass writes `_fit`, `_describe`, `_describe_training` and the property `names`.
    """

    n_labels_: int
    n_rows_: int

    @property
    @abstractmethod
    def names(self) -> list[str]:
        """What each column is called."""

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn from training rows and their labels."""
        rows = fit_rows(self, X)
        truth = check_labels(Y)
        if truth.shape[0] != rows.shape[0]:
            raise InputError(f"X has {rows.shape[0]} rows but Y has {truth.shape[0]}.")
        self.n_rows_, self.n_labels_ = (int(n) for n in truth.shape)
        self._fit(rows, truth)
        return self

    def describe(
        self, X: Any, ranking: Ranking, stages: Sequence[Ranking] = ()
    ) -> NDArray[np.float32]:
        """Describe the pairs of new rows.

        Parameters
        ----------
        X : sparse or dense array (n_rows, n_features)
        ranking : Ranking
            The pairs.
        stages : sequence of Ranking
            What each stage of the scorer that found the candidates lists: `Scorer.rank_stages`.
            `LabelRanker` hands them on; only features about stages look at them.
        """
        rows = known_rows(self, X)
        self._check(ranking, rows.shape[0])
        for listed in stages:
            self._check(listed, rows.shape[0])
        return self._described(self._told(rows, ranking, stages), ranking)

    def describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        """Describe pairs of the very rows of fit, each left out of what it is compared with.

        Without leaving it out a row would find itself, labels and all, and the features would
        tell the ranker the truth. Models that were loaded do not have the rows any more.
        """
        check_is_fitted(self)
        if not hasattr(self, "n_rows_"):
            raise InputError("the rows of fit are not saved with features: fit them again.")
        self._check(ranking, self.n_rows_)
        return self._described(self._describe_training(ranking), ranking)

    def __add__(self, other: Features) -> Joined:
        """The columns of both."""
        return Joined(self, other)

    def _check(self, ranking: Ranking, n_rows: int) -> None:
        if ranking.n_rows != n_rows or ranking.n_labels != self.n_labels_:
            raise InputError(
                f"the ranking has shape {ranking.shape}, but there are {n_rows} rows and "
                f"{self.n_labels_} labels."
            )

    def _described(self, F: NDArray[Any], ranking: Ranking) -> NDArray[np.float32]:
        wanted = (ranking.n_entries, len(self.names))
        if F.shape != wanted:
            raise InputError(f"{type(self).__name__} gave {F.shape} numbers, not {wanted}.")
        return np.ascontiguousarray(F, dtype=np.float32)

    def _told(self, X: Any, ranking: Ranking, stages: Sequence[Ranking]) -> NDArray[np.float32]:
        """F of checked pairs; features that want to know what stages listed override it."""
        return self._describe(X, ranking)

    @abstractmethod
    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        """Learn from checked rows and grades."""

    @abstractmethod
    def _describe(self, X: Any, ranking: Ranking) -> NDArray[np.float32]:
        """F of the entries of the ranking."""

    @abstractmethod
    def _describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        """F of the entries of a ranking of the training rows."""


class Joined(Features):
    """The columns of two sets of features side by side; ``a + b`` makes one.

    Parameters
    ----------
    first, second : Features
        Cloned, not changed, by fit.
    """

    fitted: ClassVar[dict[str, Field]] = {
        "first_": Part(),
        "second_": Part(),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }

    first_: Features
    second_: Features

    def __init__(self, first: Features, second: Features) -> None:
        self.first = first
        self.second = second

    @property
    def names(self) -> list[str]:
        """The names of both, in order."""
        check_is_fitted(self)
        return self.first_.names + self.second_.names

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self.first_ = clone(self.first).fit(X, Y)
        self.second_ = clone(self.second).fit(X, Y)

    def _told(self, X: Any, ranking: Ranking, stages: Sequence[Ranking]) -> NDArray[np.float32]:
        return np.hstack([f.describe(X, ranking, stages) for f in (self.first_, self.second_)])

    def _describe(self, X: Any, ranking: Ranking) -> NDArray[np.float32]:
        return self._told(X, ranking, ())

    def _describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        return np.hstack([f.describe_training(ranking) for f in (self.first_, self.second_)])
