"""What every benchmark does: take turns with the peer on one thread, and report a ratio."""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # before numpy is imported

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labelrank.report import write_results

HERE = Path(__file__).parent
REPEATS = 5


def take_turns(rivals: dict[str, Callable[[], Any]]) -> dict[str, list[float]]:
    """Processor seconds of each rival, five rounds in turn after one that does not count.

    Processor time, because the machine is shared; one thread, so that it is the time waited.
    """
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    for round_ in range(REPEATS + 1):
        for name, work in rivals.items():
            start = time.process_time()
            work()
            if round_:
                seconds[name].append(time.process_time() - start)
    return seconds


def ratio_row(
    dataset: str, seconds: dict[str, list[float]], ours: str, peer: str, asked: str = ""
) -> dict[str, Any]:
    """How many times faster `ours` is: the median over the rounds of peer / ours."""
    ratios = [b / a for a, b in zip(seconds[ours], seconds[peer], strict=True)]
    row = {"dataset": dataset, "method": f"{peer} / {ours}", "measure": "ratio"}
    row |= {"asked": asked} if asked else {}
    row |= {"value": statistics.median(ratios), "low": min(ratios), "high": max(ratios)}
    print(f"{dataset}: {peer} / {ours} = {row['value']:.3g} ({row['low']:.3g} – {row['high']:.3g})")
    return row


def timing_rows(dataset: str, seconds: dict[str, list[float]], stage: str) -> list[dict[str, Any]]:
    """The medians themselves, in the form of results.json."""
    return [
        {"dataset": dataset, "method": name, "stage": stage, "cpu_seconds": statistics.median(s)}
        for name, s in seconds.items()
    ]


def save(name: str, rows: list[dict[str, Any]], timings: list[dict[str, Any]]) -> None:
    """Write benchmarks/results/NAME.json."""
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    write_results(folder / f"{name}.json", f"benchmark: {name}", rows, timings)
