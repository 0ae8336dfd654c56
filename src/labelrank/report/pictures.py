"""Pictures: grey images as PNG, within a page."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import numpy as np

from labelrank.errors import InputError

__all__ = ["png", "png_address"]


def png(image: Any) -> bytes:
    """A grey picture, uint8 (rows, columns), as the bytes of a PNG file.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.report.pictures import png
    >>> png(np.zeros((2, 3), np.uint8))[1:4]
    b'PNG'
    """
    grey = np.asarray(image)
    if grey.ndim != 2 or grey.dtype != np.uint8 or 0 in grey.shape:
        raise InputError(f"a picture is uint8 (rows, columns), found {grey.dtype} {grey.shape}.")
    rows, columns = grey.shape
    filters = np.zeros((rows, 1), np.uint8)  # each line begins with its filter: none
    lines = np.hstack([filters, grey]).tobytes()
    header = struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def png_address(image: Any) -> str:
    """The picture as an address that needs no other file."""
    return "data:image/png;base64," + base64.b64encode(png(image)).decode()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
