"""Paper 001 again: learning-to-rank methods for tag recommendation, Tables IV to VII."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from labelrank.data import Dataset, Rows, Things
from labelrank.data.relevance import relevance
from labelrank.errors import InputError
from labelrank.experiments.clock import Clock
from labelrank.experiments.paper_001 import paper
from labelrank.experiments.tags_data import Fold, folds, read_tagged
from labelrank.experiments.tags_methods import CANDIDATES, Method, fitted, methods
from labelrank.experiments.tags_stages import Stages, stages
from labelrank.measures import Evaluation, evaluate
from labelrank.rankers import Ranker
from labelrank.ranking import Ranking
from labelrank.recipes import TagRecommender
from labelrank.recipes.label_ranker import Described
from labelrank.scorers.things import ranked

__all__ = ["BASELINE", "MEASURES", "TagStudy", "study", "tags"]

BASELINE = "LATRE+wTS"
MEASURES = ("nDCG@5", "P@5", "R@5")
_ALPHAS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1.0)
_KEPT = 20  # places of a ranking that are kept for the measures


@dataclass
class TagStudy:
    """What was measured on one data set.

    Attributes
    ----------
    name : str
    about : str
        Sizes, in a line.
    quick : bool
    evaluations : dict of str to Evaluation
        By method, over the things of all five test portions.
    chosen : dict of str to list of str
        What was taken on V, fold by fold.
    stages : Stages
        Table VII, from the first fold.
    reached : dict of str to float
        The share of the tags to be found that are candidates.
    timings : list of dict
        Seconds of describing, learning and ranking.
    """

    name: str
    about: str
    quick: bool = False
    evaluations: dict[str, Evaluation] = field(default_factory=dict)
    chosen: dict[str, list[str]] = field(default_factory=dict)
    stages: Stages | None = None
    reached: dict[str, float] = field(default_factory=dict)
    timings: list[dict[str, Any]] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """The measures in the form of results.json, the paper's figure beside them."""
        found = [
            {"dataset": self.name, "method": method}
            | {key: row[key] for key in ("measure", "value", "low", "high")}
            for method, evaluation in self.evaluations.items()
            for row in evaluation.rows()
        ]
        for row in found:
            known = paper(self.name, row["method"], row["measure"])
            row |= {} if known is None else {"paper": known}
        for candidates, share in self.reached.items():
            found.append({"dataset": self.name, "method": candidates, "measure": "reached"}
                         | {"value": share})  # fmt: skip
        if self.stages is not None:
            found += [{"dataset": self.name} | row for row in self.stages.rows()]
        return found


def tags(
    sources: Sequence[str],
    data: str | Path | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    quick: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
    say: Callable[[str], None] = lambda sentence: None,
) -> list[TagStudy]:
    """Run the experiment on data sets: all are read before the first is worked on.

    Parameters
    ----------
    sources, data, columns
        As in `read_tagged`.
    quick : bool
        One fold, few trees, few things to learn from: a first look.
    random_state : int
        Of portions, halves and rankers.
    n_jobs : int, optional
    say : callable
        Is told what is done, in a line each.
    """
    loaded = [read_tagged(source, data, columns) for source in sources]
    names = [each.name for each in loaded]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two data sets are called {twice!r}; run them one after the other.")
    with threadpool_limits(1):  # n_jobs says how many threads
        return [study(each, quick, random_state, n_jobs, say) for each in loaded]


def study(
    data: Dataset,
    quick: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
    say: Callable[[str], None] = lambda sentence: None,
) -> TagStudy:
    """Run the experiment on one data set; all parameters are chosen on V."""
    about = f"{len(data)} things with two tags or more, {data.n_labels} tags"
    work = _Work(TagStudy(data.name, about, quick), random_state, n_jobs, say)
    say(f"{data.name}: {about}")
    for number, fold in enumerate(folds(data, random_state)):
        say(f"  fold {number + 1}")
        work.fold(number, fold)
        if quick:
            break
    work.finish()
    return work.study


