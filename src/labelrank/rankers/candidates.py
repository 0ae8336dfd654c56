"""Candidates: described pairs beside the truth, in the form that every ranker learns from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labelrank.errors import InputError
from labelrank.measures import Judged

__all__ = ["Candidates"]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Groups of described candidates.

    Attributes
    ----------
    indptr : int64 array (n_groups + 1,)
        Group g is the candidates ``indptr[g]:indptr[g + 1]``; a group may be empty.
    F : float32 array (n_candidates, n_features)
        Finite, C-contiguous, not to be changed.
    grades : float64 array (n_candidates,)
        0 not relevant; of two candidates of a group the one with the larger grade goes first.
    weights : float64 array (n_candidates,)
        How much a candidate counts, 1 where nothing else was asked for: given weights, divided by
        the propensity of the label when the gain is "propensity". Pairwise methods give a pair the
        weight of its better candidate.
    gains : float64 array (n_candidates,)
        Worth of a candidate at the first place, 0 when it is not relevant: weight × grade, or
        weight × (2^grade - 1). Listwise and pointwise methods learn from it.
    """

    indptr: NDArray[np.int64]
    F: NDArray[np.float32]
    grades: NDArray[np.float64]
    weights: NDArray[np.float64]
    gains: NDArray[np.float64]

    @property
    def n_groups(self) -> int:
        """How many groups."""
        return len(self.indptr) - 1

    @property
    def groups(self) -> NDArray[np.int64]:
        """The group of each candidate."""
        return np.repeat(np.arange(self.n_groups), np.diff(self.indptr))

    @property
    def group_weights(self) -> NDArray[np.float64]:
        """How much each group counts: the mean weight of its relevant candidates, 0 without any."""
        relevant = self.grades > 0
        groups = self.groups[relevant]
        sums = np.bincount(groups, self.weights[relevant], self.n_groups)
        return sums / np.maximum(np.bincount(groups, minlength=self.n_groups), 1)

    def some(self, groups: NDArray[np.int64]) -> Candidates:
        """Some of the groups."""
        lengths = np.diff(self.indptr)[groups]
        ends = np.cumsum(lengths)
        rows = np.repeat(self.indptr[groups] - ends + lengths, lengths) + np.arange(lengths.sum())
        indptr = np.concatenate([[0], ends])
        numbers = (self.grades[rows], self.weights[rows], self.gains[rows])
        return Candidates(indptr, self.F[rows], *numbers)

    def comparable(self, by: Literal["grades", "gains"] = "grades") -> Candidates:
        """Only the groups of which an order can be learned; see `teaching`."""
        groups = self.teaching(by)
        return self if len(groups) == self.n_groups else self.some(groups)

    def teaching(self, by: Literal["grades", "gains"] = "grades") -> NDArray[np.int64]:
        """Which groups have candidates of different grades.

        One that is empty, has one candidate, none relevant or all equally so is as good in one
        order as in any other. InputError when there is no group to learn from.
        """
        values = getattr(self, by)
        filled = np.flatnonzero(np.diff(self.indptr))
        starts = self.indptr[filled]
        differ = np.maximum.reduceat(values, starts) > np.minimum.reduceat(values, starts)
        if not differ.any():
            raise InputError(
                f"there is no order to learn: no group has two candidates of different {by}."
            )
        return filled[differ]

    @classmethod
    def of(
        cls,
        judged: Judged,
        F: NDArray[np.float32],
        gain: str = "grade",
        pair_weights: Any = None,
        label_weights: Any = None,
    ) -> Candidates:
        """The entries of a judged ranking with their numbers, weights and gains."""
        ranking, grades = judged.ranking, judged.listed_grades
        weights = np.ones(ranking.n_entries)
        if pair_weights is not None:
            weights *= _weights("pair_weights", pair_weights, ranking.n_entries, "candidate")
        if label_weights is not None:
            each = _weights("label_weights", label_weights, ranking.n_labels, "label")
            weights *= each[ranking.labels]
        if gain == "propensity":
            weights *= judged.listed_weights
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is told below
            gains = weights * (np.exp2(grades) - 1 if gain == "exp" else grades)
        if not np.isfinite(gains).all():
            raise InputError(
                f"the grade {grades.max():g} is too large for gain={gain!r}: use smaller grades."
            )
        return cls(ranking.indptr, F, grades, weights, gains)


def _weights(name: str, given: Any, size: int, unit: str) -> NDArray[np.float64]:
    weights = np.asarray(given)
    if weights.shape != (size,) or weights.dtype.kind not in "fiub":
        raise InputError(f"{name} must be {size} numbers, one a {unit}; found {weights.shape}.")
    weights = weights.astype(np.float64)
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError(f"{name} has a value that is negative, NaN or infinite.")
    return weights
