"""Tables whose labels have an order: ``L1>L3>L2``, or a column of numbers for each label."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelrank.data.dataset import Dataset
from labelrank.data.files import lines, naming, stem_and_suffix
from labelrank.data.formats.records import records_of
from labelrank.errors import InputError

__all__ = ["is_order", "read_orders"]

Values: TypeAlias = Literal["degrees", "ranks", "votes"]
Row: TypeAlias = tuple[str, Mapping[str, Any]]
_ORDER = re.compile(r"\s*[^<>=,;\s][^<>=,;]*([>=][^<>=,;]+)+\s*")


def is_order(text: str) -> bool:
    """Whether a cell says an order of two labels at least: ``L1>L3=L2``."""
    return _ORDER.fullmatch(text) is not None


def read_orders(
    path: str | Path,
    *,
    order: str | None = None,
    labels: Sequence[str] = (),
    values: Values = "degrees",
    least: float = 0,
    ids: str | None = None,
) -> Dataset:
    r"""Read rows of numbers with an order of labels each.

    Parameters
    ----------
    path : path
        ``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``. A first line of numbers that ends in an
        order is data, not names: then columns are called ``0``, ``1``, …
    order : str, optional
        The column with texts such as ``L1>L3=L2``, best first, ``=`` between labels as important as
        each other; a label that is not named is absent. The last column by default.
    labels : sequence of str
        Or the columns of the labels, with a number for each.
    values : {"degrees", "ranks", "votes"}
        What these numbers are: degrees, larger is more and 0 or empty absent; ranks, 1 is best and
        0 or empty absent; or how many people voted for the label.
    least : float
        Labels of a smaller degree, or with fewer votes, count as absent.
    ids : str, optional
        A column of texts that name the rows.

    Returns
    -------
    Dataset
        X has all other columns. Grades are degrees and votes as they are; orders and ranks become
        1 for the least important level of a row, 2 for the next, and so on.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from labelrank.data import read_orders
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "wines.csv"
    >>> _ = file.write_text("0.5,1.5,L2>L1\n0.1,1,L1>L3=L2\n")
    >>> data = read_orders(file)
    >>> data.label_names, data.Y.toarray().tolist()
    (['L1', 'L2', 'L3'], [[1.0, 2.0, 0.0], [2.0, 1.0, 1.0]])
    """
    file = Path(path)
    if values not in ("degrees", "ranks", "votes"):
        raise InputError(f"values must be degrees, ranks or votes, not {values!r}.")
    if order is not None and len(labels):
        raise InputError("give order= or labels=, not both: a table says its order in one way.")
    rows = _rows(file)
    first = next(rows, None)
    if first is None:
        raise InputError(f"{file} has no records.")
    columns = list(first[1])
    named = [*labels, *([order] if order is not None else []), *([ids] if ids else [])]
    for name in named:
        if name not in columns:
            raise InputError(f"{file} has no column {name!r}, only {_few(columns)}.")
    told = list(labels) or [order or columns[-1]]
    plain = [name for name in columns if name not in {*told, ids}]
    X: list[list[float]] = []
    said: list[Any] = []
    names: list[str] = []
    for at, record in chain([first], rows):
        X.append([_number(record.get(name), name, file, at, empty=None) for name in plain])
        if ids:
            names.append(str(record.get(ids, "")))
        if len(labels):
            said.append([_number(record.get(name), name, file, at, empty=0.0) for name in told])
        else:
            said.append(_levels(record.get(told[0]), told[0], file, at))
    with naming(file):
        Y, label_names = (
            (_graded(np.array(said), values, least, file), list(labels))
            if len(labels)
            else _ordered(said)
        )
        data = Dataset(X if plain else None, Y, label_names=label_names, ids=names or None)
    data.name = stem_and_suffix(file)[0]
    return data


def _rows(file: Path) -> Iterator[Row]:
    """(where it stands, record) of every row, with or without a line of names."""
    suffix = stem_and_suffix(file)[1]
    separator = {".csv": ",", ".tsv": "\t"}.get(suffix)
    if separator is not None:
        first = next(iter(lines(file)))[1].split(separator)
        if is_order(first[-1]):
            return _bare(file, separator, len(first))
    return records_of(file)


def _bare(file: Path, separator: str, width: int) -> Iterator[Row]:
    for number, line in lines(file):
        if not line.strip():
            continue
        cells = line.split(separator)
        if len(cells) != width:
            raise InputError(
                f"{file}: line {number} has {len(cells)} cells, but the first has {width}."
            )
        yield f"line {number}", {str(i): cell for i, cell in enumerate(cells)}


def _number(cell: Any, column: str, file: Path, at: str, empty: float | None) -> float:
    blank = cell is None or (isinstance(cell, str) and not cell.strip())
    if blank and empty is not None:
        return empty
    try:
        value = float("nan" if blank or isinstance(cell, bool) else cell)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{file}: {at}, column {column!r}: {cell!r} is no finite number.")
    return value


def _levels(cell: Any, column: str, file: Path, at: str) -> list[list[str]]:
    """The labels of an order, best level first; none for an empty cell."""
    text = "" if cell is None else str(cell).strip()
    levels = [[name.strip() for name in part.split("=")] for part in text.split(">")]
    flat = [name for level in levels for name in level]
    if text and (not all(flat) or len(set(flat)) < len(flat) or re.search(r"[<;,]", text)):
        raise InputError(
            f"{file}: {at}, column {column!r}: {text[:40]!r} is no order such as L1>L3=L2 with "
            "each label once."
        )
    return levels if text else []


def _ordered(said: list[list[list[str]]]) -> tuple[NDArray[np.float64], list[str]]:
    names = sorted({n for levels in said for level in levels for n in level}, key=_natural)
    number = {name: i for i, name in enumerate(names)}
    Y = np.zeros((len(said), len(names)))
    for row, levels in enumerate(said):
        for grade, level in enumerate(reversed(levels), start=1):
            Y[row, [number[name] for name in level]] = grade
    return Y, names


def _graded(
    numbers: NDArray[np.float64], values: Values, least: float, file: Path
) -> NDArray[np.float64]:
    if (numbers < 0).any():
        row, column = np.argwhere(numbers < 0)[0]
        raise InputError(
            f"{file}: row {row}, label {column} (from 0) has {numbers[row, column]:g}: {values} "
            "are 0 or more."
        )
    if values == "ranks":
        ranked: Callable[[NDArray[np.float64]], NDArray[np.float64]] = _from_the_end
        return np.apply_along_axis(ranked, 1, numbers)
    return np.where(numbers >= least, numbers, 0.0)


def _from_the_end(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 for the largest rank of a row, 2 for the next; 0 stays."""
    given = np.unique(ranks[ranks > 0])
    level = len(given) - np.searchsorted(given, ranks)
    return np.where(ranks > 0, level, 0).astype(np.float64)


def _natural(name: str) -> list[tuple[int, int, str]]:
    """So that L10 comes after L9."""
    parts = re.findall(r"\d+|\D+", name)
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts]


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
