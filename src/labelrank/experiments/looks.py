"""What looks at data have in common: how a row is called, and measures as rows of results.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labelrank.data import Dataset
from labelrank.measures import Evaluation

__all__ = ["measured", "titled"]

_TITLE = 60  # characters that are shown


def titled(data: Dataset, row: int) -> str:
    """What to call a row: its title, or the id where that says it with more.

    Examples
    --------
    >>> data = Dataset(Y=[[1], [1]], ids=["numpy.dot", "7"], texts={"title": ["dot", "A car"]})
    >>> titled(data, 0), titled(data, 1)
    ('numpy.dot', 'A car')
    """
    title = data.texts["title"][row] if "title" in data.texts else ""
    name = str(row) if data.ids is None else data.ids[row]
    if title in name:
        return name  # whole, because it is what one looks for
    return title if len(title) <= _TITLE else f"{title[: _TITLE - 1]}…"


def measured(dataset: str, evaluations: Mapping[str, Evaluation]) -> list[dict[str, Any]]:
    """Every measure of every method in the form of results.json."""
    return [
        {"dataset": dataset, "method": method}
        | {key: row[key] for key in ("measure", "value", "low", "high")}
        for method, evaluation in evaluations.items()
        for row in evaluation.rows()
    ]
