"""What a scorer is: rows in, a Ranking out."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from labelrank._labels import check_labels
from labelrank.errors import InputError
from labelrank.measures import evaluate
from labelrank.ranking import Ranking
from labelrank.store import Stored

if TYPE_CHECKING:
    from labelrank.scorers.union import Union

__all__ = ["Scorer"]


class Scorer(Stored, BaseEstimator):
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
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float32)
        truth = check_labels(_two_dimensional(Y))
        if truth.shape[0] != X.shape[0]:
            raise InputError(
                f"X has {X.shape[0]} rows but Y has {truth.shape[0]}: they must be the same rows."
            )
        if truth.shape[1] == 0:
            raise InputError("Y has no labels.")
        self.n_labels_ = int(truth.shape[1])
        self._fit(_rows(X), truth.astype(np.float32))
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
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float32, reset=False)
        if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
            raise InputError(f"k must be a whole number from 1, found {k!r}.")
        return self._rank(_rows(X), None if k is None else int(k))

    def score(self, X: Any, Y: Any) -> float:
        """NDCG of the ranking of X, for scikit-learn's searches."""
        return evaluate(self.rank(X), _two_dimensional(Y), "nDCG")["nDCG"].value

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


def _rows(X: Any) -> Any:
    """CSR as an array with sorted columns and no duplicates, which kernels rely on."""
    if not sp.issparse(X):
        return X
    matrix = sp.csr_array(X)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


def _two_dimensional(Y: Any) -> Any:
    if Y is None:
        raise InputError("Y is None: a scorer requires y, the labels of each row, to be passed.")
    return Y
