"""Streams: a data set's rows in blocks, so that memory does not grow with a file to be ranked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labelrank.data.catalog import CATALOG, data_folder
from labelrank.data.dataset import Dataset
from labelrank.data.files import lines, naming, stem_and_suffix
from labelrank.data.formats.sparse_text import LABEL_LIST, read_header, stream_rows
from labelrank.data.loading import load

__all__ = ["Stream", "stream"]

_ROWS = 4096


@dataclass
class Stream:
    """Blocks of consecutive rows over the same features and labels; see `stream`.

    Attributes
    ----------
    name : str
    n_rows : int
        In all blocks together.
    blocks : iterator of Dataset
        To be taken once.
    """

    name: str
    n_rows: int
    blocks: Iterator[Dataset]

    def __iter__(self) -> Iterator[Dataset]:
        return self.blocks


def stream(
    source: str | Path, *, part: str | None = None, data: str | Path | None = None
) -> Stream:
    """Open a data set to read it once, from its first row to its last.

    Extreme-classification text is read block by block; other forms are loaded whole and handed out
    in blocks.

    Parameters
    ----------
    source, part, data
        As for `labelrank.load`.

    Examples
    --------
    >>> from labelrank.data import stream
    >>> sum(len(block) for block in stream("python-docs")) > 100
    True
    """
    file = Path(source)
    if not file.exists() and str(source) in CATALOG:
        entry, folder = CATALOG[str(source)], data_folder(data)
        chosen = part or next(iter(entry.parts), None)
        if entry.form == "xmc" and folder is not None and chosen in entry.parts:
            file = folder / entry.parts[chosen]
    if _is_extreme(file):
        with naming(file):
            n, *_ = read_header(file, 3)
        return Stream(stem_and_suffix(file)[0], n, _read(file))
    whole = load(source, part=part, data=data)
    return Stream(whole.name, len(whole), _cut(whole))


def _is_extreme(file: Path) -> bool:
    if not file.is_file() or stem_and_suffix(file)[1] not in (".txt", ".dat", ""):
        return False
    first = next(iter(lines(file)))[1].split()
    return len(first) == 3 and all(word.isdigit() for word in first)


def _read(file: Path) -> Iterator[Dataset]:
    name = stem_and_suffix(file)[0]
    for rows in stream_rows(file, LABEL_LIST, header=3):
        with naming(file):
            yield Dataset(rows.X, rows.Y, name=name)


def _cut(whole: Dataset) -> Iterator[Dataset]:
    for at in range(0, len(whole), _ROWS):
        yield whole[at : at + _ROWS]
