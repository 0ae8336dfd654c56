"""Entries of a Ranking as they come from outside: lists, frames, arrays; checked and converted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelrank import _native
from labelrank.errors import InputError, MissingExtraError

_LARGEST = int(np.iinfo(np.int32).max)
FAULTS = {
    1: "row {row} has a label outside 0..{last}: check n_labels",
    2: "row {row} has a score that is NaN or infinite: replace it or leave the label out",
    3: "row {row} has a label twice: keep one entry for each label",
    4: "row {row} is not best first (higher score first, ties by smaller label id): "
    "use Ranking.from_lists or from_csr, which sort",
}


def of_lists(
    labels: Iterable[Sequence[int]], scores: Iterable[Sequence[float]] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """(indptr, labels, scores) of one list a row; without scores 1, 1/2, 1/3, … by order."""
    rows = [np.asarray(row).reshape(-1) for row in labels]
    rows = [row if row.size else row.astype(np.int64) for row in rows]
    if any(row.dtype.kind not in "iu" for row in rows):
        raise InputError("labels must be whole numbers, in every row.")
    indptr = np.cumsum([0] + [len(row) for row in rows])
    flat = np.concatenate([*rows, np.empty(0, np.int64)]).astype(np.int64)
    if scores is None:
        given = [1 / np.arange(1, len(row) + 1) for row in rows]
    else:
        given = [np.asarray(row, dtype=np.float64).reshape(-1) for row in scores]
    if [len(row) for row in given] != [len(row) for row in rows]:
        raise InputError("labels and scores must have the same number of entries in every row.")
    return indptr, flat, np.concatenate([*given, np.empty(0)])


def of_frame(
    frame: Any, n_rows: int | None, label_names: Sequence[str] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """(indptr, labels, scores) of a frame with columns row, label and score."""
    try:
        table = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise InputError(f"a data frame is needed, found {type(frame).__name__}.") from None
    for column in ("row", "label", "score"):
        if column not in table.columns:
            raise InputError(f"the frame has no column {column!r}, only {list(table.columns)}.")
    row = _whole(table["row"].to_numpy(), "row")
    label = table["label"]
    if label_names is None:
        ids = _whole(label.to_numpy(), "label")
    else:
        number = {name: i for i, name in enumerate(label_names)}
        for name in label.unique().to_list():
            if name not in number:
                raise InputError(f"the frame has a label that is not known: {name!r}.")
        ids = np.array([number[name] for name in label.to_list()], dtype=np.int64)
    size = int(row.max(initial=-1)) + 1 if n_rows is None else n_rows
    outside = row[(row < 0) | (row >= size)]
    if len(outside):
        raise InputError(f"column 'row' must lie in 0..{size - 1}, found {outside[0]}.")
    order = np.argsort(row, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=size))])
    score = table["score"].to_numpy()
    if score.dtype.kind not in "fiub" and len(score):
        raise InputError(f"column 'score' must be numbers, found {score.dtype}.")
    return indptr, ids[order], score.astype(np.float64)[order]


def _whole(column: NDArray[Any], name: str) -> NDArray[np.int64]:
    if column.dtype.kind not in "iu" and len(column):
        raise InputError(f"column {name!r} must be whole numbers, found {column.dtype}.")
    return column.astype(np.int64)


def to_frame(columns: dict[str, Any], backend: str | None = None) -> Any:
    """A native data frame of `backend`, or of whichever of polars and pandas is installed."""
    for name in (backend,) if backend else ("polars", "pandas"):
        try:
            lists = {c: v.tolist() if isinstance(v, np.ndarray) else v for c, v in columns.items()}
            made = nw.from_dict(lists, backend=name)  # type: ignore[arg-type]
            return made.to_native()
        except ModuleNotFoundError:
            continue
    if backend in (None, "polars"):
        raise MissingExtraError("a data frame", backend or "polars or pandas", "tables")
    raise MissingExtraError("this data frame", str(backend))


def arrays(
    indptr: ArrayLike, labels: ArrayLike, scores: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]:
    pointer, ids, values = (np.asarray(a) for a in (indptr, labels, scores))
    for name, array in (("indptr", pointer), ("labels", ids), ("scores", values)):
        if array.ndim != 1:
            raise InputError(f"{name} must have one dimension, found shape {array.shape}.")
    for name, array in (("indptr", pointer), ("labels", ids)):
        if array.dtype.kind not in "iu" and array.size:
            raise InputError(f"{name} must be whole numbers, found {array.dtype}.")
    if ids.size and (ids.max() > _LARGEST or int(ids.min()) < -_LARGEST):
        raise InputError("labels must fit in 32 bits.")
    if values.dtype.kind not in "fiub":
        raise InputError(f"scores must be numbers, found {values.dtype}.")
    kind = np.float32 if values.dtype == np.float32 else np.float64
    return (
        np.require(pointer, np.int64, ["C", "A"]),
        np.require(ids, np.int32, ["C", "A"]),
        np.require(values, kind, ["C", "A"]),
    )


def size(n_labels: Any) -> int:
    """n_labels as a number that label ids below it fit in 32 bits."""
    if isinstance(n_labels, bool) or not isinstance(n_labels, int | np.integer):
        raise InputError(f"n_labels must be a whole number, found {n_labels!r}.")
    if n_labels < 0:
        raise InputError(f"n_labels must not be negative, found {n_labels}.")
    if n_labels > _LARGEST + 1:
        raise InputError(f"n_labels must be at most {_LARGEST + 1}, found {n_labels}.")
    return int(n_labels)


def check(
    indptr: NDArray[np.int64],
    labels: NDArray[np.int32],
    scores: NDArray[Any],
    n_labels: int,
    ordered: bool,
) -> None:
    try:
        fault, row = _native.check_rows(indptr, labels, scores, n_labels, ordered)
    except ValueError as error:
        raise InputError(f"{error}.") from None
    if fault:
        raise InputError(f"{FAULTS[fault].format(row=row, last=n_labels - 1)}.")


def keep(k: int | ArrayLike | None, n_rows: int) -> NDArray[np.int64]:
    """How many entries to keep in each row; -1 is all of them."""
    if k is None:
        return np.full(n_rows, -1, dtype=np.int64)
    keep = np.asarray(k)
    if keep.dtype.kind not in "iu" or keep.ndim > 1 or (keep.size and keep.min() < 0):
        raise InputError(f"k must be a whole number, 0 or more (or one a row), found {k!r}.")
    if keep.ndim == 1 and len(keep) != n_rows:
        raise InputError(f"k has {len(keep)} values for {n_rows} rows.")
    return np.ascontiguousarray(np.broadcast_to(keep, (n_rows,)), dtype=np.int64)
