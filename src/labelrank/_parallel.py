"""The one place where work is spread: blocks of rows through joblib."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from joblib import Parallel, delayed

__all__ = ["over_blocks"]

T = TypeVar("T")


def over_blocks(
    work: Callable[[slice], T], n_rows: int, n_jobs: int | None = None, block: int = 1024
) -> list[T]:
    """Results of `work` for consecutive blocks of rows, in order.

    The blocks do not depend on `n_jobs`, so neither do results. Kernels release the GIL, so threads
    are preferred; ``joblib.parallel_config`` chooses another backend.
    """
    parts = [slice(at, min(at + block, n_rows)) for at in range(0, n_rows, block)]
    done: list[T] = Parallel(n_jobs=n_jobs, prefer="threads")(delayed(work)(p) for p in parts)
    return done
