"""Settings: how things are read, and which rules count."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from labelrank.errors import InputError

__all__ = ["Settings", "checked"]


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
