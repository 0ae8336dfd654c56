"""Candidates of things and the metrics of Table I: the one call of the kernel that finds both."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank._parallel import over_blocks
from labelrank.data.things import Rows, Things
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["METRICS", "Found", "Tuning", "relevance"]

METRICS = (
    "Sum(l=1)", "Sum(l=3)", "Sum+", "Vote", "Vote+", "TS", "TF", "wTS", "wTF", "IFF", "Stab", "H",
    "Pred",
)  # fmt: skip
"""The metrics of paper 001, Table I, in the order of the columns."""

_BLOCK = 256  # things described at a time by one job


class Tuning(NamedTuple):
    """Parameters of the metrics; see `labelrank.features.TagRelevance`."""

    length: int = 3
    wide: int = 12
    k_x: float = 5.0
    k_c: float = 5.0
    k_r: float = 5.0
    k_s: float = 5.0

    def check(self) -> None:
        """Raise InputError where a parameter cannot be used."""
        for name, most in (("length", 3), ("wide", 64)):
            value = getattr(self, name)
            whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
            if not whole or not 1 <= value <= most:
                raise InputError(f"{name} must be a whole number in 1..{most}, found {value!r}.")
        for name in ("k_x", "k_c", "k_r", "k_s"):
            value = getattr(self, name)
            if not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
                raise InputError(f"{name} must be a number above 0, found {value!r}.")


class Found(NamedTuple):
    """Candidates of things and their metrics, those of a thing in no order."""

    indptr: NDArray[np.int64]
    tags: NDArray[np.int32]
    F: NDArray[np.float32]  # (n_candidates, 13)

    def column(self, name: str) -> NDArray[np.float32]:
        """One metric."""
        return self.F[:, METRICS.index(name)]

    def blend(self, alpha: float) -> NDArray[np.float32]:
        """LATRE+wTS (13): alpha Sum + (1 - alpha) wTS."""
        share = np.float32(alpha)
        return share * self.column("Sum(l=3)") + (1 - share) * self.column("wTS")


def relevance(
    things: Things,
    rows: Rows,
    tuning: Tuning | None = None,
    *,
    rules: bool = True,
    most: int | None = None,
    alpha: float = 0.7,
    given: Ranking | None = None,
    more: tuple[NDArray[np.int64], NDArray[np.int32]] | None = None,
    n_jobs: int | None = None,
) -> Found:
    """The candidates C_o of things and their metrics.

    C_o are the tags that the things' own tags imply and those that stand in their texts, without
    their own (paper 001, sections 3 and 4.2).

    Parameters
    ----------
    things : Things
    rows : Rows
    tuning : Tuning, optional
    rules : bool
        Without rules only tags in texts are candidates.
    most : int, optional
        Only so many candidates of a thing, the best by (13).
    alpha : float
        For `most`.
    given : Ranking, optional
        Describe these candidates and no others, in the ranking's order.
    more : (row pointer, tags), optional
        Tags that are candidates too, besides the `most` best; none twice for a thing.
    n_jobs : int, optional
    """
    asked = more if given is None else (given.indptr, given.labels)
    tuning = tuning or Tuning()
    support = things.settings.support if rules else np.iinfo(np.int32).max
    limits = (tuning.length, support, things.settings.confidence, tuning.wide)
    known: tuple[Any, ...] = (
        things.of_tags.columns.arrays, things.of_tags.rows.arrays, things.terms.tags.arrays,
        things.entropies.values, things.both.values, things.tag_terms.values, things.found,
        things.field_spreads,
    )  # fmt: skip

    def described(part: slice) -> Found:
        own = rows if part == slice(0, rows.n) else rows.part(part)
        wanted = (_NO_POINTER, _NO_TAGS)
        if asked is not None:
            pointer = asked[0][part.start : part.stop + 1]
            wanted = pointer - pointer[0], asked[1][pointer[0] : pointer[-1]]
        cut = most or 0, alpha
        asked_for: tuple[Any, ...] = (limits, tuning[2:], *cut, *wanted, given is not None)
        arguments: tuple[Any, ...] = (*known, *own, *asked_for)
        return Found(*_native.tag_relevance(*arguments))

    if rows.n <= _BLOCK:
        return described(slice(0, rows.n))
    parts = over_blocks(described, rows.n, n_jobs, _BLOCK)
    lengths = np.concatenate([np.diff(part.indptr) for part in parts])
    return Found(
        np.concatenate([[0], np.cumsum(lengths)]),
        np.concatenate([part.tags for part in parts]),
        np.concatenate([part.F for part in parts]),
    )


_NO_POINTER = np.empty(0, dtype=np.int64)
_NO_TAGS = np.empty(0, dtype=np.int32)
