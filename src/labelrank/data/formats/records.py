"""Records: JSON lines, CSV, TSV and Parquet as (where it stands, columns) pairs."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from labelrank.data.files import lines, stem_and_suffix
from labelrank.errors import InputError, MissingExtraError

__all__ = ["Record", "records_of"]

Record: TypeAlias = Mapping[str, Any]


def records_of(file: Path) -> Iterator[tuple[str, Record]]:
    """(where it stands, record) of every record of a table."""
    suffix = stem_and_suffix(file)[1]
    if suffix not in _READERS:
        raise InputError(f"{file}: tables are read from {', '.join(_READERS)}, not {suffix!r}.")
    return _READERS[suffix](file)


def _jsonl(file: Path) -> Iterator[tuple[str, Record]]:
    for number, line in lines(file):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{file}: line {number} is not JSON: {error}.") from None
        if not isinstance(record, dict):
            raise InputError(f"{file}: line {number} is no JSON object, but {line[:40]!r}.")
        yield f"line {number}", record


def _separated(delimiter: str) -> Callable[[Path], Iterator[tuple[str, Record]]]:
    def read(file: Path) -> Iterator[tuple[str, Record]]:
        texts = (line + "\n" for _, line in lines(file))
        rows = csv.reader(texts, delimiter=delimiter, strict=True)
        limit = csv.field_size_limit(2**31 - 1)  # the module's own stops at 128 KB
        try:
            header = next(rows, [])
            if len(set(header)) < len(header):
                raise InputError(f"{file}: line 1 names a column twice: {', '.join(header)}.")
            for row in rows:
                if not row:
                    continue
                if len(row) != len(header):
                    raise InputError(
                        f"{file}: line {rows.line_num} has {len(row)} cells, but the first line "
                        f"names {len(header)} columns."
                    )
                yield f"line {rows.line_num}", dict(zip(header, row, strict=True))
        except csv.Error as error:
            raise InputError(f"{file}: line {rows.line_num} is not CSV: {error}.") from None
        finally:
            csv.field_size_limit(limit)

    return read


def _parquet(file: Path) -> Iterator[tuple[str, Record]]:
    try:
        import polars
    except ModuleNotFoundError:
        raise MissingExtraError("reading Parquet", "polars", "tables") from None
    if not file.is_file():
        what = "is a folder; name a file in it" if file.is_dir() else "does not exist"
        raise InputError(f"{file} {what}.")
    if file.stat().st_size == 0:
        raise InputError(f"{file} is empty.")
    try:
        frame = polars.read_parquet(file, glob=False)
    except (Exception, polars.exceptions.PanicException) as error:  # damage can make polars panic
        raise InputError(f"{file} is no Parquet file: {str(error).splitlines()[0]}.") from None
    for number, record in enumerate(frame.iter_rows(named=True), start=1):
        yield f"row {number}", record


_READERS: dict[str, Callable[[Path], Iterator[tuple[str, Record]]]] = {
    ".jsonl": _jsonl,
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
    ".parquet": _parquet,
}
