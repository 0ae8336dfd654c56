"""Plain-text tables, as printed by evaluations, comparisons and the command."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["number", "table"]


def number(value: float | None, digits: int = 4) -> str:
    """A figure for a table; a dash where there is none."""
    return "–" if value is None or value != value else f"{value:.{digits}f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Columns padded to their widest cell: the first `left` to the left, the others to the right.

    Examples
    --------
    >>> print(table(["name", "value"], [["a", "1"], ["longer", "22"]]))
    name    value
    a           1
    longer     22
    """
    cells = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[c]) for row in cells) for c in range(len(header))]
    lines = []
    for row in cells:
        padded = [
            cell.ljust(width) if c < left else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)
