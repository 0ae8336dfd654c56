"""What a measure is: per-row values first, averaged last, policies named."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelrank.errors import InputError
from labelrank.measures.judged import Floats, Judged, Ties
from labelrank.measures.score import Score
from labelrank.ranking import Ranking

__all__ = ["Empty", "Measure", "Rows", "log_discount"]

Empty: TypeAlias = Literal["skip", "zero", "one", "error"]


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
