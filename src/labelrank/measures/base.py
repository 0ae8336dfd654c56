"""What a measure is: per-row values first, averaged last, policies named."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank._labels import check_labels
from labelrank.errors import InputError
from labelrank.measures.score import Score
from labelrank.ranking import Ranking

__all__ = ["Empty", "Judged", "Measure", "Rows", "Ties"]

Floats: TypeAlias = NDArray[np.float64]
Empty: TypeAlias = Literal["skip", "zero", "one", "error"]
Ties: TypeAlias = Literal["order", "expected", "worst", "best"]
_TIE_KERNEL = {"expected": 0, "best": 1, "worst": 2}


class Judged:
    """A ranking beside the truth: what all measures of one evaluation share.

    Parameters
    ----------
    ranking : Ranking
    Y : (n_rows, n_labels) grades
    propensities : array of shape (n_labels,), optional
        The chance that a relevant label was observed (paper 003); see `labelrank.propensities`.
    complete : array of shape (n_rows,), optional
        How many labels are relevant in the complete truth, where that is known.
    """

    def __init__(
        self, ranking: Ranking, Y: Any, propensities: Any = None, complete: Any = None
    ) -> None:
        truth = check_labels(Y)
        if truth.shape[0] != ranking.n_rows:
            raise InputError(
                f"the ranking has {ranking.n_rows} rows but Y has {truth.shape[0]}: "
                "they must describe the same instances."
            )
        if truth.shape[1] != ranking.n_labels:
            raise InputError(
                f"the ranking has {ranking.n_labels} labels but Y has {truth.shape[1]}: "
                "they must be over the same labels."
            )
        self.ranking = ranking
        self.indptr = truth.indptr.astype(np.int64)  # truth, by row
        self.labels = truth.indices.astype(np.int32)
        self.grades: Floats = truth.data
        self.counts = np.diff(self.indptr)  # relevant labels of each row
        self._propensities = propensities
        self._complete = complete
        self._tied: dict[int | None, int] = {}

    @cached_property
    def listed_grades(self) -> Floats:
        """The truth's grade of every entry of the ranking; 0 when not relevant."""
        return self.look_up(self.grades)

    @cached_property
    def hits(self) -> Floats:
        """1 for every entry that is relevant, 0 for the others."""
        return (self.listed_grades > 0).astype(np.float64)

    @cached_property
    def n_hits(self) -> Floats:
        """How many relevant labels each row lists."""
        return self.gained(self.hits, np.ones(self.longest))

    @property
    def longest(self) -> int:
        """The length of the longest list."""
        return int(self.ranking.lengths.max(initial=0))

    @cached_property
    def inverse_propensity(self) -> Floats:
        """1/p of each label."""
        if self._propensities is None:
            raise InputError(
                "a propensity-scored measure needs propensities: pass "
                "propensities=labelrank.propensities(Y_train)."
            )
        p = np.asarray(self._propensities, dtype=np.float64)
        if p.shape != (self.ranking.n_labels,):
            raise InputError(
                f"propensities has shape {p.shape} for {self.ranking.n_labels} labels: one a label."
            )
        if not ((p > 0) & (p <= 1)).all():
            raise InputError("propensities must lie in (0, 1]: they are chances of being observed.")
        return 1 / p

    @cached_property
    def true_weights(self) -> Floats:
        """1/p of every relevant label, aligned with `labels`."""
        weights: Floats = self.inverse_propensity[self.labels]
        return weights

    @cached_property
    def falling_weights(self) -> Floats:
        """1/p of every relevant label, each row from the largest down."""
        return self.falling(self.true_weights)

    @cached_property
    def falling_grades(self) -> Floats:
        """The truth's grades, each row from the largest down."""
        return self.falling(self.grades)

    @cached_property
    def listed_weights(self) -> Floats:
        """1/p of every entry of the ranking, relevant or not."""
        weights: Floats = self.inverse_propensity[self.ranking.labels]
        return weights

    @cached_property
    def weighted_hits(self) -> Floats:
        """1/p for every entry that is relevant, 0 for the others."""
        return self.hits * self.listed_weights

    @cached_property
    def complete(self) -> Floats:
        """The number of relevant labels in the complete truth: given, or estimated as Σ 1/p."""
        if self._complete is None:
            return self.summed(self.true_weights)
        counts = np.asarray(self._complete, dtype=np.float64)
        if counts.shape != self.counts.shape or not (counts >= self.counts).all():
            raise InputError(
                "complete must give each row's number of relevant labels, at least the observed."
            )
        return counts

    def look_up(self, values: Floats) -> Floats:
        """Values of the truth's entries, for the entries of the ranking (0 where not relevant)."""
        r = self.ranking
        return _native.look_up(r.indptr, r.labels, self.indptr, self.labels, values)

    def summed(self, values: Floats) -> Floats:
        """Per-row sum of values of the truth's entries."""
        depth = int(self.counts.max(initial=0))
        return _native.discounted_sum(self.indptr, values, np.ones(depth))

    def gained(self, gains: Floats, discount: Floats, ties: Ties = "order") -> Floats:
        """Per-row sum of gain × discount[place] over the first len(discount) places."""
        r = self.ranking
        if ties != "order":
            gains = _native.settle_ties(r.indptr, r.scores, gains, _TIE_KERNEL[ties])
        return _native.discounted_sum(r.indptr, gains, discount)

    def ideal(self, falling: Floats, discount: Floats) -> Floats:
        """The same sum for the best list: the truth's gains, in the order of `falling`."""
        return _native.discounted_sum(self.indptr, falling, discount)

    def falling(self, gains: Floats) -> Floats:
        """Gains of the truth's entries, each row from the largest down."""
        return _native.sort_falling(self.indptr, gains)

    def tied_rows(self, k: int | None) -> int:
        """Rows whose k-th and next score are equal; without k, with any two equal scores."""
        if k not in self._tied:
            self._tied[k] = self._count_ties(k)
        return self._tied[k]

    def _count_ties(self, k: int | None) -> int:
        r = self.ranking
        if k is not None:
            at = r.indptr[:-1][r.lengths > k] + k
            return int((r.scores[at] == r.scores[at - 1]).sum())
        equal = np.zeros(r.n_entries, dtype=bool)
        equal[1:] = r.scores[1:] == r.scores[:-1]
        equal[r.indptr[:-1][r.lengths > 0]] = False  # a row's first entry has nothing before it
        return len(np.unique(r.rows[equal]))


