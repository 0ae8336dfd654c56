"""Union: the candidates of two scorers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import scipy.sparse as sp
from sklearn.base import clone

from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers.base import Scorer
from labelrank.store import Field, Number, Part

__all__ = ["Union"]


class Union(Scorer):
    """The labels that either of two scorers lists; ``a | b`` makes one.

    Parameters
    ----------
    first, second : Scorer
        Cloned, not changed, by fit.
    combine : {"reciprocal", "max", "sum", "first"}
        How their scores join; see `Ranking.union`.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import NearestNeighbours, Popularity
    >>> X, Y = np.eye(3), np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0]])
    >>> (NearestNeighbours(k=1) | Popularity(top=1)).fit(X, Y).rank(X[1:2])
    Ranking(1 rows, 3 labels, 2 entries)
      0: 0 (0.0164), 1 (0.0164)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "first_": Part(),
        "second_": Part(),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    first_: Scorer
    second_: Scorer

    def __init__(
        self,
        first: Scorer,
        second: Scorer,
        combine: Literal["reciprocal", "max", "sum", "first"] = "reciprocal",
    ) -> None:
        self.first = first
        self.second = second
        self.combine = combine

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self.first_ = clone(self.first).fit(X, Y)
        self.second_ = clone(self.second).fit(X, Y)

    def _check_params(self) -> None:
        if self.combine not in ("reciprocal", "max", "sum", "first"):
            raise InputError(
                f"combine must be reciprocal, max, sum or first, not {self.combine!r}."
            )

    def _check_fitted(self) -> None:
        super()._check_fitted()
        for part in (self.first_, self.second_):
            if not isinstance(part, Scorer):
                raise ValueError(f"a {type(part).__name__} is no scorer")
            if (part.n_labels_, part.n_features_in_) != (self.n_labels_, self.n_features_in_):
                raise ValueError("its scorers have other numbers of labels or features")

    @property
    def stages(self) -> list[str]:
        """Those of both; one that is there already gets a number."""
        names: list[str] = []
        for name in [stage for part in self._both for stage in part.stages]:
            taken = sum(re.sub(r" \d+$", "", other) == name for other in names)
            names.append(f"{name} {taken + 1}" if taken else name)
        return names

    @property
    def _both(self) -> tuple[Scorer, Scorer]:
        """The fitted scorers, or before fit those that were given."""
        fitted = hasattr(self, "first_")
        return (self.first_, self.second_) if fitted else (self.first, self.second)

    def joined(self, stages: Sequence[Ranking]) -> Ranking:
        """The candidates of both, their scores joined by `combine`."""
        own = len(self._both[0].stages)
        first, second = self.first_.joined(stages[:own]), self.second_.joined(stages[own:])
        return first.union(second, self.combine)

    def _rank_stages(self, X: Any) -> list[Ranking]:
        return self.first_.rank_stages(X) + self.second_.rank_stages(X)

    def _rank(self, X: Any, k: int | None) -> Ranking:
        joined = self.joined(self._rank_stages(X))
        return joined if k is None else joined.top(k)
