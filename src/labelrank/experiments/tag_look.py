"""A first look at things with texts and tags: which tags are missing, why, and how good that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from labelrank.data import Dataset, half_of_the_tags, merged_tags
from labelrank.errors import InputError
from labelrank.experiments.clock import Clock
from labelrank.experiments.looks import measured, titled
from labelrank.measures import Comparison, Evaluation, compare, evaluate, propensities
from labelrank.ranking import Ranking
from labelrank.recipes import LATREwTS, OnTexts, TagRecommender
from labelrank.recipes.reasons import Recommendation
from labelrank.report import Report
from labelrank.scorers import NearestNeighbours, Popularity

__all__ = ["TagLook", "tag_look"]

_MEASURES = ("nDCG@5", "P@5", "R@5", "PSP@5")
_LEAST = 20


@dataclass
class TagLook:
    """What `tag_look` found.

    Attributes
    ----------
    train : Dataset
    test : Dataset
        Things with two tags or more, and half of their tags.
    hidden : sparse matrix
        The other half.
    model : TagRecommender
    evaluations : dict of str to Evaluation
    comparison : Comparison
        TagRecommender against the others.
    timings : list of dict
        Seconds and processor seconds of each method's stages.
    """

    train: Dataset
    test: Dataset
    hidden: sp.csr_array
    model: TagRecommender
    evaluations: dict[str, Evaluation]
    comparison: Comparison
    timings: list[dict[str, Any]]

    def example(self, row: int, k: int = 4) -> tuple[str, list[str], list[str], list[Any]]:
        """(title, given tags, tags to be found, [(recommendation, whether it is one of them)])."""
        given, hidden = ([self.test.label_name(c) for c in _row(Y, row)] for Y in
                         (self.test.Y, self.hidden))  # fmt: skip
        texts = {field: values[row] for field, values in self.test.texts.items()}
        found: list[Recommendation] = self.model.recommend(tags=given, k=k, texts=texts)
        return (
            titled(self.test, row),
            given,
            hidden,
            [(each, each.label in hidden) for each in found],
        )

    def examples(self, n: int = 5) -> list[tuple[str, list[str], list[str], list[Any]]]:
        """Some test things, drawn by chance."""
        drawn = np.random.default_rng(0).permutation(len(self.test))[:n]
        return [self.example(int(row)) for row in drawn]

    def rows(self) -> list[dict[str, Any]]:
        """The measures in the form of results.json."""
        return measured(self.test.name, self.evaluations)

    def report(self) -> Report:
        """All of it as a page."""
        page = Report(
            f"labelrank: tags for {self.test.name}",
            f"{len(self.train)} things to learn from, {len(self.test)} to be tested on, "
            f"{self.train.n_labels} tags",
        )
        page.heading("Recommended tags and the reasons")
        page.text(
            "Of each thing half of the tags are given; those in colour are in the other half."
        )
        for title, given, hidden, found in self.examples(8):
            page.text(f"{title}, tagged {', '.join(given) or 'with nothing'}; "
                      f"to be found: {', '.join(hidden)}")  # fmt: skip
            page.lists(["tag", "why"], [[[(r.label, hit)], [(r.why, False)]] for r, hit in found])
        page.heading("How good are they?")
        page.comparison(self.comparison)
        page.text(
            "nDCG@5, precision and recall of the first five. PSP@5 is propensity-scored: rare tags "
            "count for more."
        )
        page.heading("How sure are these figures?")
        bars = {
            method: [(r["measure"], r["value"], r["low"], r["high"]) for r in evaluation.rows()]
            for method, evaluation in self.evaluations.items()
        }
        top = max(high for rows in bars.values() for *_, high in rows) or 1.0
        for method, rows in bars.items():
            page.bars(f"{method}, with 95 % bootstrap intervals", rows, top)
        page.heading("Time")
        cells = [[t["method"], t["stage"], f"{t['seconds']:.3f}", f"{t['cpu_seconds']:.3f}"]
                 for t in self.timings]  # fmt: skip
        page.table(["method", "stage", "seconds", "processor seconds"], cells, left=2)
        return page


def tag_look(data: Dataset, random_state: int = 0, n_jobs: int | None = None) -> TagLook:
    """Train on four fifths of the things and find half of the tags of the others.

    Parameters
    ----------
    data : Dataset
        Things with texts, tags or both.
    random_state : int
        Of the split, the halves and the ranker.
    n_jobs : int, optional
    """
    merged = merged_tags(data)
    several = np.flatnonzero(np.diff(merged.Y.indptr) >= 2)
    if len(several) < _LEAST:
        raise InputError(
            f"{data.name or 'the data'} has {len(several)} things with two tags or more; {_LEAST} "
            "are the least."
        )
    drawn = np.random.default_rng(random_state).permutation(several)[: len(several) // 5]
    held = np.zeros(len(merged), dtype=bool)
    held[drawn] = True
    train, whole = merged[np.flatnonzero(~held)], merged[np.flatnonzero(held)]
    given, hidden = half_of_the_tags(whole.Y, random_state)
    test = Dataset(None, given, label_names=whole.label_names, ids=whole.ids, texts=whole.texts,
                   name=data.name)  # fmt: skip
    timings: list[dict[str, Any]] = []
    model = TagRecommender(random_state=random_state, n_jobs=n_jobs)
    methods: dict[str, Any] = {
        "TagRecommender": model,
        "LATRE+wTS": LATREwTS(random_state=random_state, n_jobs=n_jobs),
        "nearest neighbours": OnTexts(NearestNeighbours(k=20, top=100, n_jobs=n_jobs)),
        "popularity": Popularity(top=100),
    }
    p = propensities(train.Y)
    evaluations = {}
    for name, method in methods.items():
        clock = Clock(data.name, name, timings)
        if isinstance(method, Popularity):
            rows = np.zeros((len(train), 1)), np.zeros((len(test), 1))
            ranking = method.fit(rows[0], train.Y).rank(rows[1])
        else:
            method.fit(train)
            clock.lap("train")
            ranking = method.rank(test, 100)
        clock.lap("rank")
        evaluations[name] = evaluate(_new(ranking, given), hidden, _MEASURES, propensities=p)
    return TagLook(train, test, hidden, model, evaluations, compare(evaluations), timings)


def _new(ranking: Ranking, given: sp.csr_array) -> Ranking:
    """Without the tags that a thing has already."""
    return ranking.filtered(np.asarray(given[ranking.rows, ranking.labels]).ravel() == 0)


def _row(Y: sp.csr_array, row: int) -> list[int]:
    found: list[int] = Y.indices[Y.indptr[row] : Y.indptr[row + 1]].tolist()
    return found
