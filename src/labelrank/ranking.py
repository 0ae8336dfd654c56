"""Ranking: for each row a list of labels, best first. The one type that travels.

Candidates are a Ranking, a final answer is a Ranking, a decision is a shorter Ranking, a measure
takes one. It is stored like a CSR matrix whose rows stand in order of score instead of column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from labelrank import _entries, _native
from labelrank.errors import InputError

__all__ = ["Ranking"]

Rows: TypeAlias = slice | ArrayLike


class Ranking:
    """For each of n rows, some labels with a score each, best first.

    Ties have one rule everywhere: of equal scores the smaller label id comes first.

    Parameters
    ----------
    indptr : array of shape (n_rows + 1,)
        Row i is the entries ``indptr[i]:indptr[i + 1]``.
    labels, scores : arrays of shape (n_entries,)
        Label ids in 0..n_labels-1, none twice in a row; finite scores (float32 stays float32,
        anything else becomes float64).
    n_labels : int
        How many labels there are, listed or not.

    Notes
    -----
    The arrays are checked once, here, and used without a copy where they have the right type;
    do not change them afterwards. The views that a Ranking hands out are read-only.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_dense(np.array([[0.1, 0.7, 0.2], [0.5, 0.0, 0.5]]))
    >>> ranking
    Ranking(2 rows, 3 labels, 6 entries)
      0: 1 (0.7), 2 (0.2), 0 (0.1)
      1: 0 (0.5), 2 (0.5), 1 (0)
    >>> ranking.top(1).to_csr().toarray()
    array([[0. , 0.7, 0. ],
           [0.5, 0. , 0. ]])
    """

    __slots__ = ("indptr", "labels", "n_labels", "scores")

    indptr: NDArray[np.int64]
    labels: NDArray[np.int32]
    scores: NDArray[Any]
    n_labels: int

    def __init__(
        self, indptr: ArrayLike, labels: ArrayLike, scores: ArrayLike, n_labels: int
    ) -> None:
        arrays = _entries.arrays(indptr, labels, scores)
        size = _entries.size(n_labels)
        _entries.check(*arrays, size, ordered=True)
        self._hold(*arrays, size)

    def _hold(
        self, indptr: NDArray[Any], labels: NDArray[Any], scores: NDArray[Any], n_labels: int
    ) -> None:
        for name, array in (("indptr", indptr), ("labels", labels), ("scores", scores)):
            view = array.view()
            view.flags.writeable = False
            setattr(self, name, view)
        self.n_labels = n_labels

    @classmethod
    def _trusted(
        cls, indptr: NDArray[Any], labels: NDArray[Any], scores: NDArray[Any], n_labels: int
    ) -> Ranking:
        """Arrays that a kernel of ours has just made in order."""
        self = cls.__new__(cls)
        self._hold(indptr, labels, scores, n_labels)
        return self

    # ---------------------------------------------------------------- making one

    @classmethod
    def from_entries(
        cls,
        indptr: ArrayLike,
        labels: ArrayLike,
        scores: ArrayLike,
        n_labels: int,
        k: int | ArrayLike | None = None,
    ) -> Ranking:
        """Entries in any order within their rows; the best k of each row are kept."""
        arrays = _entries.arrays(indptr, labels, scores)
        size = _entries.size(n_labels)
        _entries.check(*arrays, size, ordered=False)
        keep = _entries.keep(k, len(arrays[0]) - 1)
        return cls._trusted(*_native.top_rows(*arrays, keep), size)

    @classmethod
    def from_dense(cls, scores: ArrayLike, k: int | None = None) -> Ranking:
        """Every label of each row of an (n_rows, n_labels) array, or the best k of them."""
        matrix = np.require(scores, requirements=["C", "A"])
        if matrix.ndim != 2:
            raise InputError(f"scores must have two dimensions, found shape {matrix.shape}.")
        if matrix.dtype.kind not in "fiub":
            raise InputError(f"scores must be numbers, found {matrix.dtype}.")
        if matrix.dtype != np.float32:
            matrix = matrix.astype(np.float64)
        n, m = matrix.shape
        width = m if k is None else min(int(_entries.keep(k, 1)[0]), m)
        labels, best, bad = _native.top_dense(matrix, width)
        if bad >= 0:
            raise InputError(f"scores: {_entries.FAULTS[2].format(row=bad)}.")
        indptr = np.arange(n + 1, dtype=np.int64) * width
        return cls._trusted(indptr, labels.ravel(), best.ravel(), m)

    @classmethod
    def from_csr(cls, scores: Any, k: int | None = None) -> Ranking:
        """The stored entries of a scipy sparse matrix (n_rows, n_labels), explicit zeros too."""
        matrix = sp.csr_array(scores)
        if matrix.ndim != 2:
            raise InputError(f"scores must have two dimensions, found shape {matrix.shape}.")
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return cls.from_entries(matrix.indptr, matrix.indices, matrix.data, matrix.shape[1], k)

    @classmethod
    def from_lists(
        cls,
        labels: Iterable[Sequence[int]],
        scores: Iterable[Sequence[float]] | None = None,
        n_labels: int | None = None,
    ) -> Ranking:
        """One list of label ids a row; without scores the order counts, as 1, 1/2, 1/3, …

        `n_labels` is one more than the largest label when it is not given.
        """
        indptr, flat, values = _entries.of_lists(labels, scores)
        size = int(flat.max(initial=-1)) + 1 if n_labels is None else n_labels
        return cls.from_entries(indptr, flat, values, size)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        n_rows: int | None = None,
        label_names: Sequence[str] | None = None,
        n_labels: int | None = None,
    ) -> Ranking:
        """A data frame with columns ``row``, ``label`` and ``score`` (pandas, polars, pyarrow, …).

        Labels are ids, or names when `label_names` is given.
        """
        indptr, label, score = _entries.of_frame(frame, n_rows, label_names)
        width = int(label.max(initial=-1)) + 1 if n_labels is None else n_labels
        return cls.from_entries(
            indptr, label, score, width if label_names is None else len(label_names)
        )

    @classmethod
    def stack(cls, rankings: Sequence[Ranking]) -> Ranking:
        """The rows of several rankings over the same labels, one below the other."""
        if not rankings:
            raise InputError("stack needs at least one ranking.")
        if len({r.n_labels for r in rankings}) > 1:
            raise InputError(
                f"stack: rankings have {[r.n_labels for r in rankings]} labels; they must agree."
            )
        offsets = np.cumsum([0] + [r.n_entries for r in rankings])
        indptr = np.concatenate(
            [[0], *(r.indptr[1:] + at for r, at in zip(rankings, offsets[:-1], strict=True))]
        )
        return cls._trusted(
            indptr.astype(np.int64),
            np.concatenate([r.labels for r in rankings]),
            np.concatenate([r.scores for r in rankings]),
            rankings[0].n_labels,
        )

    # ---------------------------------------------------------------- looking at it

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return len(self.indptr) - 1

    @property
    def n_entries(self) -> int:
        """How many (row, label) pairs."""
        return len(self.labels)

    @property
    def shape(self) -> tuple[int, int]:
        """(n_rows, n_labels)."""
        return self.n_rows, self.n_labels

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many labels each row lists."""
        return np.diff(self.indptr)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The row number of every entry."""
        return np.repeat(np.arange(self.n_rows), self.lengths)

    @property
    def positions(self) -> NDArray[np.int64]:
        """The place of every entry in its row, from 0."""
        return np.arange(self.n_entries) - np.repeat(self.indptr[:-1], self.lengths)

    def __len__(self) -> int:
        return self.n_rows

    def row(self, i: int) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """(labels, scores) of row i, best first."""
        if not -self.n_rows <= i < self.n_rows:
            raise IndexError(f"row {i} of a ranking with {self.n_rows} rows")
        i %= self.n_rows
        entries = slice(self.indptr[i], self.indptr[i + 1])
        return self.labels[entries], self.scores[entries]

    def __iter__(self) -> Iterator[tuple[NDArray[np.int32], NDArray[Any]]]:
        return (self.row(i) for i in range(self.n_rows))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ranking):
            return NotImplemented
        return (
            self.n_labels == other.n_labels
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.labels, other.labels)
            and np.array_equal(self.scores, other.scores)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Ranking._trusted, (self.indptr, self.labels, self.scores, self.n_labels)

    def __repr__(self) -> str:
        lines = [f"Ranking({self.n_rows} rows, {self.n_labels} labels, {self.n_entries} entries)"]
        for i in range(min(self.n_rows, 3)):
            labels, scores = self.row(i)
            shown = [f"{a} ({s:.3g})" for a, s in zip(labels[:5], scores[:5], strict=True)]
            lines.append(f"  {i}: " + ", ".join(shown + ["…"] * (len(labels) > 5)))
        return "\n".join(lines + ["  …"] * (self.n_rows > 3))

    # ---------------------------------------------------------------- making another

    def __getitem__(self, rows: Rows) -> Ranking:
        """Some of the rows: a slice, row numbers, or one boolean a row."""
        chosen = self._chosen(rows)
        indptr = np.concatenate([[0], np.cumsum(self.lengths[chosen])])
        entries = self.entries_of(chosen)
        return Ranking._trusted(indptr, self.labels[entries], self.scores[entries], self.n_labels)

    def entries_of(self, rows: Rows) -> NDArray[np.int64]:
        """Where the entries of some rows stand: ``F[ranking.entries_of(rows)]`` describes them."""
        chosen = self._chosen(rows)
        lengths = self.lengths[chosen]
        ends = np.cumsum(lengths)
        return np.repeat(self.indptr[chosen] - ends + lengths, lengths) + np.arange(lengths.sum())

    def _chosen(self, rows: Rows) -> NDArray[np.int64]:
        if isinstance(rows, int | np.integer):
            raise InputError(f"ranking[{rows}] is ambiguous: use row({rows}) or [{rows}:{rows}+1].")
        index = rows if isinstance(rows, slice) else np.asarray(rows)
        if not isinstance(index, slice):
            index = index if index.size else index.astype(np.int64)
            if index.ndim != 1 or index.dtype.kind not in "iub":
                raise InputError("rows are chosen by a slice, row numbers or one boolean a row.")
        return np.arange(self.n_rows)[index]

    def top(self, k: int | ArrayLike) -> Ranking:
        """The best k labels of each row; k may be one number a row."""
        if k is None:
            raise InputError("k must be a whole number, 0 or more (or one a row), found None.")
        return self.filtered(
            self.positions < np.repeat(_entries.keep(k, self.n_rows), self.lengths)
        )

    def filtered(self, keep: ArrayLike) -> Ranking:
        """Only the entries for which `keep`, one boolean an entry, is true."""
        mask = np.asarray(keep, dtype=bool)
        if mask.shape != self.labels.shape:
            raise InputError(
                f"keep has shape {mask.shape}, one value an entry is {self.n_entries}."
            )
        kept = np.concatenate([[0], np.cumsum(mask)])
        return Ranking._trusted(
            kept[self.indptr], self.labels[mask], self.scores[mask], self.n_labels
        )

    def reordered(self, scores: ArrayLike) -> Ranking:
        """The same candidates in the order of new scores, one for each entry."""
        new = np.asarray(scores)
        if new.shape != self.labels.shape:
            raise InputError(
                f"scores has shape {new.shape}, but the ranking has {self.n_entries} entries."
            )
        return Ranking.from_entries(self.indptr, self.labels, new, self.n_labels)

    def union(
        self, other: Ranking, combine: Literal["reciprocal", "max", "sum", "first"] = "reciprocal"
    ) -> Ranking:
        """The candidates of both.

        Parameters
        ----------
        other : Ranking
            As many rows, over the same labels.
        combine : {"reciprocal", "max", "sum", "first"}
            The score of the union. "reciprocal" adds 1/(60 + place) over the lists a label is in,
            which needs no common scale; "max" and "sum" take the scores as they are; "first" keeps
            this ranking's score and takes the other's for labels that are new.
        """
        if self.shape != other.shape:
            raise InputError(f"union: shapes {self.shape} and {other.shape} must be equal.")
        if combine not in ("reciprocal", "max", "sum", "first"):
            raise InputError(f"combine must be reciprocal, max, sum or first, not {combine!r}.")
        keys = np.concatenate([r.rows * self.n_labels + r.labels for r in (self, other)])
        scores: NDArray[np.float64] = np.concatenate([self.scores, other.scores]).astype(float)
        if combine == "reciprocal":
            scores = 1.0 / (61 + np.concatenate([self.positions, other.positions]))
        pairs, first, which = np.unique(keys, return_index=True, return_inverse=True)
        if combine == "first":
            merged: NDArray[Any] = scores[first]
        elif combine == "max":
            merged = np.full(len(pairs), -np.inf)
            np.maximum.at(merged, which, scores)
        else:
            merged = np.bincount(which, weights=scores, minlength=len(pairs))
        rows, labels = np.divmod(pairs, max(self.n_labels, 1))
        indptr = np.searchsorted(rows, np.arange(self.n_rows + 1))
        return Ranking.from_entries(indptr, labels, merged, self.n_labels)

    # ---------------------------------------------------------------- handing it on

    def to_csr(self) -> sp.csr_array:
        """Scores as a (n_rows, n_labels) sparse array, columns sorted; zeros stay stored."""
        matrix = sp.csr_array(
            (self.scores.copy(), self.labels.copy(), self.indptr.copy()), shape=self.shape
        )
        matrix.sort_indices()
        return matrix

    def to_frame(self, label_names: Sequence[str] | None = None, backend: str | None = None) -> Any:
        """A data frame with columns row, rank (from 1), label and score.

        `backend` names the library ("pandas", "polars", "pyarrow"); by default the first of
        polars and pandas that is installed.
        """
        if label_names is not None and len(label_names) != self.n_labels:
            raise InputError(f"{len(label_names)} label names for {self.n_labels} labels.")
        names = self.labels if label_names is None else np.asarray(label_names)[self.labels]
        columns = {
            "row": self.rows,
            "rank": self.positions + 1,
            "label": names,
            "score": self.scores.copy(),
        }
        return _entries.to_frame(columns, backend)
