"""Files: plain or gzip, read in blocks or lines with clear errors, written whole or not at all."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from labelrank.errors import InputError

__all__ = ["atomic_writer", "blocks", "lines", "stem_and_suffix"]

_GZIP = b"\x1f\x8b"


@contextmanager
def _reader(path: str | Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked when it is gzip, whatever it is called."""
    file = Path(path)
    if file.is_dir():
        raise InputError(f"{file} is a folder; name a file in it.")
    if not file.exists():
        raise InputError(f"{file} does not exist.")
    with file.open("rb") as raw:
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        try:
            if packed:
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield unpacked  # type: ignore[misc]
            else:
                yield raw
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                f"{file} is not whole: its gzip stream ends early or is damaged ({error}); "
                "fetch it again."
            ) from None


def blocks(path: str | Path, size: int = 1 << 22) -> Iterator[bytes]:
    """The file in blocks of at most `size` bytes; an error when it has none."""
    with _reader(path) as stream:
        empty = True
        while block := stream.read(size):
            empty = False
            yield block
    if empty:
        raise InputError(f"{path} is empty.")


def lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """(number, text) of every line, without its line end; an error when there is none."""
    with _reader(path) as stream:
        number = 0
        for number, line in enumerate(stream, start=1):
            try:
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{path}: line {number} is not UTF-8 (byte 0x{line[error.start]:02x}); "
                    "convert the file to UTF-8."
                ) from None
    if number == 0:
        raise InputError(f"{path} is empty.")


@contextmanager
def atomic_writer(path: str | Path) -> Iterator[IO[bytes]]:
    """A file to write to that takes its place only when all is written; gzip for a .gz name."""
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"the folder {target.parent} does not exist.")
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as raw:
            stream: Any = raw
            if target.suffix == ".gz":
                stream = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
            yield stream
            if stream is not raw:
                stream.close()
            raw.flush()
            os.fsync(raw.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def stem_and_suffix(path: str | Path) -> tuple[str, str]:
    """(name, ending in small letters) without .gz: ``a/train.txt.gz`` gives train and .txt."""
    file = Path(path)
    if file.suffix == ".gz":
        file = file.with_suffix("")
    return file.stem, file.suffix.lower()
