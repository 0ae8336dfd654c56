"""Held-out things with half of their tags given: what tag recommenders learn and tune on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.model_selection import KFold, train_test_split
from sklearn.utils import check_random_state

from labelrank.data import Items, Rows, Things, half_of_the_tags
from labelrank.errors import InputError

__all__ = ["HeldOut", "check_holdout", "held_out"]


class HeldOut(NamedTuple):
    """Things V with half of their tags, and an index D that has not seen them."""

    things: Things
    rows: Rows
    gold: sp.csr_array


def held_out(
    items: Items,
    all_things: Things,
    holdout: float | int,
    random_state: Any,
    most: int | None = None,
) -> Iterator[HeldOut]:
    """Parts to learn from, each described by the rest (paper 001, section 5.2).

    Half of the tags of each held-out thing, drawn by chance, are given; the other half is to be
    found. Rules and metrics never come from the things that they describe.

    Parameters
    ----------
    items : Items
    all_things : Things
        Of all items; its numbers of tags are those of the parts.
    holdout : float or int
        The share of the things in V, once; or a number of parts that are V by turns.
    random_state : int, RandomState or None
    most : int, optional
        So many things altogether are enough. Where the first part has as many, it is the only one,
        and no larger.
    """
    rng = check_random_state(random_state)
    truth = all_things.truth(items)
    n = len(items)
    parts = 1 if isinstance(holdout, float) else min(int(holdout), n)
    if most is not None and parts > 1 and n // parts >= most:
        parts, holdout = 1, most / n
    enough = n if most is None else -(-most // parts)
    for train, held in _splits(n, holdout, rng):
        if len(held) > enough:
            held = np.sort(rng.choice(held, enough, replace=False))
        things = Things.of(items[train], all_things.settings)
        given, gold = half_of_the_tags(truth[held], rng)
        texts = things.rows(items[held])
        rows = texts._replace(
            tag_indptr=given.indptr.astype(np.int64), tags=given.indices.astype(np.int32)
        )
        yield HeldOut(things, rows, gold)


def check_holdout(holdout: Any) -> None:
    """Raise InputError where it is no share and no number of parts."""
    whole = isinstance(holdout, int | np.integer) and not isinstance(holdout, bool)
    share = isinstance(holdout, float) and 0 < holdout < 1
    if not share and not (whole and holdout >= 2):
        raise InputError(
            f"holdout must be a share between 0 and 1 or a number of parts from 2, found "
            f"{holdout!r}."
        )


def _splits(
    n: int, holdout: float | int, rng: np.random.RandomState
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    if isinstance(holdout, float):
        size = min(max(round(n * holdout), 1), n - 1)
        train, held = train_test_split(np.arange(n), test_size=size, random_state=rng)
        yield np.sort(train), np.sort(held)
    else:
        yield from KFold(min(int(holdout), n), shuffle=True, random_state=rng).split(np.arange(n))
