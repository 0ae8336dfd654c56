"""Things with texts and tags one after another, so that a file's size does not matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from labelrank.data.files import stem_and_suffix
from labelrank.data.formats.records import records_of
from labelrank.data.formats.tables import _Fields, _tags, _text
from labelrank.errors import InputError

__all__ = ["Item", "stream_items"]


class Item(NamedTuple):
    """One thing: what it is called, its texts, and the tags that it has already."""

    id: str | None
    title: str
    description: str
    tags: list[str]


def stream_items(
    path: str | Path, columns: Mapping[str, str] | None = None, separator: str | None = None
) -> Iterator[Item]:
    r"""Read things with a title, a description and tags, each when it is asked for.

    At least one of the three must be there; what a thing lacks is empty. Mistakes in a line are
    told when it is reached, a column that no thing has at the end.

    Parameters
    ----------
    path, columns, separator
        As for `read_items`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "things.csv"
    >>> _ = file.write_text("name,tags\nSparse arrays,numpy;scipy\n")
    >>> list(stream_items(file))
    [Item(id=None, title='Sparse arrays', description='', tags=['numpy', 'scipy'])]
    """
    file = Path(path)
    suffix = stem_and_suffix(file)[1]
    fields, source = _Fields(str(file), columns or {}), str(file)
    ids: set[str] = set()
    number = 0
    for number, (at, record) in enumerate(records_of(file), start=1):
        fields.look_at(record)
        if number == 1 and suffix != ".jsonl":  # all records have the same columns
            _check(fields, source)
        title, description = (
            _text(record.get(fields[what]), source, at, fields[what]) if what in fields else ""
            for what in ("title", "description")
        )
        name = _text(record.get(fields["id"]), source, at, fields["id"]) if "id" in fields else None
        if name:
            if name in ids:
                raise InputError(f"{source}: {at}: the id {name!r:.60} stands twice.")
            ids.add(name)
        tags = _tags(record.get(fields.get("tags", "")), separator, source, at)
        yield Item(name or None, title, description, tags)
    if not number:
        raise InputError(f"{source} has no records.")
    _check(fields, source)


def _check(fields: _Fields, source: str) -> None:
    shown = ", ".join(fields._seen)
    for column in fields._columns.values():
        if column not in fields._seen:
            raise InputError(f"{source} has no column {column!r}, only {shown}.")
    if not {"title", "description", "tags"} & set(fields):
        raise InputError(
            f"{source} has neither texts nor tags, only {shown}; say which columns hold them with "
            "columns (--columns title=…,description=…,tags=…)."
        )
