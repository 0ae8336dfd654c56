"""Meta-level neighbours (paper's Table 2) against scikit-learn's by class and metric.

For all instances and all classes the 50 nearest training rows by L2 and by L1. scikit-learn gets
float64, which it is faster with on dense rows. On Reuters-21578 it is too slow for all rows: there
both take the first 200 test rows. Memory is the peak of a process that describes all rows of
Reuters-21578, 1,024 at a time.
"""

from __future__ import annotations

from common import ratio_row, save, take_turns, timing_rows

import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import NearestNeighbors

from labelrank import Ranking
from labelrank.data import CATALOG
from labelrank.features import MetaLevel

K = 50
SETS = ("emotions", "scene", "citeseer17")


def every_pair(Y: Any) -> Ranking:
    return Ranking.from_dense(np.zeros(Y.shape, dtype=np.float32))


def ltc(name: str) -> tuple[Any, Any, Any, Any]:
    """Weights log(1 + tf) idf, rows of length one: the paper's text of Reuters-21578."""
    train, test = (CATALOG[name].load(part) for part in ("train", "test"))
    words = TfidfVectorizer(sublinear_tf=True, dtype=np.float32)
    texts = [
        [" ".join(text) for text in zip(*d.texts.values(), strict=True)] for d in (train, test)
    ]
    return words.fit_transform(texts[0]), train.Y, words.transform(texts[1]), test.Y


def by_class(X: Any, Y: Any, queries: Any) -> list[Any]:
    """scikit-learn's way: as many searches as there are classes and metrics."""
    members = sp.csc_array(Y)
    found = []
    for metric in ("euclidean", "manhattan"):
        for c in range(Y.shape[1]):
            rows = members.indices[members.indptr[c] : members.indptr[c + 1]]
            if not len(rows):
                found.append(np.empty((queries.shape[0], 0)))
                continue
            near = NearestNeighbors(n_neighbors=min(K, len(rows)), algorithm="brute", metric=metric)
            found.append(near.fit(X[rows]).kneighbors(queries)[0])
    return found


def agree(F: Any, found: list[Any], n_labels: int) -> None:
    """Our numbers are those of scikit-learn."""
    F = F.reshape(-1, n_labels, 2, K)
    for at, distances in enumerate(found):
        n = distances.shape[1]
        ours = F[:, at % n_labels, at // n_labels, :n]
        np.testing.assert_allclose(ours, distances, rtol=1e-4, atol=2e-4)


def compare(name: str) -> tuple[list[Any], list[Any]]:
    train, test = (CATALOG[name].load(part) for part in ("train", "test"))
    both = (sp.vstack if sp.issparse(train.X) else np.vstack)([train.X, test.X])
    wide = both.astype(np.float64)
    X64 = wide[: train.X.shape[0]]
    pairs, new = every_pair(train.Y), every_pair(test.Y)

    def ours() -> Any:
        features = MetaLevel(k=K, distances=("l2", "l1"), centroid=False).fit(train.X, train.Y)
        return features.describe_training(pairs), features.describe(test.X, new)

    agree(ours()[1], by_class(X64, train.Y, wide[train.X.shape[0] :]), train.Y.shape[1])
    seconds = take_turns({"labelrank": ours, "scikit-learn": lambda: by_class(X64, train.Y, wide)})
    what = f"50 L2 and L1 neighbours in each class, all rows of {name}"
    return (
        [ratio_row(what, seconds, "labelrank", "scikit-learn", "≥ 20")],
        timing_rows(what, seconds, "features"),
    )


def compare_reuters(n: int = 200) -> tuple[list[Any], list[Any]]:
    X, Y, queries, _ = ltc("reuters21578")
    queries, wide = queries[:n], X.astype(np.float64)
    features = MetaLevel(k=K, distances=("l2", "l1"), centroid=False).fit(X, Y)
    pairs = every_pair(np.zeros((n, Y.shape[1])))
    agree(features.describe(queries, pairs), by_class(wide, Y, queries.astype(float)), Y.shape[1])
    seconds = take_turns(
        {
            "labelrank": lambda: features.describe(queries, pairs),
            "scikit-learn": lambda: by_class(wide, Y, queries.astype(np.float64)),
        }
    )
    what = f"50 L2 and L1 neighbours in each class, {n} rows of reuters21578"
    return (
        [ratio_row(what, seconds, "labelrank", "scikit-learn", "≥ 20")],
        timing_rows(what, seconds, "features"),
    )


def reuters_in_blocks() -> None:
    """All of Table 2's work for Reuters-21578, and how much memory the process had at most."""
    X, Y, queries, _ = ltc("reuters21578")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    features = MetaLevel(k=K, distances=("l2", "l1"), centroid=False).fit(X, Y)
    everything = every_pair(Y)
    for at in range(0, Y.shape[0], 1024):
        part = (everything.rows >= at) & (everything.rows < at + 1024)
        features.describe_training(everything.filtered(part))
    for at in range(0, queries.shape[0], 1024):
        block = queries[at : at + 1024]
        features.describe(block, every_pair(np.zeros((block.shape[0], Y.shape[1]))))
    print(before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def memory() -> list[Any]:
    command = [sys.executable, str(Path(__file__)), "memory"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    before, peak = map(float, done.stdout.split())
    print(f"reuters21578: peak of {peak:.0f} MB, {before:.0f} MB of it before features were fitted")
    name = "Table 2's work for reuters21578, k = 50, by blocks of 1,024 rows"
    row = {"dataset": name, "method": "labelrank", "measure": "peak memory (MB)", "asked": "< 300"}
    return [{**row, "value": peak, "low": peak, "high": peak}]


def main() -> None:
    if not all(CATALOG[name].available() for name in (*SETS, "reuters21578")):
        sys.exit("bench_meta_level needs emotions, scene, citeseer17, reuters: set LABELRANK_DATA")
    rows, timings = memory(), []
    for done in (*map(compare, SETS), compare_reuters()):
        rows += done[0]
        timings += done[1]
    save("meta_level", rows, timings)


if __name__ == "__main__":
    reuters_in_blocks() if sys.argv[1:] == ["memory"] else main()
