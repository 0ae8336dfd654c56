"""TagNames: tags by number, and the forms in which people write them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labelrank.data.lists import Column, Lists
from labelrank.data.text import TagKeys, clean_tag

__all__ = ["TagNames"]


class TagNames:
    """Tags by key and number; a tag is shown in the form that most things have it in.

    Parameters
    ----------
    keys : sequence of str
        One a tag; see `TagKeys`.
    forms : sequence of str
        The spellings of all tags.
    form_tags : array (n_forms,)
        The tag of each form.
    counts : array (n_forms,)
        How many things have each form.
    key_of : TagKeys

    Examples
    --------
    >>> names = TagNames.of(["NumPy", "numpy", "C"], [3, 5, 1], TagKeys())
    >>> names.keys, names.shown
    (['numpi', 'c'], ['numpy', 'C'])
    """

    def __init__(
        self,
        keys: Sequence[str],
        forms: Sequence[str],
        form_tags: NDArray[np.int32],
        counts: NDArray[np.int32],
        key_of: TagKeys,
    ) -> None:
        self.key_of = key_of
        self.keys = list(keys)
        self.numbers = {key: i for i, key in enumerate(self.keys)}
        self.forms = list(forms)
        self.form_numbers = {form: i for i, form in enumerate(self.forms)}
        self.form_tags = Column(form_tags, "i4")
        self.counts = Column(counts, "i4")
        self.shown = [""] * len(self.keys)
        self._of_tag: Lists | None = None
        self._show_all()

    @classmethod
    def of(cls, names: Sequence[str], uses: Sequence[int], key_of: TagKeys) -> TagNames:
        """Tags in the order of their first name, of names with the number of things that have it.

        Names without a key (blanks alone) are no tags.
        """
        keys: dict[str, int] = {}
        forms: dict[str, int] = {}
        form_tags: list[int] = []
        counts: list[int] = []
        for name, count in zip(names, uses, strict=True):
            form, key = clean_tag(name), key_of(name)
            if key:
                tag = keys.setdefault(key, len(keys))
                if form not in forms:
                    forms[form] = len(forms)
                    form_tags.append(tag)
                    counts.append(0)
                counts[forms[form]] += count
        return cls(list(keys), list(forms), np.array(form_tags), np.array(counts), key_of)

    def __len__(self) -> int:
        return len(self.keys)

    def number(self, name: str) -> int:
        """The number of a tag by any of its spellings; -1 where it is not known."""
        form = self.form_numbers.get(name)
        return self.numbers.get(self.key_of(name), -1) if form is None else self.form_tags[form]

    def add(self, key: str) -> int:
        """A tag more."""
        of_tag = self._forms_of()
        tag = self.numbers[key] = len(self.keys)
        self.keys.append(key)
        self.shown.append("")
        of_tag.append()
        return tag

    def add_form(self, form: str, tag: int) -> int:
        """The number of a form of a tag."""
        found = self.form_numbers.get(form)
        if found is not None:
            return found
        of_tag = self._forms_of()
        number = self.form_numbers[form] = len(self.forms)
        self.forms.append(form)
        self.form_tags.append(tag)
        self.counts.append(0)
        of_tag.add(tag, number)
        return number

    def used(self, form: int, by: int) -> None:
        """So many things more have a form."""
        self.counts[form] = self.counts[form] + by
        self._show(self.form_tags[form])

    def remove(self, tag: int) -> None:
        """A tag less, which no form is of any more; the last one gets its number."""
        of_tag = self._forms_of()
        last = len(self.keys) - 1
        for form in of_tag[last].tolist():
            self.form_tags[form] = tag
        of_tag.move_last_to(tag)
        del self.numbers[self.keys[tag]]
        key, shown = self.keys.pop(), self.shown.pop()
        if tag < last:
            self.keys[tag], self.shown[tag] = key, shown
            self.numbers[key] = tag

    def remove_form(self, form: int) -> None:
        """A form less; the last one gets its number."""
        of_tag = self._forms_of()
        last = len(self.forms) - 1
        of_tag.discard(self.form_tags[form], form)
        if form != last:
            of_tag.replace(self.form_tags[last], last, form)
        tag = self.form_tags[form]
        self.form_tags.move_last_to(form)
        self.counts.move_last_to(form)
        del self.form_numbers[self.forms[form]]
        text = self.forms.pop()
        if form < last:
            self.forms[form] = text
            self.form_numbers[text] = form
        if len(of_tag[tag]):
            self._show(tag)

    def forms_of(self, tag: int) -> list[int]:
        """The forms of a tag."""
        found: list[int] = self._forms_of()[tag].tolist()
        return found

    def _forms_of(self) -> Lists:
        if self._of_tag is None:  # needed only where something changes
            lists: list[list[int]] = [[] for _ in self.keys]
            for form, tag in enumerate(self.form_tags.values.tolist()):
                lists[tag].append(form)
            self._of_tag = Lists.of(lists)
        return self._of_tag

    def _show(self, tag: int) -> None:
        forms = self.forms_of(tag)
        self.shown[tag] = min(((-self.counts[f], self.forms[f]) for f in forms), default=(0, ""))[1]

    def _show_all(self) -> None:
        best: list[tuple[int, str] | None] = [None] * len(self.keys)
        for form, tag, count in zip(
            self.forms, self.form_tags.values.tolist(), self.counts.values.tolist(), strict=True
        ):
            worth, found = (-count, form), best[tag]
            if found is None or worth < found:
                best[tag] = worth
        self.shown = ["" if found is None else found[1] for found in best]
