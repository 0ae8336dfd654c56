"""Evaluate: several measures of one ranking, with what the reader must know to trust them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from labelrank._entries import to_frame
from labelrank._text import number, table
from labelrank.errors import InputError
from labelrank.measures.base import Measure
from labelrank.measures.judged import Judged
from labelrank.measures.notation import measure
from labelrank.measures.propensity_model import propensities as default_propensities
from labelrank.measures.score import Score, bootstrap
from labelrank.ranking import Ranking

__all__ = ["Evaluation", "evaluate"]


def evaluate(
    ranking: Ranking,
    Y: Any,
    measures: Iterable[str | Measure] | str | Measure,
    *,
    propensities: Any = None,
    complete: Any = None,
) -> Evaluation:
    """Score a ranking by several measures.

    Parameters
    ----------
    ranking : Ranking
    Y : (n_rows, n_labels) grades, sparse or dense
    measures : names or measures
        As in `labelrank.measure`: ``["P@1", "nDCG@5", "PSP@5"]``.
    propensities : array of shape (n_labels,), optional
        For propensity-scored measures; make it with ``labelrank.propensities(Y_train)``. Without it
        the default model is taken from the Y at hand, and the evaluation says so.
    complete : array of shape (n_rows,), optional
        Each row's number of relevant labels in the complete truth, where that is known.

    Returns
    -------
    Evaluation
        A mapping from each measure's name to its `Score`; print it for a table.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking, evaluate
    >>> ranking = Ranking.from_lists([[0, 1], [1, 2]], n_labels=3)
    >>> evaluation = evaluate(ranking, np.array([[1, 0, 0], [1, 0, 1]]), ["P@1", "R@2"])
    >>> evaluation["R@2"].value
    0.75
    """
    chosen = [measures] if isinstance(measures, str | Measure) else list(measures)
    named = {str(m): m for m in map(measure, chosen)}
    if not named:
        raise InputError("evaluate needs at least one measure, such as 'P@5'.")
    notes = []
    if propensities is None and any(m.needs_propensity for m in named.values()):
        propensities = default_propensities(Y)
        notes.append(
            "propensities: default model (A=0.55, B=1.5) of the evaluated Y itself; "
            "pass propensities=labelrank.propensities(Y_train) to compare with published figures"
        )
    judged = Judged(ranking, Y, propensities, complete)
    return Evaluation({name: m.score(judged) for name, m in named.items()}, ranking.shape, notes)


class Evaluation(Mapping[str, Score]):
    """Measures of one ranking by name; see `evaluate`.

    Attributes
    ----------
    shape : (int, int)
        Rows and labels of what was evaluated.
    notes : list of str
        What a reader should know besides the policies.
    """

    def __init__(
        self, scores: Mapping[str, Score], shape: tuple[int, int], notes: Iterable[str] = ()
    ) -> None:
        self._scores = dict(scores)
        self.shape = shape
        self.notes = list(notes)

    def __getitem__(self, name: str) -> Score:
        if name in self._scores:
            return self._scores[name]
        raise KeyError(f"{name!r} was not evaluated, only {', '.join(self._scores)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """95 % bootstrap intervals; the measures of rows share their resamples."""
        found: dict[str, tuple[float, float]] = {}
        units = {score.measure.unit for score in self.values()}
        for unit in units:
            group = {n: s for n, s in self.items() if s.measure.unit == unit}
            limits = bootstrap(list(group.values()))
            found |= {
                n: (float(low), float(high)) for n, (low, high) in zip(group, limits, strict=True)
            }
        return found

    def rows(self) -> list[dict[str, Any]]:
        """One record a measure: value, interval, counts and policy."""
        return [
            {
                "measure": name,
                "value": _finite(score.value),
                "low": _finite(self.intervals[name][0]),
                "high": _finite(self.intervals[name][1]),
                "unit": score.measure.unit,
                "counted": score.n_units,
                "empty": score.n_empty,
                "tied": score.n_tied,
                "short": score.n_short,
                "policy": score.measure.policy,
            }
            for name, score in self.items()
        ]

    def to_json(self) -> str:
        """All of it as JSON text."""
        record = {
            "rows": self.shape[0],
            "labels": self.shape[1],
            "notes": self.notes,
            "measures": self.rows(),
        }
        return json.dumps(record, indent=2, ensure_ascii=False)

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame with one row a measure (polars or pandas, whichever is installed)."""
        rows = self.rows()
        return to_frame({column: [row[column] for row in rows] for column in rows[0]}, backend)

    def __str__(self) -> str:
        lines = [f"{self.shape[0]} rows, {self.shape[1]} labels"]
        cells = [
            [
                row["measure"],
                number(row["value"]),
                f"{number(row['low'])} – {number(row['high'])}",
                f"{row['counted']} {row['unit']}s",
                *(str(row[count]) for count in ("empty", "tied", "short")),
            ]
            for row in self.rows()
        ]
        header = ["measure", "value", "95 % interval", "counted", "empty", "tied", "short"]
        lines.append(table(header, cells))
        policies: dict[str, list[str]] = {}
        for name, score in self.items():
            policies.setdefault(score.measure.policy, []).append(name)
        lines += [f"{', '.join(names)}: {policy}" for policy, names in policies.items()]
        return "\n".join([*lines, *self.notes])

    __repr__ = __str__


def _finite(value: float) -> float | None:
    """JSON has no NaN."""
    return float(value) if np.isfinite(value) else None
