"""The tables of the tag recommendation experiment: ours, with the paper's figure beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labelrank._text import number
from labelrank.experiments.paper_001 import GAIN, SAME_PLACE, STAGES, paper
from labelrank.experiments.tables import Table
from labelrank.experiments.tags import BASELINE, MEASURES, TagStudy
from labelrank.experiments.tags_methods import BEST, BEYOND
from labelrank.experiments.tags_stages import STAGES as NAMES
from labelrank.measures import Evaluation, compare
from labelrank.report import Report

__all__ = ["gains", "report", "tables"]

_TITLES = {
    "nDCG@5": "Table IV: average nDCG@5, with 95 % intervals over things",
    "P@5": "Table V: average precision@5",
    "R@5": "Table VI: average recall@5",
}
_SIDE = (
    "In square brackets the paper's figure on its own sample of the same place "
    f"({', '.join(SAME_PLACE.values())}): other things were drawn, so it is no figure to reach."
)


def gains(study: TagStudy, measure: str = "nDCG@5") -> dict[str, float]:
    """How much of nDCG@5 is gained: by the best three over LATRE+wTS, by more features over them.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking, evaluate
    >>> Y = np.array([[0, 1]])
    >>> found = [evaluate(Ranking.from_lists([order]), Y, ["nDCG@5"]) for order in ([0, 1], [1, 0])]
    >>> study = TagStudy("x", "", evaluations=dict(zip(["LATRE+wTS", "MART"], found)))
    >>> {name: round(gain, 3) for name, gain in gains(study).items()}
    {'best': 0.585}
    """
    value = {name: e[measure].value for name, e in study.evaluations.items()}
    base = value[BASELINE]
    best = max(value[name] for name in BEST if name in value)
    found = {"best": best / base - 1}
    more = [value[name + BEYOND] for name in BEST if name + BEYOND in value]
    if more:
        each = [value[n + BEYOND] / value[n] - 1 for n in BEST if n + BEYOND in value]
        found |= {"features": float(np.mean(each)), "both": max(more) / base - 1}
    return found


def tables(studies: Sequence[TagStudy]) -> list[Table]:
    """Tables IV to VII, the gains, and what was chosen."""
    return [*(_effect(studies, m) for m in MEASURES), _gains(studies), _times(studies),
            _chosen(studies)]  # fmt: skip


def _effect(studies: Sequence[TagStudy], measure: str) -> Table:
    names = [study.name for study in studies]
    methods = list(studies[0].evaluations)
    stars = compare(
        {s.name: {m: _only(s.evaluations[m], measure) for m in methods} for s in studies}, BASELINE
    )
    told = {(r["dataset"], r["method"]): r for r in stars.rows}
    rows = []
    for method in methods:
        cells = []
        for study in studies:
            row = next(r for r in study.evaluations[method].rows() if r["measure"] == measure)
            half = (row["high"] - row["low"]) / 2
            cell = f"{number(row['value'], 3)} ± {number(half, 3)}"
            p = told[study.name, method]["p_holm"] if method != BASELINE else None
            cell += "" if p is None or not p <= 0.05 else "**" if p <= 0.01 else "*"
            known = paper(study.name, method, measure)
            cells.append(cell if known is None else f"{cell} [{number(known, 3)}]")
        rows.append([method, *cells])
    note = f"{stars.legend()}"
    note += f" {_SIDE}" if any(name in SAME_PLACE for name in names) else ""
    return Table(_TITLES[measure], ["method", *names], rows, 1, note)


def _gains(studies: Sequence[TagStudy]) -> Table:
    found = [gains(study) for study in studies]
    rows = [
        [study.name, *(f"{100 * each[key]:+.1f} %" for key in each)]
        for study, each in zip(studies, found, strict=True)
    ]
    if len(rows) > 1:
        rows.append(["mean", *(f"{100 * np.mean([e[k] for e in found]):+.1f} %" for k in found[0])])
    header = ["data set", "best of RF, MART, LambdaMART over LATRE+wTS"]
    header += ["the same with neighbours over without", "both over LATRE+wTS"][: len(found[0]) - 1]
    note = f"The paper, for the first: {100 * GAIN[0]:.0f} to {100 * GAIN[1]:.0f} %. The second is "
    note += "the mean of the three rankers."
    return Table("What is gained, nDCG@5", header, rows, 1, note)


def _times(studies: Sequence[TagStudy]) -> Table:
    rows = []
    for study in studies:
        if study.stages is None:
            continue
        for method, found in study.stages.milliseconds.items():
            cells = [f"{found[stage]:.3f}" for stage in (*NAMES, "in all")]
            rows.append([study.name, method, *cells, _theirs(study.name, method)])
    counted = "; ".join(
        f"{s.name}: {s.stages.things} things, {s.stages.candidates:.0f} candidates on average"
        for s in studies if s.stages is not None
    )  # fmt: skip
    return Table(
        "Table VII: milliseconds of processor time for one thing, in four stages",
        ["data set", "method", *NAMES, "in all", "in all, paper"], rows, 2,
        f"One thread, one thing at a time, nothing cached. {counted}. The paper's by another "
        "machine on its own samples.",
    )  # fmt: skip


def _theirs(dataset: str, method: str) -> str:
    """What the paper's stages add up to on its sample of the same place."""
    place = {"lastfm": 1, "movielens10m": 2}.get(dataset)
    applied = STAGES["model application"]
    assert isinstance(applied, dict)
    if place is None or method not in applied:
        return "–"
    others = [values[place] for values in STAGES.values() if isinstance(values, tuple)]
    return f"{sum(others) + applied[method][place]:.0f}"


