"""Nearness: what the kernels of meta-level features need to know of the training rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank.ranking import Ranking

__all__ = ["Nearness", "nearness"]

_DISTANCES = ("l2", "l1", "cosine", "centroid")
_STEP = 256  # columns or labels made double at a time


def nearness(rows: Any, members: sp.csr_array, centroid: bool) -> Nearness:
    """Prepared training rows: float32 (n_rows, n_features), CSR or dense.

    Parameters
    ----------
    rows : float32 (n_rows, n_features)
    members : CSR (n_labels, n_rows)
        The rows of each label.
    centroid : bool
        Whether distances to centroids are wanted.
    """
    return (_Sparse if sp.issparse(rows) else _Dense)(rows, members, centroid)


class Nearness(ABC):
    """Distances of rows to the nearest training rows of a label, and to its centroid."""

    rows: Any

    def __init__(self, members: sp.csr_array) -> None:
        self.counts = np.diff(members.indptr)
        self.lists = (
            members.indptr.astype(np.int64),
            members.indices.astype(np.int32, copy=False),
        )

    def describe(
        self,
        X: Any,
        ranking: Ranking,
        own: Any,
        k: int,
        starts: dict[str, int],
        width: int,
        ids: bool,
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Numbers (n_entries, width), and rows (n_entries, k) when ids are wanted.

        Parameters
        ----------
        X : rows like the training rows
        ranking : Ranking
            The pairs.
        own : array (n_rows,) or None
            The training row that each row is; it is left out.
        k : int
        starts : dict
            The first column of each distance that is wanted.
        width : int
        ids : bool
        """
        itself = np.full(len(ranking), -1) if own is None else own
        pairs = (ranking.indptr, ranking.labels, itself.astype(np.int32))
        columns = tuple(starts.get(name, -1) for name in _DISTANCES)
        return self._kernel(X, (*self.lists, *pairs, k, columns, width, ids), "cosine" in starts)

    def fill(
        self, F: NDArray[np.float32], X: Any, ranking: Ranking, own: Any, k: int, starts: Any
    ) -> None:
        """Describe labels that have no other row, as far away as `MetaLevel` says."""
        if self.counts.min(initial=2) > 1:
            return
        alone = self.counts[ranking.labels] <= (own is not None)
        if not alone.any():
            return
        rows = ranking.rows[alone]
        mine = np.full(len(rows), -1) if own is None else own[rows]
        absolute, squares = (sums[rows] for sums in _sums(X))
        far = {
            "l1": absolute + self._longest("l1", mine),
            "l2": np.sqrt(squares + self._longest("l2", mine)),
            "cosine": np.ones(len(rows)),
        }
        most = np.finfo(np.float32).max
        for name, start in starts.items():
            if name == "centroid":
                F[alone, start] = np.minimum(far["l2"], most)
                F[alone, start + 1] = 1
            else:
                F[alone, start : start + k] = np.minimum(far[name], most)[:, None]

    def _longest(self, name: str, mine: NDArray[Any]) -> NDArray[np.float64]:
        """The largest sum of a training row other than its own, for each of some rows."""
        where, first, second = self.longest[name]
        return np.where(mine == where, second, first)

    @cached_property
    def longest(self) -> dict[str, tuple[int, float, float]]:
        """The longest training row in each sense, and how long the longest of the others is."""
        absolute, squares = self._lengths()
        return {"l1": _two_largest(absolute), "l2": _two_largest(squares)}

    @abstractmethod
    def _lengths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sums of absolute values and of squares of the training rows."""

    @abstractmethod
    def _kernel(
        self, X: Any, rest: Any, cosine: bool
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Call the kernel on rows that are dense or sparse, whichever they are."""


