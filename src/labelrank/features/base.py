"""What features are: every (row, label) pair of a Ranking described by numbers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from labelrank._labels import check_labels
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.store import Field, Number, Part, Stored

__all__ = ["Features", "Joined"]


class Features(Stored, BaseEstimator):
    """Describes the entries of a Ranking: F is float32 (n_entries, len(names)), entry by entry.

    A subclass writes `_fit`, `_describe`, `_describe_training` and the property `names`.
    """

    n_labels_: int

    @property
    @abstractmethod
    def names(self) -> list[str]:
        """What each column is called."""

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn from training rows and their labels."""
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float32)
        truth = check_labels(Y)
        if truth.shape[0] != X.shape[0]:
            raise InputError(f"X has {X.shape[0]} rows but Y has {truth.shape[0]}.")
        self.n_labels_ = int(truth.shape[1])
        self._fit(X, truth)
        return self

    def describe(self, X: Any, ranking: Ranking) -> NDArray[np.float32]:
        """Describe the pairs of new rows."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float32, reset=False)
        return self._checked(self._describe(X, ranking), ranking, X.shape[0])

    def describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        """Describe pairs of the very rows of fit, each left out of what it is compared with.

        Without leaving it out a row would find itself, labels and all, and the features would
        tell the ranker the truth.
        """
        check_is_fitted(self)
        return self._checked(self._describe_training(ranking), ranking, ranking.n_rows)

    def __add__(self, other: Features) -> Joined:
        """The columns of both."""
        return Joined(self, other)

    def _checked(
        self, F: NDArray[np.float32], ranking: Ranking, n_rows: int
    ) -> NDArray[np.float32]:
        if ranking.n_rows != n_rows or ranking.n_labels != self.n_labels_:
            raise InputError(
                f"the ranking has shape {ranking.shape}, but there are {n_rows} rows and "
                f"{self.n_labels_} labels."
            )
        return F

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

    def _describe(self, X: Any, ranking: Ranking) -> NDArray[np.float32]:
        return np.hstack([f.describe(X, ranking) for f in (self.first_, self.second_)])

    def _describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        return np.hstack([f.describe_training(ranking) for f in (self.first_, self.second_)])
