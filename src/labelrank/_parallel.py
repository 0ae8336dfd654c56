"""The one place where work is spread: blocks of rows and independent tasks, through joblib."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from joblib import Parallel, delayed

__all__ = ["over_blocks", "over_tasks"]

S = TypeVar("S")
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


def over_tasks(
    work: Callable[[S], T], tasks: Sequence[S], n_jobs: int | None = None
) -> Iterator[T]:
    """Results of `work` for each task, in order, as they come."""
    parallel: Any = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    yield from parallel(delayed(work)(task) for task in tasks)
