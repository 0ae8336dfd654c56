"""Things: what is known of tagged things; it learns and forgets them one by one, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank.data.items import Items, merged_columns
from labelrank.data.lists import Column, Incidence, Lists
from labelrank.data.tag_names import TagNames
from labelrank.data.terms import Terms, phrase_of
from labelrank.data.text import TagKeys, Words, clean_tag
from labelrank.errors import InputError

__all__ = ["Rows", "Settings", "Things"]

_UNIT = 1 << 32  # spreads are added up as whole multiples of 1/_UNIT: the order does not matter


class Settings(NamedTuple):
    """How things are read, and which rules count.

    Parameters
    ----------
    fields : sequence of str
        Text fields, as a `Dataset` calls them.
    stemming, stop_words
        See `Words`.
    same : {"stem", "case"}
        Which tags are the same; see `TagKeys`.
    phrase : int
        Tags of at most so many words, stop words not counted, are looked for in texts.
    support : int
        Things that must have X and c for a rule X → c.
    confidence : float
        Share of the things with X that must have c.
    """

    fields: tuple[str, ...] = ("title", "description")
    stemming: str | None = "porter"
    stop_words: str | tuple[str, ...] | None = "english"
    same: str = "stem"
    phrase: int = 4
    support: int = 2
    confidence: float = 0.0


def checked(settings: Settings) -> Settings:
    """Settings that can be used; InputError where they cannot."""
    fields = settings.fields
    if isinstance(fields, str) or not all(isinstance(field, str) for field in fields):
        raise InputError(f"fields must be names of text fields, found {fields!r:.60}.")
    if len(set(fields)) < len(fields):
        raise InputError("fields names a text field twice.")
    for name in ("phrase", "support"):
        value = getattr(settings, name)
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise InputError(f"{name} must be a whole number from 1, found {value!r}.")
    share = settings.confidence
    if not isinstance(share, int | float) or not 0 <= share <= 1:
        raise InputError(f"confidence must lie in 0..1, found {share!r}.")
    return settings


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


def spreads_of(words: Sequence[Sequence[Any]]) -> list[int | None]:
    """FIS of each field, in 1/_UNIT: in how many fields its words stand, on average.

    None for a field without words.
    """
    sets = [set(said) for said in words]
    fields = Counter(word for said in sets for word in said)
    return [
        sum(fields[word] for word in said) * _UNIT // len(said) if said else None for said in sets
    ]


class Touched(NamedTuple):
    """What a change may have left without a thing."""

    tags: set[int]
    terms: set[int]


class Things:
    """An index of tagged things: which tags and terms each has, and the statistics of both.

    For a training set D of things d with tags I_d and texts F_d (paper 001, section 3) it holds the
    things of each tag and the tags of each thing; f_c^tag, f_c^F and f_c^{tag,F}; the entropy H of
    a tag's rules (11); and the average spread AFS of each field (7). Things are added, changed and
    forgotten in time that follows the change; what is known then equals what would be known from
    the things that remain, except for the order of rows, tags and terms.

    Parameters
    ----------
    settings : Settings

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
    spreads: list[int]  # of each field, the sum of its instances' spreads, in 1/_UNIT
    filled: list[int]  # how many things have each field

    def __init__(self, settings: Settings = Settings()) -> None:
        self.settings = checked(settings)
        self.read = Words(settings.stemming, settings.stop_words)
        self.key_of = TagKeys(settings.same, settings.stemming)
        self._stopped = self.read.stopped_stems
        self._next = 0

    @classmethod
    def of(cls, data: Any, settings: Settings | None = None, Y: Any = None) -> Things:
        """What is known from the rows of a `Dataset` or `Items`, with the tags Y if they are given.

        Tags are numbered as their columns, where no two are the same tag and none is blank.
        """
        from labelrank.data._indexing import indexed

        things = cls(Settings() if settings is None else Settings(*settings))
        items = Items.of(data, things.settings.fields, things.read)
        return indexed(things, items if Y is None else items.with_tags(Y))

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
        return np.array([s / _UNIT / n if n else 0.0 for s, n in sums])

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
        touched = Touched(set(), set())
        self._take_out([self.rows_of[name] for name in names if name in self.rows_of], touched)
        for i, name in enumerate(names):
            self._put_in(name, items.tags(i), items.words[i], touched)
        self._settle(touched)

    def forget(self, ids: Iterable[str]) -> None:
        """Remove things; tags and words that no other thing has are gone with them."""
        given = dict.fromkeys([ids] if isinstance(ids, str) else ids)
        unknown = [name for name in given if name not in self.rows_of]
        if unknown:
            raise InputError(
                f"there is no thing with the id {unknown[0]!r} to forget; nothing was changed."
            )
        touched = Touched(set(), set())
        self._take_out([self.rows_of[name] for name in given], touched)
        self._settle(touched)

    def _new_ids(self, n: int) -> list[str]:
        made: list[str] = []
        while len(made) < n:
            if str(self._next) not in self.rows_of:
                made.append(str(self._next))
            self._next += 1
        return made

    def _put_in(
        self, name: str, tags: Iterable[str], words: list[list[str]], touched: Touched
    ) -> None:
        """A thing more."""
        row = len(self.ids)
        forms: dict[str, str] = {}
        for tag in map(clean_tag, tags):
            key = self.key_of(tag)
            if key and (key not in forms or tag < forms[key]):
                forms[key] = tag
        own = [self._tag(key) for key in forms]
        numbers = [self.names.add_form(f, t) for f, t in zip(forms.values(), own, strict=True)]
        counted = [self.terms.counted(said) for said in words]
        terms = [self._term(key) for key in dict.fromkeys(k for c in counted for k in c)]
        self.ids.append(name)
        self.rows_of[name] = row
        self.of_tags.add_row(own)
        while len(self.of_forms.columns) < len(self.names.forms):
            self.of_forms.columns.append()
        self.of_forms.add_row(numbers)
        for form in numbers:
            self.names.used(form, 1)
        self.of_terms.add_row(terms)
        for said in words:
            self.texts.append([self.terms.numbers[word] for word in said])
        self._count(own, terms, spreads_of(words), 1)
        touched.tags.update(own)

    def _take_out(self, rows: Iterable[int], touched: Touched) -> None:
        """Things less; tags, forms and terms keep their numbers."""
        fields = len(self.settings.fields)
        for row in sorted(rows, reverse=True):  # the last row moves: later ones are gone already
            own = self.of_tags.rows[row].tolist()
            terms = self.of_terms.rows[row].tolist()
            said = [self.texts[row * fields + f].tolist() for f in range(fields)]
            self._count(own, terms, spreads_of(said), -1)
            for form in self.of_forms.rows[row].tolist():
                self.names.used(form, -1)
            for incidence in (self.of_tags, self.of_forms, self.of_terms):
                incidence.remove_row(row)
            for f in reversed(range(fields)):
                self.texts.move_last_to(row * fields + f)
            del self.rows_of[self.ids[row]]
            last = self.ids.pop()
            if row < len(self.ids):
                self.ids[row] = last
                self.rows_of[last] = row
            touched.tags.update(own)
            touched.terms.update(terms)

    def _tag(self, key: str) -> int:
        """The number of a tag, new or known."""
        known = self.names.numbers.get(key)
        if known is not None:
            return known
        phrase = self.term_of(key)
        term = -1 if phrase is None else self._term(phrase)
        tag = self.names.add(key)
        self.of_tags.columns.append()
        self.both.append(0)
        self.entropies.append(0.0)
        self.tag_terms.append(term)
        if term >= 0:
            self.terms.tags.add(term, tag)
        return tag

    def _term(self, key: str) -> int:
        """The number of a term, new or known; a new phrase is looked for in all texts."""
        known = self.terms.number(key)
        if known >= 0:
            return known
        term = self.terms.add(key)
        self.of_terms.columns.append()
        words = [self.terms.number(word) for word in key.split(" ")]
        if len(words) > 1 and min(words) >= 0:
            for row in self._with_all(words):
                if self._says(row, words):
                    self.of_terms.add(row, term)
        return term

    def _with_all(self, terms: Sequence[int]) -> list[int]:
        """The rows that have all of some terms."""
        rarest, *others = sorted(terms, key=lambda term: int(self.found[term]))
        rows = self.of_terms.columns[rarest]
        for term in others:
            rows = rows[np.isin(rows, self.of_terms.columns[term])]
        found: list[int] = rows.tolist()
        return found

    def _says(self, row: int, words: list[int]) -> bool:
        """Whether some words stand one after another in a text of a row."""
        fields, n = len(self.settings.fields), len(words)
        for field in range(fields):
            said = self.texts[row * fields + field].tolist()
            if any(said[i : i + n] == words for i in range(len(said) - n + 1)):
                return True
        return False

    def _count(
        self, tags: Iterable[int], terms: Iterable[int], spreads: list[int | None], sign: int
    ) -> None:
        """Add a thing to the statistics, or take it out of them."""
        said = set(terms)
        for tag in tags:
            if self.tag_terms[tag] in said:
                self.both[tag] = self.both[tag] + sign
        for field, spread in enumerate(spreads):
            if spread is not None:
                self.spreads[field] += sign * spread
                self.filled[field] += sign

    def _settle(self, touched: Touched) -> None:
        """Entropies of the tags that changed; then what nothing has any more is removed."""
        tags = np.array(sorted(touched.tags), dtype=np.int32)
        found = _native.rule_entropies(
            self.of_tags.columns.arrays, self.of_tags.rows.arrays, tags, *self.settings[5:]
        )
        for tag, entropy in zip(tags.tolist(), found.tolist(), strict=True):
            self.entropies[tag] = entropy
        loose = set(touched.terms)
        forms = {form for tag in touched.tags for form in self.names.forms_of(tag)}
        for form in sorted(forms, reverse=True):  # the last number moves: later ones are gone
            if self.names.counts[form] == 0:
                self.of_forms.remove_column(form)
                self.names.remove_form(form)
        for tag in reversed(tags.tolist()):
            if self.uses[tag] == 0:
                loose.add(self.tag_terms[tag])
                self._remove_tag(tag)
        for term in sorted(loose, reverse=True):
            phrase = term >= 0 and " " in self.terms.keys[term]
            if term >= 0 and len(self.terms.tags[term]) == 0 and (phrase or not self.found[term]):
                self._remove_term(term)

    def _remove_tag(self, tag: int) -> None:
        last = self.n_tags - 1
        if self.tag_terms[tag] >= 0:
            self.terms.tags.discard(self.tag_terms[tag], tag)
        if tag != last and self.tag_terms[last] >= 0:
            self.terms.tags.replace(self.tag_terms[last], last, tag)
        self.of_tags.remove_column(tag)
        for column in (self.both, self.entropies, self.tag_terms):
            column.move_last_to(tag)
        self.names.remove(tag)

    def _remove_term(self, term: int) -> None:
        last, fields = len(self.terms) - 1, len(self.settings.fields)
        self.of_terms.remove_column(term)
        self.terms.remove(term)
        if term != last:
            for row in self.of_terms.columns[term].tolist():
                for field in range(fields):
                    self.texts.replace(row * fields + field, last, term)
            for tag in self.terms.tags[term].tolist():
                self.tag_terms[tag] = term
