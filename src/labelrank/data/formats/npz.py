"""A Dataset as one .npz file: plain arrays, nothing that runs code when it is read."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from labelrank.data.dataset import Dataset
from labelrank.data.files import atomic_writer, naming
from labelrank.errors import InputError

__all__ = ["read_arrays", "read_npz", "write_npz"]

_DAMAGED: tuple[type[Exception], ...] = (ValueError, OSError, EOFError, KeyError, TypeError)
_DAMAGED += (zipfile.BadZipFile, zlib.error, RuntimeError, MemoryError, OverflowError)


def write_npz(data: Dataset, path: str | Path) -> None:
    """Write everything a Dataset holds.

    X is one array, or ``X_data``, ``X_indices``, ``X_indptr`` and ``X_shape`` when it is sparse; Y
    likewise; ``label_names``, ``ids`` and ``text_FIELD`` are arrays of text.
    """
    arrays: dict[str, Any] = _sparse("Y", data.Y)
    if sp.issparse(data.X):
        arrays |= _sparse("X", data.X)
    elif data.X is not None:
        arrays["X"] = data.X
    texts: dict[str, Any] = {f"text_{field}": values for field, values in data.texts.items()}
    texts |= {"label_names": data.label_names, "ids": data.ids}
    for name, values in texts.items():
        if values is not None:
            arrays[name] = np.array(values, dtype=str)
    with atomic_writer(path) as out:
        np.savez_compressed(out, **arrays)


def read_npz(path: str | Path) -> Dataset:
    """Read what `write_npz` wrote, or any .npz with X and Y as it names them."""
    file = Path(path)
    arrays = read_arrays(file)
    Y = _matrix(file, arrays, "Y")
    if Y is None:
        raise InputError(f"{file} has no Y, only {', '.join(arrays)}.")
    names = {n: arrays[n].tolist() for n in ("label_names", "ids") if n in arrays}
    texts = {n[5:]: values.tolist() for n, values in arrays.items() if n.startswith("text_")}
    with naming(file):
        return Dataset(_matrix(file, arrays, "X"), Y, texts=texts, name=file.stem, **names)


def read_arrays(file: Path) -> dict[str, Any]:
    """All arrays of a .npz file; none that would run code."""
    if not file.is_file():
        what = "is a folder and no .npz file" if file.is_dir() else "does not exist"
        raise InputError(f"{file} {what}.")
    if file.stat().st_size == 0:
        raise InputError(f"{file} is empty.")
    try:
        with file.open("rb") as stream:
            stored = np.load(stream, allow_pickle=False)
            if isinstance(stored, np.ndarray):
                raise ValueError("it holds one array without a name")
            return dict(stored)
    except _DAMAGED as error:
        raise InputError(f"{file} is no .npz file of plain arrays: {error}.") from None


def _sparse(name: str, matrix: sp.csr_array) -> dict[str, Any]:
    return {
        f"{name}_data": matrix.data,
        f"{name}_indices": matrix.indices,
        f"{name}_indptr": matrix.indptr,
        f"{name}_shape": np.array(matrix.shape),
    }


def _matrix(file: Path, arrays: dict[str, Any], name: str) -> Any:
    if name in arrays:
        return arrays[name]
    parts = [arrays.get(f"{name}_{part}") for part in ("data", "indices", "indptr", "shape")]
    if all(part is None for part in parts):
        return None
    if any(part is None for part in parts):
        raise InputError(f"{file} lacks a part of the sparse matrix {name}.")
    data, indices, indptr, shape = parts
    assert shape is not None
    try:
        matrix = sp.csr_array((data, indices, indptr), shape=tuple(shape.tolist()))
        matrix.check_format(full_check=True)
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{file}: the sparse matrix {name} is damaged: {error}.") from None
    return matrix
