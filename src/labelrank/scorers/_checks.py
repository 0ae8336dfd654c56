"""Checks of parameters that scorers share."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelrank.errors import InputError

__all__ = ["check_n_jobs", "one_of", "positive"]


def positive(name: str, value: Any) -> float:
    """A parameter that must be a finite number above zero."""
    number = isinstance(value, int | float | np.integer | np.floating)
    if isinstance(value, bool) or not number or not 0 < value < np.inf:
        raise InputError(f"{name} must be a number above 0, found {value!r}.")
    return float(value)


def one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """A parameter that must be one of some words."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(allowed)}, found {value!r}.")


def check_n_jobs(value: Any) -> None:
    """A number of jobs as joblib takes it: None, or a whole number other than 0."""
    if value is not None and (not isinstance(value, int) or value == 0):
        raise InputError(f"n_jobs must be a whole number other than 0, found {value!r}.")
