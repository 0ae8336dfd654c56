"""OneVsAll against napkinXC's binary relevance (LIBLINEAR), trained and ranked, and how good.

The default of both is the log loss with C = 10: the same objective. Its weights are
dropped at 0.1 as ours are. Quality is that of the sets' own test parts; nothing is tuned on them.
"""

from __future__ import annotations

from common import ratio_row, save, take_turns, timing_rows

import sys
import tempfile
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from napkinxc.models import BR

from labelrank import Ranking, evaluate, propensities
from labelrank.data import CATALOG
from labelrank.scorers import OneVsAll

SETS = ("bibtex-xmc", "delicious")
MEASURES = ["P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5"]
OURS = {
    "OneVsAll": {},
    "OneVsAll(squared_hinge)": {"loss": "squared_hinge"},
}
SEEDS = range(5)


def main() -> None:
    rows: list[dict[str, Any]] = []
    timings: list[dict[str, Any]] = []
    for name in SETS:
        entry = CATALOG[name]
        if not entry.available():
            sys.exit(f"bench_one_vs_all needs {name}: set LABELRANK_DATA")
        train, test = entry.load("train"), entry.load("test")
        bench(name, train, test, rows, timings)
    save("one_vs_all", rows, timings)


def bench(name: str, train: Any, test: Any, rows: list[Any], timings: list[Any]) -> None:
    X, queries = sp.csr_matrix(train.X), sp.csr_matrix(test.X)
    Y = [part.tolist() for part in np.split(train.Y.indices, train.Y.indptr[1:-1])]
    known = propensities(train.Y)

    def judged(ranking: Ranking) -> list[float]:
        found = evaluate(ranking, test.Y, MEASURES, propensities=known)
        return [100 * found[measure].value for measure in MEASURES]

    with tempfile.TemporaryDirectory() as folder:
        peer = BR(folder, threads=1, verbose=False)
        models = {method: OneVsAll(**given, random_state=0) for method, given in OURS.items()}
        seconds = take_turns(
            {m: partial(model.fit, train.X, train.Y) for m, model in models.items()}
            | {"napkinXC BR": partial(peer.fit, X, Y)}
        )
        rows += [ratio_row(f"{name}, trained", seconds, m, "napkinXC BR", "≥ 1") for m in OURS]
        timings += timing_rows(name, seconds, "fit")
        peer.load()
        seconds = take_turns(
            {m: partial(model.rank, test.X, 5) for m, model in models.items()}
            | {"napkinXC BR": partial(peer.predict, queries, top_k=5)}
        )
        rows += [ratio_row(f"{name}, ranked", seconds, m, "napkinXC BR", "≥ 1") for m in OURS]
        timings += timing_rows(name, seconds, "rank")
        theirs = judged(Ranking.from_lists(peer.predict(queries, top_k=5), n_labels=train.n_labels))
    for method, given in OURS.items():
        runs = [OneVsAll(**given, random_state=s).fit(train.X, train.Y) for s in SEEDS]
        values = np.array([judged(model.rank(test.X, 5)) for model in runs])
        for j, measure in enumerate(MEASURES):
            row = {"dataset": name, "method": method, "measure": measure}
            row |= {"asked": f"BR {theirs[j]:.2f}", "value": float(values[:, j].mean())}
            rows.append(row | {"low": float(values[:, j].min()), "high": float(values[:, j].max())})
            print(f"{name} {method} {measure}: {row['value']:.2f}, BR {theirs[j]:.2f}")


if __name__ == "__main__":
    main()
