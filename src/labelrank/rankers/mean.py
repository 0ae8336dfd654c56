"""Mean: several fitted rankers as one, each with columns of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelrank.errors import InputError
from labelrank.rankers.base import FIELDS, Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.watch import Watch
from labelrank.store import Array, Field, Parts

__all__ = ["Mean"]


class Mean(Ranker):
    """The weighted mean of the scores of fitted rankers; `Mean.of` makes one.

    Rankers that differ little in cross-validation make different mistakes on new rows: their mean
    is better than the one that happened to be best.

    Attributes
    ----------
    rankers_ : list of Ranker
    uses_ : int32 array (n_rankers, n_features_in_)
        Whether a ranker has a column, 1 or 0.
    weights_ : float64 array (n_rankers,)

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers import LinearMix, Mean
    >>> ranking, F = Ranking.from_dense(np.zeros((1, 2))), np.array([[1.0, 0.0], [0.0, 3.0]])
    >>> one = LinearMix().fit(ranking, F, np.array([[1, 0]]))
    >>> other = LinearMix().fit(ranking, F[:, :1], np.array([[1, 0]]))
    >>> Mean.of([one, other], [[0, 1], [0]], [1.0, 1.0], 2).scores(ranking, F)
    array([0.75, 0.75])
    """

    fitted: ClassVar[dict[str, Field]] = FIELDS | {
        "rankers_": Parts(),
        "uses_": Array("i4", 2),
        "weights_": Array("f8"),
    }
    rankers_: list[Ranker]
    uses_: NDArray[np.int32]
    weights_: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        rankers: Sequence[Ranker],
        columns: Sequence[Any],
        weights: Sequence[float],
        n_features: int,
        names: Sequence[str] | None = None,
    ) -> Self:
        """A mean of fitted rankers.

        Parameters
        ----------
        rankers : list of Ranker
        columns : list of int arrays
            Which of the columns each ranker was fitted to, rising.
        weights : list of float
            What the scores of each are multiplied by before the mean is taken.
        n_features : int
            How many columns there are.
        names : list of str, optional
            What they are called.
        """
        self = cls()
        self.n_features_in_ = int(n_features)
        self.names_ = None if names is None else [str(name) for name in names]
        self.rankers_ = list(rankers)
        self.uses_ = np.zeros((len(self.rankers_), n_features), dtype=np.int32)
        for row, used in zip(self.uses_, columns, strict=True):
            row[used] = 1
        self.weights_ = np.asarray(weights, dtype=np.float64)
        self._check_fitted()
        return self

    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        raise InputError("a Mean is not fitted, but made of fitted rankers by Mean.of.")

    def _scores(self, F: NDArray[np.float32]) -> NDArray[Any]:
        parts = [w * r._scores(own) for r, own, w in self._parts(F)]
        return np.asarray(np.mean(parts, axis=0))

    def _explain(self, F: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        contributions, base = np.zeros(F.shape), np.zeros(len(F))
        for (ranker, own, weight), used in zip(self._parts(F), self.uses_, strict=True):
            told = ranker._explain(own)
            contributions[:, used > 0] += weight / len(self.weights_) * told[0]
            base += weight / len(self.weights_) * told[1]
        return contributions, base

    def _parts(
        self, F: NDArray[np.float32]
    ) -> list[tuple[Ranker, NDArray[np.float32], np.float64]]:
        return [
            (ranker, F if used.all() else np.ascontiguousarray(F[:, used > 0]), weight)
            for ranker, used, weight in zip(self.rankers_, self.uses_, self.weights_, strict=True)
        ]

    def _check_fitted(self) -> None:
        super()._check_fitted()
        n = len(self.rankers_)
        if not n or len(self.weights_) != n or self.uses_.shape != (n, self.n_features_in_):
            raise ValueError("its rankers, columns and weights do not fit together")
        for ranker, used in zip(self.rankers_, self.uses_, strict=True):
            if not isinstance(ranker, Ranker):
                raise ValueError(f"a {type(ranker).__name__} is no Ranker")
            if int((used > 0).sum()) != ranker.n_features_in_:
                raise ValueError("a ranker was fitted to another number of columns")
