"""Lists: many short lists of whole numbers in one array, that grow, shrink and move."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Column", "Lists"]


class Column:
    """Numbers in one array with room behind them: adding one costs the same however many there are.

    An array that was handed in, such as one mapped from a file, is copied before it is changed.

    Examples
    --------
    >>> column = Column([4, 5, 6], "i4")
    >>> column.append(7)
    >>> column.move_last_to(0)
    >>> column.values
    array([7, 5, 6], dtype=int32)
    """

    __slots__ = ("_array", "_n", "_own")

    def __init__(self, values: ArrayLike = (), dtype: str = "i4") -> None:
        self._array: NDArray[Any] = np.ascontiguousarray(values, dtype=dtype)
        self._n = len(self._array)
        self._own = False

    @property
    def values(self) -> NDArray[Any]:
        """The numbers, read where they lie."""
        return self._array[: self._n]

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, i: int) -> int:
        return int(self._array[i])

    def __setitem__(self, i: int | slice, value: Any) -> None:
        self._writable(0)[i] = value

    def append(self, value: float) -> None:
        """One number more."""
        self._writable(1)[self._n] = value
        self._n += 1

    def extend(self, n: int) -> int:
        """Room for n numbers more, each 0; where it begins."""
        start = self._n
        self._writable(n)[start : start + n] = 0
        self._n += n
        return start

    def move_last_to(self, i: int) -> None:
        """The last number takes the place of another."""
        self._writable(0)[i] = self._array[self._n - 1]
        self._n -= 1
        self._array[self._n] = 0

    def _writable(self, more: int) -> NDArray[Any]:
        wanted = self._n + more
        if not self._own or wanted > len(self._array):
            room = np.zeros(max(wanted + 16, wanted * 5 // 4), dtype=self._array.dtype)
            room[: self._n] = self._array[: self._n]
            self._array, self._own = room, True
        return self._array


class Lists:
    """Many lists of whole numbers, in no order within a list.

    A list that outgrows its room moves to the end of the pool; what it leaves behind is zeroed, and
    reclaimed when half of the pool is such.

    Examples
    --------
    >>> lists = Lists.of([[1, 2], [3]])
    >>> lists.add(1, 4)
    >>> lists.append([9])
    >>> [lists[i].tolist() for i in range(3)]
    [[1, 2], [3, 4], [9]]
    """

    __slots__ = ("_pool", "_rooms", "_sizes", "_starts")

    def __init__(self, indptr: ArrayLike = (0,), values: ArrayLike = ()) -> None:
        pointer = np.asarray(indptr, dtype=np.int64)
        self._starts = Column(pointer[:-1], "i8")
        self._sizes = Column(np.diff(pointer), "i4")
        self._rooms = Column(np.diff(pointer), "i4")
        self._pool = Column(values, "i4")

    @classmethod
    def of(cls, lists: list[Any]) -> Self:
        """Copies of some lists."""
        sizes = np.array([len(values) for values in lists], dtype=np.int64)
        flat = [np.asarray(values, dtype=np.int32) for values in lists]
        return cls(np.concatenate([[0], np.cumsum(sizes)]), np.concatenate([*flat, _NONE]))

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, i: int) -> NDArray[np.int32]:
        start = self._starts[i]
        return self._pool.values[start : start + self._sizes[i]]

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        """(starts, sizes, pool), as kernels take them."""
        return self._starts.values, self._sizes.values, self._pool.values

    @property
    def sizes(self) -> NDArray[np.int32]:
        """How long each list is."""
        return self._sizes.values

    def packed(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """(indptr, values) of the lists one after another; nothing else is in there."""
        starts, sizes, pool = self.arrays
        indptr = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        if np.array_equal(indptr[:-1], starts):
            return indptr, pool[: indptr[-1]]
        at = np.repeat(starts - indptr[:-1], sizes) + np.arange(indptr[-1])
        return indptr, pool[at]

    def append(self, values: Any = ()) -> None:
        """One list more."""
        n = len(values)
        start = self._pool.extend(n)
        if n:
            self._pool[start : start + n] = values
        for column, value in ((self._starts, start), (self._sizes, n), (self._rooms, n)):
            column.append(value)

    def add(self, i: int, value: int) -> None:
        """One number more in a list."""
        size = self._sizes[i]
        if size == self._rooms[i]:
            self._move(i, size + 2 + size // 2)
        self._pool[self._starts[i] + size] = value
        self._sizes[i] = size + 1

    def discard(self, i: int, value: int) -> None:
        """Take a number out of a list; the last one takes its place."""
        found = np.flatnonzero(self[i] == value)
        if len(found):
            start, last = self._starts[i], self._sizes[i] - 1
            self._pool[start + int(found[0])] = self._pool[start + last]
            self._pool[start + last] = 0
            self._sizes[i] = last

    def replace(self, i: int, old: int, new: int) -> None:
        """Another number wherever one stands in a list."""
        at = self._starts[i] + np.flatnonzero(self[i] == old)
        self._pool[at] = new  # type: ignore[index]

    def move_last_to(self, i: int) -> None:
        """The last list takes the place of another."""
        self._clear(i)
        for column in (self._starts, self._sizes, self._rooms):
            column.move_last_to(i)

    def _clear(self, i: int) -> None:
        start = self._starts[i]
        self._pool[start : start + self._rooms[i]] = 0

    def _move(self, i: int, room: int) -> None:
        kept = self[i].copy()
        self._clear(i)
        if len(self._pool) > 1024 and len(self._pool) > 2 * int(self._rooms.values.sum()):
            self._reclaim()
        start = self._pool.extend(room)
        self._pool[start : start + len(kept)] = kept
        self._starts[i], self._rooms[i] = start, room

    def _reclaim(self) -> None:
        indptr, values = self.packed()
        self._starts = Column(indptr[:-1], "i8")
        self._rooms = Column(np.diff(indptr), "i4")
        self._pool = Column(values.copy(), "i4")


_NONE = np.empty(0, dtype=np.int32)
