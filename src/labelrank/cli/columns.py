"""``--columns title=name,tags=keywords``: which column of a file holds what."""

from __future__ import annotations

__all__ = ["columns_of"]


def columns_of(words: str | None) -> dict[str, str] | None:
    """A mapping of ``WHAT=COLUMN`` between commas.

    Examples
    --------
    >>> columns_of("title=name, tags=keywords")
    {'title': 'name', 'tags': 'keywords'}
    """
    from labelrank.errors import InputError

    if words is None:
        return None
    found: dict[str, str] = {}
    for text in words.split(","):
        what, equals, column = (part.strip() for part in text.partition("="))
        if not equals or not what or not column:
            raise InputError(f"--columns {text.strip()!r}: write WHAT=COLUMN, as in title=name.")
        if what in found:
            raise InputError(f"--columns names {what} twice.")
        found[what] = column
    return found
