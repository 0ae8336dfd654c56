"""Items: things as their words and tags, row by row. X for everything that recommends tags."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from labelrank._labels import check_labels, narrow
from labelrank.data.dataset import Dataset
from labelrank.data.stop_words import STOP_WORDS
from labelrank.data.tag_names import TagNames
from labelrank.data.text import TagKeys, Words, clean_tag, language_of
from labelrank.errors import InputError

__all__ = ["Items", "in_language", "merged_tags"]


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

    def with_tags(self, Y: Any) -> Items:
        """The same texts with other tags, numbered as these are."""
        tags = narrow(check_labels(Y))
        if tags.shape != self.shape:
            raise InputError(f"Y has shape {tags.shape}, but the things have {self.shape}.")
        return Items(self.words, tags, self.names, self.fields, self.ids)


def merged_tags(data: Dataset, same: str = "stem", stemming: str | None = "porter") -> Dataset:
    """The data with tags that are the same made one column.

    A merged tag is called as most rows have it (of equally many, the first in the alphabet), stands
    where its first spelling stood, and has the largest grade of a row. Blank tags go. These are the
    numbers and names that `Things` and recommenders give to the tags of the data.

    Parameters
    ----------
    data : Dataset
    same, stemming
        See `TagKeys`.

    Examples
    --------
    >>> data = Dataset(Y=[[1, 0, 1], [0, 1, 0], [0, 1, 0]], label_names=["Test", "tests", "c"])
    >>> merged_tags(data).label_names
    ['tests', 'c']
    """
    if data.label_names is None:
        return data
    uses = np.bincount(data.Y.indices, minlength=data.n_labels).tolist()
    names = TagNames.of(data.label_names, uses, TagKeys(same, stemming))
    Y = merged_columns(data.Y, [names.number(clean_tag(name)) for name in data.label_names],
                       len(names))  # fmt: skip
    return Dataset(data.X, Y, label_names=names.shown, ids=data.ids, texts=data.texts,
                   name=data.name)  # fmt: skip


def in_language(data: Dataset, language: str) -> Dataset:
    """The rows whose texts are in a language, or too short to tell (paper 001, §5.1).

    Parameters
    ----------
    data : Dataset
    language : str
        One of `labelrank.data.stop_words.STOP_WORDS`.

    Examples
    --------
    >>> texts = {"title": ["The art of writing", "Die Kunst und das Leben", "NumPy"]}
    >>> in_language(Dataset(Y=[[1], [1], [1]], texts=texts), "english").texts["title"]
    ['The art of writing', 'NumPy']
    """
    if language not in STOP_WORDS:
        known = ", ".join(STOP_WORDS)
        raise InputError(f"the language {language!r} is not known; known are {known}.")
    found = [language_of(text) for text in data.joined_texts()]
    return data[[name in (language, None) for name in found]]


def merged_columns(Y: sp.csr_array, numbers: list[int], n: int) -> sp.csr_array:
    """Columns by new numbers, those with -1 left out; of several the largest grade of a row."""
    column = np.array(numbers, dtype=np.int64)
    rows = np.repeat(np.arange(Y.shape[0]), np.diff(Y.indptr))
    labels = column[Y.indices] if len(column) else np.empty(0, np.int64)
    rows, labels, grades = rows[labels >= 0], labels[labels >= 0], Y.data[labels >= 0]
    order = np.lexsort((-grades, labels, rows))
    pairs = rows[order] * max(n, 1) + labels[order]
    first = order[np.diff(pairs, prepend=-1) != 0]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows[first], minlength=Y.shape[0]))])
    return sp.csr_array((grades[first], labels[first], indptr), shape=(Y.shape[0], n))
