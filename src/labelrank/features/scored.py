"""Scored: what any scorer says of a pair, as features of it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.utils import check_random_state

from labelrank.errors import InputError
from labelrank.features.base import Features
from labelrank.features.told import told
from labelrank.ranking import Ranking
from labelrank.store import Field, Number, Part

__all__ = ["Scored"]


class Scored(Features):
    """Describe a pair by the score that a scorer gives it, and by its place in the scorer's list.

    Training rows are described by cross-fitting: by scorers that have not seen them. A label that
    the scorer does not list has the least score of the row's list, and place 0.

    Parameters
    ----------
    scorer : Scorer
        Cloned, not changed, by fit.
    folds : int
        Of the cross-fitting.
    name : str
        What to call the columns; by default the scorer's class.
    random_state : int, RandomState or None
        Of the folds.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.features import Scored
    >>> from labelrank.scorers import Popularity
    >>> Y = np.array([[1, 0], [1, 1], [1, 0], [1, 1]])
    >>> features = Scored(Popularity(), name="popular").fit(np.eye(4), Y)
    >>> features.names
    ['popular', '1/place of popular']
    >>> features.describe(np.eye(4)[:1], Ranking.from_lists([[0, 1]]))
    array([[1. , 1. ],
           [0.5, 0.5]], dtype=float32)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "scorer_": Part(),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    scorer_: Any

    def __init__(
        self, scorer: Any, folds: int = 5, name: str | None = None, random_state: Any = 0
    ) -> None:
        self.scorer = scorer
        self.folds = folds
        self.name = name
        self.random_state = random_state

    @property
    def names(self) -> list[str]:
        """The name, and the place under it."""
        name = self.name or type(self.scorer).__name__
        return [name, f"1/place of {name}"]

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        if not callable(getattr(self.scorer, "rank", None)):
            raise InputError(f"Scored: scorer must be a Scorer, found {self.scorer!r:.60}.")
        whole = isinstance(self.folds, int | np.integer) and not isinstance(self.folds, bool)
        if not whole or self.folds < 2:
            raise InputError(f"Scored: folds must be a whole number from 2, found {self.folds!r}.")
        self.scorer_ = clone(self.scorer).fit(X, Y)
        self._rows = X, Y

    def _describe(self, X: Any, ranking: Ranking) -> NDArray[np.float32]:
        return told(self.scorer_.rank(X), ranking)

    def _describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        X, Y = self._rows
        n = X.shape[0]
        F = np.zeros((ranking.n_entries, 2), dtype=np.float32)
        if n < 2:
            return F
        rng = check_random_state(self.random_state)
        split = KFold(min(self.folds, n), shuffle=True, random_state=rng)
        for train, held in split.split(np.arange(n)):
            scorer = clone(self.scorer).fit(X[train], Y[train])
            F[ranking.entries_of(held)] = told(scorer.rank(X[held]), ranking[held])
        return F

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if not callable(getattr(self.scorer_, "rank", None)):
            raise ValueError(f"a {type(self.scorer_).__name__} is no scorer")
        if (self.scorer_.n_labels_, self.scorer_.n_features_in_) != (
            self.n_labels_,
            self.n_features_in_,
        ):
            raise ValueError("its scorer has other numbers of labels or features")
