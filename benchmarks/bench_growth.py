"""How training, prediction and memory grow with the data: 10,000 to 300,000 rows, as many labels.

Synthetic data whose labels follow a power law (`labelrank.data.SyntheticExtreme`). Every size and
method has a process of its own; times are of one thread, prediction is in blocks of 1,024 rows,
median of five. Exponents are slopes on logarithmic axes, and where prediction should grow like
log L, milliseconds are also fitted to a + b log L. Memory is the peak while `fit` runs, data
included, over the bytes of the data (CSR, float32).
"""

from __future__ import annotations

from common import HERE, save

import ctypes
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from labelrank.data import SyntheticExtreme
from labelrank.report import Report
from labelrank.recipes import PfastreXML
from labelrank.scorers import FastXML, LabelTree

SIZES = (10_000, 30_000, 100_000, 300_000)
N_TEST = 4_096
TREES = 5  # cost is proportional to their number
METHODS = {
    "FastXML": lambda: FastXML(n_trees=TREES, random_state=0),
    "PfastreXML": lambda: PfastreXML(n_trees=TREES, random_state=0),
    "LabelTree": lambda: LabelTree(n_trees=1, random_state=0),
}


def memory(field: str) -> int:
    """A figure of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise SystemExit("bench_growth reads /proc/self/status, which is Linux's")


def one(method: str, n: int) -> dict[str, float]:
    """One method on one size; in a process of its own."""
    before = memory("VmRSS")
    data = SyntheticExtreme(n + N_TEST, n_labels=n, n_features=n).dataset()
    X, Y, test = data.X[:n], data.Y[:n], data.X[n:]
    del data
    ctypes.CDLL("libc.so.6").malloc_trim(0)  # what making the data took is given back
    parts = [part for A in (X, Y) for part in (A.data, A.indices, A.indptr)]
    size = sum(part.nbytes for part in parts)
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
    scorer = METHODS[method]()
    start = time.process_time()
    scorer.fit(X, Y)
    train = time.process_time() - start
    peak = memory("VmHWM") - before
    seconds = []
    for _ in range(6):
        start = time.process_time()
        scorer.rank(test, 5)
        seconds.append(time.process_time() - start)
    return {
        "train": train,
        "predict": 1e3 * statistics.median(seconds[1:]) / N_TEST,
        "peak": peak / size,
        "peak_mb": peak / 1e6,
    }


def slope(x: Any, y: Any) -> float:
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def row(sizes: Any, method: str, measure: str, value: float, asked: str = "") -> dict[str, Any]:
    name = f"synthetic, {sizes[0]:,} to {sizes[-1]:,} rows and labels"
    found: dict[str, Any] = {"dataset": name, "method": method}
    found |= {"measure": measure, "value": value} | ({"asked": asked} if asked else {})
    print(f"{method}: {measure} = {value:.3g}")
    return found


def main(sizes: tuple[int, ...]) -> None:
    found: dict[str, list[dict[str, float]]] = {name: [] for name in METHODS}
    rows, timings = [], []
    for n in sizes:
        for name in METHODS:
            command = [sys.executable, __file__, "one", name, str(n)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            result = json.loads(done.stdout)
            found[name].append(result)
            print(name, n, {k: round(v, 4) for k, v in result.items()}, flush=True)
            facts = {"dataset": f"synthetic, {n} rows and labels", "method": name}
            timings += [
                facts | {"stage": "train", "cpu_seconds": result["train"],
                         "peak_mb": result["peak_mb"]},
                facts | {"stage": "rank, ms a row", "cpu_seconds": result["predict"] / 1e3},
            ]  # fmt: skip
    for name, results in found.items():
        train, predict = ([r[key] for r in results] for key in ("train", "predict"))
        rows.append(row(sizes, name, "exponent of training time", slope(sizes, train)))
        rows.append(row(sizes, name, "exponent of prediction time", slope(sizes, predict)))
        b, a = np.polyfit(np.log(sizes), predict, 1)
        rest = predict - (a + b * np.log(sizes))
        spread = np.sum((predict - np.mean(predict)) ** 2)
        rows.append(
            row(sizes, name, "R² of prediction ms = a + b log L", 1 - np.sum(rest**2) / spread)
        )
        rows.append(row(sizes, name, "prediction ms more for ten times the labels", b * np.log(10)))
        rows.append(row(sizes, name, "peak memory / data", max(r["peak"] for r in results), "≤ 3"))
    page = Report("labelrank: growth", "extreme data with a power law of labels, one thread")
    for key, what, log in (
        ("train", "training, processor seconds", True),
        ("predict", "prediction, milliseconds a row", "x"),
        ("peak_mb", "peak memory in training, MB", True),
    ):
        lines = {m: [(n, r[key]) for n, r in zip(sizes, rs, strict=True)]
                 for m, rs in found.items()}  # fmt: skip
        page.heading(what)
        page.curves(f"{TREES} trees of each forest, one label tree", lines, "rows", what, log)
    save("growth", rows, timings)
    page.write(HERE / "results" / "growth.html")


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        print(json.dumps(one(sys.argv[2], int(sys.argv[3]))))
    else:
        main(tuple(map(int, sys.argv[1:])) or SIZES)
