"""HybridRanker beside its stages on extreme-classification data: accuracy, training, prediction.

``python benchmarks/bench_hybrid.py [data set …]``
"""

from __future__ import annotations

from common import save

import sys
import time

import numpy as np

from labelrank import HybridRanker, evaluate, propensities
from labelrank.data import CATALOG

MEASURES = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5")
SETS = ("bibtex-xmc", "delicious", "citeulike-t-xmc")
ONE_BY_ONE = 300


def judged(name, method, ranking, test, p):
    """Rows of results.json for one ranking of the test part."""
    values = evaluate(ranking, test.Y, MEASURES, propensities=p)
    shown = {m: 100 * values[m].value for m in MEASURES}
    print(f"{name} {method:24}", " ".join(f"{v:.2f}" for v in shown.values()), flush=True)
    return [{"dataset": name, "method": method, "measure": m, "value": v} for m, v in shown.items()]


def median_wait(model, X):
    """Processor seconds for one row at a time."""
    waits = []
    for i in range(min(ONE_BY_ONE, X.shape[0])):
        start = time.process_time()
        model.rank(X[i : i + 1], k=5)
        waits.append(time.process_time() - start)
    return float(np.median(waits))


def measured(name):
    train, test = (CATALOG[name].load(part) for part in ("train", "test"))
    p, rows, timings = propensities(train.Y), [], []
    for dial in (0.0, 0.5, 1.0):
        start = time.process_time()
        model = HybridRanker(dial=dial).fit(train.X, train.Y)
        spent = time.process_time() - start
        if dial == 0:
            listed = model.scorer_.rank_stages(test.X)
            for stage, ranking in zip(model.scorer_.stages, listed, strict=True):
                rows += judged(name, stage, ranking, test, p)
        method = f"HybridRanker, dial {dial:g}"
        rows += judged(name, method, model.rank(test.X), test, p)
        wait = median_wait(model, test.X)
        print(f"  training {spent:.1f} s, one row {1000 * wait:.2f} ms", flush=True)
        for stage, seconds in (("training", spent), ("one row, median", wait)):
            timings.append(
                {"dataset": name, "method": method, "stage": stage, "cpu_seconds": seconds}
            )
    return rows, timings


if __name__ == "__main__":
    found = [measured(name) for name in sys.argv[1:] or SETS]
    save("hybrid", [row for rows, _ in found for row in rows], [t for _, ts in found for t in ts])
