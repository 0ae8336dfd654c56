"""Things from many rows at once, and to named arrays and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank.data.items import Items
from labelrank.data.lists import Column, Incidence, Lists
from labelrank.data.tag_names import TagNames
from labelrank.data.terms import Terms
from labelrank.data.text import clean_tag
from labelrank.data.things import Settings, Things, checked, spreads_of
from labelrank.store import Field, Texts

__all__ = ["KeptThings", "indexed"]


def indexed(things: Things, items: Items) -> Things:
    """Fill new things from rows."""
    things.ids = items.ids or [str(i) for i in range(len(items))]
    things._next = 0 if items.ids else len(items)
    own, forms, names = _tagged(things, items)
    things.names = names
    things.of_tags = Incidence.packed(*own, len(names))
    things.of_forms = Incidence.packed(*forms, len(names.forms))
    _read(things, items)
    tags = np.arange(len(names), dtype=np.int32)
    entropies = _native.rule_entropies(
        things.of_tags.columns.arrays, things.of_tags.rows.arrays, tags, *things.settings[5:]
    )
    things.entropies = Column(entropies, "f8")
    return things


def _tagged(things: Things, items: Items) -> tuple[Any, Any, TagNames]:
    """(tags of rows, forms of rows, names): of several forms in a row the first in the alphabet."""
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
    return (indptr, tags[kept]), (indptr, number[forms[kept]]), names


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


class KeptThings(Field):
    """An attribute that is `Things`: a field of a model folder."""

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """Names as texts, lists packed; what follows from other arrays is left out."""
        return packed(value), {"settings": list(value.settings), "next": value._next}

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Things:
        """The things over mapped arrays; every number is checked."""
        return unpacked(arrays, value)


def packed(things: Things) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    names = {
        "ids": things.ids, "tags": things.names.keys, "forms": things.names.forms,
        "terms": things.terms.keys,
    }  # fmt: skip
    for name, texts in names.items():
        arrays |= {f".{name}{part}": a for part, a in Texts().pack(texts)[0].items()}
    lists = {
        "of_forms": things.of_forms.rows, "of_terms": things.of_terms.rows, "texts": things.texts,
    }  # fmt: skip
    for name, kept in lists.items():
        arrays[f".{name}.indptr"], arrays[f".{name}.values"] = kept.packed()
    arrays[".form_tags"] = things.names.form_tags.values
    arrays[".tag_terms"] = things.tag_terms.values
    arrays[".both"] = things.both.values
    arrays[".entropies"] = things.entropies.values
    arrays[".spreads"] = np.array(things.spreads, dtype=np.int64)
    arrays[".filled"] = np.array(things.filled, dtype=np.int64)
    return arrays


def unpacked(arrays: dict[str, NDArray[Any]], value: Any) -> Things:
    """Things again; ValueError where something does not fit."""
    given = dict(value)
    fields, stemming, stop_words, *rest = given["settings"]
    stop = tuple(stop_words) if isinstance(stop_words, list) else stop_words
    things = Things(checked(Settings(tuple(fields), stemming, stop, *rest)))
    things._next = int(given["next"])
    ids, keys, forms, terms = (
        Texts().unpack({p: arrays[f".{name}{p}"] for p in (".bytes", ".ends")}, None)
        for name in ("ids", "tags", "forms", "terms")
    )
    for what, texts in (("id", ids), ("tag", keys), ("form", forms), ("term", terms)):
        if len(set(texts)) < len(texts):
            raise ValueError(f"a {what} stands twice")
    things.ids = ids
    n, n_fields = len(ids), len(things.settings.fields)
    form_tags = _numbers(arrays[".form_tags"], "i4", len(forms), len(keys))
    tag_terms = _numbers(arrays[".tag_terms"], "i4", len(keys), len(terms), least=-1)
    if len(np.unique(form_tags)) < len(keys):
        raise ValueError("a tag has no form")
    of_forms = _packed_lists(arrays, "of_forms", n, len(forms))
    of_terms = _packed_lists(arrays, "of_terms", n, len(terms))
    things.of_forms = Incidence.packed(*of_forms, len(forms))
    things.of_tags = Incidence.packed(of_forms[0], form_tags[of_forms[1]], len(keys))
    things.of_terms = Incidence.packed(*of_terms, len(terms))
    things.texts = Lists(*_packed_lists(arrays, "texts", n * n_fields, len(terms)))
    things.names = TagNames(keys, forms, form_tags, things.of_forms.columns.sizes, things.key_of)
    order = np.argsort(tag_terms, kind="stable").astype(np.int32)[int((tag_terms < 0).sum()) :]
    counts = np.bincount(tag_terms[order], minlength=len(terms))
    things.terms = Terms(terms, Lists(np.concatenate([[0], np.cumsum(counts)]), order))
    things.tag_terms = Column(tag_terms, "i4")
    things.both = Column(_numbers(arrays[".both"], "i4", len(keys), n + 1), "i4")
    entropies = arrays[".entropies"]
    if entropies.dtype != np.float64 or entropies.shape != (len(keys),):
        raise ValueError("there is not one entropy a tag")
    if not np.isfinite(entropies).all():
        raise ValueError("an entropy is NaN or infinite")
    things.entropies = Column(entropies, "f8")
    limit = 2**62
    things.spreads = _numbers(arrays[".spreads"], "i8", n_fields, limit).tolist()
    things.filled = _numbers(arrays[".filled"], "i8", n_fields, n + 1).tolist()
    return things


def _packed_lists(
    arrays: dict[str, NDArray[Any]], name: str, n: int, bound: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    indptr, values = arrays[f".{name}.indptr"], arrays[f".{name}.values"]
    if indptr.dtype != np.int64 or indptr.shape != (n + 1,) or indptr[0] != 0:
        raise ValueError(f"{name} does not have one list each")
    if (np.diff(indptr) < 0).any() or indptr[-1] != len(values):
        raise ValueError(f"the lists of {name} do not fit")
    return indptr, _numbers(values, "i4", len(values), bound)


def _numbers(
    array: NDArray[Any], dtype: str, size: int, bound: int, least: int = 0
) -> NDArray[Any]:
    if array.dtype != np.dtype(dtype) or array.shape != (size,):
        raise ValueError(f"found {array.dtype} {array.shape} where {size} {dtype} belong")
    if size and (array.min() < least or array.max() >= bound):
        raise ValueError(f"a number lies outside {least}..{bound - 1}")
    return array