@dataclass
class _Work:
    """One data set's experiment, fold by fold."""

    study: TagStudy
    random_state: int
    n_jobs: int | None
    say: Callable[[str], None]
    rankings: dict[str, list[Ranking]] = field(default_factory=dict)
    truth: list[sp.csr_array] = field(default_factory=list)
    counts: dict[str, list[int]] = field(default_factory=dict)

    def fold(self, number: int, fold: Fold) -> None:
        """Judge every method on one portion; candidates are described once for all of them."""
        self.truth.append(fold.judged[1])
        alpha = self._baseline(fold)
        described: dict[tuple[str, ...], tuple[Described, Described]] = {}
        learned: dict[str, tuple[Method, Ranker]] = {}
        for name, method in methods(self.study.quick, self.random_state, self.n_jobs).items():
            groups = method.features
            if groups not in described:
                described[groups] = self._described(fold, groups)
            V, test = described[groups]
            clock = self._clock(name)
            ranker, params = fitted(method, V)
            clock.lap("learn")
            self._keep(name, ranker.rerank(test.ranking, test.F))
            clock.lap("rank")
            learned[name] = method, ranker
            words = ", ".join(f"{key}={value}" for key, value in params.items())
            self.study.chosen.setdefault(name, []).append(words)
            self.say(f"    {name}")
        if number == 0:
            self.study.stages = stages(fold, alpha, learned)

    def finish(self) -> None:
        """Judge the lists of all folds together."""
        Y = sp.csr_array(sp.vstack(self.truth))
        for name, parts in self.rankings.items():
            self.study.evaluations[name] = evaluate(Ranking.stack(parts), Y, MEASURES)
        found = {name: sum(hits) / Y.nnz for name, hits in self.counts.items()}
        self.study.reached = {f"candidates of {name}": share for name, share in found.items()}

    def _baseline(self, fold: Fold) -> float:
        """LATRE+wTS with the alpha that is best on V."""
        clock = self._clock(BASELINE)
        (rows, hidden), n_tags = fold.learned, fold.things.n_tags
        found = relevance(fold.things, rows, n_jobs=self.n_jobs)

        def worth(alpha: float) -> float:
            ranking = ranked(found, found.blend(alpha), n_tags, 5)
            return float(np.nan_to_num(evaluate(ranking, hidden, ["nDCG@5"])["nDCG@5"].value))

        alpha = max(_ALPHAS, key=worth)
        clock.lap("learn")
        judged = relevance(fold.things, fold.judged[0], n_jobs=self.n_jobs)
        self._keep(BASELINE, ranked(judged, judged.blend(alpha), n_tags, _KEPT))
        clock.lap("rank")
        self.study.chosen.setdefault(BASELINE, []).append(f"alpha={alpha}")
        return alpha

    def _described(self, fold: Fold, groups: tuple[str, ...]) -> tuple[Described, Described]:
        clock = self._clock(" and ".join(groups))
        V, test = (
            described(fold.things, rows, hidden, groups, self.n_jobs)
            for rows, hidden in (fold.learned, fold.judged)
        )
        clock.lap("describe")
        hit = np.asarray(test.Y[test.ranking.rows, test.ranking.labels]).ravel() > 0
        self.counts.setdefault(" and ".join(groups), []).append(int(hit.sum()))
        return V, test

    def _keep(self, name: str, ranking: Ranking) -> None:
        self.rankings.setdefault(name, []).append(ranking.top(_KEPT))

    def _clock(self, method: str) -> Clock:
        return Clock(self.study.name, method, self.study.timings)


def described(
    things: Things,
    rows: Rows,
    hidden: sp.csr_array,
    groups: Sequence[str],
    n_jobs: int | None = None,
) -> Described:
    """The candidates of things with their numbers, and the tags to be found."""
    recommender = TagRecommender(features=tuple(groups), candidates=CANDIDATES, n_jobs=n_jobs)
    recommender.on(things)
    return Described(*recommender.describe(rows), hidden)
