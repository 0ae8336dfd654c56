"""Y, the truth: sparse and non-negative. 0 is not relevant, > 0 relevant, larger more important."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from labelrank.errors import InputError

__all__ = ["check_labels", "labels_or_none", "narrow"]


def check_labels(Y: Any, *, name: str = "Y") -> sp.csr_array:
    """Y as a canonical CSR array of float64 grades, all greater than zero.

    Parameters
    ----------
    Y : array, sparse array or sparse matrix of shape (n_rows, n_labels)
        Never modified; copied only where it must be converted.
    name : str
        What to call it in an error.
    """
    matrix = labels_or_none(Y)
    if matrix is None:
        raise InputError(
            f"{name} must be a sparse or dense matrix (n_rows, n_labels), found {_described(Y)}."
        )
    values = matrix.data
    if not np.isfinite(values).all():
        raise InputError(f"{name} has a value that is NaN or infinite: grades are 0 or more.")
    if values.size and values.min() < 0:
        row, column = (axis[np.argmin(values)] for axis in matrix.nonzero())
        raise InputError(
            f"{name} has the value {values.min():g} in row {row}, column {column} (from 0): grades "
            "are 0 or more."
        )
    return matrix


def labels_or_none(Y: Any) -> sp.csr_array | None:
    """Y as canonical CSR of float64 without stored zeros, or None when it is no matrix."""
    if sp.issparse(Y):
        if Y.ndim != 2 or Y.dtype.kind not in "fiub":
            return None
        matrix = sp.csr_array(Y, dtype=np.float64)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        if (matrix.data == 0).any():
            matrix = matrix.copy()
            matrix.eliminate_zeros()
        return matrix
    try:
        dense = np.asarray(Y)
    except ValueError:  # rows of different lengths
        return None
    if dense.ndim != 2 or dense.dtype.kind not in "fiub":
        return None
    return sp.csr_array(dense.astype(np.float64))


def narrow(truth: sp.csr_array, *, name: str = "Y") -> sp.csr_array:
    """Checked grades as float32; none becomes 0 or infinite by it."""
    limits = np.finfo(np.float32)
    if truth.data.max(initial=0) > limits.max:
        raise InputError(f"{name} has a value too large for float32: {truth.data.max():g}.")
    grades = np.maximum(truth.data, limits.tiny).astype(np.float32)
    return sp.csr_array((grades, truth.indices, truth.indptr), shape=truth.shape)


def _described(Y: Any) -> str:
    shape = getattr(Y, "shape", None)
    kind = getattr(Y, "dtype", None)
    if getattr(kind, "kind", "") == "O":  # scikit-learn's words for it
        kind = "object (Unknown label type)"
    return f"{type(Y).__name__}" + (f" of shape {shape} and type {kind}" if shape else "")
