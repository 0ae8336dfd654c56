"""Table: what an experiment prints, and what its report shows."""

from __future__ import annotations

from typing import NamedTuple

from labelrank._text import table

__all__ = ["Table"]


class Table(NamedTuple):
    """A table to print or to put on a page; the first `left` columns are words.

    Examples
    --------
    >>> print(Table("Sizes", ["set", "rows"], [["scene", "2407"]], 1, ""))
    Sizes
    set    rows
    scene  2407
    """

    title: str
    header: list[str]
    rows: list[list[str]]
    left: int
    note: str

    def __str__(self) -> str:
        drawn = table(self.header, self.rows, self.left)
        return "\n".join(part for part in (self.title, drawn, self.note) if part)
