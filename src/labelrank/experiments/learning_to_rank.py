"""Learning to rank on ``qid:`` files: several rankers trained, judged and put in one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold

from labelrank.data import Groups, read_qid
from labelrank.errors import InputError
from labelrank.experiments.clock import Clock
from labelrank.measures import Comparison, Evaluation, compare, evaluate
from labelrank.rankers import Ranker, tune
from labelrank.rankers.base import Validation
from labelrank.rankers.tuning import Tuning
from labelrank.ranking import Ranking
from labelrank.report import Report

__all__ = ["LearningToRank", "judge", "learn_to_rank", "read_groups", "tuned"]


@dataclass
class LearningToRank:
    """What `learn_to_rank` found.

    Attributes
    ----------
    judged_on : str
        What the figures are of: the test file, the validation file, or folds of the training file.
    groups : Groups
        Those that were judged.
    rankers : dict of str to Ranker
        Fitted; by cross-validation on all groups at last.
    rankings : dict of str to Ranking
        Of the candidates that were judged.
    evaluations : dict of str to Evaluation
    comparison : Comparison
        The first ranker is the reference.
    timings : list of dict
    """

    judged_on: str
    groups: Groups
    rankers: dict[str, Ranker]
    rankings: dict[str, Ranking]
    evaluations: dict[str, Evaluation]
    comparison: Comparison
    timings: list[dict[str, Any]] = field(default_factory=list)

    def line_scores(self, method: str) -> NDArray[np.float64]:
        """The score of each row of the judged file."""
        scores = np.empty(len(self.groups.F))
        scores[self.groups.lines] = _in_place(self.rankings[method])
        return scores

    def rows(self) -> list[dict[str, Any]]:
        """The measures in the form of results.json."""
        return [
            {"dataset": self.judged_on, "method": method}
            | {key: row[key] for key in ("measure", "value", "low", "high")}
            for method, evaluation in self.evaluations.items()
            for row in evaluation.rows()
        ]

    def report(self) -> Report:
        """All of it as a page."""
        page = Report("labelrank: learning to rank", f"judged on {self.judged_on}")
        page.heading("How good are they?")
        page.comparison(self.comparison)
        page.heading("How sure are these figures?")
        for name in next(iter(self.evaluations.values())):
            found = {m: next(r for r in e.rows() if r["measure"] == name)
                     for m, e in self.evaluations.items()}  # fmt: skip
            bars = [(m, r["value"], r["low"], r["high"]) for m, r in found.items()]
            if all(bar[1] is not None for bar in bars):
                top = max(high for *_, high in bars) or 1.0
                page.bars(f"{name}, with 95 % bootstrap intervals over groups", bars, top)
        page.heading("Time")
        page.table(
            ["ranker", "stage", "seconds", "processor seconds"],
            [
                [t["method"], t["stage"], f"{t['seconds']:.3f}", f"{t['cpu_seconds']:.3f}"]
                for t in self.timings
            ],
            left=2,
        )
        return page


def read_groups(
    train: str | Path, *others: str | Path | None
) -> tuple[Groups, list[Groups | None], list[str]]:
    """Read the training file and others beside it, all as wide as the training file.

    Returns
    -------
    (training groups, the other groups, notes); a feature that training has never seen says nothing
    and is left out, with a note.
    """
    first = read_qid(train)
    width, notes = first.F.shape[1], []
    rest: list[Groups | None] = []
    for path in others:
        groups = None if path is None else read_qid(path)
        if groups is not None and groups.F.shape[1] > width:
            notes.append(f"{path} has features beyond {width}, unseen in training: left out")
        rest.append(None if groups is None else groups.of_width(width))
    return first, rest, notes


def learn_to_rank(
    train: Groups,
    rankers: Mapping[str, Ranker],
    measures: Sequence[str],
    *,
    validation: Groups | None = None,
    test: Groups | None = None,
    folds: int = 5,
    random_state: int = 0,
    name: str = "",
) -> LearningToRank:
    """Train rankers and judge them.

    They are judged on the test groups; without them on the validation groups; without both by
    cross-validation over the training groups.

    Parameters
    ----------
    train : Groups
    rankers : dict of str to Ranker
        Cloned, not changed.
    measures : names
        See `labelrank.measure`.
    validation : Groups, optional
        For early stopping, where there are test groups too.
    test : Groups, optional
    folds : int
    random_state : int
        Of the folds.
    name : str
        What to call the groups that are judged.
    """
    if not rankers:
        raise InputError("learn_to_rank needs at least one ranker.")
    judged = test if test is not None else validation
    watched = validation if test is not None else None
    timings: list[dict[str, Any]] = []
    fitted: dict[str, Ranker] = {}
    rankings: dict[str, Ranking] = {}
    for title, ranker in rankers.items():
        clock = Clock(name, title, timings)
        if judged is None:
            rankings[title] = _cross_validated(ranker, train, folds, random_state)
            clock.lap(f"{folds} folds")
        fitted[title] = _fitted(ranker, train, _parts(watched))
        clock.lap("train")
        if judged is not None:
            rankings[title] = fitted[title].rerank(judged.candidates, judged.F)
            clock.lap("rank")
    return _judged(name, judged or train, fitted, rankings, measures, timings)


def judge(ranker: Ranker, test: Groups, measures: Sequence[str], name: str = "") -> LearningToRank:
    """Judge a fitted ranker on groups, brought to the width it was fitted with."""
    groups = test.of_width(ranker.n_features_in_)
    timings: list[dict[str, Any]] = []
    title = type(ranker).__name__
    clock = Clock(name, title, timings)
    ranking = ranker.rerank(groups.candidates, groups.F)
    clock.lap("rank")
    return _judged(name, groups, {title: ranker}, {title: ranking}, measures, timings)


def tuned(
    rankers: Mapping[str, Ranker],
    train: Groups,
    validation: Groups | None,
    measure: str,
    *,
    folds: int = 5,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> tuple[dict[str, Ranker], dict[str, Tuning]]:
    """Each ranker with the best parameters of its own grid, and how they were found."""
    found = {
        title: tune(
            *(ranker, train.candidates, train.F, train.Y),
            measure=measure, folds=folds, validation=_parts(validation),
            random_state=random_state, n_jobs=n_jobs, verbose=verbose,
        )
        for title, ranker in rankers.items()
    }  # fmt: skip
    return {t: clone(rankers[t]).set_params(**f.best_params) for t, f in found.items()}, found


def _judged(
    name: str,
    groups: Groups,
    fitted: dict[str, Ranker],
    rankings: dict[str, Ranking],
    measures: Sequence[str],
    timings: list[dict[str, Any]],
) -> LearningToRank:
    evaluations = {title: evaluate(r, groups.Y, measures) for title, r in rankings.items()}
    return LearningToRank(
        name, groups, fitted, rankings, evaluations, compare(evaluations), timings
    )


def _parts(groups: Groups | None) -> Validation | None:
    return None if groups is None else (groups.candidates, groups.F, groups.Y)


def _fitted(ranker: Ranker, groups: Groups, validation: Validation | None = None) -> Ranker:
    names = [str(j + 1) for j in range(groups.F.shape[1])]  # as the file numbers them
    model: Ranker = clone(ranker)
    return model.fit(groups.candidates, groups.F, groups.Y, validation=validation, names=names)


def _cross_validated(ranker: Ranker, groups: Groups, folds: int, random_state: int) -> Ranking:
    """Every group ranked by a model that has not seen it."""
    if not 2 <= folds <= len(groups):
        raise InputError(f"folds must lie between 2 and the {len(groups)} groups, found {folds}.")
    ranking, scores = groups.candidates, np.zeros(len(groups.F))
    split = KFold(folds, shuffle=True, random_state=random_state)
    for train, held in split.split(np.arange(len(groups))):
        model = _fitted(ranker, groups[train])
        part = groups[held]
        scores[ranking.entries_of(held)] = model.scores(part.candidates, part.F)
    return ranking.reordered(scores)


def _in_place(ranking: Ranking) -> NDArray[np.float64]:
    """Scores in the order of the candidates: labels are their numbers."""
    order = np.lexsort((ranking.labels, ranking.rows))
    scores: NDArray[np.float64] = ranking.scores[order]
    return scores
