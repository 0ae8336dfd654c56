"""The methods that the extreme-classification experiment compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from labelrank.data import Dataset
from labelrank.recipes import PfastreXML
from labelrank.scorers import (
    FastXML,
    LabelTree,
    NearestNeighbours,
    OneVsAll,
    PfastXML,
    Popularity,
    Scorer,
)

__all__ = ["TREES", "Setting", "methods"]

TREES = ("FastXML", "PfastXML", "PfastreXML")
"""The paper's own, whose figures beside each other are Figure 4."""

_ONE_VS_ALL = 100_000_000  # rows × labels: more takes longer than all others together
Maker: TypeAlias = Callable[[], Scorer]


@dataclass(frozen=True)
class Setting:
    """How methods are set up.

    Parameters
    ----------
    trees : int
        In each forest of FastXML; 50 in the paper.
    A, B : float
        Of the propensities that methods train with.
    random_state : int
    n_jobs : int, optional
    """

    trees: int = 50
    A: float = 0.55
    B: float = 1.5
    random_state: int = 0
    n_jobs: int | None = None

    def forest(self, cls: Any, random_state: int | None = None, **params: Any) -> Scorer:
        """FastXML or one of its kin."""
        seed = self.random_state if random_state is None else random_state
        made: Scorer = cls(n_trees=self.trees, random_state=seed, n_jobs=self.n_jobs, **params)
        return made

    def without(self, random_state: int) -> Scorer:
        """FastXML, for Figure 3."""
        return self.forest(FastXML, random_state)

    def with_(self, random_state: int, A: float, B: float) -> Scorer:
        """PfastXML that believes in A and B, for Figure 3."""
        return self.forest(PfastXML, random_state, A=A, B=B)


def methods(train: Dataset, setting: Setting) -> tuple[dict[str, Maker], list[str]]:
    """(makers by name, what is left out and why)."""
    common: dict[str, Any] = {"n_jobs": setting.n_jobs}
    seeded = {**common, "random_state": setting.random_state}
    given: dict[str, Any] = {"A": setting.A, "B": setting.B}
    found: dict[str, Maker] = {
        "Popularity": partial(Popularity, top=5),
        "Neighbours": partial(NearestNeighbours, k=10, top=5, **common),
        "1-vs-All": partial(OneVsAll, **seeded),
        "LabelTree": partial(LabelTree, **seeded),
        "FastXML": partial(setting.forest, FastXML),
        "PfastXML": partial(setting.forest, PfastXML, **given),
        "PfastreXML": partial(setting.forest, PfastreXML, **given),
    }
    notes = []
    if len(train) * train.n_labels > _ONE_VS_ALL:
        del found["1-vs-All"]
        notes.append(f"1-vs-All is left out: {len(train)} rows × {train.n_labels} labels")
    return found, notes
