"""Training time of every ranker: as a ratio to LightGBM's on MQ2008, and as it grows with data."""

from __future__ import annotations

from common import HERE, ratio_row, save, take_turns, timing_rows
from letor import folds

import time

import lightgbm
import numpy as np

from labelrank import Ranking
from labelrank.rankers import RANKERS, Ranker, ranker
from labelrank.report import Report
from labelrank.report.curves import curves as drawing

ASKED = {
    "listnet": 1.5, "adarank": 1.5, "ranksvm": 1.5, "rankboost": 2, "lambdarank": 5, "svmmap": 15,
    "randomforest": 12, "geneticprogram": 100,
}  # fmt: skip
SIZES = {
    "randomforest": {"n_trees": 300},
    "geneticprogram": {"population": 200, "generations": 200},
}
LIGHTGBM = {"objective": "lambdarank", "num_leaves": 31, "learning_rate": 0.1, "num_threads": 1}
GROUPS = (200, 400, 800, 1400, 2000)  # of 1,000 candidates with 13 features


def made(name: str, **params: object):
    """A ranker with the sizes that are asked for."""
    found = ranker(name, **{**SIZES.get(name, {}), **params})
    known = found.get_params()
    alone = {"random_state": 0, "n_jobs": 1}
    return found.set_params(**{k: v for k, v in alone.items() if k in known})


def on_letor(rows: list, timings: list) -> None:
    train, _, _ = folds()[0]
    ranking, Y = train.candidates, train.Y

    def lambdamart() -> None:
        data = lightgbm.Dataset(train.F, train.grades, group=np.diff(train.indptr))
        lightgbm.train({**LIGHTGBM, "verbosity": -1}, data, 100)

    for name in RANKERS:
        if name == "linearmix":
            continue
        title = type(ranker(name)).__name__
        seconds = take_turns(
            {title: lambda name=name: made(name).fit(ranking, train.F, Y), "LightGBM": lambdamart}
        )
        asked = f"≤ {ASKED[name]}" if name in ASKED else ""
        rows.append(ratio_row("training on MQ2008, fold 1", seconds, "LightGBM", title, asked))
        timings += timing_rows("MQ2008 fold 1", seconds, "train")


def synthetic(groups: int) -> tuple[Ranking, np.ndarray, np.ndarray]:
    """Groups of 1,000 candidates, about 10 of them relevant, as tag recommendation has them."""
    rng = np.random.default_rng(0)
    F = rng.normal(size=(groups * 1000, 13)).astype(np.float32)
    worth = F[:, :4].sum(axis=1) + np.abs(F[:, 4]) + 2 * rng.normal(size=len(F)).astype(np.float32)
    Y = (worth.reshape(groups, 1000) > 7.2).astype(np.float32)
    return Ranking.from_dense(np.zeros((groups, 1000), dtype=np.float32)), F, Y


def growth(rows: list, timings: list) -> None:
    """Processor seconds over pairs, and the exponent of n log n that fits them."""
    curves: dict[str, list[tuple[float, float]]] = {}
    small = {  # fewer rounds, which changes the cost of each size alike
        "adarank": {"rounds": 20}, "rankboost": {"rounds": 30}, "lambdarank": {"rounds": 5},
        "mart": {"n_trees": 20}, "lambdamart": {"n_trees": 20}, "randomforest": {"n_trees": 10},
        "geneticprogram": {"generations": 1},  # later ones depend on what was found
    }  # fmt: skip
    for groups in GROUPS:
        ranking, F, Y = synthetic(groups)
        for name in RANKERS:
            if name == "linearmix":
                continue
            model = made(name, **small.get(name, {}))
            seconds = min(_seconds(model, ranking, F, Y) for _ in range(3))
            title = type(model).__name__
            curves.setdefault(title, []).append((float(len(F)), seconds))
            timings.append(
                {"dataset": f"{len(F)} pairs", "method": title, "stage": "train"}
                | {"cpu_seconds": seconds}
            )
            print(title, len(F), f"{seconds:.2f}", flush=True)
    for title, line in curves.items():
        (n, first), (m, last) = line[0], line[-1]
        # how much faster than n log n the time grew; 1 is just as fast
        value = last / first / (m * np.log(m) / (n * np.log(n)))
        rows.append(
            {"dataset": "growth from 0.2 to 2 million pairs", "method": title}
            | {"measure": f"{title}: time over n log n", "asked": "≤ 1"}
            | {"value": value, "low": value, "high": value}
        )
    page = Report("labelrank: training time of rankers", "2,000 groups of 1,000 candidates at most")
    page.curves("Processor seconds of training over candidates", curves, "candidates", "seconds")
    page.write(HERE / "results" / "rankers.html")
    drawn = drawing(curves, "candidates", "processor seconds")
    (HERE.parent / "docs" / "training-time.svg").write_text(drawn)


def _seconds(model: Ranker, *problem: object) -> float:
    start = time.process_time()
    model.fit(*problem)
    return time.process_time() - start


def main() -> None:
    rows: list = []
    timings: list = []
    on_letor(rows, timings)
    growth(rows, timings)
    save("rankers", rows, timings)


if __name__ == "__main__":
    main()
