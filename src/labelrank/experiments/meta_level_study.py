"""Study: what the meta-level experiment measured on one data set."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from labelrank.experiments.meta_level_data import Parts
from labelrank.experiments.meta_level_methods import Plan
from labelrank.experiments.one_label import ErrorRate
from labelrank.experiments.paper_000 import NEIGHBOURS, paper
from labelrank.measures import Evaluation

__all__ = ["DECISIONS", "META", "RANKERS", "RANKINGS", "Study"]

RANKINGS = ("MAP", "RankLoss", "nDCG", "OneError", "Coverage")
DECISIONS = ("micro-F1", "macro-F1", "HLoss")
RANKERS = {"listnet": "MLC-ListNet", "ranksvm": "MLC-RankSVM", "svmmap": "MLC-SVMMap",
           "lambdarank": "MLC-LambdaRank"}  # fmt: skip
META = ", meta-level"
"""Behind the name of a method that learns from z_i, formula (2), instead of x_i."""


@dataclass
class Study:
    """What was measured on one data set.

    Attributes
    ----------
    parts : Parts
    plan : Plan
    evaluations : dict of str to Evaluation
        All eight measures by method; names that end in † have LLSF instead of the method's default
        threshold, names that end in ", meta-level" learn from formula (2).
    errors : list of ErrorRate
        Table 7, for data with one label a row.
    neighbours : float
        CPU seconds of Table 2.
    chosen : dict of str to str
        The parameters that cross-validation chose.
    timings : list of dict
    """

    parts: Parts
    plan: Plan
    evaluations: dict[str, Evaluation] = field(default_factory=dict)
    errors: list[ErrorRate] = field(default_factory=list)
    neighbours: float = 0.0
    chosen: dict[str, str] = field(default_factory=dict)
    timings: list[dict[str, Any]] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """The measures in the form of results.json, with the paper's figure where it has one."""
        name = self.parts.name
        found = [
            {"dataset": name, "method": method}
            | {key: row[key] for key in ("measure", "value", "low", "high")}
            for method, evaluation in self.evaluations.items()
            for row in evaluation.rows()
        ]
        found += [
            {"dataset": name, "method": e.method, "measure": "error", "value": e.value}
            for e in self.errors
        ]
        for row in found:
            known = paper(name, row["method"], row["measure"])
            row |= {} if known is None else {"paper": known}
        seconds = {"dataset": name, "method": "nearest neighbours", "measure": "cpu_seconds"}
        known = NEIGHBOURS.get(name)
        found.append(seconds | {"value": self.neighbours} | ({"paper": known} if known else {}))
        return found
