"""Words of the command line: names between commas, ``PARAM=VALUE`` and values."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any

__all__ = ["assignments", "names", "say", "value"]


def names(words: Iterable[str]) -> list[str]:
    """Names between commas; commas within brackets belong to a name.

    Examples
    --------
    >>> names(["P@1,nDCG(gain=exp,empty=zero)@5", "MAP"])
    ['P@1', 'nDCG(gain=exp,empty=zero)@5', 'MAP']
    """
    return [n.strip() for part in words for n in re.split(r",(?![^(]*\))", part) if n.strip()]


def value(text: str) -> Any:
    """A number, true, false, none or a list as JSON writes them; anything else is text.

    Examples
    --------
    >>> [value(text) for text in (".5", "True", "none", "[1, 2]", "ranksvm")]
    [0.5, True, None, [1, 2], 'ranksvm']
    """
    plain = text.lower() if text.lower() in ("true", "false") else text
    if re.fullmatch(r"-?\.\d+", plain):  # JSON wants the zero
        plain = plain.replace(".", "0.")
    try:
        return None if plain.lower() in ("none", "null") else json.loads(plain)
    except ValueError:
        return text


def assignments(words: Iterable[str], option: str = "--set") -> dict[str, Any]:
    """Parameters of ``PARAM=VALUE`` words.

    Examples
    --------
    >>> assignments(["k=5", "ranker=listnet"])
    {'k': 5, 'ranker': 'listnet'}
    """
    from labelrank.errors import InputError

    found: dict[str, Any] = {}
    for text in words:
        name, equals, given = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise InputError(f"{option} {text!r}: write PARAM=VALUE.")
        if name in found:
            raise InputError(f"{option} gives {name} twice.")
        found[name] = value(given)
    return found


def say(sentence: str) -> None:
    """Progress goes to the error stream, so that the output is the result alone."""
    print(sentence, file=sys.stderr, flush=True)
