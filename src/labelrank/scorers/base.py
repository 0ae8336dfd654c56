"""What a scorer is: rows in, a Ranking out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from labelrank._labels import check_labels, narrow
from labelrank._rows import fit_rows, known_rows
from labelrank.errors import InputError
from labelrank.measures import evaluate
from labelrank.ranking import Ranking
from labelrank.store import Stored

if TYPE_CHECKING:
    from labelrank.scorers.union import Union

__all__ = ["Scorer", "whole"]


class Scorer(Stored, BaseEstimator, ABC):
    """Turns rows into a Ranking: a whole method by itself, or the first stage of another.

    A subclass writes `_fit` and `_rank`; checking what users pass is done here.

    Attributes
    ----------
    n_features_in_, n_labels_ : int
        Seen in fit.
    """

    fits_features: ClassVar[bool] = True  # whether X matters
    n_labels_: int

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn from rows and their labels.

        Parameters
        ----------
        X : sparse or dense array (n_rows, n_features)
        Y : sparse or dense array (n_rows, n_labels)
            Grades: 0 not relevant, > 0 relevant, larger more important.

        Returns
        -------
        self
        """
        rows = fit_rows(self, X)
        truth = check_labels(_two_dimensional(Y))
        if truth.shape[0] != rows.shape[0]:
            raise InputError(
                f"X has {rows.shape[0]} rows but Y has {truth.shape[0]}: they must agree."
            )
        if truth.shape[1] == 0:
            raise InputError("Y has no labels.")
        self.n_labels_ = int(truth.shape[1])
        self._check_params()
        self.__dict__.pop(
            "label_names_", None
        )  # names of other labels, from a model that was loaded
        self._fit(rows, narrow(truth))
        return self

    def rank(self, X: Any, k: int | None = None) -> Ranking:
        """Rank labels for rows.

        Parameters
        ----------
        X : sparse or dense array (n_rows, n_features)
        k : int, optional
            The most labels to list for a row; by default what the scorer's parameters say.

        Returns
        -------
        Ranking
        """
        rows = known_rows(self, X)
        return self._rank(rows, None if k is None else whole("k", k))

    @property
    def stages(self) -> list[str]:
        """The names of the scorers that list candidates: this one, or those it joins."""
        return [type(self).__name__]

    def rank_stages(self, X: Any) -> list[Ranking]:
        """What each of the `stages` lists for rows; `joined` makes one ranking of them."""
        return self._rank_stages(known_rows(self, X))

    def joined(self, stages: Sequence[Ranking]) -> Ranking:
        """The ranking that `rank` gives, from what its stages list."""
        return stages[0]

    def _rank_stages(self, X: Any) -> list[Ranking]:
        return [self._rank(X, None)]

    def score(self, X: Any, y: Any) -> float:
        """NDCG of the ranking of X, for scikit-learn's searches."""
        return evaluate(self.rank(X), _two_dimensional(y), "nDCG")["nDCG"].value

    def _check_params(self) -> None:
        """Raise InputError when a parameter cannot be used; called by fit and after loading."""

    def _check_fitted(self) -> None:
        self._check_params()

    def __or__(self, other: Scorer) -> Union:
        """Candidates of both; see `Union`."""
        from labelrank.scorers.union import Union

        return Union(self, other)

    @abstractmethod
    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        """Learn from checked float32 rows, CSR or dense, and float32 grades."""

    @abstractmethod
    def _rank(self, X: Any, k: int | None) -> Ranking:
        """Rank labels for checked float32 rows, CSR or dense."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.one_d_labels = False
        tags.target_tags.two_d_labels = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        tags.target_tags.positive_only = True
        return tags


def whole(name: str, value: Any) -> int:
    """A parameter that must be a whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InputError(f"{name} must be a whole number from 1, found {value!r}.")
    return int(value)


def _two_dimensional(Y: Any) -> Any:
    if Y is None:
        raise InputError("a scorer requires y to be passed, but the target y is None.")
    return Y
