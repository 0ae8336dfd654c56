"""Data of the tag recommendation experiment: things with two tags or more, in five portions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from labelrank.data import (
    Dataset,
    Items,
    Rows,
    Settings,
    Things,
    half_of_the_tags,
    load,
    merged_tags,
    portions,
    read_items,
)
from labelrank.data.files import stem_and_suffix
from labelrank.errors import InputError

__all__ = ["Fold", "folds", "read_tagged"]

_LEAST = 25  # things, five a portion
_TABLES = (".jsonl", ".csv", ".tsv", ".parquet")


@dataclass
class Fold:
    """Three portions to count in, one to learn from, one to be judged on (section 5.2).

    Attributes
    ----------
    things : Things
        D: rules and metrics come from these.
    learned, judged : (Rows, tags to be found)
        V, which rankers and parameters are learned from, and the test portion: texts and half of
        the tags, and the other half.
    titles : list of str
        Of the test portion.
    """

    things: Things
    learned: tuple[Rows, sp.csr_array]
    judged: tuple[Rows, sp.csr_array]
    titles: list[str]


def read_tagged(
    source: str, data: str | Path | None = None, columns: Mapping[str, str] | None = None
) -> Dataset:
    """Read things with texts and tags, and keep those with two tags or more.

    Tags with the same stems are one (section 5.1: to avoid trivial recommendations).

    Parameters
    ----------
    source : str
        A name of the catalog or a file: JSON lines, CSV or Parquet.
    data : path, optional
        The folder of named sets.
    columns : mapping, optional
        Which column of a file holds what; see `read_items`.

    Examples
    --------
    >>> read_tagged("python-docs").name
    'python-docs'
    """
    path = Path(source)
    if path.is_file() and stem_and_suffix(path)[1] in _TABLES:
        found = read_items(path, columns=columns)
    else:
        found = load(source, data=data)
    if found.label_names is None:
        raise InputError(f"{source} has labels without names, but tags are needed.")
    merged = merged_tags(found)
    kept = merged[np.flatnonzero(np.diff(merged.Y.indptr) >= 2)]
    if len(kept) < _LEAST:
        raise InputError(
            f"{source} has {len(kept)} things with two tags or more; {_LEAST} are the least."
        )
    return kept


def folds(data: Dataset, random_state: int = 0) -> Iterator[Fold]:
    """The five folds of things that `read_tagged` read.

    A thing has the same half of its tags to be found wherever it is judged or learned from.

    Examples
    --------
    >>> fold = next(folds(read_tagged("python-docs")))
    >>> len(fold.things) > 2 * fold.judged[0].n
    True
    """
    settings = Settings()
    items = Items.of(data, settings.fields, Things(settings).read)
    given, hidden = half_of_the_tags(data.Y, random_state)
    titles = data.texts.get("title") or data.ids or [str(i) for i in range(len(data))]
    for known, learned, judged in portions(len(data), 5, random_state):
        things = Things.of(items[known], settings)

        def part(rows: np.ndarray, things: Things = things) -> tuple[Rows, sp.csr_array]:
            own = things.rows(items[rows])
            tags = given[rows]
            return own._replace(
                tag_indptr=tags.indptr.astype(np.int64), tags=tags.indices.astype(np.int32)
            ), hidden[rows]

        yield Fold(things, part(learned), part(judged), [titles[i] for i in judged])
