"""Explanation: what each feature contributed to the scores of candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank._text import table

__all__ = ["Explanation"]


@dataclass(frozen=True, eq=False)
class Explanation:
    """Scores taken apart: score = base + Σ contributions.

    Attributes
    ----------
    contributions : float64 array (n_candidates, n_features)
    base : float64 array (n_candidates,)
        The score of a candidate of which nothing is known.
    names : list of str
        What the features are called.
    formula : str
        The score as a formula of the features, where the ranker has one to show.
    """

    contributions: NDArray[np.float64]
    base: NDArray[np.float64]
    names: list[str]
    formula: str = ""

    @property
    def scores(self) -> NDArray[np.float64]:
        """The score of each candidate."""
        total: NDArray[np.float64] = self.base + self.contributions.sum(axis=1)
        return total

    def strongest(self, candidate: int = 0, n: int = 5) -> list[tuple[str, float]]:
        """The n features that moved one candidate's score most, with what each added."""
        added = self.contributions[candidate]
        order = np.argsort(-np.abs(added), kind="stable")[:n]
        return [(self.names[j], float(added[j])) for j in order if added[j] != 0]

    def rows(self, candidate: int = 0) -> list[dict[str, Any]]:
        """One record a feature, the strongest first."""
        found = self.strongest(candidate, len(self.names))
        return [{"feature": name, "contribution": value} for name, value in found]

    def __str__(self) -> str:
        lines = [self.formula] if self.formula else []
        for i in range(min(len(self.base), 3)):
            cells = [["base", f"{self.base[i]:+.4f}"]]
            cells += [[name, f"{value:+.4f}"] for name, value in self.strongest(i)]
            lines.append(table([f"candidate {i}", f"{self.scores[i]:.4f}"], cells))
        return "\n".join([*lines, "…"] if len(self.base) > 3 else lines)

    __repr__ = __str__
