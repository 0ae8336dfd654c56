"""How well every ranker ranks LETOR MQ2008, its parameters chosen on the validation part only."""

from __future__ import annotations

import common  # sets one thread before numpy is imported
from letor import folds

import numpy as np

from labelrank import measure
from labelrank.rankers import RANKERS, ranker, tune

MEASURES = {
    "nDCG@10": measure("nDCG(empty=zero)@10"),
    "nDCG@10, gain 2^grade - 1": measure("nDCG(empty=zero,gain=exp)@10"),
    "MAP": measure("MAP(empty=zero)"),
}
ASKED = {
    "listnet": 0.500, "lambdarank": 0.500, "ranksvm": 0.5018, "svmmap": 0.500, "adarank": 0.500,
    "rankboost": 0.5003, "randomforest": 0.5011, "mart": 0.5036, "lambdamart": 0.5062,
}  # fmt: skip
SEEDED = ("random_state",)


def main() -> None:
    rows, parts = [], folds()
    for name in RANKERS:
        if name == "linearmix":
            continue
        values: dict[str, list[np.ndarray]] = {m: [] for m in MEASURES}
        for train, valid, test in parts:
            start = ranker(name)
            known = start.get_params()
            start.set_params(**{p: 0 for p in SEEDED if p in known})
            found = tune(
                *(start, train.candidates, train.F, train.Y),
                validation=(valid.candidates, valid.F, valid.Y),
                measure=MEASURES["nDCG@10"],
            )
            ranking = found.ranker.rerank(test.candidates, test.F)
            for title, judge in MEASURES.items():
                values[title].append(judge(ranking, test.Y).values)
            print(name, found.best_params, flush=True)
        for title, folds_ in values.items():
            means = [float(v.mean()) for v in folds_]
            row = {"dataset": "MQ2008", "method": type(start).__name__, "measure": title}
            if title == "nDCG@10" and name in ASKED:
                row["asked"] = f"≥ {ASKED[name]:.4f}"
            row |= {"value": float(np.mean(means)), "low": min(means), "high": max(means)}
            rows.append(row)
            print(f"{row['method']}: {title} {row['value']:.4f}", flush=True)
    common.save("letor", rows, [])


if __name__ == "__main__":
    main()
