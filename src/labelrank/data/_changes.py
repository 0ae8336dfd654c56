"""One change of an index of things: what is taken out, what is put in, what is left of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from labelrank import _native
from labelrank.data.text import clean_tag

if TYPE_CHECKING:
    from labelrank.data.things import Things

__all__ = ["UNIT", "Change", "spreads_of"]

UNIT = 1 << 32  # spreads are added up as whole multiples of 1/UNIT: the order does not matter


def spreads_of(words: Sequence[Sequence[Any]]) -> list[int | None]:
    """FIS of each field, in 1/UNIT: in how many fields its words stand, on average.

    None for a field without words.
    """
    sets = [set(said) for said in words]
    fields = Counter(word for said in sets for word in said)
    return [
        sum(fields[word] for word in said) * UNIT // len(said) if said else None for said in sets
    ]


class Change:
    """Things taken out of an index and put into it, until `settle` ends the change.

    Tags, forms and terms keep their numbers meanwhile, so what one thing leaves another may take
    up; `settle` then removes what nothing has any more, the largest numbers first, because the last
    one takes the number of the one that goes.
    """

    def __init__(self, things: Things) -> None:
        self._things = things
        self._tags: set[int] = set()  # whose things changed
        self._terms: set[int] = set()  # that a thing lost

    def put_in(self, name: str, tags: Iterable[str], words: list[list[str]]) -> None:
        """A thing more."""
        at = self._things
        forms: dict[str, str] = {}
        for tag in map(clean_tag, tags):
            key = at.key_of(tag)
            if key and (key not in forms or tag < forms[key]):
                forms[key] = tag
        own = [self._tag(key) for key in forms]
        numbers = [at.names.add_form(f, t) for f, t in zip(forms.values(), own, strict=True)]
        counted = [at.terms.counted(said) for said in words]
        terms = [self._term(key) for key in dict.fromkeys(key for c in counted for key in c)]
        at.rows_of[name] = len(at.ids)
        at.ids.append(name)
        while len(at.of_forms.columns) < len(at.names.forms):
            at.of_forms.columns.append()
        for incidence, columns in ((at.of_tags, own), (at.of_forms, numbers), (at.of_terms, terms)):
            incidence.add_row(columns)
        for form in numbers:
            at.names.used(form, 1)
        for said in words:
            at.texts.append([at.terms.numbers[word] for word in said])
        self._count(own, terms, spreads_of(words), 1)

    def take_out(self, rows: Iterable[int]) -> None:
        """Things less."""
        at = self._things
        fields = len(at.settings.fields)
        for row in sorted(rows, reverse=True):  # the last row moves: larger ones are gone already
            own, terms = at.of_tags.rows[row].tolist(), at.of_terms.rows[row].tolist()
            said = [at.texts[row * fields + f].tolist() for f in range(fields)]
            self._count(own, terms, spreads_of(said), -1)
            for form in at.of_forms.rows[row].tolist():
                at.names.used(form, -1)
            for incidence in (at.of_tags, at.of_forms, at.of_terms):
                incidence.remove_row(row)
            for f in reversed(range(fields)):
                at.texts.move_last_to(row * fields + f)
            del at.rows_of[at.ids[row]]
            last = at.ids.pop()
            if row < len(at.ids):
                at.ids[row] = last
                at.rows_of[last] = row
            self._terms.update(terms)

    def settle(self) -> None:
        """Entropies of the tags that changed; then what nothing has any more is removed."""
        at = self._things
        tags = np.array(sorted(self._tags), dtype=np.int32)
        limits = at.settings.support, at.settings.confidence
        entropies = _native.rule_entropies(
            at.of_tags.columns.arrays, at.of_tags.rows.arrays, tags, *limits
        )
        for tag, entropy in zip(tags.tolist(), entropies.tolist(), strict=True):
            at.entropies[tag] = entropy
        forms = {form for tag in self._tags for form in at.names.forms_of(tag)}
        for form in sorted(forms, reverse=True):
            if at.names.counts[form] == 0:
                at.of_forms.remove_column(form)
                at.names.remove_form(form)
        for tag in reversed(tags.tolist()):
            if at.uses[tag] == 0:
                self._terms.add(at.tag_terms[tag])
                self._remove_tag(tag)
        for term in sorted(self._terms, reverse=True):
            phrase = term >= 0 and " " in at.terms.keys[term]
            if term >= 0 and len(at.terms.tags[term]) == 0 and (phrase or not at.found[term]):
                self._remove_term(term)

    def _tag(self, key: str) -> int:
        """The number of a tag, new or known."""
        at = self._things
        known = at.names.numbers.get(key)
        if known is not None:
            return known
        phrase = at.term_of(key)
        term = -1 if phrase is None else self._term(phrase)
        tag = at.names.add(key)
        at.of_tags.columns.append()
        for column, value in ((at.both, 0), (at.entropies, 0.0), (at.tag_terms, term)):
            column.append(value)
        if term >= 0:
            at.terms.tags.add(term, tag)
        return tag

    def _term(self, key: str) -> int:
        """The number of a term, new or known; a new phrase is looked for in all texts."""
        at = self._things
        known = at.terms.number(key)
        if known >= 0:
            return known
        term = at.terms.add(key)
        at.of_terms.columns.append()
        words = [at.terms.number(word) for word in key.split(" ")]
        if len(words) > 1 and min(words) >= 0:
            for row in self._with_all(words):
                if self._says(row, words):
                    at.of_terms.add(row, term)
        return term

    def _with_all(self, terms: Sequence[int]) -> list[int]:
        """The rows that have all of some terms."""
        at = self._things
        rarest, *others = sorted(terms, key=lambda term: int(at.found[term]))
        rows = at.of_terms.columns[rarest]
        for term in others:
            rows = rows[np.isin(rows, at.of_terms.columns[term])]
        found: list[int] = rows.tolist()
        return found

    def _says(self, row: int, words: list[int]) -> bool:
        """Whether some words stand one after another in a text of a row."""
        at = self._things
        fields, n = len(at.settings.fields), len(words)
        for field in range(fields):
            said = at.texts[row * fields + field].tolist()
            if any(said[i : i + n] == words for i in range(len(said) - n + 1)):
                return True
        return False

    def _count(
        self, tags: list[int], terms: Iterable[int], spreads: list[int | None], sign: int
    ) -> None:
        """Add a thing to the statistics, or take it out of them."""
        at, said = self._things, set(terms)
        for tag in tags:
            if at.tag_terms[tag] in said:
                at.both[tag] = at.both[tag] + sign
        for field, spread in enumerate(spreads):
            if spread is not None:
                at.spreads[field] += sign * spread
                at.filled[field] += sign
        self._tags.update(tags)

    def _remove_tag(self, tag: int) -> None:
        at = self._things
        last = at.n_tags - 1
        if at.tag_terms[tag] >= 0:
            at.terms.tags.discard(at.tag_terms[tag], tag)
        if tag != last and at.tag_terms[last] >= 0:
            at.terms.tags.replace(at.tag_terms[last], last, tag)
        at.of_tags.remove_column(tag)
        for column in (at.both, at.entropies, at.tag_terms):
            column.move_last_to(tag)
        at.names.remove(tag)

    def _remove_term(self, term: int) -> None:
        at = self._things
        last, fields = len(at.terms) - 1, len(at.settings.fields)
        at.of_terms.remove_column(term)
        at.terms.remove(term)
        if term != last:
            for row in at.of_terms.columns[term].tolist():
                for field in range(fields):
                    at.texts.replace(row * fields + field, last, term)
            for tag in at.terms.tags[term].tolist():
                at.tag_terms[tag] = term
