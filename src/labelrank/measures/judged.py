"""Judged: a ranking beside the truth, and the sums that measures share."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank._labels import check_labels
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["Floats", "Judged", "Ties"]

Floats: TypeAlias = NDArray[np.float64]
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
