"""One-vs-all logistic regression: a probability for each label."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import expit

from labelrank._parallel import over_blocks
from labelrank.ranking import Ranking
from labelrank.scorers._checks import check_n_jobs, positive
from labelrank.scorers._independent import solve_labels
from labelrank.scorers._losses import Logistic
from labelrank.scorers._newton import Double
from labelrank.scorers.base import Scorer, whole
from labelrank.store import Array, Field, Number

__all__ = ["OneVsAllLogistic", "learn_logistic"]


class OneVsAllLogistic(Scorer):
    r"""Rank labels by the probabilities of one L2-regularised logistic regression each.

    .. math:: P(l \mid x) = \frac{1}{1 + e^{-(w_l^T x + b_l)}}, \qquad
        \min_{w, b}\ \tfrac{1}{2} \|w\|^2 + C \sum_i \log(1 + e^{-t_i (w^T x_i + b)})

    Parameters
    ----------
    C : float
        How much the log loss costs beside the length of w; the intercept costs nothing.
    tol : float
        The relative error of w at which to stop.
    top : int, optional
        How many labels to list for a row; all by default.
    n_jobs : int, optional
        Labels, and blocks of rows, at a time; results do not depend on it.

    Attributes
    ----------
    weights_ : float32 array (n_features, n_labels)
    intercept_ : float32 array (n_labels,)

    Notes
    -----
    A label that no training row has, or that all have, gets the smoothed log odds of its counts
    everywhere, :math:`b_l = \log \frac{n_l + 1/2}{n - n_l + 1/2}`.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import OneVsAllLogistic
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> OneVsAllLogistic().fit(X, Y).rank(np.array([[0.5], [3.0]]))
    Ranking(2 rows, 2 labels, 4 entries)
      0: 0 (0.723), 1 (0.277)
      1: 1 (0.808), 0 (0.192)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "weights_": Array("f4", 2),
        "intercept_": Array("f4"),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    weights_: NDArray[np.float32]
    intercept_: NDArray[np.float32]

    def __init__(
        self,
        C: float = 1.0,
        tol: float = 1e-3,
        top: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.tol = tol
        self.top = top
        self.n_jobs = n_jobs

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        W, b = learn_logistic(X.astype(np.float64), Y, self.C, self.tol, self.n_jobs)
        self.weights_, self.intercept_ = W.astype(np.float32), b.astype(np.float32)

    def _rank(self, X: Any, k: int | None) -> Ranking:
        def best(part: slice) -> Ranking:
            odds = np.asarray(X[part] @ self.weights_, dtype=np.float64) + self.intercept_
            return Ranking.from_dense(expit(odds), k or self.top)

        return Ranking.stack(over_blocks(best, X.shape[0], self.n_jobs, 512))

    def _check_params(self) -> None:
        positive("C", self.C)
        positive("tol", self.tol)
        if self.top is not None:
            whole("top", self.top)
        check_n_jobs(self.n_jobs)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if self.weights_.shape != (self.n_features_in_, self.n_labels_):
            raise ValueError(f"weights of shape {self.weights_.shape} do not fit")
        if self.intercept_.shape != (self.n_labels_,):
            raise ValueError(f"{len(self.intercept_)} intercepts for {self.n_labels_} labels")


def learn_logistic(
    X: Any, Y: sp.csr_array, C: float, tol: float, n_jobs: int | None
) -> tuple[Double, Double]:
    """Weights (n_features, n_labels) and intercepts of a logistic regression for each label."""
    n = Y.shape[0]

    def loss(relevant: NDArray[np.bool_]) -> Logistic:
        return Logistic(relevant, C)

    def start(share: Double) -> Double:
        return np.asarray(np.log((share * n + 0.5) / (n - share * n + 0.5)))

    W, b, _ = solve_labels(X, Y, loss, start, tol, n_jobs)
    return W, b
