"""Columns of sparse rows, on disk where the rows are: what trees read, without a copy in memory."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

__all__ = ["columns_of", "on_disk", "spill_folder"]

_BLOCK = 1 << 21  # values that are sorted at a time: 50 MB with all that it takes


def on_disk(array: Any) -> bool:
    """Whether an array is mapped from a file, or a part of one that is."""
    while array is not None:
        if isinstance(array, np.memmap):
            return True
        array = getattr(array, "base", None)
    return False


def spill_folder(X: Any) -> str:
    """Where kernels may put what they would otherwise hold: nowhere ("") for rows in memory.

    The folder for temporary files, TMPDIR, which must not be in memory itself.
    """
    return tempfile.gettempdir() if on_disk(getattr(X, "data", None)) else ""


def columns_of(X: Any) -> sp.csc_array:
    """A CSR array, or dense rows, by column; of rows on disk, on disk too.

    The files have no names and are gone when the arrays are.

    Examples
    --------
    >>> columns_of(sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]]))).indices
    array([1, 0], dtype=int32)
    """
    if not (sp.issparse(X) and on_disk(X.data)):
        return sp.csc_array(X)
    n, d = X.shape
    counts = np.zeros(d, np.int64)
    for at in range(0, X.nnz, _BLOCK):
        counts += np.bincount(X.indices[at : at + _BLOCK], minlength=d)
    starts = np.zeros(d + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    rows, values = _unnamed(X.nnz, np.int32), _unnamed(X.nnz, np.float32)
    free = starts[:-1].copy()  # where the next value of each column goes
    for begin, end in _blocks(X.indptr):
        block = sp.csc_array(X[begin:end])
        sizes = np.diff(block.indptr)
        into = np.repeat(free - block.indptr[:-1], sizes) + np.arange(block.nnz)
        rows[into], values[into] = block.indices + begin, block.data
        free += sizes
    return sp.csc_array((values, rows, starts.astype(X.indptr.dtype)), shape=(n, d))


def _blocks(indptr: NDArray[Any]) -> list[tuple[int, int]]:
    """Runs of rows with about `_BLOCK` values each."""
    cuts = np.searchsorted(indptr, np.arange(0, int(indptr[-1]), _BLOCK), side="left")
    cuts = np.unique([*cuts.tolist(), len(indptr) - 1])
    return list(zip([0, *cuts[:-1].tolist()], cuts.tolist(), strict=True))


def _unnamed(n: int, dtype: Any) -> NDArray[Any]:
    """An array in a file that has no name."""
    if n == 0:
        return np.empty(0, dtype)
    with tempfile.TemporaryFile() as file:
        if hasattr(os, "posix_fallocate"):  # a full disk is an error now, not a signal later
            os.posix_fallocate(file.fileno(), 0, n * np.dtype(dtype).itemsize)
        return np.memmap(file, dtype, "w+", shape=(n,))