def _chosen(studies: Sequence[TagStudy]) -> Table:
    rows = [
        [study.name, method, "; ".join(words)]
        for study in studies
        for method, words in study.chosen.items()
        if any(words)
    ]
    header = ["data set", "method", "parameters, fold by fold"]
    return Table("Parameters chosen on V", header, rows, 3, "")


def _only(evaluation: Evaluation, measure: str) -> Evaluation:
    return Evaluation({measure: evaluation[measure]}, evaluation.shape, evaluation.notes)


def report(studies: Sequence[TagStudy], drawn: Sequence[Table]) -> Report:
    """All of it as a page; `drawn` is what `tables` found."""
    page = Report(
        "labelrank: learning to rank for tag recommendation",
        "Canuto et al. (2013) again, on " + ", ".join(study.name for study in studies),
    )
    if any(study.quick for study in studies):
        page.text("A quick look: one fold and few trees. Figures are better without --quick.")
    page.heading("Data")
    for study in studies:
        shares = ", ".join(f"{name} {100 * value:.1f} %" for name, value in study.reached.items())
        page.text(f"{study.name}: {study.about}. Of the tags to be found are among the {shares}.")
    page.text(
        "Five portions: three for rules and metrics, one to learn from, one to be judged on, by "
        "turns. Half of a thing's tags are given, the other half is to be found."
    )
    for each in drawn:
        page.heading(each.title)
        page.table(each.header, each.rows, each.left, each.note)
    page.heading("How sure are these figures?")
    for study in studies:
        rows = [
            (method, row["value"], row["low"], row["high"])
            for method, evaluation in study.evaluations.items()
            for row in evaluation.rows()
            if row["measure"] == MEASURES[0]
        ]
        top = max(high for *_, high in rows) or 1.0
        page.bars(f"{study.name}: {MEASURES[0]}, with 95 % bootstrap intervals over things", rows,
                  top)  # fmt: skip
    page.heading("Time of training")
    page.table(
        ["data set", "method", "stage", "processor seconds, all folds"],
        [
            [study.name, method, stage, f"{seconds:.2f}"]
            for study in studies
            for (method, stage), seconds in _summed(study).items()
        ],
        left=3,
    )
    return page


def _summed(study: TagStudy) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    for t in study.timings:
        key = t["method"], t["stage"]
        found[key] = found.get(key, 0.0) + t["cpu_seconds"]
    return found
