"""Rank-SVM: relevant labels of a row score above its irrelevant ones, by a margin."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp

from labelrank.scorers._losses import PairHinge
from labelrank.scorers._machine import MACHINE, Machine
from labelrank.scorers._newton import newton
from labelrank.store import Field

__all__ = ["RankSVMLabels"]


class RankSVMLabels(Machine):
    r"""Rank labels by functions that are learned together, from pairs of labels of each row.

    With :math:`Y_i` the labels of row i and :math:`\bar Y_i` the others,

    .. math::
        \min_{f, b}\ \tfrac{1}{2} \sum_l \|f_l\|^2 + C \sum_i \frac{1}{|Y_i| |\bar Y_i|}
        \sum_{k \in Y_i} \sum_{l \in \bar Y_i} \max(0, 1 - (f_k(x_i) + b_k) + f_l(x_i) + b_l)^2

    the ranking loss with a margin. Elisseeff & Weston have the hinge itself and solve the dual; its
    square has a slope everywhere, so that Newton's method finds the optimum of the primal, at a
    cost of O(m log m) for the pairs of a row with m labels.

    Parameters
    ----------
    C : float
        How much wrong pairs cost beside the length of the functions.
    kernel : {"linear", "rbf"}
        The Gaussian kernel :math:`e^{-\gamma \|x - x'\|^2}` is for small data: it takes n² memory
        and n³ time for n training rows.
    gamma : "scale" or float
        "scale" is 1 / (n_features × the variance of X).
    tol : float
        The relative error of the functions at which to stop.
    top : int, optional
        How many labels to list for a row; all by default.
    n_jobs : int, optional
        Blocks of rows that are ranked at a time; results do not depend on it.

    Attributes
    ----------
    weights_ : float32 array (n_features, n_labels) or (n_vectors, n_labels)
        Of the features, or of the support vectors.
    vectors_ : float32 (n_vectors, n_features)
        Training rows that any label needs; none when the kernel is linear.
    intercept_ : float32 array (n_labels,)
        Only differences matter; their mean is 0.
    gamma_ : float

    Notes
    -----
    Rows that have no label, or all, teach nothing. The learning takes memory for some arrays of
    rows × labels.

    References
    ----------
    Elisseeff & Weston (2001), "A kernel method for multi-labelled classification", the method
    compared with in paper 000, §3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import RankSVMLabels
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> RankSVMLabels(C=1000).fit(X, Y).rank(np.array([[0.5], [3.0]]))
    Ranking(2 rows, 2 labels, 4 entries)
      0: 0 (1), 1 (-1)
      1: 1 (1.5), 0 (-1.5)
    """

    fitted: ClassVar[dict[str, Field]] = MACHINE

    def __init__(
        self,
        C: float = 1.0,
        kernel: Literal["linear", "rbf"] = "linear",
        gamma: Literal["scale"] | float = "scale",
        tol: float = 1e-3,
        top: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.tol = tol
        self.top = top
        self.n_jobs = n_jobs

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        counts = np.diff(Y.indptr)
        teaching = (counts > 0) & (counts < Y.shape[1])
        relevant = Y[teaching].toarray() > 0
        rows = X[teaching]
        loss, start = PairHinge(relevant, self.C), np.zeros(Y.shape[1])
        tol = self.tol if self.kernel == "linear" else self.tol / 100  # scores are sums of slopes
        if len(relevant) == 0:
            self.gamma_ = self._width(X)
            W, slopes = np.zeros((X.shape[1], Y.shape[1])), np.zeros((0, Y.shape[1]))
            return self._keep(rows, W, start, slopes)
        W, b, F = newton(self._design(rows), loss, start, tol)
        self._keep(rows, W, b - b.mean(), loss.at(F, np.arange(len(b))).slopes)
