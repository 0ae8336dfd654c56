"""X, the rows: float32, dense or CSR, as kernels rely on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted, validate_data

__all__ = ["fit_rows", "known_rows"]


def fit_rows(estimator: Any, X: Any) -> Any:
    """Rows to learn from, float32 and finite; their number of features is kept by the estimator."""
    return _canonical(validate_data(estimator, X, accept_sparse="csr", dtype=np.float32))


def known_rows(estimator: Any, X: Any) -> Any:
    """Rows like those of fit."""
    check_is_fitted(estimator)
    rows = validate_data(estimator, X, accept_sparse="csr", dtype=np.float32, reset=False)
    return _canonical(rows)


def _canonical(X: Any) -> Any:
    """CSR as an array with sorted columns and no duplicates; dense as it is."""
    if not sp.issparse(X):
        return X
    matrix = sp.csr_array(X)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix
