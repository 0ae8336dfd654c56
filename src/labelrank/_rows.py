"""X, the rows: float32, dense or CSR, as kernels rely on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted, validate_data

from labelrank.errors import InputError

__all__ = ["fit_rows", "known_rows"]


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
    values = rows.data if sp.issparse(rows) else rows
    if not np.isfinite(values).all():  # scikit-learn's own words are a paragraph
        raise InputError(
            "X has a value that is NaN or infinite (or too large for float32): replace it, or "
            "leave the row out."
        )
    if not sp.issparse(rows):
        return rows
    matrix = sp.csr_array(rows)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix
