"""results.json: what every experiment and benchmark writes, in one form."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from labelrank.data.files import atomic_writer

__all__ = ["environment", "write_results"]


def environment() -> dict[str, str]:
    """Versions and processor: what a reader must know to judge a figure."""
    facts = {"python": sys.version.split()[0], "cpu": _processor(), "system": platform.system()}
    for package in ("labelrank", "numpy", "scipy", "scikit-learn"):
        facts[package] = version(package)
    return facts


def write_results(
    path: str | Path,
    experiment: str,
    rows: Sequence[Mapping[str, Any]],
    timings: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Write results.json.

    Parameters
    ----------
    path : path
    experiment : str
    rows : list of dict
        dataset, method, measure, value, and where there are any low, high and paper.
    timings : list of dict
        dataset, method, stage, seconds, cpu_seconds, peak_mb.
    """
    record = {
        "experiment": experiment,
        "environment": environment(),
        "rows": [dict(row) for row in rows],
        "timings": [dict(timing) for timing in timings],
    }
    with atomic_writer(path) as out:
        out.write(json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False).encode())
        out.write(b"\n")


def _processor() -> str:
    """The processor's name where the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
