"""MNIST's form, idx: a few bytes that say the shape, then an array of bytes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from labelrank.data.files import blocks
from labelrank.errors import InputError

__all__ = ["read_idx"]

_BYTES = 0x08  # the type that MNIST and its followers use


def read_idx(path: str | Path) -> NDArray[np.uint8]:
    """Read an idx file of unsigned bytes, plain or gzip.

    The file begins with two zero bytes, the type, the number of dimensions and the size of each
    as a big-endian number of four bytes; the values follow.

    Parameters
    ----------
    path : path

    Returns
    -------
    uint8 array
        Of the shape that the file gives: images (n, rows, columns), or labels (n,).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from labelrank.data import read_idx
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "labels-idx1-ubyte"
    >>> _ = file.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 2, 1]))
    >>> read_idx(file).tolist()
    [7, 2, 1]
    """
    content = b"".join(blocks(path))
    if len(content) < 4 or content[:2] != b"\0\0":
        raise InputError(f"{path} is no idx file: it does not begin with two zero bytes.")
    kind, ndim = content[2], content[3]
    if kind != _BYTES:
        raise InputError(
            f"{path} holds values of the idx type 0x{kind:02x}; only bytes (0x08) are read."
        )
    begin = 4 + 4 * ndim
    if ndim == 0 or len(content) < begin:
        raise InputError(f"{path} is damaged: its {ndim} dimensions are not all there.")
    shape = tuple(int(n) for n in np.frombuffer(content, ">u4", ndim, 4))
    wanted = int(np.prod(np.array(shape, dtype=object)))
    if len(content) - begin != wanted:
        raise InputError(
            f"{path} is damaged or cut short: the shape {shape} needs {wanted} bytes and there "
            f"are {len(content) - begin}; fetch it again."
        )
    return np.frombuffer(content, np.uint8, wanted, begin).reshape(shape)
