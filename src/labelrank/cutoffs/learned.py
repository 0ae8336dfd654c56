"""What cutoffs that learn share: their checks, and where a list is best cut."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from labelrank import _native
from labelrank.cutoffs.base import Cutoff
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["CRITERIA", "TIES", "LearnedCutoff", "Truth", "best_cuts", "between", "choice", "real"]

Floats = NDArray[np.float64]
CRITERIA = ("f1", "errors")
TIES = ("fewest", "most", "widest")


class Truth(NamedTuple):
    """What the truth says of a ranking.

    Attributes
    ----------
    hits : bool (n_entries,)
        Whether each entry is relevant.
    relevant : int64 (n_rows,)
        How many labels of each row are relevant, listed or not.
    """

    hits: NDArray[np.bool_]
    relevant: NDArray[np.int64]

    @classmethod
    def of(cls, ranking: Ranking, Y: sp.csr_array) -> Truth:
        """Look the entries up in checked grades."""
        indptr, labels = Y.indptr.astype(np.int64), Y.indices.astype(np.int32)
        grades = _native.look_up(ranking.indptr, ranking.labels, indptr, labels, Y.data)
        return cls(grades > 0, np.diff(indptr))

    def of_rows(self, ranking: Ranking, rows: Any) -> Truth:
        """The same for some of the rows."""
        return Truth(self.hits[ranking.entries_of(rows)], self.relevant[rows])


class LearnedCutoff(Cutoff):
    """A cutoff that learns from a ranking and the truth; grades count as relevant or not.

    A subclass writes `_learn` and `_cut`, and `_check_params`.

    Attributes
    ----------
    n_labels_ : int
        Seen in fit.
    """

    n_labels_: int

    def _fit(self, ranking: Ranking, Y: sp.csr_array, X: Any) -> None:
        self._check_params()
        self.__dict__.pop("label_names_", None)  # of other labels, from a model that was loaded
        self.n_labels_ = ranking.n_labels
        self._learn(ranking, Y, X)

    def _keep(self, ranking: Ranking, X: Any) -> Ranking:
        check_is_fitted(self, "n_labels_")
        if ranking.n_labels != self.n_labels_:
            raise InputError(
                f"the ranking has {ranking.n_labels} labels but {type(self).__name__} was fitted "
                f"with {self.n_labels_}: they must agree."
            )
        return self._cut(ranking, X)

    def _check_fitted(self) -> None:
        self._check_params()
        if self.n_labels_ < 0:
            raise ValueError(f"there cannot be {self.n_labels_} labels")

    @abstractmethod
    def _check_params(self) -> None:
        """Raise InputError when a parameter cannot be used; called by fit and after loading."""

    @abstractmethod
    def _learn(self, ranking: Ranking, Y: sp.csr_array, X: Any) -> None:
        """Learn from checked arguments."""

    @abstractmethod
    def _cut(self, ranking: Ranking, X: Any) -> Ranking:
        """Shorten a ranking over the labels of fit."""


def best_cuts(
    indptr: NDArray[np.int64],
    scores: NDArray[Any],
    truth: Truth,
    criterion: str,
    ties: str = "fewest",
) -> NDArray[np.int64]:
    """How many of each list to keep for the criterion; equal scores stay or go together.

    Parameters
    ----------
    indptr : (n_lists + 1,)
    scores : (n_entries,), falling within each list
    truth : Truth
        Of the entries and lists; relevant labels that are not listed count as missed.
    criterion : {"f1", "errors"}
    ties : {"fewest", "most", "widest"}
        Of equally good cuts the shortest, the longest, or the one in the widest gap of scores
        (the ends of a list have no width; then the shortest).
    """
    hits = np.ascontiguousarray(truth.hits).view(np.uint8)
    relevant = np.ascontiguousarray(truth.relevant, dtype=np.int64)
    return _native.best_cuts(
        indptr, np.ascontiguousarray(scores), hits, relevant, criterion == "f1", TIES.index(ties)
    )


def between(higher: Floats, lower: Floats) -> Floats:
    """The middle of each pair: at most `higher` and above `lower`, also in floating point."""
    middle = higher / 2 + lower / 2
    safe: Floats = np.where((middle > lower) & (middle <= higher), middle, higher)
    return safe


def choice(owner: object, name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse a parameter that is not one of some words."""
    if not isinstance(value, str) or value not in allowed:
        words = ", ".join(allowed[:-1]) + f" or {allowed[-1]}"
        raise InputError(f"{type(owner).__name__}: {name} must be {words}, found {value!r}.")


def real(owner: object, name: str, value: Any, low: float, high: float = np.inf) -> None:
    """Refuse a parameter that is no finite number from low to high."""
    good = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not good or not np.isfinite(value) or not low <= value <= high:
        span = f" from {low:g}" * bool(low > -np.inf) + f" to {high:g}" * bool(high < np.inf)
        raise InputError(
            f"{type(owner).__name__}: {name} must be a finite number{span}, found {value!r}."
        )
