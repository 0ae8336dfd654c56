"""The k nearest training rows by Euclidean distance, exact, sparse or dense."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank._parallel import over_blocks

__all__ = ["count_labels", "nearest_rows", "presence"]

_BLOCK = 1024


def nearest_rows(
    rows: Any, queries: Any, k: int, own: bool = False, n_jobs: int | None = None
) -> NDArray[np.int32]:
    """The k nearest rows of each query, or all when there are fewer; nearest first.

    Distances are those of float64; of equally near rows the earlier one comes first.

    Parameters
    ----------
    rows, queries : float32 array or CSR (n, n_features)
        Queries take the form of the rows.
    k : int
    own : bool
        The queries are the rows, and none is a neighbour of its own.
    n_jobs : int, optional

    Returns
    -------
    int32 array (n_queries, min(k, n_rows or, with `own`, n_rows - 1))
    """
    sparse = sp.issparse(rows)
    if sparse:
        queries = sp.csr_array(queries)
        known = _parts(rows)
    else:
        queries = queries.toarray() if sp.issparse(queries) else queries
        queries, rows = (np.ascontiguousarray(a, dtype=np.float32) for a in (queries, rows))

    def near(part: slice) -> NDArray[np.int32]:
        first = part.start if own else -1
        if sparse:
            found = _native.nearest_l2_sparse(
                *_parts(queries[part]), *known, rows.shape[1], k, first
            )
        else:
            found = _native.nearest_l2_dense(queries[part], rows, k, first)
        return found[0]

    return np.concatenate(over_blocks(near, queries.shape[0], n_jobs, _BLOCK))


def count_labels(near: NDArray[np.int32], labels: sp.csr_array) -> sp.csr_array:
    """How many of the neighbours of each query (n_queries, k) have each label."""
    n, k = near.shape
    ones = np.ones(near.size, dtype=np.float32)
    chosen = sp.csr_array((ones, near.ravel(), np.arange(n + 1) * k), shape=(n, labels.shape[0]))
    return sp.csr_array(chosen @ labels)


def presence(Y: sp.csr_array) -> sp.csr_array:
    """1 for each label that a row has, whatever its grade."""
    ones = np.ones(Y.nnz, dtype=np.float32)
    return sp.csr_array((ones, Y.indices, Y.indptr), shape=Y.shape)


def _parts(matrix: sp.csr_array) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    return (
        matrix.indptr.astype(np.int64),
        matrix.indices.astype(np.int32, copy=False),
        matrix.data.astype(np.float32, copy=False),
    )
