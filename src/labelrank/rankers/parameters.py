"""Parameters: checks of numbers that rankers share."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelrank.errors import InputError

__all__ = ["between", "one_of", "whole"]


def whole(name: str, value: Any, low: int = 1, high: int | None = None) -> None:
    """A whole number from low to high.

    Examples
    --------
    >>> whole("rounds", 0)
    Traceback (most recent call last):
    labelrank.errors.InputError: rounds must be a whole number from 1, found 0.
    """
    wrong = isinstance(value, bool) or not isinstance(value, int | np.integer)
    if wrong or value < low or (high is not None and value > high):
        upper = "" if high is None else f" to {high}"
        raise InputError(f"{name} must be a whole number from {low}{upper}, found {value!r}.")


def between(
    name: str, value: Any, low: float, high: float | None = None, *, above: bool = False
) -> None:
    """A finite number from low to high, or above low to high.

    Examples
    --------
    >>> between("rate", 0, 0, 1, above=True)
    Traceback (most recent call last):
    labelrank.errors.InputError: rate must be a number above 0 and at most 1, found 0.
    """
    wrong = isinstance(value, bool) or not isinstance(value, int | float | np.number)
    most = np.finfo(np.float64).max if high is None else high
    if wrong or not low <= value <= most or (above and value == low):
        bounds = f"above {low:g}" if above else f"from {low:g}"
        if high is not None:
            bounds += f" and at most {high:g}" if above else f" to {high:g}"
        raise InputError(f"{name} must be a number {bounds}, found {value!r}.")


def one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """One of some words.

    Examples
    --------
    >>> one_of("objective", "P", ("nDCG", "MAP"))
    Traceback (most recent call last):
    labelrank.errors.InputError: objective must be one of nDCG, MAP, found 'P'.
    """
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(allowed)}, found {value!r}.")
