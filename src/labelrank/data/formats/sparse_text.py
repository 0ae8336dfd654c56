"""Sparse text: extreme-classification files, SVMlight files and matrices, read by one kernel.

The text is parsed block by block, so that memory is that of the arrays and one block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank.data.files import MARK, blocks, lines
from labelrank.errors import InputError

__all__ = ["LABEL_LIST", "NO_LABELS", "TARGET", "SparseRows", "read_header", "read_rows"]
__all__ += ["stream_rows"]

NO_LABELS, LABEL_LIST, TARGET = 0, 1, 2  # what a row starts with; the kernel's numbers


@dataclass
class SparseRows:
    """All rows of a file."""

    header: tuple[int, ...]
    X: sp.csr_array
    Y: sp.csr_array | None
    targets: NDArray[np.float64] | None
    queries: NDArray[np.int64]  # -1 where a row names none


def read_rows(path: str | Path, labels: int, *, header: int = 0) -> SparseRows:
    """Read a file of sparse rows.

    Parameters
    ----------
    path : path
    labels : {NO_LABELS, LABEL_LIST, TARGET}
        What stands before the features: ``1,7``, or one number and perhaps ``qid:3``; or nothing,
        where the numbers before the colons are labels and their values stay float64.
    header : int
        How many whole numbers the first line has: 3 for ``rows features labels``, 2 for ``rows
        labels``, 0 for no such line.
    """
    parts: list[list[Any]] = []
    sizes: tuple[int, ...] = ()
    for sizes, arrays in _parsed(path, labels, header):  # noqa: B007 the last ones count
        parts.append(arrays)
    return _assemble(path, parts, sizes, labels)


def stream_rows(path: str | Path, labels: int, *, header: int) -> Iterator[SparseRows]:
    """The rows of a file with a header, some at a time, so that memory does not grow with it.

    Parameters
    ----------
    path, labels, header
        As for `read_rows`; `header` is 2 or 3. Errors in a line come when it is reached.
    """
    seen = 0
    for sizes, arrays in _parsed(path, labels, header):
        label_counts, counts = arrays[0], arrays[2]
        n = min(len(counts), sizes[0] - seen)
        if counts[n:].any() or label_counts[n:].any():
            raise _wrong_count(path, sizes[0], f"more than {sizes[0]}")
        if n:
            arrays = [label_counts[:n], arrays[1], counts[:n], *arrays[3:6], arrays[6][:n]]
            yield _assemble(path, [arrays], (n, *sizes[1:]), labels)
        seen += n
    if seen != sizes[0]:
        raise _wrong_count(path, sizes[0], str(seen))


def read_header(path: str | Path, count: int) -> tuple[int, ...]:
    """The whole numbers of the first line alone."""
    first = next(iter(lines(path)))[1]
    return _header(path, first.encode(), count)


def _parsed(
    path: str | Path, labels: int, header: int
) -> Iterator[tuple[tuple[int, ...], list[Any]]]:
    """(sizes in the header, the kernel's arrays) of each block of text."""
    sizes: tuple[int, ...] = ()
    line, rest = 0, b""
    for block in blocks(path):
        text = rest + block if line or rest else block.removeprefix(MARK)
        if header and not sizes:
            end = text.find(b"\n")
            if end < 0:
                rest = text
                continue
            sizes, text, line = _header(path, text[:end], header), text[end + 1 :], 1
        used, line, arrays = _parse(path, text, False, labels, sizes, line)
        yield sizes, arrays
        rest = text[used:]
    if header and not sizes:
        sizes, rest, line = _header(path, rest, header), b"", 1
    yield sizes, _parse(path, rest, True, labels, sizes, line)[2]


def _header(path: str | Path, text: bytes, count: int) -> tuple[int, ...]:
    words = text.split()
    if len(words) != count or not all(word.isdigit() and len(word) < 20 for word in words):
        shown = text[:40].decode("ascii", "backslashreplace").strip()
        wanted = "rows features labels" if count == 3 else "rows labels"
        raise InputError(f"{path}: line 1 must be the header '{wanted}', found '{shown}'.")
    sizes = tuple(int(word) for word in words)
    if max(sizes) >= 2**31:
        raise InputError(f"{path}: line 1: sizes must fit in 31 bits, found {max(sizes)}.")
    return sizes


def _parse(
    path: str | Path, text: bytes, final: bool, labels: int, sizes: tuple[int, ...], line: int
) -> tuple[int, int, list[Any]]:
    """Parse the whole lines of `text`: (bytes used, lines read, arrays)."""
    n_features = sizes[1] if sizes else -1
    n_labels = sizes[2] if len(sizes) == 3 else -1
    try:
        used, line, *arrays = _native.parse_sparse_text(
            np.frombuffer(text, np.uint8), final, labels, n_features, n_labels, line
        )
    except ValueError as error:
        raise InputError(f"{path}: {error}.") from None
    return used, line, arrays


def _assemble(
    path: str | Path, parts: list[list[Any]], sizes: tuple[int, ...], labels: int
) -> SparseRows:
    label_counts, label_ids, counts, features, values, targets, queries = (
        _joined(parts, i) for i in range(7)
    )
    parts.clear()
    n = len(counts)
    if sizes and n > sizes[0] and not (counts[sizes[0] :].any() or label_counts[sizes[0] :].any()):
        n = sizes[0]  # blank lines at the end of the file are no rows
        label_counts, counts, queries = label_counts[:n], counts[:n], queries[:n]
    if sizes and n != sizes[0]:
        raise _wrong_count(path, sizes[0], str(n))
    if not sizes and n == 0:
        raise InputError(f"{path} has no rows.")
    width = sizes[1] if sizes else int(features.max(initial=-1)) + 1
    X = sp.csr_array((values, features, _pointer(counts)), shape=(n, width))
    Y = None
    if labels == LABEL_LIST:
        n_labels = sizes[2] if len(sizes) == 3 else int(label_ids.max(initial=-1)) + 1
        ones = np.ones(len(label_ids), np.float32)
        Y = sp.csr_array((ones, label_ids, _pointer(label_counts)), shape=(n, n_labels))
    return SparseRows(sizes, X, Y, targets if labels == TARGET else None, queries)


def _wrong_count(path: str | Path, said: int, found: str) -> InputError:
    return InputError(
        f"{path}: the header says {said} rows, but {found} follow: the file is cut short or its "
        "header is wrong."
    )


def _joined(parts: list[list[Any]], column: int) -> NDArray[Any]:
    """One array of all blocks; the blocks' own are let go at once, to keep the peak low."""
    whole = np.concatenate([part[column] for part in parts])
    for part in parts:
        part[column] = None
    return whole


def _pointer(counts: NDArray[np.int32]) -> NDArray[Any]:
    total = int(counts.sum(dtype=np.int64))
    pointer = np.zeros(len(counts) + 1, dtype=np.int32 if total < 2**31 else np.int64)
    np.cumsum(counts, out=pointer[1:])
    return pointer
