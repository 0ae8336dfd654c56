"""Reasons: why a tag is recommended, in words and numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelrank.data import Rows, Things
from labelrank.data.relevance import Tuning
from labelrank.features.tag_neighbours import Near
from labelrank.scorers.rules import Rules, rules

__all__ = ["Reason", "Recommendation", "reasons"]

_RARE = 20  # uses from which on a tag is not rare
_NEAREST = 10  # similar things that are told of


class Reason(NamedTuple):
    """One thing that speaks for a tag, or that is to be known of it.

    `kind` is "rule", "field", "similar" or "uses"; `numbers` what the text says.
    """

    kind: str
    text: str
    numbers: dict[str, Any]


class Recommendation(NamedTuple):
    """A recommended tag."""

    label: str
    score: float
    reasons: list[Reason]

    @property
    def why(self) -> str:
        """The reasons in one line."""
        return "; ".join(reason.text for reason in self.reasons)


def reasons(
    things: Things,
    rows: Rows,
    tags: NDArray[np.int32],
    tuning: Tuning,
    near: Near | None = None,
) -> list[list[Reason]]:
    """Why each of some tags, for the one thing that the rows hold.

    Of the rules that lead to a tag the one is told that is surest: with the largest lower end of
    Wilson's 95 % interval of its confidence, so that 62 % of 148 things beat 100 % of two.
    """
    found = rules(things, rows.tags, tuning, tags)
    best = _surest(found)
    said = dict(zip(rows.terms.tolist(), rows.counts.tolist(), strict=True))
    nearest = [] if near is None else near.things.tolist()
    ten = [set(things.of_tags.rows[thing].tolist()) for thing in nearest[:_NEAREST]]
    told = []
    for tag in tags.tolist():
        own = [_by_rule(things, found, best[tag])] if tag in best else []
        counts = said.get(things.tag_terms[tag])
        if counts is not None:
            own += _in_fields(things, counts)
        own += _similar(things, tag, nearest, ten)
        told.append(own + _uses(things, tag, bool(own)))
    return told


def _surest(found: Rules) -> dict[int, int]:
    """For each consequent the number of its surest rule."""
    z, n, p = 1.96, found.supports.astype(float), found.confidences
    low = (p + z * z / (2 * n) - z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (
        1 + z * z / n
    )
    order = np.lexsort((-np.arange(len(low)), low, found.consequents))  # the first of equals last
    heads = found.consequents[order].tolist()
    return dict(zip(heads, order.tolist(), strict=True))  # the last of a tag stays


def _by_rule(things: Things, found: Rules, rule: int) -> Reason:
    shown = things.names.shown
    given = [shown[x] for x in found.antecedents[rule].tolist() if x >= 0]
    tag = shown[int(found.consequents[rule])]
    n, both = int(found.supports[rule]), int(found.both[rule])
    tagged = " and ".join(f"*{name}*" for name in given)
    text = f"{100 * both / n:.0f} % of the {n} things tagged {tagged} are tagged *{tag}*"
    return Reason("rule", text, {"tags": given, "things": n, "both": both, "share": both / n})


def _in_fields(things: Things, counts: list[int]) -> list[Reason]:
    told = []
    for field, count in zip(things.settings.fields, counts, strict=True):
        if count:
            times = "" if count == 1 else f"{count} times "
            told.append(Reason("field", f"{times}in the {field}", {"field": field, "count": count}))
    return told


def _similar(things: Things, tag: int, found: list[int], ten: list[set[int]]) -> list[Reason]:
    """How many of the ten nearest things have the tag; or of fifty, where none of ten has."""
    having = [thing for thing, tags in zip(found, ten, strict=False) if tag in tags]
    of = len(ten)
    if not having:
        having = [thing for thing in found[of:] if tag in things.of_tags.rows[thing]]
        of = len(found)
    if not having:
        return []
    have = "has" if len(having) == 1 else "have"
    text = f"{len(having)} of the {of} most similar things {have} it"
    names = [things.ids[thing] for thing in having]
    return [Reason("similar", text, {"things": of, "both": len(having), "ids": names})]


def _uses(things: Things, tag: int, known: bool) -> list[Reason]:
    uses, n = int(things.uses[tag]), len(things)
    if not known:
        text = f"popular: {uses} of {n} things"
    elif uses < _RARE:
        text = f"rare: {uses} use{'' if uses == 1 else 's'}"
    else:
        return []
    return [Reason("uses", text, {"uses": uses, "things": n})]
