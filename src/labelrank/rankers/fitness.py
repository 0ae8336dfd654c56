"""Fitness: what programs are worth over training groups, each judged once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank._parallel import over_blocks
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.evolution import Program

__all__ = ["CONSTANTS", "Fitness", "factors_of"]

CONSTANTS = (np.arange(1, 1001) / 1000).astype(np.float32)
"""What a leaf may be beside a feature: uniform in (0, 1], and short to print."""

_PROGRAMS = 64  # judged at a time by one job


class Fitness:
    """The mean of a measure over groups, ties in expectation, remembered for every program.

    Groups without a relevant candidate are the same to every program and are left out.

    Parameters
    ----------
    candidates : Candidates
    factors : float32 array (n_features,)
        See `factors_of`.
    measure : {"nDCG", "MAP", "RR"}
    k : int
        How many places count; 0 for all.
    n_jobs : int, optional
    """

    def __init__(
        self,
        candidates: Candidates,
        factors: NDArray[np.float32],
        measure: str,
        k: int,
        n_jobs: int | None = None,
    ) -> None:
        self._columns = np.empty((len(factors), len(candidates.F)), dtype=np.float32)
        for column, feature, factor in zip(self._columns, candidates.F.T, factors, strict=True):
            np.multiply(feature, factor, out=column)
        self._indptr, self._gains = candidates.indptr, candidates.gains
        self._measure = (measure, k)
        self._n_jobs = n_jobs
        self._known: dict[Program, float] = {}

    def __call__(self, programs: Sequence[Program]) -> list[float]:
        """The fitness of each program."""
        new = [p for p in dict.fromkeys(programs) if p not in self._known]
        found = over_blocks(lambda part: self._judged(new[part]), len(new), self._n_jobs, _PROGRAMS)
        self._known.update(zip(new, chain.from_iterable(found), strict=True))
        return [self._known[p] for p in programs]

    def _judged(self, programs: Sequence[Program]) -> list[float]:
        offsets = np.array([0, *accumulate(map(len, programs))], dtype=np.int64)
        codes = np.fromiter(chain.from_iterable(programs), np.int32, int(offsets[-1]))
        arrays = (self._columns, self._indptr, self._gains, offsets, codes, CONSTANTS)
        found: list[float] = _native.genetic_fitness(*arrays, *self._measure).tolist()
        return found


def factors_of(F: NDArray[np.float32]) -> NDArray[np.float32]:
    """What columns are multiplied by: 1, or the power of two that brings them to (½, 1]."""
    largest = np.abs(F).max(axis=0).astype(np.float64)
    mantissa, exponent = np.frexp(largest)  # largest = mantissa 2^exponent, ½ <= mantissa < 1
    power = exponent - (mantissa == 0.5)
    ordinary = (largest == 0) | ((largest >= 1 / 16) & (largest <= 16))
    return np.where(ordinary, 1, np.exp2(-np.clip(power, -126, 126))).astype(np.float32)
