"""LabelCount: how many labels a row has, predicted from its best scores."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from labelrank.cutoffs.learned import LearnedCutoff, Truth, best_cuts, choice, real
from labelrank.cutoffs.ridge import Moments
from labelrank.cutoffs.scales import fitted_temperature, on_scale, top_columns
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.store import Array, Field, Number

__all__ = ["LabelCount"]

Floats = NDArray[np.float64]
_SCALES = ("log-softmax", "scores")
_DEPTH = 10  # how many of the first scores speak
_ROWS, _CLASSES = 10_000, 12  # enough rows to learn from, and counts to tell apart


class LabelCount(LearnedCutoff):
    r"""Keep the first n labels of a row, where n is predicted from its first ten scores.

    .. math:: n(s) = \arg\max_c\; w_c^\top u(s) + b_c \quad\text{or}\quad
              n(s) = \mathrm{round}\big(w^\top u(s) + b\big)

    with u the row's first scores and the logarithms of their softmax.

    Parameters
    ----------
    method : {"classify", "regress"}
        A multinomial logistic regression with a class for each count (those above 12 are one), or
        linear least squares and the nearest whole number.
    criterion : {"f1", "errors", "count"}
        What to predict: where cutting the row's list gives the highest F1 or the fewest errors, or
        the number of its relevant labels.
    ridge : float
        Damps the weights: a share of the mean sum of squares of u's columns.

    Attributes
    ----------
    counts_ : int64 (n_classes,)
        The counts to choose from; the least and the most when they are regressed.
    weights_ : float64 (n_classes or 1, n_columns)
    intercepts_ : float64 (n_classes or 1,)
    temperature_ : float
        By which scores are divided; see `LLSF`.
    n_labels_ : int

    Notes
    -----
    Places count and not scores, so of equal scores the smaller label ids stay.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.cutoffs import LabelCount
    >>> ranking = Ranking.from_dense(np.array([[9.0, 1, 0], [5, 6, 0], [0, 1, 9], [5, 0, 5]]))
    >>> Y = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1]])
    >>> LabelCount().fit(ranking, Y).keep(ranking).lengths.tolist()
    [1, 2, 1, 2]
    """

    fitted: ClassVar[dict[str, Field]] = {
        "counts_": Array("i8"),
        "weights_": Array("f8", 2),
        "intercepts_": Array("f8"),
        "temperature_": Number(float),
        "n_labels_": Number(),
    }
    counts_: NDArray[np.int64]
    weights_: Floats
    intercepts_: Floats
    temperature_: float

    def __init__(
        self, method: str = "classify", criterion: str = "f1", ridge: float = 1e-2
    ) -> None:
        self.method = method
        self.criterion = criterion
        self.ridge = ridge

    def _learn(self, ranking: Ranking, Y: sp.csr_array, X: Any) -> None:
        some = np.flatnonzero(ranking.lengths > 0)
        if not len(some):
            raise InputError(
                "LabelCount: the ranking of fit lists no label: there is nothing to learn."
            )
        if self.method == "classify":
            some = some[:: -(-len(some) // _ROWS)]
        truth = Truth.of(ranking, Y)
        part, known = ranking[some], truth.of_rows(ranking, some)
        self.temperature_ = fitted_temperature(part, known)
        counts = known.relevant
        if self.criterion != "count":
            counts = best_cuts(part.indptr, part.scores, known, self.criterion)
        F = self._columns(part)
        if self.method == "regress":
            self._regress(F, counts)
        else:
            self._classify(F, np.minimum(counts, _CLASSES))

    def _regress(self, F: Floats, counts: NDArray[np.int64]) -> None:
        moments = Moments(1, F.shape[1])
        moments.add(F, counts.astype(np.float64), np.zeros(len(F), np.int64))
        line = moments.solve((float(self.ridge),))[0]
        self.counts_ = np.array([counts.min(), counts.max()])
        self.weights_, self.intercepts_ = line.weights[None], np.array([line.intercept])

    def _classify(self, F: Floats, counts: NDArray[np.int64]) -> None:
        self.counts_ = np.unique(counts)
        n = len(self.counts_)
        self.weights_, self.intercepts_ = np.zeros((n, F.shape[1])), np.zeros(n)
        mean, spread = F.mean(axis=0), F.std(axis=0)
        varies = spread > 1e-9 * np.abs(mean)
        if n < 2 or not varies.any():
            self.intercepts_ = np.log(np.bincount(counts)[self.counts_])
            return
        factor = np.divide(1.0, spread, out=np.zeros_like(spread), where=varies)
        # Newton's steps: the columns nearly depend on each other, which slows gradients down
        model = LogisticRegression(
            C=1 / max(self.ridge * len(F), 1e-6), solver="newton-cholesky", tol=1e-3, max_iter=20
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.simplefilter("ignore", LinAlgWarning)  # then it goes on with gradients
            model.fit((F - mean) * factor, counts)
        coefficients, intercepts = model.coef_, model.intercept_
        if n == 2:  # scikit-learn keeps the second class's only
            zero = np.zeros_like(coefficients)
            coefficients = np.concatenate([zero, coefficients])
            intercepts = np.concatenate([[0.0], intercepts])
        self.weights_ = coefficients * factor
        self.intercepts_ = intercepts - self.weights_ @ mean

    def _columns(self, ranking: Ranking) -> Floats:
        depth = min(_DEPTH, ranking.n_labels)
        scales = [on_scale(ranking, scale, self.temperature_) for scale in _SCALES]
        return np.hstack([top_columns(ranking, values, depth) for values in scales])

    def _cut(self, ranking: Ranking, X: Any) -> Ranking:
        found = self._columns(ranking) @ self.weights_.T + self.intercepts_
        if self.method == "regress":
            low, high = self.counts_
            return ranking.top(np.rint(np.clip(found[:, 0], low, high)).astype(np.int64))
        return ranking.top(self.counts_[found.argmax(axis=1)])

    def _check_params(self) -> None:
        choice(self, "method", self.method, ("classify", "regress"))
        choice(self, "criterion", self.criterion, ("f1", "errors", "count"))
        real(self, "ridge", self.ridge, 0)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        rows = 1 if self.method == "regress" else len(self.counts_)
        columns = len(_SCALES) * min(_DEPTH, self.n_labels_)
        if self.weights_.shape != (rows, columns) or self.intercepts_.shape != (rows,):
            raise ValueError(f"weights of shape {self.weights_.shape} do not fit")
        least = 2 if self.method == "regress" else 1
        if len(self.counts_) < least or (np.diff(self.counts_) < 0).any() or self.counts_[0] < 0:
            raise ValueError("the counts do not rise from 0 or more")
        if self.method == "regress" and len(self.counts_) != least:
            raise ValueError("a regression has a least and a most count")
        if not (np.isfinite(self.temperature_) and self.temperature_ > 0):
            raise ValueError("the temperature cannot be")
