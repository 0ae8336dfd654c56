"""The tables of the meta-level experiment: ours with the paper's figure beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labelrank._text import number
from labelrank.experiments.meta_level_study import DECISIONS, META, RANKERS, Study
from labelrank.experiments.paper_000 import HASTIE, NEIGHBOURS, paper
from labelrank.experiments.tables import Table
from labelrank.measures import Evaluation, compare
from labelrank.report import Report

__all__ = ["figure", "report", "tables"]

_OURS = "MLC-ListNet"
_COMPARED = ("BinarySVM", "RankSVM", "IBLR", "ML-kNN")
_SIDE = "The paper's figure, where it has one, in square brackets; ranks in parentheses."


def tables(studies: Sequence[Study]) -> list[Table]:
    """Tables 2 to 7, as far as there are data for them."""
    scored = [f"{name} + SVM" for name in RANKERS.values()]
    common = [m for m in scored if all(m in study.evaluations for study in studies)]
    with_svm = [m for m in common if m.startswith(_OURS)]
    daggers = [f"{name}†" for name in _COMPARED]
    found = [
        _seconds(studies),
        _compared("Table 3: methods with their own thresholds", studies,
                  [_OURS, *_COMPARED, *with_svm]),
        _thresholds(studies),
        _compared("Table 5: the same thresholds, LLSF (†), for all", studies, [_OURS, *daggers],
                  DECISIONS),
        _compared("Table 6: learning-to-rank methods on the same features", studies,
                  [*RANKERS.values(), *common], reference=_OURS),
    ]  # fmt: skip
    return [*found, *_errors(studies), _chosen(studies)]


def figure(studies: Sequence[Study]) -> dict[str, list[tuple[str, float]]]:
    """Figure 2: for micro-F1 and MAP the mean over data sets of each method."""
    methods = [m for name in ("BinarySVM", "IBLR", "ML-kNN") for m in (name, name + META)]
    methods += list(RANKERS.values())
    return {
        measure: [
            (m, float(np.nanmean([s.evaluations[m][measure].value for s in studies])))
            for m in methods
        ]
        for measure in ("micro-F1", "MAP")
    }


def report(studies: Sequence[Study], drawn: Sequence[Table]) -> Report:
    """All of it as a page; `drawn` is what `tables` found."""
    page = Report(
        "labelrank: multi-label ranking by meta-level features",
        "Yang & Gopal (2012) again, on " + ", ".join(study.parts.name for study in studies),
    )
    if any(study.plan.quick for study in studies):
        page.text("A quick look: tiny grids and one k. Figures are better without --quick.")
    page.heading("Data")
    for study in studies:
        page.text(f"{study.parts.name}: {'; '.join([study.parts.about(), *study.parts.notes])}")
    for each in drawn:
        page.heading(each.title)
        page.table(each.header, each.rows, each.left, each.note)
    page.heading("Figure 2: original and meta-level features")
    for measure, bars in figure(studies).items():
        same = [(name, value, value, value) for name, value in bars]
        page.bars(f"Mean {measure} over the data sets", same, max(value for _, value in bars) or 1)
    page.heading("Time")
    page.table(
        ["data set", "method", "stage", "seconds", "processor seconds"],
        [
            [
                t["dataset"],
                t["method"],
                t["stage"],
                f"{t['seconds']:.2f}",
                f"{t['cpu_seconds']:.2f}",
            ]
            for study in studies
            for t in study.timings
        ],
        left=3,
    )
    return page


def _compared(
    title: str,
    studies: Sequence[Study],
    methods: Sequence[str],
    measures: Sequence[str] | None = None,
    reference: str | None = None,
) -> Table:
    """Methods side by side with ranks and stars, over all data sets."""
    comparison = compare(
        {s.parts.name: {m: _only(s.evaluations[m], measures) for m in methods} for s in studies},
        reference,
    )
    rows = [
        [*names, *(_beside(comparison.cell(records[m]), names[0], m, names[1]) for m in methods)]
        for names, records in comparison.cells()
    ]
    rows.sort(key=lambda row: list(studies[0].evaluations[_OURS]).index(row[1]))
    rows.append(["rank total", "", *(str(comparison.rank_totals[m]) for m in methods)])
    note = f"{_SIDE} {comparison.legend()}"
    return Table(title, ["data set", "measure", *methods], rows, 2, note)


def _only(evaluation: Evaluation, measures: Sequence[str] | None) -> Evaluation:
    scores = {name: evaluation[name] for name in measures or evaluation}
    return Evaluation(scores, evaluation.shape, evaluation.notes)


def _beside(cell: str, dataset: str, method: str, measure: str) -> str:
    known = paper(dataset, method, measure)
    return cell if known is None else f"{cell} [{number(known)}]"


def _seconds(studies: Sequence[Study]) -> Table:
    rows = []
    for study in studies:
        known = NEIGHBOURS.get(study.parts.name)
        theirs = "–" if known is None else f"{known:g}"
        rows.append([study.parts.name, f"{study.neighbours:.3f}", theirs])
    return Table(
        "Table 2: CPU seconds for the nearest neighbours of all instances",
        ["data set", "ours", "paper"], rows, 1,
        "L2 and L1, k = 50, of each class, for training and test rows; the paper's by another "
        "machine, with the ANN library.",
    )  # fmt: skip


def _thresholds(studies: Sequence[Study]) -> Table:
    """Table 4: default and regression beside each other."""
    rows = []
    for measure in DECISIONS:
        for study in studies:
            cells = [study.parts.name, measure]
            for method in _COMPARED:
                for name in (method, f"{method}†"):
                    value = number(study.evaluations[name][measure].value)
                    cells.append(_beside(value, study.parts.name, name, measure))
            rows.append(cells)
    header = ["data set", "measure"]
    header += [name for method in _COMPARED for name in (method, f"{method}†")]
    title = "Table 4: default thresholds and instance-based regression (†)"
    note = "[paper]; † is LLSF learned from cross-fitted scores of the training part."
    return Table(title, header, rows, 2, note)


def _errors(studies: Sequence[Study]) -> list[Table]:
    found = []
    for study in studies:
        if not study.errors:
            continue
        rows = []
        for e in study.errors:
            known = paper(study.parts.name, e.method, "error")
            rows.append([e.method, f"{e.value:.3f}", number(known, 3), f"{e.crossed:.3f}"])
        if study.parts.name == "vowel":
            rows += [[name, "–", number(value, 3), "–"] for name, value in HASTIE.items()]
        title = f"Table 7: error rate on {study.parts.name}"
        header = ["method", "ours", "paper", "ours in cross-validation"]
        found.append(Table(title, header, rows, 1, "Parameters chosen on the training part."))
    return found


def _chosen(studies: Sequence[Study]) -> Table:
    rows = [[s.parts.name, m, words] for s in studies for m, words in s.chosen.items()]
    header = ["data set", "method", "parameters"]
    return Table("Parameters chosen by cross-validation on the training part", header, rows, 3, "")
