"""TagNeighbours: how many of the most similar things have a tag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank._parallel import over_blocks
from labelrank.data import Rows, Settings, Things
from labelrank.errors import InputError
from labelrank.features.things import ThingFeatures
from labelrank.ranking import Ranking

__all__ = ["Near", "TagNeighbours", "nearest_things"]

_BLOCK = 256  # things looked up at a time by one job
_BUDGET = 200_000  # postings of one thing's terms, and of its tags, that are added up


class Near(NamedTuple):
    """Nearest things of each row, nearest first: in text, and in text and tags."""

    text_indptr: NDArray[np.int64]
    text_things: NDArray[np.int32]
    text_likeness: NDArray[np.float32]
    indptr: NDArray[np.int64]
    things: NDArray[np.int32]
    likeness: NDArray[np.float32]


def nearest_things(
    things: Things,
    rows: Rows,
    k: int = 50,
    share: float = 0.4,
    budget: int = _BUDGET,
    n_jobs: int | None = None,
) -> Near:
    r"""The k things of an index that are most like each of some rows.

    .. math::
        like(q, d) = \frac{\sum_{c \in q \cap d} w_c}{\sum_{c \in q} w_c} \sqrt{\frac{|q|}{|d|}},
        \quad w_c = \log^2 \frac{n + 1}{n_c + 1}

    over the terms c of all fields: n_c of the n things have c. The second list is by
    share · like in text + (1 - share) · like in tags.

    Parameters
    ----------
    things : Things
    rows : Rows
    k : int
        Things tied with the k-th count too; where that makes more than 2k, none of the tied do.
    share : float
        The weight of the text beside the tags.
    budget : int
        Rare terms (tags) are looked at first, until so many of their things have been met.
    n_jobs : int, optional

    Examples
    --------
    >>> from labelrank.data import Dataset, Things
    >>> data = Dataset(Y=[[1, 0], [0, 1], [0, 1]], label_names=["a", "b"],
    ...                texts={"title": ["sparse arrays", "old songs", "new songs"]})
    >>> index = Things.of(data)
    >>> near = nearest_things(index, index.row({"title": "songs of old"}, []), k=1)
    >>> near.text_things.tolist(), near.text_likeness.round(2).tolist()
    ([1], [1.0])
    """
    index = (things.of_terms.columns.arrays, things.of_terms.rows.sizes,
             things.of_tags.columns.arrays, things.of_tags.rows.sizes)  # fmt: skip

    def found(part: slice) -> Near:
        own = rows if part == slice(0, rows.n) else rows.part(part)
        skip = np.full(own.n, -1, dtype=np.int64)
        return Near(*_native.nearest_things(
            *index, own.text_indptr, own.terms, own.tag_indptr, own.tags, skip, k, budget, share
        ))  # fmt: skip

    if rows.n <= _BLOCK:
        return found(slice(0, rows.n))
    parts = over_blocks(found, rows.n, n_jobs, _BLOCK)
    joined = [np.concatenate([part[column] for part in parts]) for column in range(6)]
    for at in (0, 3):
        lengths = np.concatenate([np.diff(part[at]) for part in parts])
        joined[at] = np.concatenate([[0], np.cumsum(lengths)])
    return Near(*joined)


class TagNeighbours(ThingFeatures):
    r"""Describe a tag by the things that are most like the one at hand, and have it.

    In text alone, and in text and tags together:

    ============ ================================================================
    Text10       of the likeness of the 10 nearest things, the share of those with the tag
    Text50       the same of the 50 nearest
    TextMost     the likeness of the nearest thing that has the tag; 0 beyond 50
    Near10, …    the same three in text and tags
    ============ ================================================================

    See `nearest_things` for the likeness. The tags of the nearest things are candidates, too.
    Paper 001 has nothing of the kind; what it adds is in the documentation.

    Parameters
    ----------
    k : sequence of int
        How many nearest things vote, in one column each.
    more : int
        The tags of so many nearest things are further candidates; 0 adds none.
    share : float
        The weight of the text beside the tags.
    settings : Settings, optional
        Of the `Things` that fit makes.

    Examples
    --------
    >>> from labelrank.data import Dataset
    >>> from labelrank.features import TagNeighbours
    >>> data = Dataset(Y=[[1, 0], [0, 1], [0, 1]], label_names=["array", "song"],
    ...                texts={"title": ["sparse arrays", "old songs", "new songs"]})
    >>> features = TagNeighbours(k=[2]).fit(data)
    >>> new = Dataset(Y=[[0, 0]], texts={"title": ["songs of old"]})
    >>> from labelrank import Ranking
    >>> F = features.describe(new, Ranking.from_lists([[0, 1]], n_labels=2))
    >>> dict(zip(features.names, F.round(2).T.tolist()))["Text2"]
    [0.0, 1.0]
    """

    def __init__(
        self,
        k: Sequence[int] = (10, 50),
        more: int = 20,
        share: float = 0.4,
        settings: Settings | None = None,
    ) -> None:
        self.k = k
        self.more = more
        self.share = share
        self.settings = settings

    @property
    def names(self) -> list[str]:
        """One column for each k and one for the nearest thing, in both ways to be near."""
        columns = [*map(str, self.k), "Most"]
        return [space + column for space in ("Text", "Near") for column in columns]

    def near(self, rows: Rows, n_jobs: int | None = None) -> Near:
        """The nearest things of rows; asked again for the same rows it remembers."""
        known: tuple[Rows, Near] | None = getattr(self, "_last", None)
        if known is None or known[0] is not rows:
            k = max([*self.k, self.more, 1])
            known = rows, nearest_things(self.things_, rows, k, self.share, n_jobs=n_jobs)
            self._last = known
        return known[1]

    def candidates(
        self, rows: Rows, n_jobs: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]] | None:
        """(row pointer, tags): the tags of the nearest things, in text and tags."""
        if not self.more:
            return None
        near = self.near(rows, n_jobs)
        return _native.nearest_tags(
            self.things_.of_tags.rows.arrays, self.things_.n_tags, *near[3:], *rows[:2], self.more
        )

    def _describe_rows(self, rows: Rows, ranking: Ranking) -> NDArray[np.float32]:
        near, ks = self.near(rows), np.array(list(self.k), dtype=np.int64)
        tags = self.things_.of_tags.rows.arrays
        spaces = (near.text_indptr, near.text_things, near.text_likeness), near[3:]
        return np.hstack([
            _native.neighbour_votes(
                tags, self.things_.n_tags, indptr, found, like, ranking.indptr, ranking.labels, ks
            )
            for indptr, found, like in spaces
        ])  # fmt: skip

    def _check_params(self) -> None:
        whole = all(isinstance(k, int | np.integer) and k >= 1 for k in self.k)
        if not whole or not len(self.k) or len(set(self.k)) < len(self.k):
            raise InputError(f"k must be whole numbers from 1, none twice, found {self.k!r:.60}.")
        if not isinstance(self.more, int | np.integer) or self.more < 0:
            raise InputError(f"more must be a whole number from 0, found {self.more!r:.60}.")
        if not 0 <= self.share <= 1:
            raise InputError(f"share must lie between 0 and 1, found {self.share!r:.60}.")
