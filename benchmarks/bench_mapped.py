"""Training on rows that stay on disk: how much memory it takes, and that no more is needed.

A data folder is made block by block. A process trains on it and samples what it holds in memory of
its own (RssAnon: pages of files are not counted, the system lets them go). Then another one trains
under RLIMIT_DATA, a little above that and below the size of the data; the same limit must stop a
process that first copies the rows to memory.
"""

from __future__ import annotations

from common import save

import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from labelrank.data import SyntheticExtreme, read_mapped, write_mapped
from labelrank.scorers import FastXML

ROWS, LABELS, FEATURES = 800_000, 2_000, 20_000
METHODS = {"FastXML, one tree": lambda: FastXML(n_trees=1, leaf_size=2_000, random_state=0)}


def held(field: str) -> int:
    """A figure of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise SystemExit("bench_mapped reads /proc/self/status, which is Linux's")


class Peak(threading.Thread):
    """The most memory of its own that this process was seen to hold."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.bytes = 0
        self.start()

    def run(self) -> None:
        while True:
            self.bytes = max(self.bytes, held("RssAnon"))
            time.sleep(0.02)


def train(folder: str, method: str, limit: int, copied: bool) -> None:
    """Train, within a limit if there is one; in a process of its own."""
    scorer, start = METHODS[method](), held("RssAnon")
    peak = Peak()
    if limit:
        most = held("VmData") + limit
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    data = read_mapped(folder)
    X = data.X.copy() if copied else data.X
    scorer.fit(X, data.Y)
    ranking, truth = scorer.rank(data.X[:1000], 1), data.Y[:1000]
    hits = np.asarray(truth[ranking.rows, ranking.labels]) > 0
    print(json.dumps({"peak": peak.bytes - start, "hits": float(hits.mean())}))


def runs(folder: str, method: str, limit: int = 0, copied: bool = False) -> dict[str, float] | None:
    """What a process found; None where it had too little memory."""
    command = [sys.executable, __file__, folder, method, str(limit), str(int(copied))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "MemoryError" not in done.stderr and "bad_alloc" not in done.stderr:
        sys.exit(done.stderr)
    found: dict[str, float] | None = json.loads(done.stdout) if done.returncode == 0 else None
    return found


def main() -> None:
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as place:
        folder = f"{place}/data"
        write_mapped(SyntheticExtreme(ROWS, LABELS, FEATURES).blocks(), folder)
        size = sum(file.stat().st_size for file in Path(folder).glob("*.npy"))
        for method in METHODS:
            free = runs(folder, method)
            assert free is not None
            limit = int(1.2 * free["peak"]) + (32 << 20)  # an allocator's rounding
            assert limit < size, (limit, size)
            assert runs(folder, method, limit) is not None
            assert runs(folder, method, limit, copied=True) is None
            name = f"{ROWS} rows, {size / 1e6:.0f} MB on disk"
            found = {"memory / data": free["peak"], "limit under which it trains / data": limit}
            for measure, value in found.items():
                rows.append({"dataset": name, "method": method, "measure": measure})
                rows[-1] |= {"value": value / size, "asked": "< 1"}
                print(f"{method}: {measure} = {value / size:.2f} ({name})")
    save("mapped", rows, [])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        train(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "1")
    else:
        main()
