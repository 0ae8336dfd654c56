"""Training AdaRank and RankBoost: against LightGBM's lambdarank, and as candidates grow."""

from __future__ import annotations

import sys

from common import ratio_row, save, take_turns, timing_rows

import lightgbm as lgb
import numpy as np

from labelrank import Ranking
from labelrank.data import read_qid
from labelrank.data.catalog import data_folder
from labelrank.rankers.ada_rank import AdaRank
from labelrank.rankers.rank_boost import RankBoost

GROUPS = (200, 632, 2000)  # of 1,000 candidates, described by 13 numbers


def lambdarank(F: np.ndarray, grades: np.ndarray, sizes: np.ndarray) -> None:
    data = lgb.Dataset(F, grades.astype(int), group=sizes)
    params = {"objective": "lambdarank", "num_leaves": 31, "learning_rate": 0.1}
    lgb.train({**params, "num_threads": 1, "verbose": -1}, data, 100)


def synthetic(n_groups: int) -> tuple[Ranking, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    F = rng.exponential(size=(n_groups * 1000, 13)).astype(np.float32)
    worth = F[:, :5].sum(axis=1) + 3 * rng.normal(size=len(F))
    Y = np.maximum(np.digitize(worth, [11, 13, 15]), 0).reshape(n_groups, 1000).astype(float)
    labels = np.tile(np.arange(1000), n_groups)
    indptr = np.arange(n_groups + 1) * 1000
    return Ranking(indptr, labels, np.zeros(len(F)), 1000), F, Y


def main() -> None:
    folder = data_folder()
    if folder is None:
        sys.exit("bench_boosting needs LETOR MQ2008 (l2r/mq2008): set LABELRANK_DATA")
    files = [folder / "l2r" / "mq2008" / f"S{i}.txt.gz" for i in (1, 2, 3)]
    parts = [read_qid(file, n_features=46) for file in files]
    F = np.concatenate([part.F for part in parts])
    grades = np.concatenate([part.grades for part in parts])
    sizes = np.concatenate([np.diff(part.indptr) for part in parts])
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    places = np.arange(len(F)) - np.repeat(indptr[:-1], sizes)
    ranking = Ranking(indptr, places, np.zeros(len(F)), int(sizes.max()))
    Y = np.zeros(ranking.shape)
    Y[ranking.rows, ranking.labels] = grades
    seconds = take_turns(
        {
            "LightGBM lambdarank": lambda: lambdarank(F, grades, sizes),
            "AdaRank": lambda: AdaRank().fit(ranking, F, Y),
            "RankBoost": lambda: RankBoost().fit(ranking, F, Y),
        }
    )
    data = "training on MQ2008 fold 1"
    rows = [
        ratio_row(data, seconds, "AdaRank", "LightGBM lambdarank", "≥ 0.67"),
        ratio_row(data, seconds, "RankBoost", "LightGBM lambdarank", "≥ 0.5"),
    ]
    timings = timing_rows(data, seconds, "fit")
    sets = {n: synthetic(n) for n in GROUPS}
    for name, model in (("AdaRank", AdaRank(rounds=30)), ("RankBoost", RankBoost(rounds=30))):
        seconds = take_turns({str(n): lambda n=n, model=model: model.fit(*sets[n]) for n in GROUPS})
        for n in GROUPS:
            own = {name: seconds[str(n)]}
            timings += timing_rows(f"{n} × 1,000 candidates × 13", own, "fit")
        # time at most n log n: the growth of time over that of n log n
        few, many = GROUPS[0] * 1000, GROUPS[-1] * 1000
        growth = many * np.log(many) / (few * np.log(few))
        by_growth = {"time": [s * growth for s in seconds[str(GROUPS[0])]]}
        by_growth["n log n"] = seconds[str(GROUPS[-1])]
        row = ratio_row(f"{name}: 0.2 to 2 million candidates", by_growth, "n log n", "time", "≥ 1")
        rows.append(row)
    save("boosting", rows, timings)


if __name__ == "__main__":
    main()
