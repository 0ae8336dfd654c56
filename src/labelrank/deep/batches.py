"""Batches: rows, pictures or a torch Dataset as tensors, some samples at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from labelrank._labels import check_labels
from labelrank.errors import InputError

__all__ = ["Arrays", "Samples", "Source", "pictures"]


class Source(ABC):
    """Samples by number.

    Attributes
    ----------
    n : int
        How many.
    shape : tuple of int
        Of one input: (features,), or (channels, rows, columns).
    n_labels : int or None
        None where nothing says grades.
    """

    n: int
    shape: tuple[int, ...]
    n_labels: int | None

    @abstractmethod
    def inputs(self, at: NDArray[np.int64]) -> Tensor:
        """Inputs of some samples, float32; bytes become 0 to 1."""

    @abstractmethod
    def both(self, at: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """(inputs, grades (n, n_labels)) of some samples."""

    @abstractmethod
    def grades(self) -> sp.csr_array:
        """The grades of all samples."""


class Arrays(Source):
    """Rows or pictures in one array, dense or (rows alone) sparse, and Y where it is known."""

    def __init__(self, X: Any, Y: sp.csr_array | None = None) -> None:
        self.rows, self._Y = X, Y
        self.n, self.shape = int(X.shape[0]), tuple(int(s) for s in X.shape[1:])
        self.n_labels = None if Y is None else int(Y.shape[1])

    def inputs(self, at: NDArray[np.int64]) -> Tensor:
        """See `Source`."""
        rows = self.rows[at]
        return _tensor(rows.toarray() if sp.issparse(rows) else rows)

    def both(self, at: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """See `Source`."""
        assert self._Y is not None
        return self.inputs(at), torch.from_numpy(self._Y[at].toarray().astype(np.float32))

    def grades(self) -> sp.csr_array:
        """See `Source`."""
        assert self._Y is not None
        return self._Y


class Samples(Source):
    """A torch Dataset or any sequence of (input, grades of all labels), read when it is needed."""

    def __init__(self, dataset: Any) -> None:
        if not hasattr(dataset, "__len__") or not hasattr(dataset, "__getitem__"):
            raise InputError(
                "without Y, X must be a torch Dataset or a sequence of (input, grades), with a "
                f"length; found {type(dataset).__name__}."
            )
        self._dataset, self.n = dataset, len(dataset)
        if self.n == 0:
            raise InputError("there is no sample to learn from: the data set is empty.")
        first, grades = self._sample(0)
        self.shape = tuple(first.shape)
        self.n_labels = int(grades.shape[0])

    def inputs(self, at: NDArray[np.int64]) -> Tensor:
        """See `Source`."""
        return self.both(at)[0]

    def both(self, at: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """See `Source`."""
        found = [self._sample(int(i)) for i in at]
        for i, (x, grades) in zip(at, found, strict=True):
            if tuple(x.shape) != self.shape:
                raise _of_sizes(int(i), tuple(x.shape), self.shape)
            if len(grades) != self.n_labels:
                raise InputError(
                    f"sample {i} has grades of {len(grades)} labels, the first of {self.n_labels}."
                )
        return torch.stack([x for x, _ in found]), torch.stack([g for _, g in found])

    def grades(self) -> sp.csr_array:
        """See `Source`."""
        known = getattr(self._dataset, "Y", None)
        if known is not None:
            return check_labels(known)
        return sp.csr_array(np.array([self._sample(i)[1].numpy() for i in range(self.n)]))

    def _sample(self, i: int) -> tuple[Tensor, Tensor]:
        try:
            x, grades = self._dataset[i]
        except (TypeError, ValueError):
            raise InputError(
                f"sample {i} is no pair (input, grades of all labels); give Y, or such pairs."
            ) from None
        values = np.asarray(grades)
        if values.ndim != 1:
            raise InputError(
                f"sample {i}: grades must be one number a label, found {grades!r:.40}."
            )
        row = check_labels(values[None, :], name=f"sample {i}: the grades").toarray()[0]
        array = np.asarray(x)
        if array.ndim not in (1, 2, 3):
            raise InputError(f"sample {i} has the shape {array.shape}: no row and no picture.")
        one = _tensor(array if array.ndim == 1 else pictures(array[None])[0])
        return one, torch.from_numpy(row.astype(np.float32))


def pictures(X: Any) -> NDArray[Any]:
    """Pictures as (n, channels, rows, columns): grey ones get a channel, colour comes to the front.

    Parameters
    ----------
    X : array, or sequence of arrays
        (n, rows, columns), (n, channels, rows, columns), or (n, rows, columns, channels) with up
        to four channels.
    """
    if not isinstance(X, np.ndarray):
        parts = [np.asarray(x) for x in X]
        for i, part in enumerate(parts):
            if part.shape != parts[0].shape:
                raise _of_sizes(i, part.shape, parts[0].shape)
        X = np.stack(parts) if parts else np.empty((0, 0, 0))
    if X.dtype.kind not in "fiub" or X.ndim not in (3, 4):
        raise InputError(
            f"pictures are numbers (n, rows, columns) or (n, channels, rows, columns), found "
            f"{X.dtype} of shape {X.shape}."
        )
    if X.dtype.kind == "f" and not np.isfinite(X).all():
        raise InputError("X has a value that is NaN or infinite.")
    found: NDArray[Any] = X[:, None] if X.ndim == 3 else X
    last = found.shape[3] <= 4 < found.shape[1]
    return np.moveaxis(found, 3, 1) if last else found


def _of_sizes(i: int, found: tuple[int, ...], first: tuple[int, ...]) -> InputError:
    def said(shape: tuple[int, ...]) -> str:
        return " × ".join(map(str, shape))

    return InputError(
        f"picture {i} is {said(found)} and the first is {said(first)}: bring all to one size."
    )


def _tensor(array: NDArray[Any]) -> Tensor:
    if array.dtype == np.uint8:
        return torch.from_numpy(array.astype(np.float32)) / 255
    return torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32))
