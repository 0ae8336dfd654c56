"""Items: things as their words and tags, row by row. X for everything that recommends tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from labelrank.data.dataset import Dataset
from labelrank.data.text import Words, clean_tag, tag_key
from labelrank.errors import InputError

__all__ = ["Items", "merged_tags"]


class Items:
    """Rows of things: the words of each text field, and tags.

    Parameters
    ----------
    words : sequence of sequence of sequence of str
        For each row and each field the words, as `Words` makes them.
    Y : sparse array (n_rows, n_tags)
        The tags of each row.
    names : sequence of str
        What the tags are called.
    fields : sequence of str
        What the text fields are called.
    ids : sequence of str, optional

    Examples
    --------
    >>> from labelrank.data import Dataset, Items, Words
    >>> data = Dataset(Y=[[1, 0], [1, 1]], label_names=["a", "b"], texts={"title": ["Tests", ""]})
    >>> items = Items.of(data, ["title"], Words())
    >>> items.words, items[1:].tags(0)
    ([[['test']], [[]]], ['a', 'b'])
    """

    def __init__(
        self,
        words: list[list[list[str]]],
        Y: sp.csr_array,
        names: list[str],
        fields: Sequence[str],
        ids: list[str] | None = None,
    ) -> None:
        self.words = words
        self.Y = Y
        self.names = names
        self.fields = list(fields)
        self.ids = ids

    @classmethod
    def of(cls, data: Any, fields: Sequence[str], words: Words) -> Items:
        """The words and tags of a `Dataset`; a field that it lacks is empty."""
        if isinstance(data, cls):
            return data
        if not isinstance(data, Dataset):
            raise InputError(
                f"things with texts and tags are needed, as a Dataset, found {type(data).__name__}."
            )
        texts = [data.texts.get(field) or [""] * len(data) for field in fields]
        said = [[words(text) for text in row] for row in zip(*texts, strict=True)]
        names = data.label_names or [str(label) for label in range(data.n_labels)]
        return cls(said or [[] for _ in range(len(data))], data.Y, names, fields, data.ids)

    @property
    def shape(self) -> tuple[int, int]:
        """(n_rows, n_tags)."""
        return len(self.words), len(self.names)

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, rows: slice | ArrayLike) -> Items:
        at = np.arange(len(self))[rows if isinstance(rows, slice) else np.asarray(rows)]
        ids = None if self.ids is None else [self.ids[i] for i in at]
        return Items([self.words[i] for i in at], self.Y[at], self.names, self.fields, ids)

    def tags(self, row: int) -> list[str]:
        """The tags of a row."""
        at = slice(self.Y.indptr[row], self.Y.indptr[row + 1])
        return [self.names[label] for label in self.Y.indices[at]]

    def with_tags(self, Y: sp.csr_array) -> Items:
        """The same texts with other tags, numbered as these are."""
        return Items(self.words, Y, self.names, self.fields, self.ids)


def merged_tags(data: Dataset) -> Dataset:
    """The data with tags that differ only in case or blanks made one.

    A merged tag is called as most rows have it (of equally many, the first in the alphabet), stands
    where its first spelling stood, and has the largest grade of a row. Empty tags go.

    Examples
    --------
    >>> data = Dataset(Y=[[1, 0, 1], [0, 1, 0], [0, 1, 0]], label_names=["NumPy", "numpy", "c"])
    >>> merged_tags(data).label_names
    ['numpy', 'c']
    """
    if data.label_names is None:
        return data
    keys = [tag_key(name) for name in data.label_names]
    numbers: dict[str, int] = {}
    for key in keys:
        if key:
            numbers.setdefault(key, len(numbers))
    shown = _shown(data, keys)
    column = np.array([numbers.get(key, -1) for key in keys], dtype=np.int64)
    rows = np.repeat(np.arange(len(data)), np.diff(data.Y.indptr))
    labels = column[data.Y.indices] if len(column) else np.empty(0, np.int64)
    kept = labels >= 0
    rows, labels, grades = rows[kept], labels[kept], data.Y.data[kept]
    order = np.lexsort((-grades, labels, rows))
    pairs = rows[order] * max(len(numbers), 1) + labels[order]
    first = np.diff(pairs, prepend=-1) != 0
    Y = sp.csr_array(
        (grades[order][first], (rows[order][first], labels[order][first])),
        shape=(len(data), len(numbers)),
    )
    names = [shown[key] for key in numbers]
    return Dataset(data.X, Y, label_names=names, ids=data.ids, texts=data.texts, name=data.name)


def _shown(data: Dataset, keys: list[str]) -> Mapping[str, str]:
    uses = np.bincount(data.Y.indices, minlength=data.n_labels).tolist()
    best: dict[str, tuple[int, str]] = {}
    forms: dict[str, int] = {}
    for name, count in zip(data.label_names or [], uses, strict=True):
        form = clean_tag(name)
        forms[form] = forms.get(form, 0) + count
    for key, name in zip(keys, data.label_names or [], strict=True):
        form = clean_tag(name)
        worth = (-forms[form], form)
        if key not in best or worth < best[key]:
            best[key] = worth
    return {key: form for key, (_, form) in best.items()}
