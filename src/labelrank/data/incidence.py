"""Incidence: which rows have which columns, read from either side, while both come and go."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from labelrank.data.lists import Lists

__all__ = ["Incidence"]


class Incidence:
    """Which rows have which columns, read from either side.

    Rows and columns are numbered without gaps: the last one takes the number of one that goes.

    Examples
    --------
    >>> both = Incidence.of([[0, 2], [2]], n_columns=3)
    >>> both.columns[2].tolist()
    [0, 1]
    >>> both.remove_row(0)
    >>> both.columns[2].tolist(), both.rows[0].tolist()
    ([0], [2])
    """

    __slots__ = ("columns", "rows")

    def __init__(self, rows: Lists, columns: Lists) -> None:
        self.rows = rows
        self.columns = columns

    @classmethod
    def of(cls, lists: list[Any], n_columns: int) -> Self:
        """Rows by their columns."""
        rows = Lists.of(lists)
        return cls(rows, _transposed(*rows.packed(), n_columns))

    @classmethod
    def packed(cls, indptr: ArrayLike, values: ArrayLike, n_columns: int) -> Self:
        """Rows by their columns, packed."""
        return cls(
            Lists(indptr, values), _transposed(np.asarray(indptr), np.asarray(values), n_columns)
        )

    def add_row(self, columns: Any) -> None:
        """A row more."""
        row = len(self.rows)
        self.rows.append(columns)
        for column in columns:
            self.columns.add(int(column), row)

    def add(self, row: int, column: int) -> None:
        """A pair more."""
        self.rows.add(row, column)
        self.columns.add(column, row)

    def remove_row(self, row: int) -> None:
        """A row less; the last one gets its number."""
        _removed(row, self.rows, self.columns)

    def remove_column(self, column: int) -> None:
        """A column less; the last one gets its number."""
        _removed(column, self.columns, self.rows)


def _removed(i: int, lists: Lists, others: Lists) -> None:
    for other in lists[i].tolist():
        others.discard(other, i)
    last = len(lists) - 1
    if i != last:
        for other in lists[last].tolist():
            others.replace(other, last, i)
    lists.move_last_to(i)


def _transposed(indptr: NDArray[np.int64], values: NDArray[np.int32], n_columns: int) -> Lists:
    rows = np.repeat(np.arange(len(indptr) - 1, dtype=np.int32), np.diff(indptr))
    shape = (len(indptr) - 1, n_columns)
    by_row = sp.csr_array((rows, values, indptr), shape=shape)
    by_column = by_row.tocsc()  # a counting sort
    return Lists(by_column.indptr, by_column.data)
