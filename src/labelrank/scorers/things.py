"""TagScorer: a scorer whose rows are things with texts and tags."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from labelrank.data import Rows, Settings, Things
from labelrank.data.kept_things import KeptThings
from labelrank.data.relevance import Found
from labelrank.ranking import Ranking
from labelrank.scorers.base import Scorer, whole
from labelrank.store import Field

__all__ = ["TagScorer", "ranked"]


class TagScorer(Scorer):
    """Ranks tags for things: X is a `Dataset` or `Items`, its tags are those a thing has already.

    Labels are numbered as `Things` number tags: as the columns of the data of fit where no two
    columns are the same tag (see `labelrank.data.merged_tags`), new ones after them.

    Attributes
    ----------
    things_ : Things
    n_labels_ : int
    label_names_ : list of str
        Each tag in the form that most things have it in.
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

    def rank(self, X: Any, k: int | None = None) -> Ranking:
        """Rank tags for things; never one that a thing has."""
        check_is_fitted(self)
        rows = X if isinstance(X, Rows) else self.things_.rows(X)
        return self._rank_rows(rows, None if k is None else whole("k", k))

    def truth(self, X: Any) -> sp.csr_array:
        """The known tags of things, numbered as rankings are: what `evaluate` needs for Y."""
        check_is_fitted(self)
        return self.things_.truth(X)

    @property
    def n_labels_(self) -> int:  # type: ignore[override]
        """How many tags are known."""
        return self.things_.n_tags

    @property
    def label_names_(self) -> list[str] | None:
        """Each tag in the form that most things have it in."""
        return self.things_.names.shown if hasattr(self, "things_") else None

    @label_names_.setter
    def label_names_(self, names: list[str] | None) -> None:
        """Names follow from the things; those in a model folder are for other readers."""

    @abstractmethod
    def _rank_rows(self, rows: Rows, k: int | None) -> Ranking:
        """Rank tags for things by number."""

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        raise AssertionError("fit does it")

    def _rank(self, X: Any, k: int | None) -> Ranking:
        raise AssertionError("rank does it")


def ranked(found: Found, scores: NDArray[np.float32], n_tags: int, k: int | None) -> Ranking:
    """The candidates with a score above 0, best first."""
    listed = scores > 0
    if not listed.all():
        counts = np.concatenate([[0], np.cumsum(listed)])
        found = Found(counts[found.indptr], found.tags[listed], found.F[listed])
        scores = scores[listed]
    return Ranking.from_entries(found.indptr, found.tags, scores, n_tags, k)
