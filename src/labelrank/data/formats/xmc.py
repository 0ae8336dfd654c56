"""Extreme-classification text: a header ``rows features labels``, then ``l1,l2 f:v f:v …``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import scipy.sparse as sp

from labelrank.data.dataset import Dataset
from labelrank.data.files import atomic_writer, lines, naming, stem_and_suffix
from labelrank.data.formats.sparse_text import LABEL_LIST, NO_LABELS, read_rows
from labelrank.errors import InputError

__all__ = ["read_matrix", "read_names", "read_xmc", "write_xmc", "xmc_writer"]


def read_xmc(path: str | Path, label_names: str | Path | None = None) -> Dataset:
    """Read an extreme-classification file, plain or gzip.

    A row may lack labels (it starts with a blank or with its first feature) or features. Lines may
    end in CRLF, the last one need not end, and lines that start with # are skipped. Feature and
    label numbers count from 0, none may stand twice in a row; features need not be sorted.

    Parameters
    ----------
    path : path
    label_names : path, optional
        A file with one name a line.

    Returns
    -------
    Dataset
        X as float32 CSR, Y as 0/1 CSR.
    """
    rows = read_rows(path, LABEL_LIST, header=3)
    names = None if label_names is None else read_names(label_names)
    with naming(path):
        return Dataset(rows.X, rows.Y, label_names=names, name=stem_and_suffix(path)[0])


def read_matrix(path: str | Path) -> sp.csr_array:
    """Read a float64 matrix of labels: a header ``rows labels``, then ``label:value …`` a line."""
    return read_rows(path, NO_LABELS, header=2).X


def read_names(path: str | Path) -> list[str]:
    """One name a line."""
    return [text.strip() for _, text in lines(path)]


def write_xmc(data: Dataset, path: str | Path) -> None:
    """Write X and Y as an extreme-classification file (gzip for a .gz name), whole or not at all.

    Values are written with as many digits as it takes to read the same float32 back.
    """
    with xmc_writer(path, len(data), data.n_features, data.n_labels) as write:
        write(data)


@contextmanager
def xmc_writer(
    path: str | Path, n_rows: int, n_features: int, n_labels: int
) -> Iterator[Callable[[Dataset], None]]:
    """Write an extreme-classification file some rows at a time; see `write_xmc`.

    Yields
    ------
    write : callable
        Takes the next rows as a Dataset.
    """
    written = 0
    with atomic_writer(path) as out:

        def write(rows: Dataset) -> None:
            nonlocal written
            written += len(rows)
            _write_rows(rows, out)

        out.write(f"{n_rows} {n_features} {n_labels}\n".encode())
        yield write
        if written != n_rows:
            raise InputError(f"{path} should get {n_rows} rows, but {written} were written.")


def _write_rows(data: Dataset, out: IO[bytes]) -> None:
    if data.X is None:
        raise InputError("the extreme-classification form needs features X; use write_jsonl.")
    if (data.Y.data != 1).any():
        raise InputError(
            "the extreme-classification form has no grades, but Y has values other than 1."
        )
    X = sp.csr_array(data.X)
    for i in range(len(data)):
        labels = ",".join(map(str, data.Y.indices[data.Y.indptr[i] : data.Y.indptr[i + 1]]))
        entries = slice(X.indptr[i], X.indptr[i + 1])
        # as text a float32 has the fewest digits that read back as the same number
        pairs = zip(X.indices[entries].tolist(), X.data[entries].astype(str), strict=True)
        features = " ".join(f"{j}:{value}" for j, value in pairs)
        out.write(f"{labels} {features}\n".encode())