class _Dense(Nearness):
    """Dense training rows."""

    def __init__(self, rows: NDArray[np.float32], members: sp.csr_array, centroid: bool) -> None:
        super().__init__(members)
        # Where squares could be too large or too small for float32, rows are compared in other
        # units: a power of two is exact.
        exponent = int(np.frexp(max(rows.max(initial=0), -rows.min(initial=0)))[1])
        self.unit = 1.0 if abs(exponent) < 32 else float(2.0 ** np.clip(exponent, -100, 100))
        self.original, self.rows = rows, self._in_units(rows)
        self.totals = np.zeros((len(self.counts) if centroid else 0, rows.shape[1]))
        for at in range(0, rows.shape[1] if centroid else 0, _STEP):
            columns = slice(at, at + _STEP)
            self.totals[:, columns] = members @ self.rows[:, columns].astype(np.float64)

    def _lengths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return _sums(self.original)

    @cached_property
    def inverse(self) -> NDArray[np.float32]:
        """One through the length of each row; 0 for zeros."""
        lengths, least = np.sqrt(_sums(self.rows)[1]), 1 / np.finfo(np.float32).max
        inverse: NDArray[np.float64] = np.where(lengths > 0, 1 / np.maximum(lengths, least), 0)
        return inverse.astype(np.float32)

    def _in_units(self, X: NDArray[np.float32]) -> NDArray[np.float32]:
        if self.unit == 1:
            return X
        most = np.finfo(np.float32).max
        scaled: NDArray[np.float32] = np.clip(X / self.unit, -most, most).astype(np.float32)
        return scaled

    def _kernel(
        self, X: Any, rest: Any, cosine: bool
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        queries = self._in_units(np.ascontiguousarray(X.toarray() if sp.issparse(X) else X))
        inverse = self.inverse if cosine else np.zeros(len(self.rows), dtype=np.float32)
        return _native.meta_level_dense(queries, self.rows, inverse, self.totals, self.unit, *rest)


class _Sparse(Nearness):
    """Sparse training rows."""

    def __init__(self, rows: sp.csr_array, members: sp.csr_array, centroid: bool) -> None:
        self.absolute, self.squares = _sums(rows)
        super().__init__(members)
        self.rows = rows
        self.arrays = _arrays(rows)
        self.negative = bool(rows.data.min(initial=0) < 0)
        self.totals = np.zeros(len(self.counts) if centroid else 0)
        for at in range(0, len(self.totals), _STEP):
            total = members[at : at + _STEP] @ rows.astype(np.float64)
            self.totals[at : at + _STEP] = total.power(2) @ np.ones(rows.shape[1])

    def _lengths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.absolute, self.squares

    def _kernel(
        self, X: Any, rest: Any, cosine: bool
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        return _native.meta_level_sparse(
            *(*_arrays(sp.csr_array(X)), *self.arrays, self.rows.shape[1]),
            *(self.absolute, self.squares, self.totals, self.negative, *rest),
        )


def _arrays(X: sp.csr_array) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
    return X.indptr.astype(np.int64), X.indices.astype(np.int32, copy=False), X.data


def _sums(X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of absolute values and of squares of each row, in double and from left to right.

    From left to right as the kernel for sparse rows does it, so that the distance of a row to an
    equal one is exactly 0.
    """
    if not sp.issparse(X):
        return (
            np.abs(X).sum(axis=1, dtype=np.float64),
            np.einsum("ij,ij->i", X, X, dtype=np.float64),
        )
    ones = np.ones(X.shape[1])
    values = X.data.astype(np.float64)

    def sums(data: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(sp.csr_array((data, X.indices, X.indptr), shape=X.shape) @ ones)

    return sums(np.abs(values)), sums(values**2)


def _two_largest(sums: NDArray[np.float64]) -> tuple[int, float, float]:
    """Where the largest is, the largest, and the largest of the others; 0 where there is none."""
    if not len(sums):
        return -1, 0.0, 0.0
    where = int(np.argmax(sums))
    return where, float(sums[where]), float(np.delete(sums, where).max(initial=0))
