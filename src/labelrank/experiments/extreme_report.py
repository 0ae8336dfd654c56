"""The tables and plots of the extreme-classification experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelrank.experiments.extreme import MEASURES, Extreme, contributions
from labelrank.experiments.extreme_methods import TREES
from labelrank.experiments.missing_labels import Missing, Point
from labelrank.experiments.paper_003 import paper
from labelrank.experiments.tables import Table
from labelrank.report import Report

__all__ = ["Figure", "parts", "report"]


class Figure(NamedTuple):
    """A plot: lines through points by name, and what its axes are."""

    caption: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    x: str
    y: str
    log: bool | str


def parts(study: Extreme) -> list[Table | Figure]:
    """Tables 3 and 4 and Figures 2 to 4, each figure as a table and a plot."""
    found: list[Table | Figure] = [*_tables(study)]
    if study.curves is not None:
        found += _figure_2(study)
    if study.missing is not None:
        found += _figure_3(study.train.name, study.missing)
    if any(name in study.evaluations for name in TREES):
        found += _figure_4(study)
    return found


def report(studies: Sequence[Extreme]) -> Report:
    """All of it as a page."""
    page = Report(
        "labelrank: extreme classification with missing labels",
        "Jain, Prabhu & Varma (2016) again, on " + ", ".join(s.train.name for s in studies),
    )
    for study in studies:
        n, d, m = study.sizes
        page.heading(f"{study.train.name}: the data")
        page.text(
            f"{n} rows to learn from and {len(study.test)} to test on, {d} features, {m} labels; "
            f"forests of {study.setting.trees} trees."
        )
        for note in study.notes:
            page.text(note)
        for part in parts(study):
            if isinstance(part, Table):
                page.heading(part.title)
                page.table(part.header, part.rows, part.left, part.note)
            else:
                page.curves(part.caption, part.series, part.x, part.y, part.log)
        page.heading(f"{study.train.name}: time")
        page.table(
            ["method", "stage", "seconds", "processor seconds"],
            [
                [t["method"], t["stage"], f"{t['seconds']:.2f}", f"{t['cpu_seconds']:.2f}"]
                for t in study.timings
            ],
            left=2,
        )
    return page


def _tables(study: Extreme) -> list[Table]:
    found = []
    for title, names, note in (
        ("Precision and nDCG", MEASURES[:6], "Not propensity-scored: for comparison."),
        ("Table 3: propensity-scored precision and nDCG, normalised", MEASURES[6:12],
         "Propensities of the training part, A = 0.55, B = 1.5."),
        ("Table 4: label coverage", MEASURES[12:],
         "Different labels shown, as a share of those that the best lists would show."),
    ):  # fmt: skip
        rows = []
        for method, evaluation in study.evaluations.items():
            cells = [method]
            for name in names:
                known = paper(study.sizes, method, name)
                beside = "" if known is None else f" [{100 * known:.2f}]"
                cells.append(f"{100 * evaluation[name].value:.2f}{beside}")
            rows.append(cells)
        theirs = any("[" in cell for row in rows for cell in row)
        said = f"In percent{'; the paper’s figure in square brackets' if theirs else ''}. {note}"
        title = f"{study.train.name}: {title}"
        found.append(Table(title, ["method", *names], rows, 1, said))
    return found


def _figure_2(study: Extreme) -> list[Table | Figure]:
    curves = study.curves
    assert curves is not None
    A, B = curves.fitted
    rows = []
    chosen = np.unique(np.linspace(0, len(curves.frequencies) - 1, 9).round().astype(int))
    for i in chosen:
        cells = [f"{curves.frequencies[i]:.0f}"]
        cells += [f"{p[i]:.3f}" for p in curves.propensities.values()]
        rows.append(cells + [f"{w[i]:.2f}" for w in curves.weights.values()])
    title = f"{study.train.name}: Figure 2: propensities by label frequency"
    note = (
        f"Labels hidden with A = 0.55, B = 1.5; fitted to what is left: A = {A:.2f}, B = {B:.2f}. "
        "Weights are relative to the most frequent label's."
    )
    header = ["N_l", *curves.propensities, *curves.weights]
    lines = {name: _line(curves.frequencies, p) for name, p in curves.propensities.items()}
    lines["observed share, bins"] = [(float(a), float(b)) for a, b in curves.bins]
    weights = {name: _line(curves.frequencies, w) for name, w in curves.weights.items()}
    return [
        Table(title, header, rows, 1, note),
        Figure(f"{study.train.name}: propensity", lines, "N_l", "p", "x"),
        Figure(f"{study.train.name}: weight", weights, "N_l", "weight", "x"),
    ]


def _figure_3(name: str, missing: Missing) -> list[Table | Figure]:
    curves, seeds = missing.curves, f"Mean ± standard deviation over {missing.seeds} seeds."
    shares = [100 * each.missing for each in curves]
    used = curves[missing.reference]
    rows_b = [
        [f"{each.A:g}", f"{share:.1f}", _percent(missing.observed[at]),
         _percent(missing.scored[at]), f"{100 * missing.complete:.2f}"]
        for at, (each, share) in enumerate(zip(curves, shares, strict=True))
    ]  # fmt: skip
    rows_c = [
        [f"{each.A:g}", f"{share:.1f}", _percent(missing.without[at]), _percent(missing.with_[at])]
        for at, (each, share) in enumerate(zip(curves, shares, strict=True))
    ]
    plain = missing.without[missing.reference]
    rows_d = [
        [f"{A:g}", "yes" if used.A == A else "no", _percent(point), _percent(plain)]
        for A, point in missing.believed.items()
    ]
    order = np.argsort([-each.p for each in curves], axis=1)[0]
    at = np.unique(np.geomspace(1, len(order), 40).astype(int)) - 1
    return [
        Figure(
            f"{name}: Figure 3 (a): propensities by which labels are hidden, of labels from the "
            "most to the least frequent",
            {f"A={c.A:g}: {s:.0f} % missing": [(float(i + 1), float(c.p[order[i]])) for i in at]
             for c, s in zip(curves, shares, strict=True)},
            "label, by frequency", "p", "x",
        ),
        Table(
            f"{name}: Figure 3 (b): FastXML trained on all labels, judged on what is observed",
            ["A", "missing %", "P@3", "PSP@3, not normalised", "P@3 on complete labels"], rows_b, 1,
            seeds,
        ),
        Figure(
            f"{name}: Figure 3 (b): propensity-scored precision is unbiased",
            {"P@3, observed": _points(shares, missing.observed),
             "PSP@3, observed": _points(shares, missing.scored),
             "P@3, complete": [(s, 100 * missing.complete) for s in shares]},
            "missing labels (%)", "%", False,
        ),
        Table(
            f"{name}: Figure 3 (c): trained on what is observed, nDCG@3 on complete labels",
            ["A", "missing %", "FastXML", "PfastXML"], rows_c, 1, seeds,
        ),
        Figure(
            f"{name}: Figure 3 (c): propensities in training",
            {"FastXML": _points(shares, missing.without),
             "PfastXML": _points(shares, missing.with_)},
            "missing labels (%)", "nDCG@3 (%)", False,
        ),
        Table(
            f"{name}: Figure 3 (d): labels removed with A = {used.A:g}, trained with another A; "
            "nDCG@3 on complete labels",
            ["A in training", "true A", "PfastXML", "FastXML"], rows_d, 2, seeds,
        ),
        Figure(
            f"{name}: Figure 3 (d): wrong propensities",
            {"PfastXML": [(A, 100 * point.mean) for A, point in missing.believed.items()],
             "FastXML": [(A, 100 * plain.mean) for A in missing.believed]},
            "A in training", "nDCG@3 (%)", False,
        ),
    ]  # fmt: skip


def _figure_4(study: Extreme) -> list[Table | Figure]:
    """Labels of similar training frequency together: 1, 2, 3-4, 5-8, …"""
    counts = study.counts
    edges = [0, *(2**i for i in range(int(counts.max(initial=1)).bit_length() + 1))]
    which = np.searchsorted(edges, counts)  # (2^(i-1), 2^i] to i + 1
    methods = [name for name in ("1-vs-All", "LabelTree", *TREES) if name in study.rankings]
    found = {name: contributions(study, name) for name in methods}
    rows, lines = [], {name: list[tuple[float, float]]() for name in methods}
    for bin_ in np.unique(which):
        inside = which == bin_
        low, high = int(counts[inside].min()), int(counts[inside].max())
        cells = [str(low) if low == high else f"{low}–{high}", str(int(inside.sum()))]
        for name in methods:
            value = 100 * float(found[name][inside].sum())
            cells.append(f"{value:.2f}")
            if high:
                lines[name].append((float(np.sqrt(max(low, 1) * high)), value))
        rows.append(cells)
    title = f"{study.train.name}: Figure 4: what labels of each frequency add to PSP@3"
    return [
        Table(title, ["N_l", "labels", *methods], rows, 1, "In percentage points of PSP@3."),
        Figure(title, lines, "N_l", "points of PSP@3", "x"),
    ]


def _line(x: NDArray[np.float64], y: NDArray[np.float64]) -> list[tuple[float, float]]:
    return list(zip(x.tolist(), y.tolist(), strict=True))


def _points(shares: Sequence[float], found: Mapping[int, Point]) -> list[tuple[float, float]]:
    return [(share, 100 * found[at].mean) for at, share in enumerate(shares)]


def _percent(point: Point) -> str:
    return f"{100 * point.mean:.2f} ± {100 * point.deviation:.2f}"
