"""Scores of forests for one group of 1,000 candidates and for a single one, against LightGBM's."""

from __future__ import annotations

from common import REPEATS, ratio_row, save, take_turns, timing_rows

import statistics
import time
from functools import partial

import lightgbm
import numpy as np

from labelrank import Ranking
from labelrank.rankers.forest import Forest
from labelrank.rankers.mart import Mart

SHAPES = [(1500, 5), (300, 1000)]
FEATURES, GROUP, SINGLES = 13, 1000, 2000


def trained(trees: int, leaves: int) -> lightgbm.Booster:
    rng = np.random.default_rng(0)
    X = rng.random((20_000, FEATURES)).astype(np.float32)
    y = X @ rng.random(FEATURES) + np.sin(9 * X[:, 0]) * X[:, 1] + rng.random(len(X))
    settings = {"num_leaves": leaves, "min_data_in_leaf": 5, "num_threads": 1, "verbosity": -1}
    return lightgbm.train(settings, lightgbm.Dataset(X, y), trees)


def microseconds(work, data: list) -> float:
    """Of one call: the median over rounds of the mean over calls, each with other data."""
    means = []
    for _ in range(REPEATS + 1):
        start = time.process_time()
        for each in data:
            work(each)
        means.append((time.process_time() - start) / len(data) * 1e6)
    return statistics.median(means[1:])


def main() -> None:
    rng = np.random.default_rng(1)
    group = rng.random((GROUP, FEATURES)).astype(np.float32)
    singles = list(rng.random((SINGLES, 1, FEATURES)).astype(np.float32))
    rows, timings = [], []
    for trees, leaves in SHAPES:
        booster = trained(trees, leaves)
        forest = Forest.of_lightgbm(booster)
        np.testing.assert_allclose(forest.scores(group), booster.predict(group), atol=1e-6)
        for data, what in ((group, f"{GROUP:,} candidates"), (singles, "a candidate at a time")):
            parts = [data] if data is group else data

            def all_of(scores, parts=parts) -> None:
                for part in parts:
                    scores(part)

            theirs = partial(booster.predict, num_threads=1)
            seconds = take_turns(
                {"labelrank": partial(all_of, forest.scores), "LightGBM": partial(all_of, theirs)}
            )
            name = f"{trees:,} trees × {leaves:,} leaves, {what}"
            asked = "≥ 5" if data is group else ""
            rows.append(ratio_row(name, seconds, "labelrank", "LightGBM", asked))
            timings += timing_rows(name, seconds, "score")
    rows += overhead(singles)
    save("forest", rows, timings)


def overhead(singles: list) -> list[dict]:
    """What a group of one costs beside its trees: a forest of a single small one."""
    ranking = Ranking.from_dense(np.zeros((20, 50)))
    F = np.random.default_rng(2).random((1000, FEATURES)).astype(np.float32)
    model = Mart(n_trees=1).fit(ranking, F, F[:, 0].reshape(20, 50))
    one = ranking[:1].top(1)
    figures = {
        "Forest.scores": microseconds(model.forest_.scores, singles),
        "Mart.rerank": microseconds(lambda F: model.rerank(one, F), singles),
    }
    for name, value in figures.items():
        print(f"a group of one, {name}: {value:.1f} µs")
    return [
        {"dataset": "a group of one, one small tree", "method": name, "measure": "µs a call",
         "asked": "≤ 30" if name == "Forest.scores" else "", "value": v, "low": v, "high": v}
        for name, v in figures.items()
    ]  # fmt: skip


if __name__ == "__main__":
    main()
