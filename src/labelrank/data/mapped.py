"""Mapped data: a folder of arrays that are read from disk as they are needed, larger than memory.

``data.json`` says what there is; ``X.data.npy``, ``X.indices.npy``, ``X.indptr.npy`` and the same
of Y are the CSR arrays; ``label_names.txt`` has a name a line where there are names.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.data.dataset import Dataset
from labelrank.data.files import lines
from labelrank.errors import InputError

__all__ = ["is_mapped", "read_mapped", "write_mapped"]

_ABOUT, _NAMES = "data.json", "label_names.txt"
_FORMAT = {"format": "labelrank-data", "version": 1}
_KINDS = {"data": "<f4", "indices": "<i4", "indptr": "<i4"}
_BLOCK = 1 << 20


def write_mapped(
    blocks: Iterable[Dataset], path: str | Path, label_names: Sequence[str] | None = None
) -> None:
    """Write blocks of sparse rows to a folder, one after another; whole or not at all.

    Memory is that of a block and 16 bytes a row.

    Parameters
    ----------
    blocks : iterable of Dataset
        Over the same features and labels: `labelrank.data.stream` of a file, or one Dataset in a
        list.
    path : path
        A new folder, or one of these to replace.
    label_names : sequence of str, optional
        By default those of the first block.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from labelrank.data import SyntheticExtreme, read_mapped, write_mapped
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "data"
    >>> write_mapped(SyntheticExtreme(9000, n_labels=100).blocks(), folder)
    >>> read_mapped(folder)
    Dataset('data', 9000 rows, 1000 features, 100 labels)
    """
    target = Path(path).resolve()
    if target.exists() and not is_mapped(target):
        raise InputError(f"{target} exists and is no folder of data; choose another or remove it.")
    if not target.parent.is_dir():
        raise InputError(f"the folder {target.parent} does not exist.")
    stage = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    stage.mkdir()
    try:
        names, shape = label_names, (0, 0, 0)
        with _growing(stage, "X") as add_X, _growing(stage, "Y") as add_Y:
            for number, block in enumerate(blocks):
                if not sp.issparse(block.X):
                    raise InputError("only sparse rows of features are written to a data folder.")
                if number and shape[1:] != (block.n_features, block.n_labels):
                    raise InputError("blocks must have the same features and labels.")
                names = block.label_names if names is None else names
                shape = (shape[0] + len(block), block.n_features, block.n_labels)
                add_X(block.X)
                add_Y(block.Y)
        if not shape[0]:
            raise InputError("there are no rows to write.")
        if names is not None:
            if len(names) != shape[2]:
                raise InputError(f"{len(names)} label names for {shape[2]} labels.")
            (stage / _NAMES).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
        about = {**_FORMAT, **dict(zip(("rows", "features", "labels"), shape, strict=True))}
        (stage / _ABOUT).write_text(json.dumps(about), encoding="utf-8")
        if target.exists():
            shutil.rmtree(target)
        stage.rename(target)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def read_mapped(path: str | Path) -> Dataset:
    """A Dataset whose X lies on disk: its pages are read when they are touched, and may be let go.

    Y is copied to memory. Every index is looked at once, in order, before it is believed. A matrix
    may have up to 2^31 - 1 stored values.
    """
    folder = Path(path)
    file = folder / _ABOUT
    if not file.is_file():
        raise InputError(f"{folder} is no folder of data: it has no {_ABOUT}.")
    try:
        about = json.loads(file.read_text(encoding="utf-8"))
        version = about["version"]
        n, d, m = (int(about[name]) for name in ("rows", "features", "labels"))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{file} is cut short or damaged.") from None
    if about.get("format") != _FORMAT["format"] or version != _FORMAT["version"]:
        raise InputError(f"{file} is of another format or version: upgrade labelrank.")
    X = _matrix(folder, "X", (n, d))
    Y = _matrix(folder, "Y", (n, m))
    names = folder / _NAMES
    return Dataset(
        X, Y, name=folder.resolve().name,
        label_names=[text for _, text in lines(names)] if names.exists() else None,
    )  # fmt: skip


def is_mapped(path: str | Path) -> bool:
    """Whether a folder says that it is one of these."""
    file = Path(path) / _ABOUT
    return file.is_file() and b'"labelrank-data"' in file.read_bytes()[:200]


@contextmanager
def _growing(folder: Path, name: str) -> Iterator[Any]:
    """Three .npy files that grow by the rows of each matrix; their headers are written at last."""
    files = {part: (folder / f"{name}.{part}.npy").open("wb") for part in _KINDS}
    lengths = dict.fromkeys(_KINDS, 0)

    def append(part: str, values: NDArray[Any]) -> None:
        files[part].write(np.ascontiguousarray(values, dtype=_KINDS[part]).tobytes())
        lengths[part] += len(values)

    def add(matrix: sp.csr_array) -> None:
        stored = lengths["data"]
        if stored + matrix.nnz >= 2**31:
            raise InputError(f"{name} has more than 2^31 - 1 values; use fewer rows.")
        append("data", matrix.data)
        append("indices", matrix.indices)
        append("indptr", matrix.indptr[1:] + stored)

    try:
        for part, file in files.items():
            _header(file, part, 0)
        append("indptr", np.zeros(1, np.int32))
        yield add
        for part, file in files.items():
            file.seek(0)
            _header(file, part, lengths[part])
    finally:
        for file in files.values():
            file.close()


def _header(file: Any, part: str, n: int) -> None:
    """A .npy header, as long for every n: numpy leaves room for the first axis to grow."""
    about = {"descr": _KINDS[part], "fortran_order": False, "shape": (n,)}
    np.lib.format.write_array_header_1_0(file, about)


def _matrix(folder: Path, name: str, shape: tuple[int, int]) -> sp.csr_array:
    arrays = {part: _mapped(folder / f"{name}.{part}.npy", part) for part in _KINDS}
    data, indices, indptr = arrays["data"], arrays["indices"], arrays["indptr"]
    if len(indptr) != shape[0] + 1 or len(data) != len(indices):
        raise InputError(f"{folder}: the arrays of {name} do not fit together.")
    if indptr[0] != 0 or indptr[-1] != len(indices) or (np.diff(indptr) < 0).any():
        raise InputError(f"{folder}: the row pointers of {name} do not fit.")
    for at in range(0, len(indices), _BLOCK):
        part = indices[at : at + _BLOCK]
        if part.min() < 0 or part.max() >= shape[1]:
            raise InputError(f"{folder}: a column of {name} lies outside 0..{shape[1] - 1}.")
    return sp.csr_array((data, indices, indptr), shape=shape)


def _mapped(file: Path, part: str) -> NDArray[Any]:
    if not file.is_file():
        raise InputError(f"the data folder lacks the file {file}.")
    try:
        array: NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise InputError(f"{file} is cut short or damaged: {error}.") from None
    if array.ndim != 1 or array.dtype != np.dtype(_KINDS[part]):
        raise InputError(f"{file} holds {array.dtype} of shape {array.shape}, not one list.")
    return array
