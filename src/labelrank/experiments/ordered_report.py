"""The tables and figures of the ordered experiment, the paper's figures beside ours."""

from __future__ import annotations

import math

import numpy as np

from labelrank._text import number
from labelrank.experiments.ordered import OrderedStudies
from labelrank.experiments.ordered_pictures import Calibration, PictureStudy
from labelrank.experiments.ordered_tables import TableStudy
from labelrank.experiments.paper_002 import RANKED, UNRANKED, paper
from labelrank.experiments.tables import Table
from labelrank.measures import compare
from labelrank.report import Report

__all__ = ["report", "tables"]

_POINTS = 41


def tables(studies: OrderedStudies) -> list[Table]:
    """Everything that is a table, to be printed or put on a page."""
    found: list[Table] = []
    for study in studies.pictures:
        found += [_compared(study, RANKED, "R"), _compared(study, UNRANKED, "U")]
        found += [_counts(study)] if study.digits else []
        found += [_calibrated(study)] if study.calibration is not None else []
    return found + [_folded(study) for study in studies.tables]


def report(studies: OrderedStudies) -> Report:
    """All of it as one page."""
    names = [study.name for study in studies.all]
    page = Report("labelrank: ordered label sets", f"Dari et al. again, on {', '.join(names)}")
    for study in studies.pictures:
        _on_pictures(page, study)
    for table_study in studies.tables:
        _put(page, _folded(table_study))
    page.heading("Time")
    page.table(
        ["data", "method", "stage", "seconds", "processor seconds"],
        [
            [
                t["dataset"],
                t["method"],
                t["stage"],
                f"{t['seconds']:.1f}",
                f"{t['cpu_seconds']:.1f}",
            ]
            for t in studies.timings
        ],
        left=3,
    )
    return page


def _on_pictures(page: Report, study: PictureStudy) -> None:
    plan = study.plan
    page.heading(study.name)
    page.text(
        f"{plan.images[0]:,} pictures of {plan.canvas} × {plan.canvas} to learn from, "
        f"{plan.images[1]:,} to stop by, {plan.images[2]:,} to test on, composed of digits that no "
        f"other part has; {plan.digits[0]} to {plan.digits[1]} digits of scales "
        f"{plan.scales[0]:g} to {plan.scales[1]:g}, eighths of the side; "
        f"{plan.epochs} epochs, {plan.seeds} networks a loss."
    )
    for measures, kind in ((RANKED, "R"), (UNRANKED, "U")):
        _put(page, _compared(study, measures, kind))
    page.heading(f"Figure 2: pictures of {study.name} and predicted orders")
    shown = []
    for sample in study.samples:
        lines = [f"truth: {_order(sample.truth)}"]
        lines += [f"{method}: {_order(digits)}" for method, digits in sample.said.items()]
        shown.append((sample.image, lines))
    page.pictures(shown)
    if study.calibration is not None:
        _put(page, _calibrated(study))
        page.curves(
            "Scores of digits of four sizes, fitted by Gaussians; 0 is the mean of the digits that "
            "are not in the picture",
            _gaussians(study.calibration), "score", "density", log=False,
        )  # fmt: skip
    if study.digits:
        _put(page, _counts(study))
        page.curves(
            "Ranked accuracy by the number of digits in a picture", study.digits,
            "digits", "ranked accuracy", log=False, zero=False,
        )  # fmt: skip


def _put(page: Report, table: Table) -> None:
    page.heading(table.title)
    page.table(table.header, table.rows, table.left, table.note)


def _compared(study: PictureStudy, measures: tuple[str, ...], kind: str) -> Table:
    """Table 1's half: means over the networks, with their standard deviation."""
    rows = []
    for method, values in study.values.items():
        cells = []
        for measure in measures:
            mine = values[measure]
            spread = f" ± {100 * np.std(mine, ddof=1):.1f}" if len(mine) > 1 else ""
            p = study.p_value(method, measure)
            stars = "" if p is None else "**" if p <= 0.01 else "*" if p <= 0.05 else ""
            cells.append(f"{100 * _as_paper(measure, float(np.mean(mine))):.1f}{spread}{stars}")
        rows.append([f"{method} ({kind})", *cells])
    for many, title in ((False, "paper, Table 1"), (True, "paper, Table 2")):
        for method in study.values:
            known = [_known(method, measure, many) for measure in measures]
            rows.append([f"{method} ({kind}), {title}", *known])
    what = "the order of labels (R)" if kind == "R" else "which labels are there (U)"
    header = [f"{study.name}: method", *("1 - HLoss" if m == "HLoss" else m for m in measures)]
    note = "Per cent. ** p ≤ 1 %, * p ≤ 5 % against RLSEP (Welch's t-test over networks)."
    note += " The paper's Table 1 is of 5,000 pictures of 224 × 224, its Table 2 of 60,000."
    return Table(f"Table 1: {what}, {study.name}", header, rows, 1, note)


def _as_paper(measure: str, value: float) -> float:
    return 1 - value if measure == "HLoss" else value


def _known(method: str, measure: str, many: bool) -> str:
    value = paper(method, measure, many)
    return "–" if value is None else f"{100 * _as_paper(measure, value):.1f}"


def _counts(study: PictureStudy) -> Table:
    counts = [int(d) for d, _ in next(iter(study.digits.values()))]
    rows = [[name, *(number(v) for _, v in line)] for name, line in study.digits.items()]
    note = "Ranked accuracy; each network is trained on so many digits, or on three alone."
    return Table(f"Figure 5: the number of digits, {study.name}",
                 ["method", *(f"{d} digits" for d in counts)], rows, 1, note)  # fmt: skip


def _calibrated(study: PictureStudy) -> Table:
    assert study.calibration is not None
    scales, scores = study.calibration
    rows = [
        [f"{scale:g}", f"{own.mean():.2f}", f"{own.std():.2f}"]
        for scale, own in zip(scales, scores.T, strict=True)
    ]
    note = "Scores of RLSEP above the mean score of the digits that are not in the picture."
    return Table(f"Figure 3: calibration, {study.name}",
                 ["scale", "mean score", "standard deviation"], rows, 1, note)  # fmt: skip


def _gaussians(calibration: Calibration) -> dict[str, list[tuple[float, float]]]:
    lines = {}
    for scale, own in zip(calibration.scales, calibration.scores.T, strict=True):
        mean, spread = float(own.mean()), max(float(own.std()), 1e-6)
        at = np.linspace(mean - 3 * spread, mean + 3 * spread, _POINTS)
        height = np.exp(-(((at - mean) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))
        lines[f"scale {scale:g}"] = [(float(x), float(y)) for x, y in zip(at, height, strict=True)]
    return lines


def _folded(study: TableStudy) -> Table:
    comparison = compare(study.evaluations)
    rows = []
    for names, records in comparison.cells():
        rows.append([names[1], *(comparison.cell(records[m]) for m in comparison.methods)])
    order = {measure: i for i, measure in enumerate(RANKED)}
    rows.sort(key=lambda row: order.get(row[0], len(order)))
    note = f"{study.about}; {study.plan.folds} folds. {comparison.legend()}"
    return Table(f"Ordered labels: {study.name}", ["measure", *comparison.methods], rows, 1, note)


def _order(digits: list[int]) -> str:
    return " > ".join(map(str, digits)) or "–"
