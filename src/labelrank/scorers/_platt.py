"""Platt's sigmoid: decision values become probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import expit

from labelrank.scorers._newton import Double

__all__ = ["platt", "sigmoid"]


def platt(decisions: Double, Y: sp.csr_array) -> Double:
    r"""Slope a and offset c of :math:`1 / (1 + e^{-(a f + c)})` for each label.

    The log loss against Platt's targets, :math:`(n_+ + 1) / (n_+ + 2)` for rows that have the label
    and :math:`1 / (n_- + 2)` for the others, is minimised by Newton's method with halved steps.

    Parameters
    ----------
    decisions : array (n_rows, n_labels)
    Y : CSR (n_rows, n_labels)

    Returns
    -------
    array (n_labels, 2)
    """
    result = np.empty((decisions.shape[1], 2))
    columns = sp.csc_array(Y)
    for label in range(len(result)):
        has = np.zeros(len(decisions), dtype=bool)
        has[columns.indices[columns.indptr[label] : columns.indptr[label + 1]]] = True
        positive = int(has.sum())
        negative = len(has) - positive
        targets = np.where(has, (positive + 1) / (positive + 2), 1 / (negative + 2))
        result[label] = _fit(decisions[:, label], targets, np.log((positive + 1) / (negative + 1)))
    return result


def _fit(f: Double, targets: Double, offset: float) -> Double:
    design = np.column_stack([f, np.ones_like(f)])
    at = np.array([0.0, offset])

    def loss(at: Double) -> float:
        z = design @ at
        return float(np.sum(np.logaddexp(0, z) - targets * z))

    before = loss(at)
    for _ in range(100):
        p = expit(design @ at)
        gradient = design.T @ (p - targets)
        if np.abs(gradient).max() < 1e-9 * len(f):
            break
        hessian = design.T @ (design * (p * (1 - p))[:, None]) + 1e-12 * np.eye(2)
        step, far = np.linalg.solve(hessian, -gradient), 1.0
        while (after := loss(at + far * step)) > before + 1e-4 * far * (gradient @ step):
            far /= 2
            if far < 1e-10:
                return at
        at, before = at + far * step, after
    return at


def sigmoid(decisions: Double, parameters: Any) -> Double:
    """Probabilities of decision values (n_rows, n_labels)."""
    slope, offset = parameters.astype(np.float64).T
    return np.asarray(expit(decisions * slope + offset))
