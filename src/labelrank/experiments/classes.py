"""Classes: csv files with the class first and numbers behind it, as the vowel data has them."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from labelrank.data import Dataset
from labelrank.data.files import lines, stem_and_suffix
from labelrank.errors import InputError

__all__ = ["read_classes"]


def read_classes(train: Path, test: Path | None = None) -> tuple[Dataset, Dataset | None]:
    """Read one file, or a pair whose classes are numbered alike.

    The first column is the class, a word or a whole number; all others are numbers. A first line
    that holds no number but in its first cell names the columns.
    """
    words, X = _table(train)
    names = sorted(set(words), key=lambda w: (float(w), w) if _number(w) else (np.inf, w))
    if len(names) < 2 or len(names) == len(words):
        raise InputError(
            f"{train}: the first column must be the class, found {len(names)} different values in "
            f"{len(words)} rows."
        )
    first = _dataset(train, words, X, names)
    if test is None:
        return first, None
    words, X = _table(test)
    return first, _dataset(test, words, X, names)


def _dataset(path: Path, words: list[str], X: np.ndarray, names: list[str]) -> Dataset:
    place = {name: i for i, name in enumerate(names)}
    for i, word in enumerate(words):
        if word not in place:
            raise InputError(f"{path}: row {i + 1} is of class {word!r}, unseen in training.")
    Y = np.eye(len(names), dtype=np.float32)[[place[word] for word in words]]
    return Dataset(X, Y, label_names=names, name=stem_and_suffix(path)[0])


def _table(path: Path) -> tuple[list[str], np.ndarray]:
    """The classes and the numbers of a file."""
    classes: list[str] = []
    rows: list[list[float]] = []
    for at, (number, line) in enumerate(lines(path)):
        cells = next(csv.reader([line]), [])
        if not cells or (at == 0 and not any(_number(cell) for cell in cells[1:])):
            continue
        if len(cells) < 2 or (rows and len(cells) != len(rows[0]) + 1):
            wanted = len(rows[0]) + 1 if rows else "two or more"
            raise InputError(f"{path}: line {number} has {len(cells)} cells, not {wanted}.")
        name = cells[0].strip()
        if not name or (_number(name) and not float(name).is_integer()):
            raise InputError(
                f"{path}: line {number} begins with {name!r}, which is no class: the first column "
                "must be a word or a whole number."
            )
        bad = next((cell for cell in cells[1:] if not _number(cell)), None)
        if bad is not None:
            raise InputError(f"{path}: line {number} has {bad!r} where a number is expected.")
        classes.append(name)
        rows.append([float(cell) for cell in cells[1:]])
    if not rows:
        raise InputError(f"{path} has no rows of a class and numbers.")
    return classes, np.array(rows, dtype=np.float32)


def _number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False
