"""Labels that are learned one by one: blocks of them at a time, odd ones set aside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank._parallel import over_tasks
from labelrank.scorers._newton import Double, Loss, newton

__all__ = ["solve_labels"]

_LABELS = 16  # dense: solved together by one job; sparse: each has few rows that matter


def solve_labels(
    X: Any,
    Y: sp.csr_array,
    loss: Callable[[NDArray[np.bool_]], Loss],
    start: Callable[[Double], Double],
    tol: float,
    n_jobs: int | None,
    with_slopes: bool = False,
) -> tuple[Double, Double, Double]:
    """A linear function of X for each label of Y that at least one row has and one has not.

    Parameters
    ----------
    X : float64 array or CSR (n_rows, n_features)
    Y : CSR (n_rows, n_labels)
        Relevant where there is an entry.
    loss : callable
        The loss of some labels, from a bool array (n_rows, n of them).
    start : callable
        The best constants, from the shares of rows that have a label; also the score of labels
        that no row has, or that all have.
    tol, n_jobs : as in `newton` and `over_tasks`
    with_slopes : bool
        Whether the slopes of the loss at the optimum are wanted, an array of rows × labels.

    Returns
    -------
    W (n_features, n_labels), b (n_labels,), slopes (n_rows, n_labels) or (0, n_labels)
    """
    n, m = Y.shape
    columns = sp.csc_array(Y)
    counts = np.diff(columns.indptr)
    mixed = np.flatnonzero((counts > 0) & (counts < n))
    W, b = np.zeros((X.shape[1], m)), start(counts / n)
    slopes = np.zeros((n if with_slopes else 0, m))

    def work(labels: NDArray[np.intp]) -> tuple[Double, Double, Double]:
        objective = loss(columns[:, labels].toarray() > 0)
        weights, intercepts, F = newton(X, objective, b[labels], tol)
        if not with_slopes:
            return weights, intercepts, slopes[:, labels]
        return weights, intercepts, objective.at(F, np.arange(len(labels))).slopes

    size = 1 if sp.issparse(X) else _LABELS
    blocks = [mixed[at : at + size] for at in range(0, len(mixed), size)]
    for labels, found in zip(blocks, over_tasks(work, blocks, n_jobs), strict=True):
        W[:, labels], b[labels], slopes[:, labels] = found
    return W, b, slopes
