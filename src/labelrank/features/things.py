"""ThingFeatures: features of pairs of a thing and a tag, read from an index of things."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from labelrank.data import Rows, Settings, Things
from labelrank.data.kept_things import KeptThings
from labelrank.errors import InputError
from labelrank.features.base import Features
from labelrank.ranking import Ranking
from labelrank.store import Field

__all__ = ["ThingFeatures"]


class ThingFeatures(Features):
    """Features whose rows are things with texts and tags: a `Dataset` or `Items`.

    The tags of a thing are its input tags I_o; the labels of the ranking are numbered as `Things`
    number tags. A subclass writes `names` and `_describe_rows`, which reads `things_` when it is
    called: so it says the truth after things were added or forgotten.
    """

    fitted: ClassVar[dict[str, Field]] = {"things_": KeptThings()}
    settings: Settings | None = None
    things_: Things

    def fit(self, X: Any, Y: Any = None) -> Self:
        """Learn from things and all of their tags; with Y these instead of their own."""
        self._check_params()
        return self.on(Things.of(X, self.settings, Y))

    def on(self, things: Things) -> Self:
        """Read from an index that something else keeps."""
        self.things_ = things
        return self

    @property
    def n_labels_(self) -> int:  # type: ignore[override]
        """How many tags are known."""
        return self.things_.n_tags

    def describe(
        self, X: Any, ranking: Ranking, stages: Sequence[Ranking] = ()
    ) -> NDArray[np.float32]:
        """Describe pairs of new things and tags; what stages listed is not looked at."""
        check_is_fitted(self)
        rows = X if isinstance(X, Rows) else self.things_.rows(X)
        self._check(ranking, rows.n)
        return self._described(self._describe_rows(rows, ranking), ranking)

    def describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        """Not for things: which half of their tags would be given is not known here."""
        raise InputError(
            f"{type(self).__name__} describes things that it was not fitted on: hold some out and "
            "give half of their tags, as TagRecommender does."
        )

    def candidates(
        self, rows: Rows, n_jobs: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]] | None:
        """(row pointer, tags): tags that should be candidates, too; None where there are none."""
        return None

    @abstractmethod
    def _describe_rows(self, rows: Rows, ranking: Ranking) -> NDArray[np.float32]:
        """F of the entries of a ranking of some things."""

    def _check_params(self) -> None:
        """Raise InputError when a parameter cannot be used."""

    def _check_fitted(self) -> None:
        self._check_params()

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        raise AssertionError("fit does it")

    def _describe(self, X: Any, ranking: Ranking) -> NDArray[np.float32]:
        raise AssertionError("describe does it")

    def _describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        raise AssertionError("describe_training does it")
