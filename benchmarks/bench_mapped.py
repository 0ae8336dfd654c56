"""Training on rows that stay on disk: how much memory it takes, and that it takes no more.

A data folder is made block by block and a scorer trained on it by a process that may hold less
than the data: RLIMIT_DATA bounds what a process allocates, which pages of a file are not. The same
limit stops a process that reads the rows into memory.
"""

from __future__ import annotations

from common import save

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from labelrank.data import SyntheticExtreme, read_mapped, write_mapped
from labelrank.scorers import FastXML

ROWS, LABELS, FEATURES = 800_000, 2_000, 20_000
METHODS = {
    "FastXML, one tree": lambda: FastXML(n_trees=1, leaf_size=1_000, random_state=0),
}


def held() -> int:
    """What this process has allocated, in bytes: its data segment."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData"):
            return 1024 * int(line.split()[1])
    raise SystemExit("bench_mapped reads /proc/self/status, which is Linux's")


def train(folder: str, method: str, share: float, copied: bool) -> None:
    """Train within a limit; in a process of its own."""
    scorer = METHODS[method]()
    data = read_mapped(folder)
    size = sum(part.nbytes for part in (data.X.data, data.X.indices, data.X.indptr))
    limit = held() + int(share * size)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    X = data.X.copy() if copied else data.X
    scorer.fit(X, data.Y)
    ranking = scorer.rank(data.X[:1000], 1)
    truth = data.Y[:1000]
    hits = float(np.mean(np.asarray(truth[np.arange(len(ranking)), ranking.labels]) > 0))
    print(json.dumps({"hits": hits, "mb": size / 1e6}))


def runs(folder: str, method: str, share: float, copied: bool = False) -> dict[str, float] | None:
    command = [sys.executable, __file__, folder, method, str(share), str(int(copied))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "MemoryError" not in done.stderr and "bad_alloc" not in done.stderr:
        sys.exit(done.stderr)
    found: dict[str, float] | None = json.loads(done.stdout) if done.returncode == 0 else None
    return found


def least(folder: str, method: str) -> tuple[float, dict[str, float]]:
    """The least share of the data's size, in steps of a tenth, with which training ends well."""
    for tenths in range(1, 40):
        found = runs(folder, method, tenths / 10)
        if found is not None:
            return tenths / 10, found
    raise SystemExit(f"{method} needs more than four times the data")


def main() -> None:
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as place:
        folder = f"{place}/data"
        write_mapped(SyntheticExtreme(ROWS, LABELS, FEATURES).blocks(), folder)
        for method in METHODS:
            share, found = least(folder, method)
            assert runs(folder, method, min(share, 0.9), copied=True) is None
            name = f"{found['mb']:.0f} MB of rows on disk, {ROWS} of them"
            value = {"dataset": name, "method": method, "measure": "memory to train / data"}
            rows.append(value | {"value": share, "asked": "< 1"})
            print(f"{method}: {share:.1f} of {found['mb']:.0f} MB, {found['hits']:.2f} of first "
                  "labels are right")  # fmt: skip
    save("mapped", rows, [])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        train(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4] == "1")
    else:
        main()
