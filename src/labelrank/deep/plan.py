"""Plan: how a network is trained, and what of it can be wrong; needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from labelrank.errors import InputError
from labelrank.measures import measure as named

__all__ = ["Plan"]

_WORDS = {
    "loss": ("rlsep", "lsep", "ce"),
    "optimizer": ("adamw", "sgd"),
    "schedule": ("cosine", "constant"),
}


@dataclass(frozen=True)
class Plan:
    """How to train; see `OrderedLabelNet` for the meaning of each."""

    loss: str
    pairs: int | None
    epochs: int
    batch: int
    optimizer: str
    rate: float
    momentum: float
    decay: float
    schedule: str
    patience: int | None
    measure: str
    shift: float
    zoom: float
    seed: int

    @classmethod
    def of(cls, estimator: Any, seed: int) -> Self:
        """The plan that an estimator's parameters of these names make."""
        own = {f.name: getattr(estimator, f.name) for f in fields(cls) if f.name != "seed"}
        return cls(**own, seed=seed)

    def __post_init__(self) -> None:
        for name, allowed in _WORDS.items():
            if getattr(self, name) not in allowed:
                found = getattr(self, name)
                raise InputError(f"{name} must be one of {', '.join(allowed)}, found {found!r}.")
        for name in ("epochs", "batch", "pairs", "patience"):
            value = getattr(self, name)
            whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
            if not (whole and value >= 1) and not (value is None and name in ("pairs", "patience")):
                raise InputError(f"{name} must be a whole number from 1, found {value!r}.")
        for name in ("rate", "momentum", "decay", "shift", "zoom"):
            value = getattr(self, name)
            number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
            if not number or not 0 <= value < np.inf or (name == "rate" and value == 0):
                low = "above 0" if name == "rate" else "from 0"
                raise InputError(f"{name} must be a number {low}, found {value!r}.")
        if self.measure != "loss":
            named(self.measure)
