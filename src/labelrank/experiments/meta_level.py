"""Paper 000 again: multi-label ranking by meta-level features, Tables 2 to 7 and Figure 2."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from labelrank.cutoffs import LLSF, Cutoff
from labelrank.errors import InputError
from labelrank.experiments.clock import Clock
from labelrank.experiments.meta_level_data import Parts, read_parts
from labelrank.experiments.meta_level_methods import (
    Plan,
    Tuned,
    conventional,
    default_cutoff,
    folds_of,
    plan_of,
    tuned,
)
from labelrank.experiments.meta_level_study import DECISIONS, META, RANKERS, RANKINGS, Study
from labelrank.experiments.one_label import error_rates
from labelrank.features import Features, MetaLevel, MetaLevelTransformer, Scored
from labelrank.measures import Evaluation, evaluate
from labelrank.ranking import Ranking
from labelrank.recipes import MetaLabelRanker
from labelrank.scorers import Popularity

__all__ = ["meta_level", "study"]

_WIDEST = 1_500  # columns of z_i
_BLOCK = 20_000_000  # numbers of pair features at a time, for Table 2


def meta_level(
    sources: Sequence[str],
    data: str | Path | None = None,
    *,
    scale: str = "auto",
    block: int | None = None,
    quick: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    say: Callable[[str], None] = lambda sentence: None,
) -> list[Study]:
    """Run the experiment on data sets: all are read before the first is worked on.

    Parameters
    ----------
    sources, data, scale, block
        As in `read_parts`.
    quick : bool
        Tiny grids and one k: a first look.
    random_state : int
        Of splits, folds and rankers.
    n_jobs, verbose : int
    say : callable
        Is told what is done, in a line each.
    """
    loaded = [read_parts(source, data, scale, block, random_state) for source in sources]
    names = [parts.name for parts in loaded]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two data sets are called {twice!r}; run them one after the other.")
    plans = [plan_of(parts, quick) for parts in loaded]
    found = []
    with threadpool_limits(1):  # n_jobs says how many threads; BLAS would bring its own to each
        for parts, plan in zip(loaded, plans, strict=True):
            say(f"{parts.name}: {'; '.join([parts.about(), *parts.notes])}")
            found.append(study(parts, plan, random_state, n_jobs, verbose, say))
    return found


def study(
    parts: Parts,
    plan: Plan,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    say: Callable[[str], None] = lambda sentence: None,
) -> Study:
    """Run the experiment on one data set; all parameters are chosen on the training part."""
    work = _Work(Study(parts, plan), random_state, n_jobs, verbose, say)
    work.neighbours()
    svm = work.conventional()
    work.rankers(svm)
    work.on_meta_level()
    if parts.one_label:
        work.errors()
    return work.study


@dataclass
class _Work:
    """One data set's experiment, step by step."""

    study: Study
    random_state: int
    n_jobs: int | None
    verbose: int
    say: Callable[[str], None]

    def neighbours(self) -> None:
        """Table 2: L2 and L1, k = 50, all instances, all classes."""
        parts = self.study.parts
        m = parts.Y_train.shape[1]
        near = MetaLevel(k=50, distances=("l2", "l1"), centroid=False, n_jobs=self.n_jobs)
        everything = Popularity().fit(parts.X_train, parts.Y_train)
        rows = max(1, _BLOCK // (100 * m))
        start = time.process_time()
        near.fit(parts.X_train, parts.Y_train)
        for X in (parts.X_train, parts.X_test):
            for at in range(0, X.shape[0], rows):
                near.describe(X[at : at + rows], everything.rank(X[at : at + rows]))
        self.study.neighbours = time.process_time() - start

    def conventional(self) -> Tuned:
        """Tables 3 to 5: the methods compared with; gives back the SVM."""
        parts = self.study.parts
        made = conventional(parts, self.study.plan, self.n_jobs)
        found = {}
        for name, (scorer, grid) in made.items():
            found[name] = self._tuned(name, scorer, grid, parts.X_train, parts.X_test)
        return found["BinarySVM"]

    def rankers(self, svm: Tuned) -> None:
        """Tables 3 and 6; of k the others try what was kept for the first."""
        plan = self.study.plan
        ks = plan.ks
        for name in RANKERS:
            found = self._ranked(name, RANKERS[name], ks, None)
            ks = found if ks is plan.ks else ks
        for name in plan.scored:
            self._ranked(name, f"{RANKERS[name]} + SVM", ks, Scored(clone(svm.scorer), name="SVM"))

    def on_meta_level(self) -> None:
        """Figure 2: conventional methods that learn from formula (2), columns at unit variance."""
        parts, plan = self.study.parts, self.study.plan
        m = parts.Y_train.shape[1]
        k = max(1, min(max(plan.ks[0], 10), (_WIDEST // m - 2) // 3))
        transformer = MetaLevelTransformer(k=k, n_jobs=self.n_jobs)
        scaler = StandardScaler()
        Z = scaler.fit_transform(transformer.fit_transform(parts.X_train, parts.Y_train))
        Z_test = scaler.transform(transformer.transform(parts.X_test))
        costs = [1e-2] if plan.quick else [1e-3, 1e-2, 1e-1]
        for name, (scorer, grid) in conventional(parts, plan, self.n_jobs).items():
            if name != "RankSVM":
                linear = [g for g in grid if g.get("kernel") != ["rbf"]]
                linear = [{**g, "C": costs} if "C" in g else g for g in linear]
                self._tuned(name + META, scorer, linear, Z, Z_test)
                self.study.chosen[name + META] += f", meta-level k={k}"

    def errors(self) -> None:
        """Table 7."""
        self.say("  SVM with plain and with meta-level features (Table 7)")
        clock = self._clock("SVM")
        self.study.errors = error_rates(
            self.study.parts, self.study.plan, self.random_state, self.n_jobs, self.verbose
        )
        clock.lap("Table 7")
        self.study.chosen |= {e.method: _words(e.params) for e in self.study.errors}

    def _tuned(self, name: str, scorer: Any, grid: Any, X: Any, X_test: Any) -> Tuned:
        self.say(f"  {name}")
        parts = self.study.parts
        clock = self._clock(name)
        folds = folds_of(parts.Y_train, parts.groups, self.study.plan.folds, self.random_state)
        found = tuned(scorer, grid, X, parts.Y_train, folds, self.verbose)
        clock.lap("tune and train")
        ranking = found.scorer.rank(X_test)
        clock.lap("rank")
        self.study.chosen[name] = _words(found.params)
        plain = name.removesuffix(META)
        cutoffs: dict[str, Cutoff] = {name: default_cutoff(plain)}
        if plain == name:
            cutoffs[f"{name}†"] = LLSF()
        for title, cutoff in cutoffs.items():
            kept = cutoff.fit(found.crossed, parts.Y_train).keep(ranking)
            self.study.evaluations[title] = _judged(ranking, kept, parts.Y_test)
        return found

    def _ranked(
        self, ranker: str, title: str, ks: list[int], features: Features | None
    ) -> list[int]:
        """Fit, judge, and say which k were kept."""
        self.say(f"  {title}")
        parts, plan = self.study.parts, self.study.plan
        clock = self._clock(title)
        model = MetaLabelRanker(
            ranker, k=ks, distances=plan.distances, features=features, grid=plan.alphas[ranker],
            folds=plan.folds, average="auto", random_state=self.random_state, n_jobs=self.n_jobs,
            verbose=self.verbose,
        ).fit(parts.X_train, parts.Y_train)  # fmt: skip
        clock.lap("tune and train")
        ranking = model.rank(parts.X_test)
        clock.lap("rank")
        assert model.cutoff_ is not None
        kept = model.cutoff_.keep(ranking, parts.X_test)
        self.study.evaluations[title] = _judged(ranking, kept, parts.Y_test)
        self.study.chosen[title] = "; ".join(_words(params) for params in model.chosen_)
        return sorted({int(params["k"]) for params in model.chosen_})

    def _clock(self, method: str) -> Clock:
        return Clock(self.study.parts.name, method, self.study.timings)


def _judged(ranking: Ranking, kept: Ranking, Y: Any) -> Evaluation:
    """All eight measures: of the order, and of the decisions."""
    orders, decisions = evaluate(ranking, Y, RANKINGS), evaluate(kept, Y, DECISIONS)
    return Evaluation({**decisions, **orders}, ranking.shape, [*orders.notes, *decisions.notes])


def _words(params: dict[str, Any]) -> str:
    return ", ".join(
        f"{name}={value:.3g}" if isinstance(value, float | np.floating) else f"{name}={value}"
        for name, value in params.items()
    )
