"""Paper 003 again: extreme classification with missing labels, Tables 3 and 4, Figures 2 to 4."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from labelrank.data import Dataset
from labelrank.errors import InputError
from labelrank.experiments.clock import Clock
from labelrank.experiments.extreme_data import read_extreme
from labelrank.experiments.extreme_methods import Setting, methods
from labelrank.experiments.missing_labels import Missing, simulate
from labelrank.experiments.paper_003 import paper
from labelrank.experiments.propensity_curves import Curves, propensity_curves
from labelrank.measures import Evaluation, evaluate, propensities
from labelrank.ranking import Ranking

__all__ = ["MEASURES", "Extreme", "contributions", "extreme"]

_PLACES = (1, 3, 5)
MEASURES = tuple(f"{name}@{k}" for name in ("P", "nDCG", "PSP", "PSnDCG", "C") for k in _PLACES)


@dataclass
class Extreme:
    """What was measured on one data set.

    Attributes
    ----------
    train, test : Dataset
    notes : list of str
        What was done to the data, and what was left out.
    setting : Setting
    p : array (n_labels,)
        The propensities, of the training part.
    evaluations : dict of str to Evaluation
        `MEASURES`, by method.
    rankings : dict of str to Ranking
        The first five labels of each test row, by method.
    timings : list of dict
    curves : Curves or None
        Figure 2.
    missing : Missing or None
        Figure 3.
    """

    train: Dataset
    test: Dataset
    notes: list[str]
    setting: Setting
    p: NDArray[np.float64]
    evaluations: dict[str, Evaluation] = field(default_factory=dict)
    rankings: dict[str, Ranking] = field(default_factory=dict)
    timings: list[dict[str, Any]] = field(default_factory=list)
    curves: Curves | None = None
    missing: Missing | None = None

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Training rows, features, labels: the paper's data are recognised by them."""
        return len(self.train), self.train.n_features, self.train.n_labels

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many training rows have each label."""
        return np.bincount(self.train.Y.indices, minlength=self.train.n_labels)

    def rows(self) -> list[dict[str, Any]]:
        """All figures in the form of results.json, with the paper's where it has one."""
        name, found = self.train.name, []
        for method, evaluation in self.evaluations.items():
            for row in evaluation.rows():
                kept = {key: row[key] for key in ("measure", "value", "low", "high")}
                known = paper(self.sizes, method, row["measure"])
                found.append({"dataset": name, "method": method, **kept}
                             | ({} if known is None else {"paper": known}))  # fmt: skip
        return found + [{"dataset": name, **row} for row in _figure_rows(self)]


def extreme(
    sources: Sequence[str],
    data: str | Path | None = None,
    *,
    quick: bool = False,
    figures: Sequence[int] = (2, 3, 4),
    seeds: int = 5,
    random_state: int = 0,
    n_jobs: int | None = None,
    say: Callable[[str], None] = lambda sentence: None,
) -> list[Extreme]:
    """Run the experiment on data sets: all are read before the first is worked on.

    Parameters
    ----------
    sources, data
        See `read_extreme`.
    quick : bool
        Five trees instead of fifty, and two seeds: a first look.
    figures : sequence of int
        Figures to make; 3 trains each forest thirty times over and takes longest.
    seeds : int
        Of Figure 3.
    random_state : int
    n_jobs : int, optional
    say : callable
        Is told what is done, in a line each.
    """
    if seeds < 1 or not set(figures) <= {2, 3, 4}:
        raise InputError(f"figures are 2, 3 and 4, and seeds 1 or more; found {figures}, {seeds}.")
    loaded = [read_extreme(source, data, random_state) for source in sources]
    names = [train.name for train, *_ in loaded]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two data sets are called {twice!r}; run them one after the other.")
    setting = Setting(5 if quick else 50, random_state=random_state, n_jobs=n_jobs)
    found = []
    with threadpool_limits(1):  # n_jobs says how many threads; BLAS would bring its own to each
        for train, test, notes in loaded:
            say(f"{train.name}: {len(train)} rows to learn from, {len(test)} to test on, "
                f"{train.n_features} features, {train.n_labels} labels")  # fmt: skip
            study = Extreme(train, test, notes, setting, propensities(train.Y))
            _tables(study, say)
            if 2 in figures:
                study.curves = propensity_curves(train.Y, random_state)
            if 3 in figures:
                study.missing = simulate(
                    train, test, setting.without, setting.with_,
                    seeds=min(seeds, 2) if quick else seeds, say=say,
                )  # fmt: skip
            found.append(study)
    return found


def contributions(study: Extreme, method: str, k: int = 3) -> NDArray[np.float64]:
    r"""Each label's part of a method's normalised propensity-scored precision (Figure 4).

    .. math:: \frac{\sum_i y_{il} \hat y_{il} / p_l}{\sum_i \sum_{j \le k} y_{i(j)} / p_{(j)}}

    where the denominator takes the k relevant labels of row i with the smallest propensities. The
    parts of all labels add up to PSP@k.
    """
    top, Y = study.rankings[method].top(k), study.test.Y
    hit = np.asarray(Y[top.rows, top.labels]).ravel() > 0
    gained = np.bincount(top.labels[hit], weights=1 / study.p[top.labels[hit]],
                         minlength=Y.shape[1])  # fmt: skip
    best = Ranking.from_entries(Y.indptr, Y.indices, 1 / study.p[Y.indices], Y.shape[1], k)
    total = float(best.scores.sum())
    parts: NDArray[np.float64] = gained / (total or 1.0)
    return parts


def _tables(study: Extreme, say: Callable[[str], None]) -> None:
    """Train and judge every method."""
    makers, notes = methods(study.train, study.setting)
    study.notes += notes
    for name, make in makers.items():
        clock = Clock(study.train.name, name, study.timings)
        scorer = make().fit(study.train.X, study.train.Y)
        clock.lap("train")
        ranking = scorer.rank(study.test.X, max(_PLACES))
        clock.lap("rank")
        study.rankings[name] = ranking
        study.evaluations[name] = evaluate(ranking, study.test.Y, MEASURES, propensities=study.p)
        seconds = study.timings[-2]["cpu_seconds"]
        value = study.evaluations[name]["P@1"].value
        say(f"{study.train.name}: {name} trained in {seconds:.1f} s of processor time, P@1 "
            f"{100 * value:.2f}")  # fmt: skip


def _figure_rows(study: Extreme) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if study.curves is not None:
        for parameter, value in zip("AB", study.curves.fitted, strict=True):
            found.append({"method": "Figure 2", "measure": f"fitted {parameter}", "value": value})
    missing = study.missing
    if missing is None:
        return found
    for at, each in enumerate(missing.curves):
        where = f", {each.missing:.1%} missing (A={each.A:g})"
        for what, point in (
            ("Figure 3 (b): P@3", missing.observed[at]),
            ("Figure 3 (b): PSP@3", missing.scored[at]),
            ("Figure 3 (c): FastXML nDCG@3", missing.without[at]),
            ("Figure 3 (c): PfastXML nDCG@3", missing.with_[at]),
            ("Figure 3 (d): PfastXML nDCG@3", missing.believed[each.A]),
        ):
            figure, _, measure = what.partition(": ")
            found.append({"method": figure, "measure": measure + where, "value": point.mean,
                          "deviation": point.deviation, "seeds": missing.seeds})  # fmt: skip
    found.append({"method": "Figure 3 (b)", "measure": "P@3 on complete labels",
                  "value": missing.complete})  # fmt: skip
    return found
