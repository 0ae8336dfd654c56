"""Things: what is known of tagged things; it learns and forgets them one by one, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.data._changes import UNIT, Change
from labelrank.data._indexing import index_into
from labelrank.data.incidence import Incidence
from labelrank.data.items import Items, merged_columns
from labelrank.data.lists import Column, Lists
from labelrank.data.tag_names import TagNames
from labelrank.data.tag_settings import Settings, checked
from labelrank.data.terms import Terms, phrase_of
from labelrank.data.text import TagKeys, Words, clean_tag
from labelrank.errors import InputError

__all__ = ["Rows", "Things"]


class Rows(NamedTuple):
    """Things as kernels take them: known tags and terms by number."""

    tag_indptr: NDArray[np.int64]
    tags: NDArray[np.int32]
    text_indptr: NDArray[np.int64]
    terms: NDArray[np.int32]
    counts: NDArray[np.int32]  # (n_terms, n_fields): how often a term stands in each field

    @property
    def n(self) -> int:
        """How many things."""
        return len(self.tag_indptr) - 1

    def part(self, rows: slice) -> Rows:
        """Consecutive rows."""
        a, b = self.tag_indptr[rows.start], self.tag_indptr[rows.stop]
        s, e = self.text_indptr[rows.start], self.text_indptr[rows.stop]
        tags, text = (p[rows.start : rows.stop + 1] for p in (self.tag_indptr, self.text_indptr))
        return Rows(tags - a, self.tags[a:b], text - s, self.terms[s:e], self.counts[s:e])


class Things:
    """An index of tagged things: which tags and terms each has, and the statistics of both.

    For a training set D of things d with tags I_d and texts F_d (paper 001, section 3) it holds the
    things of each tag and the tags of each thing; f_c^tag, f_c^F and f_c^{tag,F}; the entropy H of
    a tag's rules (11); and the average spread AFS of each field (7). Things are added, changed and
    forgotten in time that follows the change; what is known then equals what would be known from
    the things that remain, except for the order of rows, tags and terms.

    Parameters
    ----------
    settings : Settings, optional

    Attributes
    ----------
    ids : list of str
    names : TagNames
        Tags by number, and as they are shown.
    terms : Terms
        Words and phrases by number.
    of_tags, of_terms : Incidence
        Tags and terms of each thing, and things of each tag and term.
    texts : Lists
        The words of each thing and field in their order, field by field.
    both, entropies : Column
        f^{tag,F} and H of each tag.
    tag_terms : Column
        The term of each tag, or -1.

    Examples
    --------
    >>> from labelrank.data import Dataset, Things
    >>> data = Dataset(Y=[[1, 1], [1, 0]], label_names=["Python", "tests"],
    ...                texts={"title": ["Testing in Python", "Snakes"]})
    >>> things = Things.of(data)
    >>> things.uses.tolist(), things.both.values.tolist()
    ([2, 1], [1, 1])
    >>> things.forget(["0"])
    >>> things.names.shown
    ['Python']
    """

    ids: list[str]
    names: TagNames
    terms: Terms
    of_tags: Incidence
    of_forms: Incidence
    of_terms: Incidence
    texts: Lists
    both: Column
    entropies: Column
    tag_terms: Column
    spreads: list[int]  # of each field, the sum of its instances' spreads, in 1/UNIT
    filled: list[int]  # how many things have each field

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = checked(settings or Settings())
        self.read = Words(self.settings.stemming, self.settings.stop_words)
        self.key_of = TagKeys(self.settings.same, self.settings.stemming)
        self._stopped = self.read.stopped_stems
        self._next = 0

    @classmethod
    def of(cls, data: Any, settings: Settings | None = None, Y: Any = None) -> Things:
        """What is known from the rows of a `Dataset` or `Items`, with the tags Y if they are given.

        Tags are numbered as their columns, where no two are the same tag and none is blank.
        """
        things = cls(Settings() if settings is None else Settings(*settings))
        items = Items.of(data, things.settings.fields, things.read)
        index_into(things, items if Y is None else items.with_tags(Y))
        return things

    # ---------------------------------------------------------------- what is known

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def n_tags(self) -> int:
        """How many tags are known."""
        return len(self.names)

    @property
    def uses(self) -> NDArray[np.int32]:
        """f^tag: how many things have each tag."""
        return self.of_tags.columns.sizes

    @property
    def found(self) -> NDArray[np.int32]:
        """f^F: how many things have each term in a text."""
        return self.of_terms.columns.sizes

    @property
    def field_spreads(self) -> NDArray[np.float64]:
        """AFS of each field; 0 for a field that no thing has."""
        sums = zip(self.spreads, self.filled, strict=True)
        return np.array([s / UNIT / n if n else 0.0 for s, n in sums])

    @cached_property
    def rows_of(self) -> dict[str, int]:
        """The row of each id."""
        return {name: row for row, name in enumerate(self.ids)}

    def term_of(self, key: str) -> str | None:
        """The key of the term that says a tag in a text; None where no text can say it."""
        if self.settings.same == "stem":  # the key's words are stems already
            words = [word for word in key.split(" ") if word not in self._stopped]
        else:
            words = self.read(key)
        return phrase_of(words, self.settings.phrase)

    # ---------------------------------------------------------------- things to rank tags for

    def rows(self, data: Any) -> Rows:
        """Things by number; tags and terms that are not known are left out."""
        items = Items.of(data, self.settings.fields, self.read)
        tags = [self.known_tags(items.tags(i)) for i in range(len(items))]
        return self._packed(tags, [self.known_terms(words) for words in items.words])

    def row(self, texts: Mapping[str, str], tags: Iterable[str]) -> Rows:
        """One thing by number."""
        words = [self.read(texts[f]) if texts.get(f) else [] for f in self.settings.fields]
        return self._packed([self.known_tags(tags)], [self.known_terms(words)])

    def rows_of_texts(
        self, texts: Iterable[Mapping[str, str]], tags: Iterable[Iterable[str]]
    ) -> Rows:
        """Several things by number, each as `row` takes it."""
        fields = self.settings.fields
        words = [[self.read(each[f]) if each.get(f) else [] for f in fields] for each in texts]
        return self._packed(
            [self.known_tags(own) for own in tags], [self.known_terms(said) for said in words]
        )

    def truth(self, data: Any) -> sp.csr_array:
        """The known tags of rows by number, with their grades: what rankings are judged by."""
        items = Items.of(data, self.settings.fields, self.read)
        numbers = [self.names.number(clean_tag(name)) for name in items.names]
        return merged_columns(items.Y, numbers, self.n_tags)

    def known_tags(self, tags: Iterable[str]) -> list[int]:
        """The numbers of the tags that are known, each once."""
        number = self.names.number
        return [tag for tag in dict.fromkeys(map(number, tags)) if tag >= 0]

    def known_terms(self, words: Sequence[list[str]]) -> dict[int, list[int]]:
        """How often each known term stands in each field."""
        found: dict[int, list[int]] = {}
        numbers, n = self.terms.numbers, len(words)
        for field, said in enumerate(words):
            for key, count in self.terms.counted(said).items():
                term = numbers.get(key)
                if term is not None:
                    found.setdefault(term, [0] * n)[field] = count
        return found

    def _packed(self, tags: list[list[int]], terms: list[dict[int, list[int]]]) -> Rows:
        fields = len(self.settings.fields)
        counts = [row for found in terms for row in found.values()]
        return Rows(
            np.cumsum([0, *map(len, tags)], dtype=np.int64),
            np.array([tag for row in tags for tag in row], dtype=np.int32),
            np.cumsum([0, *map(len, terms)], dtype=np.int64),
            np.array([term for found in terms for term in found], dtype=np.int32),
            np.array(counts, dtype=np.int32).reshape(-1, fields),
        )

    # ---------------------------------------------------------------- learning and forgetting

    def update(self, data: Any) -> None:
        """Add things, and change those whose id is known.

        Things without ids are new.
        """
        items = Items.of(data, self.settings.fields, self.read)
        names = items.ids or self._new_ids(len(items))
        change = Change(self)
        change.take_out([self.rows_of[name] for name in names if name in self.rows_of])
        for i, name in enumerate(names):
            change.put_in(name, items.tags(i), items.words[i])
        change.settle()

    def forget(self, ids: Iterable[str]) -> None:
        """Remove things; tags and words that no other thing has are gone with them."""
        given = dict.fromkeys([ids] if isinstance(ids, str) else ids)
        unknown = [name for name in given if name not in self.rows_of]
        if unknown:
            raise InputError(
                f"there is no thing with the id {unknown[0]!r} to forget; nothing was changed."
            )
        change = Change(self)
        change.take_out([self.rows_of[name] for name in given])
        change.settle()

    def _new_ids(self, n: int) -> list[str]:
        made: list[str] = []
        while len(made) < n:
            if str(self._next) not in self.rows_of:
                made.append(str(self._next))
            self._next += 1
        return made
