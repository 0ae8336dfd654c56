"""Files: plain or gzip, read in blocks or lines with clear errors, written whole or not at all."""

from __future__ import annotations

import gzip
import os
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from labelrank.errors import InputError

__all__ = ["MARK", "atomic_writer", "blocks", "lines", "naming", "stem_and_suffix"]

_GZIP = b"\x1f\x8b"
MARK = b"\xef\xbb\xbf"  # what some programs put before UTF-8


def blocks(path: str | Path, size: int = 1 << 20) -> Iterator[bytes]:
    """The file in blocks of at most `size` bytes, unpacked when it is gzip whatever it is called.

    A file without a byte is an error.
    """
    file = Path(path)
    if file.is_dir():
        raise InputError(f"{file} is a folder; name a file in it.")
    if not file.exists():
        raise InputError(f"{file} does not exist.")
    with file.open("rb") as stream:
        packed = stream.read(2) == _GZIP
        stream.seek(0)
        empty = True
        for block in (
            _unpacked(file, stream, size) if packed else iter(lambda: stream.read(size), b"")
        ):
            empty = False
            yield block
    if empty:
        raise InputError(f"{path} is empty.")


def _unpacked(file: Path, stream: IO[bytes], size: int) -> Iterator[bytes]:
    """Gzip members one after another; Python's own reader goes in steps of 8 KB and is slower."""
    member = zlib.decompressobj(wbits=31)
    waiting = b""
    try:
        while waiting or (waiting := stream.read(1 << 17)):
            if member.eof:
                member = zlib.decompressobj(wbits=31)
            block = member.decompress(waiting, size)
            waiting = member.unconsumed_tail or member.unused_data.lstrip(b"\0")
            if block:
                yield block
    except zlib.error as error:
        raise InputError(f"{file} is damaged: its gzip stream cannot be read ({error}).") from None
    if not member.eof:
        raise InputError(f"{file} is cut short: its gzip stream ends early; fetch it again.")


def lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """(number, text) of every line, without its line end; an error when there is none."""
    number, rest = 0, b""
    for block in blocks(path):
        whole = (rest + block).split(b"\n")
        rest = whole.pop()
        for line in whole:
            number += 1
            yield number, _text(path, number, line)
    if rest:
        yield number + 1, _text(path, number + 1, rest)


def _text(path: str | Path, number: int, line: bytes) -> str:
    try:
        return (line.removeprefix(MARK) if number == 1 else line).decode().rstrip("\r")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: line {number} is not UTF-8 (byte 0x{error.object[error.start]:02x}); "
            "convert the file to UTF-8."
        ) from None


@contextmanager
def atomic_writer(path: str | Path) -> Iterator[IO[bytes]]:
    """A file to write to that takes its place only when all is written; gzip for a .gz name."""
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"the folder {target.parent} does not exist.")
    if target.is_dir():
        raise InputError(f"{target} is a folder; name a file in it.")
    stage = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with stage.open("xb") as raw:
            stream: Any = raw
            if target.suffix == ".gz":
                stream = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
            yield stream
            if stream is not raw:
                stream.close()
            raw.flush()
            os.fsync(raw.fileno())
        stage.replace(target)
    except BaseException:
        stage.unlink(missing_ok=True)
        raise


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Errors within name the file."""
    try:
        yield
    except InputError as error:
        if str(path) in str(error):
            raise
        raise InputError(f"{path}: {error}") from None


def stem_and_suffix(path: str | Path) -> tuple[str, str]:
    """(name, ending in small letters) without .gz: ``a/train.txt.gz`` gives train and .txt."""
    file = Path(path)
    if file.suffix == ".gz":
        file = file.with_suffix("")
    return file.stem, file.suffix.lower()
