"""Tables of texts with tags as data sets, and the writer of JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from labelrank.data.dataset import Dataset
from labelrank.data.files import atomic_writer, naming, stem_and_suffix
from labelrank.data.formats.records import Record, records_of
from labelrank.errors import InputError

__all__ = ["from_records", "read_items", "tag_lists", "write_jsonl"]

_KNOWN = {
    "id": ("id", "key", "url"),
    "title": ("title", "name", "headline"),
    "description": ("description", "body", "text", "abstract", "summary"),
    "tags": ("tags", "labels", "keywords", "categories", "topics"),
}


def read_items(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    where: Mapping[str, str] | None = None,
    like: Dataset | None = None,
    unknown: Literal["error", "drop"] = "error",
    separator: str | None = None,
) -> Dataset:
    """Read things with a title, a description and tags.

    Parameters
    ----------
    path : path
        ``.jsonl`` (one object a line), ``.csv``, ``.tsv`` or ``.parquet``; the first three plain
        or gzip.
    columns : mapping, optional
        Which column holds what: ``{"title": "name", "tags": "topics"}``. By default common names
        are recognised; only tags must be there.
    where : mapping, optional
        Keep only records with these values: ``{"split": "train"}``.
    like : Dataset, optional
        Number the labels as this data set does, for instance as the training part.
    unknown : {"error", "drop"}
        What happens to tags that `like` does not have.
    separator : str, optional
        Between the tags of a cell that is one text; by default ``|``, ``;`` or ``,``, the first
        that occurs. A cell may also be a JSON list.

    Returns
    -------
    Dataset
        Text fields ``title`` and ``description``, ids, and one label a tag in order of first use.
        Blanks around a tag are dropped, and so are empty tags and repetitions within one thing.
    """
    file = Path(path)
    records = records_of(file)
    if where:
        records = _chosen(records, where, file)
    data = from_records(
        records, str(file), columns=columns, like=like, unknown=unknown, separator=separator
    )
    data.name = stem_and_suffix(file)[0]
    return data


def from_records(
    records: Iterator[tuple[str, Record]],
    source: str,
    *,
    columns: Mapping[str, str] | None = None,
    like: Dataset | None = None,
    unknown: Literal["error", "drop"] = "error",
    separator: str | None = None,
) -> Dataset:
    """A Dataset of (where it stands, record) pairs; see `read_items`."""
    if unknown not in ("error", "drop"):
        raise InputError(f"unknown must be error or drop, not {unknown!r}.")
    fields = _Fields(source, columns or {})
    texts: dict[str, list[str]] = {}
    ids: list[str] = []
    tags: list[list[str]] = []
    for at, record in records:
        fields.look_at(record)
        for field in ("title", "description"):
            if field in fields:  # a field may show up after some records
                values = texts.setdefault(field, [""] * len(tags))
                values.append(_text(record.get(fields[field]), source, at, fields[field]))
        if "id" in fields:
            if len(ids) < len(tags):
                raise InputError(f"{source}: {at} has an id, but records before it have none.")
            ids.append(_text(record.get(fields["id"]), source, at, fields["id"]))
        tags.append(_tags(record.get(fields.get("tags", "")), separator, source, at))
    if not tags:
        raise InputError(f"{source} has no records.")
    fields.check()
    names, Y = _numbered(tags, source, like, unknown)
    with naming(source):
        return Dataset(None, Y, label_names=names, ids=ids or None, texts=texts)


def write_jsonl(data: Dataset, path: str | Path) -> None:
    """Write texts, ids and tags, one JSON object a line (gzip for a .gz name)."""
    if (data.Y.data != 1).any():
        raise InputError("JSON lines hold tags without grades, but Y has values other than 1.")
    if data.X is not None:
        raise InputError("JSON lines hold no features X; use write_npz or write_xmc.")
    for field in {"id", "tags"} & set(data.texts):
        raise InputError(f"a text field must not be called {field!r}: that is another column.")
    with atomic_writer(path) as out:
        for i in range(len(data)):
            record: dict[str, Any] = {} if data.ids is None else {"id": data.ids[i]}
            record |= {field: values[i] for field, values in data.texts.items()}
            labels = data.Y.indices[data.Y.indptr[i] : data.Y.indptr[i + 1]]
            record["tags"] = [data.label_name(label) for label in labels]
            out.write((json.dumps(record, ensure_ascii=False) + "\n").encode())


def _chosen(
    records: Iterator[tuple[str, Record]], where: Mapping[str, str], file: Path
) -> Iterator[tuple[str, Record]]:
    """Records with the wanted values; an error when no record has such a column."""
    missing, found = set(where), False
    for at, record in records:
        missing -= record.keys()
        if all(str(record.get(column)) == value for column, value in where.items()):
            found = True
            yield at, record
    if missing:
        raise InputError(f"{file} has no column {sorted(missing)[0]!r} to choose by.")
    if not found:
        raise InputError(f"{file} has no records with {dict(where)}.")


class _Fields(dict[str, str]):
    """Which column of the records holds the id, the title, the description and the tags."""

    def __init__(self, source: str, columns: Mapping[str, str]) -> None:
        super().__init__()
        self._source, self._columns = source, columns
        self._seen: dict[str, None] = {}
        for what in columns:
            if what not in _KNOWN:
                raise InputError(f"columns maps {', '.join(_KNOWN)}, not {what!r}.")

    def look_at(self, record: Record) -> None:
        """Find what is still missing; records need not all have the same columns."""
        if record.keys() <= self._seen.keys():
            return
        self._seen |= dict.fromkeys(record)
        for what, names in _KNOWN.items():
            wanted = (self._columns[what],) if what in self._columns else names
            match = next((name for name in wanted if name in self._seen), None)
            if what not in self and match is not None:
                self[what] = match

    def check(self) -> None:
        """The columns that were asked for, and tags, were found."""
        for what, column in self._columns.items():
            if what not in self:
                shown = ", ".join(self._seen)
                raise InputError(f"{self._source} has no column {column!r}, only {shown}.")
        if "tags" not in self:
            raise InputError(
                f"{self._source} has no column of tags, only {', '.join(self._seen)}; say which "
                'with columns={"tags": …}.'
            )


def _text(value: Any, source: str, at: str, column: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{source}: {at}: column {column!r} must be text, found {value!r:.60}.")


def _tags(value: Any, separator: str | None, source: str, at: str) -> list[str]:
    if value is None or value == "":
        return []
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise InputError(f"{source}: {at}: the tags are no JSON list: {value!r:.60}.") from None
    if isinstance(value, str):
        mark = separator or next((mark for mark in "|;," if mark in value), ",")
        value = value.split(mark)
    if not isinstance(value, list | tuple | np.ndarray):
        raise InputError(f"{source}: {at}: tags must be a list or a text, found {value!r:.60}.")
    for tag in value:
        if isinstance(tag, bool) or not isinstance(tag, str | int | float):
            raise InputError(f"{source}: {at}: a tag must be text, found {tag!r:.60}.")
    stripped = (str(tag).strip() for tag in value)
    return list(dict.fromkeys(tag for tag in stripped if tag))


def _numbered(
    tags: list[list[str]], source: str, like: Dataset | None, unknown: Literal["error", "drop"]
) -> tuple[list[str], sp.csr_array]:
    """Label names and Y, the labels numbered by first use or as in `like`."""
    if like is not None and like.label_names is None:
        raise InputError("like has no label names to number the tags by.")
    numbers = {name: i for i, name in enumerate((like and like.label_names) or [])}
    if like is None:
        for row in tags:
            for tag in row:
                numbers.setdefault(tag, len(numbers))
    elif unknown == "error":
        new = [tag for tag in dict.fromkeys(t for row in tags for t in row) if tag not in numbers]
        if new:
            raise InputError(
                f"{source} has {len(new)} tags that are not known, such as {new[0]!r}; "
                "drop them with unknown='drop'."
            )
    rows = [[numbers[tag] for tag in row if tag in numbers] for row in tags]
    indptr = np.cumsum([0] + [len(row) for row in rows])
    indices = np.array([label for row in rows for label in row], dtype=np.int32)
    Y = sp.csr_array(
        (np.ones(len(indices), np.float32), indices, indptr), shape=(len(rows), len(numbers))
    )
    Y.sort_indices()
    return list(numbers), Y


def tag_lists(data: Dataset, rows: Sequence[int] | None = None) -> list[list[str]]:
    """The names of the labels of some rows (all by default)."""
    chosen = range(len(data)) if rows is None else rows
    at = data.Y.indptr
    return [[data.label_name(label) for label in data.Y.indices[at[i] : at[i + 1]]] for i in chosen]
