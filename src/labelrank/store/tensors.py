"""arrays.safetensors: named arrays in one file, mapped into memory when they are read."""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from labelrank.errors import ModelError

__all__ = ["DTYPES", "map_tensors", "pack_tensors"]

_BROKEN = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
DTYPES = {
    "BOOL": np.dtype("?"),
    "U8": np.dtype("u1"),
    "I8": np.dtype("i1"),
    "U16": np.dtype("<u2"),
    "I16": np.dtype("<i2"),
    "U32": np.dtype("<u4"),
    "I32": np.dtype("<i4"),
    "U64": np.dtype("<u8"),
    "I64": np.dtype("<i8"),
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
}


def pack_tensors(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes of a safetensors file with these arrays."""
    packed: bytes = save({name: np.asarray(a, order="C") for name, a in arrays.items()})
    return packed


def map_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Read-only arrays that live in the file: a page is read when it is first touched.

    The library's own reader copies every tensor; a served model should start at once and be shared
    by processes. Nothing in the file is believed: types are known ones, sizes follow from shapes,
    and every tensor lies within the file.
    """
    with path.open("rb") as stream:
        size = path.stat().st_size
        if size < 8:
            raise ModelError(f"{path} is cut short: {size} bytes hold no header.")
        memory = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    length = int.from_bytes(memory[:8], "little")
    if length > size - 8:
        raise ModelError(f"{path} is cut short: its header alone should have {length} bytes.")
    try:
        header = json.loads(memory[8 : 8 + length])
        entries = {n: e for n, e in header.items() if n != "__metadata__"}
        return {n: _view(memory, 8 + length, size, e) for n, e in entries.items()}
    except _BROKEN as error:
        raise ModelError(f"{path} is damaged: {error}.") from None


def _view(memory: mmap.mmap, base: int, size: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    kind, shape = DTYPES[entry["dtype"]], tuple(int(n) for n in entry["shape"])
    begin, end = (int(at) for at in entry["data_offsets"])
    count = math.prod(shape)
    if min(shape, default=0) < 0 or not 0 <= begin <= end <= size - base:
        raise ValueError(f"a tensor of shape {shape} lies at {begin}..{end}, outside the file")
    if end - begin != count * kind.itemsize:
        raise ValueError(f"a tensor of shape {shape} has {end - begin} bytes")
    if count == 0:
        return np.empty(shape, kind)
    flat: NDArray[Any] = np.frombuffer(memory, kind, count, base + begin)
    if not flat.flags.aligned:  # kernels read whole numbers at a time; ours are always aligned
        flat = flat.copy()
        flat.flags.writeable = False
    return flat.reshape(shape)
