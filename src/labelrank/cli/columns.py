"""``--columns title=name,tags=keywords``: which column of a file holds what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labelrank.data import Dataset

__all__ = ["columns_of", "load_columns"]


def columns_of(words: str | None) -> dict[str, str] | None:
    """A mapping of ``WHAT=COLUMN`` between commas.

    Examples
    --------
    >>> columns_of("title=name, tags=keywords")
    {'title': 'name', 'tags': 'keywords'}
    """
    from labelrank.errors import InputError

    if words is None:
        return None
    found: dict[str, str] = {}
    for text in words.split(","):
        what, equals, column = (part.strip() for part in text.partition("="))
        if not equals or not what or not column:
            raise InputError(f"--columns {text.strip()!r}: write WHAT=COLUMN, as in title=name.")
        if what in found:
            raise InputError(f"--columns names {what} twice.")
        found[what] = column
    return found


def load_columns(source: str, columns: str | None, part: str | None, data: Path | None) -> Dataset:
    """A data set; of a table the columns that were named."""
    from labelrank.data import load, read_items
    from labelrank.errors import InputError

    named = columns_of(columns)
    if named is None:
        return load(source, part=part, data=data)
    if not Path(source).exists() or part is not None:
        raise InputError("--columns goes with a file of things: .jsonl, .csv, .tsv or .parquet.")
    return read_items(source, columns=named)
