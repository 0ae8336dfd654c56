"""X, the rows: float32, dense or CSR, as kernels rely on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from labelrank.errors import InputError

__all__ = ["all_finite", "fit_rows", "known_rows"]

_BLOCK = 1 << 20


def fit_rows(estimator: Any, X: Any) -> Any:
    """Rows to learn from, float32 and finite; their number of features is kept by the estimator."""
    return _checked(estimator, X)


def known_rows(estimator: Any, X: Any) -> Any:
    """Rows like those of fit."""
    check_is_fitted(estimator)
    return _checked(estimator, X, reset=False)


def _checked(estimator: Any, X: Any, reset: bool = True) -> Any:
    """Dense rows, or CSR as an array with sorted columns and no duplicates; float32 and finite."""
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is told
        rows = validate_data(
            estimator,
            X,
            accept_sparse="csr",
            dtype=np.float32,
            ensure_all_finite=False,
            reset=reset,
        )
    if not all_finite(
        rows.data if sp.issparse(rows) else rows
    ):  # scikit-learn's own words are a paragraph
        raise InputError(
            "X has a value that is NaN or infinite (or too large for float32): replace it, or "
            "leave the row out."
        )
    if not sp.issparse(rows):
        return np.require(rows, requirements="A")  # kernels read whole numbers at a time
    matrix = sp.csr_array(rows)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    for part in ("data", "indices", "indptr"):
        setattr(matrix, part, np.require(getattr(matrix, part), requirements="A"))
    return matrix


def all_finite(values: NDArray[Any]) -> bool:
    """Whether no number is NaN or infinite, looked at in blocks: no mask as large as the array."""
    flat = values.reshape(-1) if values.flags.c_contiguous else values
    return all(np.isfinite(flat[at : at + _BLOCK]).all() for at in range(0, len(flat), _BLOCK))
