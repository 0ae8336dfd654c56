"""Tag recommendation: latency, loading, throughput, training and how its cost grows.

Processor time throughout, because the machine is shared: one thread, so that it is what one waits
for on a quiet machine. `python bench_tags.py latency` runs one part.
"""

from __future__ import annotations

from common import save

import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from labelrank.data import Dataset, Things, half_of_the_tags, load, merged_tags
from labelrank.rankers import LambdaMart
from labelrank.recipes import TagRecommender
from labelrank.store import load_model

SETS = ("citeulike-t", "movielens10m")
LARGE = 150_000
REQUESTS = 1000
CURVE = (6_000, 12_500, 25_000, 50_000, 100_000, 150_000)
Row = dict[str, Any]


def row(dataset: str, what: str, value: float, asked: str = "", **more: float) -> Row:
    print(f"{dataset}: {what} = {value:.3g}  {asked}", flush=True)
    limits = {"low": more.get("low", value), "high": more.get("high", value), "asked": asked}
    return {
        "dataset": dataset,
        "method": "TagRecommender",
        "measure": what,
        "value": value,
    } | limits


def tagged(name: str) -> Dataset:
    data = merged_tags(load(name))
    return data[np.flatnonzero(np.diff(data.Y.indptr) >= 2)]


def resampled(data: Dataset, n: int) -> Dataset:
    """n things drawn with replacement: posting lists grow as the number of things does."""
    nameless = Dataset(None, data.Y, label_names=data.label_names, texts=data.texts, name=data.name)
    rng = np.random.default_rng(0)
    return nameless[rng.permutation(len(data))[:n] if n <= len(data) else
                    rng.integers(len(data), size=n)]  # fmt: skip


def parts(data: Dataset) -> tuple[Dataset, list[tuple[dict[str, str], list[str]]]]:
    """Four fifths to learn from; texts and half of the tags of the others."""
    order = np.random.default_rng(0).permutation(len(data))
    at = len(data) // 5
    rest = data[np.sort(order[:at])]
    given = half_of_the_tags(rest.Y, 0)[0]
    asked = []
    for i in range(min(len(rest), REQUESTS)):
        tags = [rest.label_names[c] for c in given.indices[given.indptr[i] : given.indptr[i + 1]]]
        asked.append(({field: values[i] for field, values in rest.texts.items()}, tags))
    return data[np.sort(order[at:])], asked


def trained(data: Dataset) -> TagRecommender:
    """1,500 trees of 5 leaves; on few held-out things, which does not change how large it is."""
    share = min(0.25, 1200 / len(data))
    return TagRecommender(LambdaMart(random_state=0), holdout=share, random_state=0).fit(data)


def requests(model: TagRecommender, asked: list[Any], reasons: bool) -> np.ndarray:
    """Milliseconds of each request, one after another."""

    def answer(texts: dict[str, str], tags: list[str]) -> Any:
        if reasons:
            return model.recommend(tags=tags, texts=texts)
        return model.rank(model.things_.row(texts, tags), 5)

    for each in asked[:20]:
        answer(*each)
    found = []
    for each in asked:
        start = time.thread_time()
        answer(*each)
        found.append(1e3 * (time.thread_time() - start))
    return np.array(found)


def answered(
    name: str, model: TagRecommender, asked: list[Any], wanted: tuple[str, str]
) -> list[Row]:
    """Latency of the model as it comes from its folder, and loading it."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model")
        seconds = []
        for _ in range(5):
            start = time.process_time()
            loaded = load_model(Path(folder) / "model")
            seconds.append(time.process_time() - start)
        rows.append(row(name, "loading, s", float(np.median(seconds)), "≤ 0.5", low=min(seconds),
                        high=max(seconds)))  # fmt: skip
        start = time.process_time()
        loaded.rank(loaded.things_.row(*asked[0]), 5)
        rows.append(row(name, "first request, s", time.process_time() - start))
        for reasons in (False, True):
            what = "request with reasons" if reasons else "request"
            runs = np.array([requests(loaded, asked, reasons) for _ in range(3)])
            middle, slow = np.median(runs, axis=1), np.percentile(runs, 99, axis=1)
            told = wanted if not reasons else ("", "")
            kinds = (middle, "median", told[0]), (slow, "99th percentile", told[1])
            for values, kind, limit in kinds:
                rows.append(row(name, f"{what}, {kind}, ms", float(np.median(values)), limit,
                                low=float(values.min()), high=float(values.max())))  # fmt: skip
    return rows


def latency() -> list[Row]:
    rows = []
    for name in SETS:
        train, asked = parts(tagged(name))
        model = trained(train)
        rows += answered(f"{name}, {len(train):,} things", model, asked, ("≤ 1", "≤ 8"))
        if name == SETS[0]:
            model.on(Things.of(resampled(train, LARGE)))
            rows += answered(f"{name}, {LARGE:,} things", model, asked, ("≤ 2", "≤ 15"))
    return rows


def throughput() -> list[Row]:
    rows = []
    for name in SETS:
        train, _ = parts(tagged(name))
        model = trained(train).set_params(n_jobs=2)
        batch = train[: min(len(train), 5000)]
        for _ in range(2):
            start = time.process_time(), time.perf_counter()
            model.rank(batch, 5)
            spent = time.process_time() - start[0], time.perf_counter() - start[1]
        what = f"{name}, {len(train):,} things, n_jobs=2"
        rate = 2 * len(batch) / spent[0]
        rows.append(row(what, "things in 2 processor seconds", rate, "≥ 2,000"))
        rows.append(row(what, "things a second, machine shared", len(batch) / spent[1]))
    return rows


def training() -> list[Row]:
    """In a process of its own, for the memory."""
    data = resampled(tagged(SETS[0]), 25_000)
    before = time.process_time(), time.perf_counter()
    TagRecommender(random_state=0, n_jobs=2).fit(data)
    spent = time.process_time() - before[0]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    name = f"{SETS[0]}, 25,000 things"
    return [
        row(name, "training, processor seconds", spent, "< 180 on 2 cores"),
        row(name, "training, wall seconds, machine shared", time.perf_counter() - before[1]),
        row(name, "peak of memory, GB", peak, "< 2"),
    ]


def curve() -> list[Row]:
    """Processor seconds of training and the exponent of a power law through them."""
    whole, rows, seconds = tagged(SETS[0]), [], []
    for n in CURVE:
        data = resampled(whole, n)
        start = time.process_time()
        TagRecommender(LambdaMart(100, random_state=0), random_state=0).fit(data)
        seconds.append(time.process_time() - start)
        name = f"{SETS[0]}, {n:,} things"
        rows.append(row(name, "training, 100 trees, processor s", seconds[-1]))
    slope = float(np.polyfit(np.log(CURVE), np.log(seconds), 1)[0])
    most = float(np.polyfit(np.log(CURVE), np.log(np.array(CURVE) * np.log(CURVE)), 1)[0])
    rows.append(row(SETS[0], "exponent of the cost of training", slope, f"≤ {most:.2f} (n log n)"))
    return rows


PARTS = {"latency": latency, "throughput": throughput, "training": training, "curve": curve}


def main() -> None:
    chosen = sys.argv[1:] or list(PARTS)
    file = Path(__file__).parent / "results" / "tags.json"
    known = json.loads(file.read_text())["rows"] if file.exists() and sys.argv[1:] else []
    rows = [r for r in known if r.get("part") not in chosen]
    for name in chosen:
        rows += [{**found, "part": name} for found in PARTS[name]()]
    save("tags", rows, [])


if __name__ == "__main__":
    main()
