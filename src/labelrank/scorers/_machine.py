"""Support vector machines: what linear and kernel ones share, whatever loss they minimise."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from labelrank._parallel import over_blocks
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers._checks import check_n_jobs, positive
from labelrank.scorers._newton import Double
from labelrank.scorers.base import Scorer, whole
from labelrank.store import Array, Field, Matrix, Number

__all__ = ["MACHINE", "Machine"]

MACHINE: dict[str, Field] = {
    "vectors_": Matrix(),
    "weights_": Array("f4", 2),
    "intercept_": Array("f4"),
    "gamma_": Number(float),
    "n_features_in_": Number(),
    "n_labels_": Number(),
}
_SMALLEST = 1e-12  # of the eigenvalues of a kernel beside the largest


class Machine(Scorer):
    r"""Scores that are linear in the features, or in kernel values with training rows.

    .. math:: f_l(x) = w_l^T x + b_l \quad \text{or} \quad
        f_l(x) = \sum_j a_{jl}\, e^{-\gamma \|x_j - x\|^2} + b_l

    A subclass has the parameters kernel, gamma, C, tol, top and n_jobs.
    """

    fitted: ClassVar[dict[str, Field]] = MACHINE
    kernel: str
    gamma: str | float
    C: float
    tol: float
    top: int | None
    n_jobs: int | None
    vectors_: Any
    weights_: NDArray[np.float32]
    intercept_: NDArray[np.float32]
    gamma_: float

    def _design(self, X: Any) -> Any:
        """Rows in float64 whose inner products are the kernel's values."""
        self.gamma_ = self._width(X)
        if self.kernel == "linear":
            return X.astype(np.float64)
        values, vectors = np.linalg.eigh(_rbf(X, X, self.gamma_))
        kept = values > _SMALLEST * values[-1]
        return vectors[:, kept] * np.sqrt(values[kept])

    def _keep(self, X: Any, W: Double, b: Double, slopes: Double) -> None:
        """What ranking needs: weights, or the rows that pull and how strongly (a = -slopes)."""
        self.intercept_ = b.astype(np.float32)
        if self.kernel == "linear":
            self.vectors_ = np.zeros((0, X.shape[1]), dtype=np.float32)
            self.weights_ = W.astype(np.float32)
            return
        pulling = (slopes != 0).any(axis=1)
        self.vectors_ = X[pulling]
        self.weights_ = (-slopes[pulling]).astype(np.float32)

    def _decide(self, X: Any) -> Double:
        """The score of every label for some rows, in float64."""
        if self.kernel == "linear":
            return _plain(X @ self.weights_) + self.intercept_.astype(np.float64)
        if sp.issparse(X) != sp.issparse(self.vectors_):
            X = sp.csr_array(X) if sp.issparse(self.vectors_) else X.toarray()
        return _rbf(X, self.vectors_, self.gamma_) @ self.weights_ + self.intercept_

    def _scores(self, X: Any) -> Double:
        return self._decide(X)

    def _rank(self, X: Any, k: int | None) -> Ranking:
        def best(part: slice) -> Ranking:
            return Ranking.from_dense(self._scores(X[part]), k or self.top)

        return Ranking.stack(over_blocks(best, X.shape[0], self.n_jobs, 512))

    def _width(self, X: Any) -> float:
        if self.gamma != "scale":
            return float(self.gamma)
        mean = float(X.mean(dtype=np.float64))
        squares = float(row_norms(X.astype(np.float64), squared=True).sum())
        variance = squares / (X.shape[0] * X.shape[1]) - mean**2
        return 1 / (X.shape[1] * variance) if variance > 1e-300 else 1.0

    def _check_params(self) -> None:
        if self.kernel not in ("linear", "rbf"):
            raise InputError(f"kernel must be linear or rbf, not {self.kernel!r}.")
        if self.gamma != "scale":
            positive("gamma", self.gamma)
        positive("C", self.C)
        positive("tol", self.tol)
        if self.top is not None:
            whole("top", self.top)
        check_n_jobs(self.n_jobs)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        rows = self.vectors_.shape[0] if self.kernel == "rbf" else self.n_features_in_
        if self.vectors_.shape[1] != self.n_features_in_:
            raise ValueError("the support vectors do not have the features of fit")
        if self.weights_.shape != (rows, self.n_labels_):
            raise ValueError(f"weights of shape {self.weights_.shape} do not fit")
        if self.intercept_.shape != (self.n_labels_,):
            raise ValueError(f"{len(self.intercept_)} intercepts for {self.n_labels_} labels")
        if not 0 < self.gamma_ < np.inf:
            raise ValueError(f"gamma_ is {self.gamma_}")


def _rbf(A: Any, B: Any, gamma: float) -> Double:
    """The Gaussian kernel of each row of A with each of B; of a row with itself it is 1."""
    A, B = A.astype(np.float64), B.astype(np.float64)
    products = _plain(safe_sparse_dot(A, B.T, dense_output=True))
    distances = row_norms(A, squared=True)[:, None] + row_norms(B, squared=True) - 2 * products
    return np.asarray(np.exp(-gamma * np.maximum(distances, 0)))


def _plain(product: Any) -> Double:
    return np.asarray(product.toarray() if sp.issparse(product) else product, dtype=np.float64)
