"""Compare: several methods side by side as paper 000 prints them: best, ranks, stars."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from labelrank._entries import to_frame
from labelrank._text import number, table
from labelrank.errors import InputError
from labelrank.measures.evaluation import Evaluation
from labelrank.measures.score import Score
from labelrank.measures.significance import Friedman, Test, friedman, holm, sign_test, wilcoxon

__all__ = ["Comparison", "compare"]


def compare(
    evaluations: Mapping[str, Evaluation] | Mapping[str, Mapping[str, Evaluation]],
    reference: str | None = None,
) -> Comparison:
    """Put the evaluations of several methods in one table.

    Parameters
    ----------
    evaluations : {method: Evaluation}, or {data set: {method: Evaluation}}
        On one data set all methods must have been evaluated on the same rows by the same measures.
    reference : str, optional
        The method that the others are tested against; the first one by default.

    Returns
    -------
    Comparison
        Print it: the best value of a row is bold on a terminal, ranks stand in brackets, and stars
        mark methods that differ from the reference (* p ≤ 5 %, ** p ≤ 1 %, two-sided, Holm's
        correction over the methods of the row).

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking, compare, evaluate
    >>> Y = np.eye(3)[[0, 1, 2] * 4]
    >>> good = evaluate(Ranking.from_dense(Y), Y, ["MAP"])
    >>> bad = evaluate(Ranking.from_dense(1 - Y), Y, ["MAP"])
    >>> print(compare({"good": good, "bad": bad}))
    measure        good           bad
    MAP      1.0000 (1)  0.3333** (2)
    rank total        1             2
    reference: good; ** p ≤ 1 %, * p ≤ 5 % (Wilcoxon, Holm)
    """
    if not evaluations:
        raise InputError("compare needs at least one evaluation.")
    nested: dict[str, dict[str, Evaluation]] = {}
    for name, entry in evaluations.items():
        if isinstance(entry, Mapping) and not isinstance(entry, Evaluation):
            nested[name] = dict(entry)
        else:
            nested.setdefault("", {})[name] = entry
    for name, entry in (pair for part in nested.values() for pair in part.items()):
        if not isinstance(entry, Evaluation):
            raise InputError(f"compare: {name!r} is no Evaluation of evaluate, but {entry!r:.40}.")
    methods = list(next(iter(nested.values())))
    if not methods:
        raise InputError("compare needs at least one evaluation.")
    chosen = methods[0] if reference is None else reference
    if chosen not in methods:
        raise InputError(f"the reference {chosen!r} is not among the methods {methods}.")
    rows: list[dict[str, Any]] = []
    for dataset, entries in nested.items():
        if list(entries) != methods:
            raise InputError(f"data set {dataset!r} has methods {list(entries)}, not {methods}.")
        for name in dict.fromkeys(name for entry in entries.values() for name in entry):
            rows += _compared(dataset, name, entries, chosen)
    return Comparison(rows, methods, list(nested), chosen)


class Comparison:
    """A table of methods by data sets and measures; see `compare`.

    Attributes
    ----------
    rows : list of dict
        dataset, measure, method, value, rank, and against the reference test, p, p_holm, effect.
    methods, datasets : list of str
    reference : str
    """

    def __init__(
        self, rows: list[dict[str, Any]], methods: list[str], datasets: list[str], reference: str
    ) -> None:
        self.rows = rows
        self.methods = methods
        self.datasets = datasets
        self.reference = reference

    @property
    def rank_totals(self) -> dict[str, int]:
        """Each method's ranks added up over data sets and measures; the smallest is best."""
        return {m: sum(r["rank"] for r in self.rows if r["method"] == m) for m in self.methods}

    def friedman(self) -> dict[str, Friedman]:
        """Friedman's test with Nemenyi's critical difference, for each measure.

        Only with more than ten data sets and more than two methods, and for measures that have
        a value on every data set.
        """
        if len(self.datasets) <= 10 or len(self.methods) <= 2:
            return {}
        found = {}
        for name in dict.fromkeys(r["measure"] for r in self.rows):
            rows = [r for r in self.rows if r["measure"] == name]
            values = [[r["value"] for r in rows if r["method"] == m] for m in self.methods]
            if np.isfinite(values).all():  # a data set on which no row counts has no value
                found[name] = friedman(np.array(values).T, rows[0]["higher_is_better"])
        return found

    def to_json(self) -> str:
        """The rows, the rank totals and the tests over data sets as JSON text."""
        tests = {
            name: {
                "p": f.p,
                "mean_ranks": dict(zip(self.methods, f.mean_ranks.tolist(), strict=True)),
                "critical_difference": f.critical_difference,
            }
            for name, f in self.friedman().items()
        }
        record = {
            "reference": self.reference,
            "rows": [{c: _plain(v) for c, v in row.items()} for row in self.rows],
            "rank_totals": self.rank_totals,
            "friedman": tests,
        }
        return json.dumps(record, indent=2, ensure_ascii=False)

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame with one row a data set, measure and method."""
        return to_frame({c: [row[c] for row in self.rows] for c in self.rows[0]}, backend)

    def cells(self) -> list[tuple[list[str], dict[str, Any]]]:
        """For each data set and measure, its names and the record of each method."""
        grouped: dict[tuple[str, str], dict[str, Any]] = {}
        for row in self.rows:
            grouped.setdefault((row["dataset"], row["measure"]), {})[row["method"]] = row
        return [(list(key), records) for key, records in grouped.items()]

    def cell(self, record: Mapping[str, Any]) -> str:
        """A value with its stars and its rank: ``0.3333** (2)``."""
        p = record["p_holm"]
        stars = "" if p is None else "**" if p <= 0.01 else "*" if p <= 0.05 else ""
        return f"{number(record['value'])}{stars} ({record['rank']})"

    def legend(self) -> str:
        """What the stars mean, and the tests over data sets where there are enough."""
        lines = []
        tests = dict.fromkeys(r["test"] for r in self.rows if r["test"])
        if tests:
            lines.append(
                f"reference: {self.reference}; ** p ≤ 1 %, * p ≤ 5 % ({', '.join(tests)}, Holm)"
            )
        for name, result in self.friedman().items():
            ranks = zip(self.methods, result.mean_ranks, strict=True)
            lines.append(
                f"{name} over {len(self.datasets)} data sets: Friedman p = {result.p:.3g}; "
                f"mean ranks {', '.join(f'{m} {r:.2f}' for m, r in ranks)}; "
                f"differ beyond {result.critical_difference:.2f} (Nemenyi, 5 %)"
            )
        return "\n".join(lines)

    def __str__(self) -> str:
        several = len(self.datasets) > 1
        body = [
            (names if several else names[1:]) + [self.cell(records[m]) for m in self.methods]
            for names, records in self.cells()
        ]
        stem = ["dataset", "measure"] if several else ["measure"]
        total = ["rank total"] + [""] * (len(stem) - 1)
        total += [str(self.rank_totals[m]) for m in self.methods]
        lines = table(stem + self.methods, [*body, total], left=len(stem)).splitlines()
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            lines = [_bold(line) for line in lines]
        return "\n".join([*lines, self.legend()]).rstrip()

    __repr__ = __str__


def _compared(
    dataset: str, name: str, entries: Mapping[str, Evaluation], reference: str
) -> list[dict[str, Any]]:
    """The records of one data set and measure."""
    scores = {method: _score(evaluation, name, method) for method, evaluation in entries.items()}
    base = scores[reference]
    better = base.measure.higher_is_better
    tests = {m: _test(base, s, better, m) for m, s in scores.items() if m != reference}
    corrected = dict(zip(tests, holm([t.p for t in tests.values()]), strict=True))
    values = np.array([s.value for s in scores.values()])
    worth = np.nan_to_num(values if better else -values, nan=-np.inf)
    return [
        {
            "dataset": dataset,
            "measure": name,
            "method": method,
            "value": score.value,
            "rank": int((np.round(worth, 12) > np.round(worth[i], 12)).sum()) + 1,
            "higher_is_better": better,
            "test": tests[method].name if method in tests else "",
            "p": tests[method].p if method in tests else None,
            "p_holm": float(corrected[method]) if method in tests else None,
            "effect": tests[method].effect if method in tests else None,
        }
        for i, (method, score) in enumerate(scores.items())
    ]


def _score(evaluation: Evaluation, name: str, method: str) -> Score:
    if name not in evaluation:
        raise InputError(f"{method!r} was not evaluated by {name}, only by {list(evaluation)}.")
    return evaluation[name]


def _test(base: Score, other: Score, higher_is_better: bool, method: str) -> Test:
    if len(base.numerators) != len(other.numerators):
        raise InputError(
            f"{method!r} was evaluated on {len(other.numerators)} {base.measure.unit}s and the "
            f"reference on {len(base.numerators)}: the tests need the same ones."
        )
    if (
        str(base.measure).startswith("micro-F1")
        and base.wrong is not None
        and other.wrong is not None
    ):
        return sign_test(base.wrong, other.wrong)
    return wilcoxon(base.values, other.values, higher_is_better)


def _bold(line: str) -> str:
    """The cells of rank 1 in bold, without a change of width."""
    words = line.split(" ")
    for i, word in enumerate(words):
        if word == "(1)":
            words[i - 1] = f"\x1b[1m{words[i - 1]}\x1b[0m"
    return " ".join(words)


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not np.isfinite(value) else value
