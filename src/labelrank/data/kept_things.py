"""KeptThings: an index of things in a model folder."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank.data.incidence import Incidence
from labelrank.data.lists import Column, Lists
from labelrank.data.tag_names import TagNames
from labelrank.data.tag_settings import Settings, checked
from labelrank.data.terms import Terms
from labelrank.data.things import Things
from labelrank.store import Field, Texts

__all__ = ["KeptThings", "packed", "unpacked"]


class KeptThings(Field):
    """An attribute that is `Things`: a field of a model folder."""

    def pack(self, value: Any) -> tuple[dict[str, NDArray[Any]], Any]:
        """Names as texts, lists packed; what follows from other arrays is left out."""
        return packed(value), {"settings": list(value.settings), "next": value._next}

    def unpack(self, arrays: dict[str, NDArray[Any]], value: Any) -> Things:
        """The things over mapped arrays; every number is checked."""
        return unpacked(arrays, value)


def packed(things: Things) -> dict[str, NDArray[Any]]:
    """Named arrays; lists one after another, without the room between them."""
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
