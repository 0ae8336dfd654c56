"""Fields: what a class says it keeps after fit, so that a file cannot set anything else."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.errors import ModelError

__all__ = [
    "Array",
    "Field",
    "Ids",
    "Matrix",
    "Names",
    "Number",
    "Part",
    "Parts",
    "Sparse",
    "Tensors",
    "Texts",
]


class Field:
    """One learned attribute: to named arrays and a JSON value, and back with checks."""

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """(arrays by suffix, JSON value)."""
        raise TypeError(f"{type(self).__name__} cannot be stored")

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Any:
        """The attribute again; ValueError when the parts do not fit."""
        raise TypeError(f"{type(self).__name__} cannot be stored")


@dataclass(frozen=True)
class Array(Field):
    """A dense array of one type and number of dimensions."""

    dtype: str
    ndim: int = 1

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """One tensor."""
        return {"": np.ascontiguousarray(value, dtype=self.dtype)}, None

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Any:
        """The mapped array itself."""
        array = arrays[""]
        _expect(array, self.dtype, self.ndim)
        return array


@dataclass(frozen=True)
class Ids(Field):
    """Numbers of features or labels: two bytes each where all lie below 65536, else four."""

    @staticmethod
    def narrow(ids: NDArray[Any]) -> NDArray[Any]:
        """Numbers from 0 in the smaller type that holds them: uint16 or int32."""
        return ids.astype(np.uint16 if ids.max(initial=0) < 2**16 else np.int32, copy=False)

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """One tensor."""
        return {"": np.ascontiguousarray(value)}, None

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Any:
        """The mapped array itself."""
        array = arrays[""]
        _expect(array, "u2" if array.dtype == np.uint16 else "i4", 1)
        return array


@dataclass(frozen=True)
class Sparse(Field):
    """A CSR array: three tensors and its shape."""

    dtype: str = "f4"

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """Values, columns and row pointers."""
        matrix = sp.csr_array(value)
        # one type for both, as scipy has it: otherwise loading would copy the columns
        index = np.int32 if max(matrix.nnz, *matrix.shape) < 2**31 else np.int64
        arrays = {
            ".data": np.ascontiguousarray(matrix.data, dtype=self.dtype),
            ".indices": np.ascontiguousarray(matrix.indices, dtype=index),
            ".indptr": np.ascontiguousarray(matrix.indptr, dtype=index),
        }
        return arrays, list(matrix.shape)

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Any:
        """The matrix over mapped arrays; every index is checked."""
        data, indices, indptr = (arrays[part] for part in (".data", ".indices", ".indptr"))
        rows, columns = (int(n) for n in value)
        index = "i4" if indptr.dtype == np.int32 else "i8"
        for array, kind in ((data, self.dtype), (indices, index), (indptr, index)):
            _expect(array, kind, 1)
        if len(indptr) != rows + 1 or indptr[0] != 0 or indptr[-1] != len(indices):
            raise ValueError("the row pointers do not fit")
        if len(data) != len(indices) or (np.diff(indptr) < 0).any():
            raise ValueError("the row pointers do not fit")
        if len(indices) and (indices.min() < 0 or indices.max() >= columns):
            raise ValueError(f"a column lies outside 0..{columns - 1}")
        return sp.csr_array((data, indices, indptr), shape=(rows, columns))


@dataclass(frozen=True)
class Matrix(Field):
    """Rows that are sparse or dense, whichever they were in fit."""

    dtype: str = "f4"

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """As `Sparse`, or as `Array` of two dimensions."""
        return (Sparse(self.dtype) if sp.issparse(value) else Array(self.dtype, 2)).pack(value)

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Any:
        """Sparse when a shape is kept with it."""
        return (Array(self.dtype, 2) if value is None else Sparse(self.dtype)).unpack(arrays, value)


@dataclass(frozen=True)
class Tensors(Field):
    """Named arrays of any shape: the weights of a network; ``name.weight`` below the attribute."""

    dtypes: tuple[str, ...] = ("f4", "i8")

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """One tensor each."""
        return {f".{name}": np.asarray(array, order="C") for name, array in value.items()}, None

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Any:
        """A mapping of the mapped arrays; whether they fit is for the owner to say."""
        for array in arrays.values():
            if array.dtype not in map(np.dtype, self.dtypes):
                raise ValueError(f"found an array of {array.dtype}")
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise ValueError("found a value that is NaN or infinite")
        return {name.removeprefix("."): array for name, array in arrays.items()}


@dataclass(frozen=True)
class Part(Field):
    """A fitted model within a model; its arrays and values are stored under its name.

    Parameters
    ----------
    optional : bool
        Whether it may be None.
    """

    optional: bool = False


@dataclass(frozen=True)
class Parts(Field):
    """A list of fitted models; those of ``name`` are stored under ``name.0``, ``name.1``, …"""


@dataclass(frozen=True)
class Number(Field):
    """One int or float, kept in JSON."""

    kind: type[int] | type[float] = int

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """A plain number."""
        return {}, self.kind(value)

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Any:
        """The number; True is none."""
        if isinstance(value, bool) or not isinstance(value, self.kind):
            raise ValueError(f"found {value!r}, not a number of type {self.kind.__name__}")
        return value


@dataclass(frozen=True)
class Names(Field):
    """A list of texts, or None, kept in JSON."""

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """A plain list."""
        return {}, None if value is None else [str(name) for name in value]

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Any:
        """The list."""
        if value is None or (isinstance(value, list) and all(isinstance(n, str) for n in value)):
            return value
        raise ValueError("found something that is no list of texts")


@dataclass(frozen=True)
class Texts(Field):
    """A list of many texts: their UTF-8 bytes one after another, and where each ends."""

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """Two tensors."""
        parts = [text.encode("utf-8", "surrogatepass") for text in value]
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        return {".bytes": np.frombuffer(b"".join(parts), np.uint8), ".ends": ends}, None

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Any:
        """The list."""
        content, ends = arrays[".bytes"], arrays[".ends"]
        _expect(content, "u1", 1)
        _expect(ends, "i8", 1)
        if (np.diff(ends, prepend=0) < 0).any() or (ends[-1] if len(ends) else 0) != len(content):
            raise ValueError("the ends of the texts do not fit")
        raw, at = content.tobytes(), [0, *ends.tolist()]
        return [raw[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(at)]


def _expect(array: NDArray[Any], dtype: str, ndim: int) -> None:
    if array.dtype != np.dtype(dtype) or array.ndim != ndim:
        raise ModelError(
            f"found an array of {array.dtype} with {array.ndim} dimensions where "
            f"{np.dtype(dtype)} with {ndim} belongs"
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ModelError("found a value that is NaN or infinite")
