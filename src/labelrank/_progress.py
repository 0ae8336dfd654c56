"""Progress of long work, on the error stream, when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["track"]

T = TypeVar("T")


def track(steps: Iterable[T], total: int, what: str, verbose: int = 0) -> Iterator[T]:
    """The steps themselves, with a bar while they are taken if `verbose` is 1 or more."""
    if not verbose:
        yield from steps
        return
    from rich.console import Console
    from rich.progress import track as bar

    yield from bar(steps, what, total=total, console=Console(stderr=True))
