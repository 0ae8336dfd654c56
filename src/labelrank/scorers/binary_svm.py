"""Binary SVM: one support vector machine a label, which knows nothing of the others."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.errors import InputError
from labelrank.scorers._independent import solve_labels
from labelrank.scorers._losses import SquaredHinge
from labelrank.scorers._machine import MACHINE, Machine
from labelrank.scorers._newton import Double
from labelrank.scorers._platt import platt, sigmoid
from labelrank.store import Array, Field

__all__ = ["BinarySVM"]

_FOLDS = 5


class BinarySVM(Machine):
    r"""Rank labels by the decision values of one support vector machine each.

    For each label, with :math:`t_i = 1` for the rows that have it and -1 for the others,

    .. math:: \min_{f, b}\ \tfrac{1}{2} \|f\|^2 + C \sum_i \max(0, 1 - t_i (f(x_i) + b))^2

    the L2 machine with an intercept that costs nothing. Scores are f(x) + b.

    Parameters
    ----------
    C : float
        How much an error costs beside the length of f.
    kernel : {"linear", "rbf"}
        The Gaussian kernel :math:`e^{-\gamma \|x - x'\|^2}` is for small data: it takes n² memory
        and n³ time for n training rows.
    gamma : "scale" or float
        "scale" is 1 / (n_features × the variance of X).
    calibrate : bool
        Scores are probabilities by Platt's sigmoid, fitted to decision values of five-fold
        cross-validation (row i is in fold i mod 5).
    tol : float
        The relative error of f at which to stop.
    top : int, optional
        How many labels to list for a row; all by default.
    n_jobs : int, optional
        Labels, and blocks of rows, at a time; results do not depend on it.

    Attributes
    ----------
    weights_ : float32 array (n_features, n_labels) or (n_vectors, n_labels)
        Of the features, or of the support vectors.
    vectors_ : float32 (n_vectors, n_features)
        Training rows that any label needs; none when the kernel is linear.
    intercept_ : float32 array (n_labels,)
    gamma_ : float
    sigmoid_ : float32 array (n_labels, 2)
        Slope and offset of each label's sigmoid; no rows without `calibrate`.

    Notes
    -----
    A label that no training row has scores -1 everywhere and one that all have scores 1: what the
    objective gives. The optimum is found by Newton's method, for blocks of labels at a time.

    References
    ----------
    The method compared with in paper 000, §3.2; Platt's sigmoid as corrected by Lin, Lin & Weng
    (2007).

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import BinarySVM
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> BinarySVM(C=1000).fit(X, Y).rank(np.array([[0.5], [3.0]]))
    Ranking(2 rows, 2 labels, 4 entries)
      0: 0 (2), 1 (-2)
      1: 1 (3), 0 (-3)
    """

    fitted: ClassVar[dict[str, Field]] = MACHINE | {"sigmoid_": Array("f4", 2)}
    sigmoid_: NDArray[np.float32]

    def __init__(
        self,
        C: float = 1.0,
        kernel: Literal["linear", "rbf"] = "linear",
        gamma: Literal["scale"] | float = "scale",
        calibrate: bool = False,
        tol: float = 1e-3,
        top: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.calibrate = calibrate
        self.tol = tol
        self.top = top
        self.n_jobs = n_jobs

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        design = self._design(X)
        self.sigmoid_ = np.zeros((0, 2), dtype=np.float32)
        if self.calibrate:
            self.sigmoid_ = platt(self._held_out(design, Y), Y).astype(np.float32)
        W, b, slopes = self._solve(design, Y)
        self._keep(X, W, b, slopes)

    def _solve(self, design: Any, Y: sp.csr_array) -> tuple[Double, Double, Double]:
        def loss(relevant: NDArray[np.bool_]) -> SquaredHinge:
            return SquaredHinge(relevant, self.C)

        def start(share: Double) -> Double:
            return 2 * share - 1  # the best constant

        curved = self.kernel == "rbf"  # then scores are sums of slopes, which must be precise
        tol = self.tol / 100 if curved else self.tol
        return solve_labels(design, Y, loss, start, tol, self.n_jobs, with_slopes=curved)

    def _held_out(self, design: Any, Y: sp.csr_array) -> Double:
        """The decision value of each row by machines that did not see it."""
        n = Y.shape[0]
        fold = np.arange(n) % min(_FOLDS, n)
        decisions = np.empty(Y.shape)
        for part in range(min(_FOLDS, n)):
            out = fold == part
            rest = ~out if n > 1 else out
            W, b, _ = self._solve(design[rest], Y[rest])
            decisions[out] = design[out] @ W + b
        return decisions

    def _scores(self, X: Any) -> Double:
        decisions = self._decide(X)
        return sigmoid(decisions, self.sigmoid_) if self.calibrate else decisions

    def _check_params(self) -> None:
        super()._check_params()
        if not isinstance(self.calibrate, bool | np.bool_):
            raise InputError(f"calibrate must be True or False, found {self.calibrate!r}.")

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if self.sigmoid_.shape != (self.n_labels_ if self.calibrate else 0, 2):
            raise ValueError(f"sigmoids of shape {self.sigmoid_.shape} do not fit")
