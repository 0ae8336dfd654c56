"""Table VII: what a recommendation costs, stage by stage, one thing at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from labelrank.data import Rows
from labelrank.data.relevance import Found, relevance
from labelrank.experiments.tags_data import Fold
from labelrank.experiments.tags_methods import CANDIDATES, Method
from labelrank.features.tag_groups import tag_features
from labelrank.rankers import Ranker
from labelrank.ranking import Ranking
from labelrank.recipes import TagRecommender
from labelrank.scorers.things import ranked

__all__ = ["STAGES", "Stages", "stages"]

STAGES = ("lazy rule generation", "metric computation", "model application", "candidate sorting")
_THINGS = 200  # measured, at most


@dataclass
class Stages:
    """Milliseconds of processor time for one thing, by method and stage, and in all.

    Attributes
    ----------
    milliseconds : dict of str to dict of str to float
    candidates : float
        How many a ranker orders, on average.
    things : int
        How many were measured.
    """

    milliseconds: dict[str, dict[str, float]]
    candidates: float
    things: int

    def rows(self) -> list[dict[str, Any]]:
        """In the form of results.json."""
        return [
            {"method": method, "measure": f"ms: {stage}", "value": value}
            for method, found in self.milliseconds.items()
            for stage, value in found.items()
        ]


def stages(
    fold: Fold, alpha: float, learned: Mapping[str, tuple[Method, Ranker]], most: int = _THINGS
) -> Stages:
    """Measure things of the test portion, one after another, on one thread, nothing kept between.

    Rules and metrics come from one pass over the postings: what it takes without rules is counted
    as the computation of metrics, and the rest as the generation of rules.
    """
    rows = fold.judged[0]
    single = [rows.part(slice(i, i + 1)) for i in range(min(rows.n, most))]
    things, n_tags = fold.things, fold.things.n_tags
    whole = _each(lambda row: relevance(things, row), single)[0]
    metrics = _each(lambda row: relevance(things, row, rules=False), single)[0]
    rules = max(whole - metrics, 0.0)
    found = [relevance(things, row) for row in single]
    blended, scores = _each(lambda each: each.blend(alpha), found)
    listed = list(zip(found, scores, strict=True))
    sorting = _each(lambda pair: ranked(pair[0], pair[1], n_tags, 5), listed)[0]
    table = {"LATRE+wTS": dict(zip(STAGES, (rules, metrics, blended, sorting), strict=True))}
    described: dict[tuple[str, ...], tuple[float, list[Any]]] = {}
    lengths = 0.0
    for name, (method, ranker) in learned.items():
        groups = method.features
        if groups not in described:
            recommender = TagRecommender(features=groups, candidates=CANDIDATES).on(things)
            near = sum(_beyond(fold, single, name) for name in groups if name != "relevance")
            described[groups] = metrics + near, [recommender.describe(row) for row in single]
        computed, pairs = described[groups]
        lengths = lengths or sum(ranking.n_entries for ranking, _ in pairs) / len(pairs)
        applied, scores = _each(partial(_scores, ranker), pairs)
        orders = [(ranking, s) for (ranking, _), s in zip(pairs, scores, strict=True)]
        sorting = _each(_sorted, orders)[0]
        table[name] = dict(zip(STAGES, (rules, computed, applied, sorting), strict=True))
    for each in table.values():
        each["in all"] = sum(each.values())
    return Stages(table, lengths, len(single))


def _beyond(fold: Fold, single: list[Rows], group: str) -> float:
    """What further features take: their candidates, and their columns."""
    things = fold.things

    def describe(row: Rows) -> None:
        features = tag_features([group])[0].on(things)
        more = features.candidates(row)
        found: Found = relevance(things, row, rules=False, most=CANDIDATES, more=more)
        entries = found.indptr, found.tags, found.column("IFF")
        features.describe(row, Ranking.from_entries(*entries, things.n_tags))

    plain = _each(lambda row: relevance(things, row, rules=False, most=CANDIDATES), single)[0]
    return max(_each(describe, single)[0] - plain, 0.0)


def _scores(ranker: Ranker, pair: tuple[Ranking, Any]) -> Any:
    return ranker.scores(*pair)


def _sorted(pair: tuple[Ranking, Any]) -> Ranking:
    ranking, scores = pair
    return Ranking.from_entries(ranking.indptr, ranking.labels, scores, ranking.n_labels, 5)


def _each(work: Callable[[Any], Any], inputs: list[Any]) -> tuple[float, list[Any]]:
    """(milliseconds of processor time an input, results); one round to warm up."""
    work(inputs[0])
    start = time.process_time()
    found = [work(each) for each in inputs]
    return 1e3 * (time.process_time() - start) / len(inputs), found
