"""Measures of the whole order: MAP, ranking loss, one-error, coverage, reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank.measures.base import Empty, Measure, Rows
from labelrank.measures.gains import inverse
from labelrank.measures.judged import Floats, Judged

__all__ = ["MAP", "RR", "Coverage", "OneError", "RankLoss"]


@dataclass(frozen=True, kw_only=True)
class MAP(Measure):
    r"""Mean average precision.

    .. math::
        AP = \frac{1}{|R|} \sum_{c \in R} \frac{|\{c' \in R : r(c') \le r(c)\}|}{r(c)}

    Paper 000, (3) and (4), with ≤ for the < of the print. A relevant label that is not listed
    adds 0. Tied scores: McSherry & Najork (2008).

    Parameters
    ----------
    k : int, optional
        Look at the first k labels only; the sum is still divided by the number of relevant labels.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1, 2, 3]])
    >>> MAP()(ranking, np.array([[1, 0, 0, 1]])).value  # (1/1 + 2/4) / 2
    0.75
    """

    k: int | None = None
    name: ClassVar[str] = "MAP"

    def _rows(self, judged: Judged) -> Rows:
        r, hits = judged.ranking, judged.hits
        if self.ties in ("worst", "best"):
            hits = _native.settle_ties(r.indptr, r.scores, hits, 1 if self.ties == "best" else 2)
        depth = self.k or max(judged.longest, 1)
        sums = _native.precision_sum(r.indptr, r.scores, hits, depth, self.ties == "expected")
        return Rows(sums * inverse(judged.counts), undefined=judged.counts == 0)


@dataclass(frozen=True, kw_only=True)
class RankLoss(Measure):
    r"""Ranking loss: the share of (relevant, irrelevant) pairs in the wrong order.

    .. math::
        RL = \frac{|\{(c, c') \in R \times \bar R : r(c) > r(c')\}|}{|R|\,|\bar R|}

    Paper 000, (5) and (6). A relevant label that is not listed stands below every irrelevant one.
    A row is empty when it has no pair: no label, or every label, is relevant.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1, 2, 3]])
    >>> RankLoss()(ranking, np.array([[1, 0, 0, 1]])).value  # 2 of 4 pairs
    0.5
    """

    name: ClassVar[str] = "RankLoss"
    higher_is_better: ClassVar[bool] = False

    def _rows(self, judged: Judged) -> Rows:
        tie = {"order": -1.0, "expected": 0.5, "worst": 1.0, "best": 0.0}[self.ties]
        r = judged.ranking
        others = judged.ranking.n_labels - judged.counts
        wrong = _native.wrong_pairs(r.indptr, r.scores, judged.hits, tie)
        wrong = wrong + (judged.counts - judged.n_hits) * others
        pairs = (judged.counts * others).astype(np.float64)
        return Rows(wrong * inverse(pairs), undefined=pairs == 0)


@dataclass(frozen=True, kw_only=True)
class OneError(Measure):
    r"""One-error: how often the first label is not relevant.

    .. math:: OneError = [\hat y_1 \notin R]

    Paper 000, (17). A row without a relevant label, and an empty list, count 1.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1], [1, 0]])
    >>> OneError()(ranking, np.array([[1, 0], [1, 0]])).value
    0.5
    """

    empty: Empty = "one"
    name: ClassVar[str] = "OneError"
    higher_is_better: ClassVar[bool] = False
    whole_list: ClassVar[bool] = False

    def _rows(self, judged: Judged) -> Rows:
        first = judged.gained(judged.hits, np.ones(1), self.ties)
        return Rows(1 - first, undefined=judged.counts == 0)


@dataclass(frozen=True, kw_only=True)
class Coverage(Measure):
    r"""Coverage (depth): how far down the last relevant label stands, from 0.

    .. math:: Coverage = \max_{c \in R} r(c) - 1

    Paper 000, (18). A relevant label that is not listed stands in the very last place. For the
    number of different labels that a system shows, see `C@k`.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1, 2, 3]])
    >>> Coverage()(ranking, np.array([[1, 0, 1, 0]])).value
    2.0
    """

    name: ClassVar[str] = "Coverage"
    higher_is_better: ClassVar[bool] = False

    def _rows(self, judged: Judged) -> Rows:
        last = _relevant_group(judged, last=True)
        size, relevant = last.size, last.relevant
        # the place of the last of r relevant labels among n tied ones, from 1
        within = {
            "order": last.place - last.before + 1,
            "expected": relevant * (size + 1) / (relevant + 1),
            "worst": size,
            "best": relevant,
        }[self.ties]
        depth = np.full(judged.ranking.n_rows, judged.ranking.n_labels - 1.0)
        depth[last.row] = last.before + within - 1
        depth[judged.n_hits < judged.counts] = judged.ranking.n_labels - 1
        return Rows(depth, undefined=judged.counts == 0)


@dataclass(frozen=True, kw_only=True)
class RR(Measure):
    r"""Reciprocal rank of the first relevant label (what information retrieval calls MRR).

    .. math:: RR = \frac{1}{\min_{c \in R} r(c)}

    A row whose list has no relevant label counts 0. Paper 003 means another thing by `MRR`.

    Parameters
    ----------
    k : int, optional
        Look at the first k labels only.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1, 2, 3]])
    >>> RR()(ranking, np.array([[0, 1, 1, 0]])).value
    0.5
    """

    k: int | None = None
    name: ClassVar[str] = "RR"

    def _rows(self, judged: Judged) -> Rows:
        first = _relevant_group(judged, last=False)
        depth = self.k or judged.ranking.n_labels
        if self.ties == "expected":
            value = _expected_reciprocal(first, depth)
        else:
            within = {
                "order": first.place - first.before + 1,
                "worst": first.size - first.relevant + 1,
                "best": np.ones_like(first.size),
            }[self.ties]
            place = first.before + within
            value = np.where(place <= depth, 1 / place, 0)
        values = np.zeros(judged.ranking.n_rows)
        values[first.row] = value
        return Rows(values, undefined=judged.counts == 0)


class _Group(NamedTuple):
    """For each row that lists a relevant label: the tied group around its first or last one."""

    row: NDArray[np.int64]
    place: Floats  # of that label, from 0
    before: Floats  # labels before the group
    size: Floats
    relevant: Floats  # relevant labels in the group


def _relevant_group(judged: Judged, last: bool) -> _Group:
    r = judged.ranking
    at = np.flatnonzero(judged.hits)
    row, first = np.unique(r.rows[at], return_index=True)
    at = at[np.append(first, len(at))[1:] - 1] if last else at[first]
    opens = np.ones(r.n_entries, dtype=bool)  # entries that start a group of equal scores
    opens[1:] = (r.scores[1:] != r.scores[:-1]) | (r.rows[1:] != r.rows[:-1])
    starts = np.flatnonzero(opens)
    group = np.searchsorted(starts, at, side="right") - 1
    ends = np.append(starts[1:], r.n_entries)
    hits = np.concatenate([[0], np.cumsum(judged.hits)])
    return _Group(
        row,
        (at - r.indptr[row]).astype(np.float64),
        (starts[group] - r.indptr[row]).astype(np.float64),
        (ends[group] - starts[group]).astype(np.float64),
        hits[ends[group]] - hits[starts[group]],
    )


def _expected_reciprocal(first: _Group, depth: int) -> Floats:
    """E[1/place] when r relevant labels lie anywhere among n tied ones.

    The first of them is j-th with chance P(j): P(1) = r/n, P(j+1) = P(j) (n-j-r+1) / (n-j).
    """
    n, r = first.size, first.relevant
    chance = r / n if len(n) else n
    total = np.zeros(len(n))
    for j in range(1, int(n.max(initial=0)) + 1):
        place = first.before + j
        total += np.where(place <= depth, chance / place, 0)
        rest = np.maximum(n - j, 1)
        chance = chance * np.maximum(n - j - r + 1, 0) / rest
    return total
