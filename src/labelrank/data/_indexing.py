"""Things from many rows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank.data._changes import spreads_of
from labelrank.data.incidence import Incidence
from labelrank.data.items import Items
from labelrank.data.lists import Column, Lists
from labelrank.data.tag_names import TagNames
from labelrank.data.terms import Terms
from labelrank.data.text import clean_tag

if TYPE_CHECKING:
    from labelrank.data.things import Things

__all__ = ["index_into"]


def index_into(things: Things, items: Items) -> None:
    """Fill new things from rows."""
    things.ids = items.ids or [str(i) for i in range(len(items))]
    things._next = 0 if items.ids else len(items)
    indptr, own, forms, names = _tagged(things, items)
    things.names = names
    things.of_tags = Incidence.packed(indptr, own, len(names))
    things.of_forms = Incidence.packed(indptr, forms, len(names.forms))
    _read(things, items)
    tags = np.arange(len(names), dtype=np.int32)
    entropies = _native.rule_entropies(
        things.of_tags.columns.arrays,
        things.of_tags.rows.arrays,
        tags,
        things.settings.support,
        things.settings.confidence,
    )
    things.entropies = Column(entropies, "f8")


def _tagged(things: Things, items: Items) -> tuple[Any, Any, Any, TagNames]:
    """(row pointer, tags, forms, names): of several forms in a row the first in the alphabet."""
    names = TagNames.of(items.names, [0] * len(items.names), things.key_of)
    column_forms = np.array(
        [names.form_numbers.get(clean_tag(name), -1) for name in items.names],
        dtype=np.int64,
    ).reshape(-1)
    rows = np.repeat(np.arange(len(items)), np.diff(items.Y.indptr))
    forms = column_forms[items.Y.indices]
    rows, forms = rows[forms >= 0], forms[forms >= 0]
    tags = names.form_tags.values[forms].astype(np.int64)
    alphabet = np.empty(len(names.forms), dtype=np.int64)
    alphabet[sorted(range(len(names.forms)), key=names.forms.__getitem__)] = np.arange(
        len(names.forms)
    )
    order = np.lexsort((alphabet[forms], tags, rows))
    pairs = rows[order] * max(len(names), 1) + tags[order]
    kept = order[np.diff(pairs, prepend=-1) != 0]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows[kept], minlength=len(items)))])
    counts = np.bincount(forms[kept], minlength=len(names.forms))
    # forms that no thing has stay only as the name of a tag that no thing has
    of_tag = np.bincount(names.form_tags.values, weights=counts, minlength=len(names))
    stays = (counts > 0) | (of_tag[names.form_tags.values] == 0)
    number = np.cumsum(stays) - 1
    names = TagNames(
        names.keys,
        [form for form, stay in zip(names.forms, stays.tolist(), strict=True) if stay],
        names.form_tags.values[stays],
        counts[stays],
        things.key_of,
    )
    return indptr, tags[kept], number[forms[kept]], names


def _read(things: Things, items: Items) -> None:
    """Terms, texts, and the statistics of both."""
    settings, names = things.settings, things.names
    phrases = [things.term_of(key) for key in names.keys]
    words = {word for phrase in phrases if phrase for word in phrase.split(" ")}
    words.update(w for row in items.words for said in row for w in said)
    keys = sorted(words) + sorted({p for p in phrases if p and " " in p})
    terms = Terms(keys)
    numbers = terms.numbers
    things.tag_terms = Column([-1 if p is None else numbers[p] for p in phrases], "i4")
    of_term: list[list[int]] = [[] for _ in keys]
    for tag, term in enumerate(things.tag_terms.values.tolist()):
        if term >= 0:
            of_term[term].append(tag)
    terms.tags = Lists.of(of_term)
    things.terms = terms
    n = len(settings.fields)
    things.spreads, things.filled = [0] * n, [0] * n
    found: list[list[int]] = []
    texts: list[list[int]] = []
    for row in items.words:
        counted = dict.fromkeys(key for said in row for key in terms.counted(said))
        found.append([numbers[key] for key in counted])
        texts.extend([numbers[word] for word in said] for said in row)
        for field, spread in enumerate(spreads_of(row)):
            if spread is not None:
                things.spreads[field] += spread
                things.filled[field] += 1
    things.texts = Lists.of(texts)
    things.of_terms = Incidence.of(found, len(keys))
    things.both = Column(_both(things), "i4")


def _both(things: Things) -> NDArray[np.int32]:
    """f^{tag,F}: how many things have a tag, and its term in a text."""
    indptr, tags = things.of_tags.rows.packed()
    rows = np.repeat(np.arange(len(things)), np.diff(indptr))
    terms = things.tag_terms.values[tags]
    rows, tags, terms = rows[terms >= 0], tags[terms >= 0], terms[terms >= 0]
    has_indptr, has = things.of_terms.rows.packed()
    shape = (len(things), len(things.terms))
    said = sp.csr_array((np.ones(len(has), np.int8), has, has_indptr), shape=shape)
    hits = np.asarray(said[rows, terms]).reshape(-1) > 0 if len(rows) else np.zeros(0, bool)
    return np.bincount(tags[hits], minlength=things.n_tags).astype(np.int32)
