"""LabelTree against omikuji (Parabel and Bonsai): how good, trained and ranked.

omikuji's default is Parabel, three balanced trees; its Bonsai is as its README runs it. Both learn
on one thread from a file read beforehand, and rank row by row with a beam of ten, their weights
made dense where its own command does so. Times are taken by turns with Parabel, and with Bonsai
once. Quality is that of the sets' own test parts, with the defaults of both; nothing is tuned on
them.
"""

from __future__ import annotations

from common import ratio_row, save, take_turns, timing_rows

import os
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import omikuji
from omikuji import ffi, lib

from labelrank import Ranking, evaluate, propensities
from labelrank.data import CATALOG
from labelrank.data.formats.xmc import write_xmc
from labelrank.scorers import LabelTree

SETS = ("bibtex-xmc", "delicious", "citeulike-t-xmc", "debian-deps")
MEASURES = ["P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5"]
SEEDS = range(3)
BEAM = TOP = 10


class Omikuji:
    """omikuji's own functions, without what its Python module does for each row."""

    def __init__(self, file: Path, bonsai: bool) -> None:
        self.pool = omikuji._ThreadPoolHandle(1)
        self.data = lib.load_omikuji_data_set(ffi.new("char[]", str(file).encode()), self.pool.ptr)
        self.given = omikuji.Model.default_hyper_param()
        if bonsai:
            self.given.cluster_balanced, self.given.cluster_k, self.given.max_depth = False, 100, 3
        self.model = ffi.NULL

    def fit(self) -> None:
        if self.model != ffi.NULL:
            lib.free_omikuji_model(self.model)
        with quiet():
            self.model = lib.train_omikuji_model(self.data, self.given, self.pool.ptr)

    def rank(self, queries: list[tuple[Any, Any]]) -> Any:
        labels = np.full((len(queries), TOP), 2**32 - 1, np.uint32)
        scores = np.zeros((len(queries), TOP), np.float32)
        to = ffi.cast("uint32_t *", labels.ctypes.data), ffi.cast("float *", scores.ctypes.data)
        for i, (features, values) in enumerate(queries):
            lib.omikuji_predict(
                *(self.model, BEAM, len(features), features, values),
                *(TOP, to[0] + i * TOP, to[1] + i * TOP, self.pool.ptr),
            )
        return labels


@contextmanager
def quiet() -> Any:
    """Without the line that it writes for every classifier."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def queries_of(X: Any) -> list[tuple[Any, Any]]:
    parts = []
    for begin, end in zip(X.indptr[:-1], X.indptr[1:], strict=True):
        features = ffi.new("uint32_t[]", X.indices[begin:end].tolist())
        parts.append((features, ffi.new("float[]", X.data[begin:end].tolist())))
    return parts


def main() -> None:
    rows: list[dict[str, Any]] = []
    timings: list[dict[str, Any]] = []
    for name in sys.argv[1:] or SETS:
        entry = CATALOG[name]
        if not entry.available():
            sys.exit(f"bench_label_tree needs {name}: set LABELRANK_DATA")
        bench(name, entry.load("train"), entry.load("test"), rows, timings)
        save("label_tree", rows, timings)


def bench(name: str, train: Any, test: Any, rows: list[Any], timings: list[Any]) -> None:
    known = propensities(train.Y)

    def judged(ranking: Ranking) -> list[float]:
        found = evaluate(ranking, test.Y, MEASURES, propensities=known)
        return [100 * found[measure].value for measure in MEASURES]

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "train.txt"
        write_xmc(train, file)
        parabel, bonsai = (Omikuji(file, bonsai) for bonsai in (False, True))
    ours = LabelTree(random_state=0, beam=BEAM)
    seconds = take_turns(
        {"LabelTree": partial(ours.fit, train.X, train.Y), "omikuji Parabel": parabel.fit}
    )
    rows.append(ratio_row(f"{name}, trained", seconds, "LabelTree", "omikuji Parabel", "≥ 1.25"))
    timings += timing_rows(name, seconds, "fit")
    start = time.process_time()
    bonsai.fit()
    timings += timing_rows(name, {"omikuji Bonsai": [time.process_time() - start]}, "fit")
    queries = queries_of(test.X)
    for peer in (parabel, bonsai):
        lib.densify_omikuji_model(peer.model, 0.1, peer.pool.ptr)
    rivals = {"omikuji Parabel": parabel, "omikuji Bonsai": bonsai}
    seconds = take_turns(
        {"LabelTree": partial(ours.rank, test.X, TOP)}
        | {method: partial(peer.rank, queries) for method, peer in rivals.items()}
    )
    for method in rivals:
        rows.append(ratio_row(f"{name}, ranked", seconds, "LabelTree", method, "≥ 1.25"))
    timings += timing_rows(name, seconds, "rank")
    theirs = {}
    for method, peer in rivals.items():
        found = peer.rank(queries)
        lists = [row[row < train.n_labels].tolist() for row in found]
        theirs[method] = judged(Ranking.from_lists(lists, n_labels=train.n_labels))
    models = [ours] + [
        LabelTree(random_state=s, beam=BEAM).fit(train.X, train.Y) for s in SEEDS[1:]
    ]
    values = np.array([judged(model.rank(test.X, TOP)) for model in models])
    for j, measure in enumerate(MEASURES):
        best = max(theirs.values(), key=lambda found, j=j: found[j])[j]
        row = {"dataset": name, "method": "LabelTree", "measure": measure}
        row |= {"asked": f"omikuji's best {best:.2f}", "value": float(values[:, j].mean())}
        rows.append(row | {"low": float(values[:, j].min()), "high": float(values[:, j].max())})
        print(f"{name} {measure}: {row['value']:.2f}, {theirs}")


if __name__ == "__main__":
    main()