class Rows(NamedTuple):
    """A measure's sums for each row (or label); their ratio is the value."""

    numerators: Floats
    denominators: Floats | None = None  # None: one for each
    undefined: NDArray[np.bool_] | None = None  # where the policy on empty rows decides
    wrong: NDArray[np.int64] | None = None  # row * n_labels + label of every wrong decision


@dataclass(frozen=True, kw_only=True)
class Measure(ABC):
    """Scores a Ranking against Y.

    Parameters
    ----------
    empty : {"skip", "zero", "one", "error"}
        What a row counts for which the formula has no value, in general one without a relevant
        label: it is left out, counts 0 or 1, or is an error.
    ties : {"order", "expected", "worst", "best"}
        Equal scores: the list's own order (smaller label id first), the mean over all orders of
        the tied labels, or the least or most favourable of them.

    Notes
    -----
    A list that is shorter than the measure looks counts as padded with wrong labels.
    """

    empty: Empty = "skip"
    ties: Ties = "order"

    name: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    unit: ClassVar[str] = "row"
    tie_policies: ClassVar[tuple[str, ...]] = ("order", "expected", "worst", "best")
    needs_propensity: ClassVar[bool] = False
    ordered: ClassVar[bool] = True  # the order of the list matters, and so do ties
    whole_list: ClassVar[bool] = True  # without k, every label should be listed

    @abstractmethod
    def _rows(self, judged: Judged) -> Rows:
        """The sums of each row."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value, allowed = getattr(self, field.name), _choices(field.name, self)
            if allowed and value not in allowed:
                raise InputError(
                    f"{self.name}: {field.name} must be one of {', '.join(allowed)}, not {value!r}."
                )
        k = getattr(self, "k", None)
        if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
            raise InputError(f"{self.name}: k must be a whole number from 1, found {k!r}.")

    def __call__(
        self, ranking: Ranking, Y: Any, *, propensities: Any = None, complete: Any = None
    ) -> Score:
        """Score the ranking; see `Judged` for the arguments."""
        return self.score(Judged(ranking, Y, propensities, complete))

    def score(self, judged: Judged) -> Score:
        """Score a ranking that stands beside its truth already."""
        rows = self._rows(judged)
        values = rows.numerators
        empty = rows.undefined if rows.undefined is not None else np.zeros(len(values), bool)
        if empty.any():
            if self.empty == "error":
                raise InputError(
                    f"{self}: {self.unit} {int(np.argmax(empty))} is empty and has no value; "
                    "choose empty=skip, zero or one."
                )
            fill = {"skip": np.nan, "zero": 0.0, "one": 1.0}[self.empty]
            values = np.where(empty, fill, values)
        k = getattr(self, "k", None)
        wanted = k if k is not None else judged.ranking.n_labels if self.whole_list else 0
        return Score(
            measure=self,
            numerators=values,
            denominators=rows.denominators,
            n_empty=int(empty.sum()),
            n_tied=judged.tied_rows(k) if self.ordered else 0,
            n_short=int((judged.ranking.lengths < wanted).sum()),
            wrong=rows.wrong,
        )

    @property
    def policy(self) -> str:
        """The choices in words, as reports print them."""
        words = [f"empty {self.unit}s: {self.empty}"]
        if self.ordered:
            words.append(f"ties: {self.ties}")
        if self.whole_list or getattr(self, "k", None):
            words.append("short lists: padded with wrong labels")
        return ", ".join(words)

    def __str__(self) -> str:
        k = getattr(self, "k", None)
        given = [
            f"{f.name}={getattr(self, f.name)}"
            for f in fields(self)
            if f.name not in ("k", "beta") and getattr(self, f.name) != f.default
        ]
        beta = np.format_float_positional(getattr(self, "beta", 1.0), trim="-")
        stem = self.name.replace("β", beta)
        return stem + (f"({','.join(given)})" if given else "") + (f"@{k}" if k else "")


def _choices(field: str, measure: Measure) -> tuple[str, ...]:
    if field == "ties":
        return measure.tie_policies
    return {
        "empty": ("skip", "zero", "one", "error"),
        "gain": ("linear", "exp"),
        "norm": ("normalised", "plain"),
        "depth": ("k", "labels"),
        "count": ("complete", "observed"),
    }.get(field, ())


def log_discount(k: int) -> Floats:
    """1 / log2(1 + place) for the places 1..k."""
    return 1 / np.log2(np.arange(2, k + 2))
