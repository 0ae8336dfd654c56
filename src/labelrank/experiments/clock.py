"""Clock: laps of wall and processor time, in the form of results.json."""

from __future__ import annotations

import time
from typing import Any

__all__ = ["Clock"]


class Clock:
    """Each lap is a stage of one method on one data set.

    Parameters
    ----------
    dataset, method : str
    timings : list of dict
        Laps are added to it.
    """

    def __init__(self, dataset: str, method: str, timings: list[dict[str, Any]]) -> None:
        self._facts = {"dataset": dataset, "method": method}
        self._timings = timings
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def lap(self, stage: str) -> None:
        """End a stage; the next one begins."""
        wall, cpu = time.perf_counter(), time.process_time()
        self._timings.append(
            {**self._facts, "stage": stage}
            | {"seconds": wall - self._wall, "cpu_seconds": cpu - self._cpu}
        )
        self._wall, self._cpu = wall, cpu
