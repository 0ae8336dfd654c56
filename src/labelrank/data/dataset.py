"""Dataset: rows with features or texts, and the labels they have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from labelrank._labels import check_labels, narrow
from labelrank._rows import all_finite
from labelrank._text import table
from labelrank.errors import InputError

__all__ = ["Dataset"]


class Dataset:
    """Rows described by features, by texts or by both, with graded labels.

    Parameters
    ----------
    X : sparse or dense array (n_rows, n_features), optional
        Kept as float32; finite.
    Y : sparse or dense array (n_rows, n_labels)
        0 is not relevant, > 0 relevant, a larger value a more important label.
    label_names : sequence of str, optional
        One a label, none twice; the label ids as text when they are not given.
    ids : sequence of str, optional
        One a row, none twice.
    texts : mapping of str to sequence of str, optional
        Named text fields, such as title and description, one text a row.
    name : str
        What to call the data in tables.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.data import Dataset
    >>> data = Dataset(X=np.eye(3), Y=np.eye(3)[[0, 1, 1]], name="tiny")
    >>> data[1:].Y.toarray()
    array([[0., 1., 0.],
           [0., 1., 0.]], dtype=float32)
    >>> data
    Dataset('tiny', 3 rows, 3 features, 3 labels)
    """

    def __init__(
        self,
        X: Any = None,
        Y: Any = None,
        *,
        label_names: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        texts: Mapping[str, Sequence[str]] | None = None,
        name: str = "",
    ) -> None:
        if Y is None:
            raise InputError("a Dataset needs Y; give an empty matrix for rows without labels.")
        self.name = name
        self.Y = narrow(check_labels(Y))
        self.X = None if X is None else _features(X)
        self.texts = {field: _words(field, values) for field, values in (texts or {}).items()}
        self.label_names = None if label_names is None else _words("label_names", label_names)
        self.ids = None if ids is None else _words("ids", ids)
        n, m = self.Y.shape
        columns: list[tuple[str, Any, int]] = [("ids", self.ids, n), ("X", self.X, n)]
        columns += [(f"text field {field!r}", v, n) for field, v in self.texts.items()]
        columns += [("label_names", self.label_names, m)]
        for what, values, size in columns:
            found = size if values is None else _size(values)
            if found != size:
                raise InputError(f"{what} has {found} entries, but Y has shape {self.Y.shape}.")
        for what, names in (("label name", self.label_names), ("id", self.ids)):
            twice = _twice(names or [])
            if twice is not None:
                raise InputError(f"the {what} {twice!r} stands twice.")

    @property
    def n_labels(self) -> int:
        """How many labels, with or without rows."""
        return int(self.Y.shape[1])

    @property
    def n_features(self) -> int:
        """How many features; 0 without X."""
        return 0 if self.X is None else int(self.X.shape[1])

    def label_name(self, label: int) -> str:
        """The name of a label id."""
        return str(label) if self.label_names is None else self.label_names[label]

    def __len__(self) -> int:
        return int(self.Y.shape[0])

    def __getitem__(self, rows: slice | ArrayLike) -> Dataset:
        """Some of the rows, over the same features and labels."""
        if isinstance(rows, int | np.integer):
            raise InputError(
                f"data[{rows}] is one row; write data[{rows}:{rows + 1}] or [[{rows}]]."
            )
        at = np.arange(len(self))[rows if isinstance(rows, slice) else np.asarray(rows)]
        return Dataset(
            None if self.X is None else self.X[at],
            self.Y[at],
            label_names=self.label_names,
            ids=None if self.ids is None else [self.ids[i] for i in at],
            texts={field: [values[i] for i in at] for field, values in self.texts.items()},
            name=self.name,
        )

    def joined_texts(self) -> list[str]:
        """All text fields of each row, one after another."""
        if not self.texts:
            raise InputError(f"{self.name or 'the data set'} has no text fields.")
        return ["\n".join(parts) for parts in zip(*self.texts.values(), strict=True)]

    def statistics(self) -> dict[str, float]:
        """What describes the data: sizes, averages, and how long the tail of rare labels is."""
        counts = np.bincount(self.Y.indices, minlength=self.n_labels)
        per_row = np.diff(self.Y.indptr)
        n, used = max(len(self), 1), counts[counts > 0]
        facts: dict[str, float] = {
            "rows": len(self),
            "labels": self.n_labels,
            "labels with a row": len(used),
            "labels per row": float(per_row.sum() / n),
            "rows without a label": int((per_row == 0).sum()),
            "rows per used label": float(used.mean()) if len(used) else 0.0,
            "labels with at most 5 rows": int((used <= 5).sum()),
            "most frequent label's rows": int(counts.max(initial=0)),
            "grades": len(np.unique(self.Y.data)),
        }
        if self.X is not None:
            stored = self.X.nnz if sp.issparse(self.X) else self.X.size
            facts["features"] = self.n_features
            facts["features per row"] = float(stored / n)
        for field, values in self.texts.items():
            facts[f"words in {field}"] = float(np.mean([len(v.split()) for v in values] or [0]))
        return facts

    def describe(self) -> str:
        """The statistics as a table."""
        rows = [
            [what, str(int(value)) if value == int(value) else f"{value:.2f}"]
            for what, value in self.statistics().items()
        ]
        return table([self.name or "data set", ""], rows)

    def __repr__(self) -> str:
        parts = [f"{self.name!r}"] if self.name else []
        parts.append(f"{len(self)} rows")
        if self.X is not None:
            parts.append(f"{self.n_features} features")
        if self.texts:
            parts.append("texts " + " and ".join(self.texts))
        return f"Dataset({', '.join([*parts, f'{self.n_labels} labels'])})"


def _features(X: Any) -> Any:
    """X as float32, sparse rows or dense; never the caller's memory written to."""
    matrix: Any
    try:
        matrix = sp.csr_array(X) if sp.issparse(X) else np.asarray(X)
    except ValueError:
        raise InputError("X must be a numeric matrix, found rows of different lengths.") from None
    if matrix.ndim != 2 or matrix.dtype.kind not in "fiub":
        raise InputError(
            f"X must be a numeric matrix, found {matrix.dtype} of shape {matrix.shape}."
        )
    if sp.issparse(matrix) and not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is told
        rows = matrix.astype(np.float32, copy=False)
    if not all_finite(rows.data if sp.issparse(rows) else rows):
        raise InputError("X has a value that is NaN or infinite (or too large for float32).")
    return rows


def _words(what: str, values: Any) -> list[str]:
    words = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else None
    if words is None or not all(isinstance(word, str) for word in words):
        raise InputError(f"{what} must be a list of texts.")
    return words


def _size(values: Any) -> int:
    return int(values.shape[0]) if hasattr(values, "shape") else len(values)


def _twice(names: Sequence[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
