"""IBLR: the labels of the neighbourhood are features of a logistic regression for each label."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import expit

from labelrank._parallel import over_blocks
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers._checks import check_n_jobs, positive
from labelrank.scorers._neighbourhood import count_labels, nearest_rows, presence
from labelrank.scorers.base import Scorer, whole
from labelrank.scorers.logistic import learn_logistic
from labelrank.store import Array, Field, Matrix, Number, Sparse

__all__ = ["IBLR"]


class IBLR(Scorer):
    r"""Rank labels by logistic regressions on how many neighbours have each label.

    .. math::
        \log \frac{P(l \mid x)}{1 - P(l \mid x)} = \omega_0 + \sum_{j} \alpha_{lj}\, \omega_{+j}(x)
        \; [\, + \sum_f \beta_{lf}\, x_f \,], \qquad
        \omega_{+j}(x) = \frac{1}{k} \sum_{i \in N_k(x)} y_{ij}

    so that the labels of the neighbourhood speak for and against each other. A training row is left
    out of its own neighbourhood. The terms in brackets make IBLR-ML into IBLR-ML+.

    Parameters
    ----------
    k : int
        Neighbours by Euclidean distance; of equally near ones the earlier training row comes first.
    plus : bool
        IBLR-ML+: the features themselves are added, as they are.
    C : float
        How much the log loss costs beside the length of the weights, as in `OneVsAllLogistic`. The
        paper has no such term; without it many labels overfit.
    tol : float
        The relative error of the weights at which to stop.
    top : int, optional
        How many labels to list for a row; all by default.
    n_jobs : int, optional
        Labels, and blocks of rows, at a time; results do not depend on it.

    Attributes
    ----------
    rows_ : float32 (n_rows, n_features)
        The training rows.
    labels_ : float32 CSR (n_rows, n_labels)
        1 where they have a label.
    weights_ : float32 array (n_labels, n_labels), or with `plus` (n_labels + n_features, n_labels)
        Column l is :math:`\alpha_l`, then :math:`\beta_l`.
    intercept_ : float32 array (n_labels,)

    Notes
    -----
    The paper's :math:`\omega_{+j}` sums y as 1 and -1, which is the share here times 2k, minus k:
    the same model, with weights on another scale. Rows that have fewer than k others are given
    shares of k all the same.

    References
    ----------
    Cheng & Hüllermeier (2009), "Combining instance-based learning and logistic regression for
    multilabel classification", §3.2; compared with in paper 000, §3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import IBLR
    >>> X = np.array([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]])
    >>> Y = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 1]])
    >>> IBLR(k=2, C=10).fit(X, Y).rank(np.array([[0.5], [8.5]]))
    Ranking(2 rows, 2 labels, 4 entries)
      0: 0 (0.919), 1 (0.081)
      1: 1 (0.919), 0 (0.081)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "rows_": Matrix(),
        "labels_": Sparse(),
        "weights_": Array("f4", 2),
        "intercept_": Array("f4"),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    rows_: Any
    labels_: sp.csr_array
    weights_: NDArray[np.float32]
    intercept_: NDArray[np.float32]

    def __init__(
        self,
        k: int = 10,
        plus: bool = False,
        C: float = 1.0,
        tol: float = 1e-3,
        top: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.plus = plus
        self.C = C
        self.tol = tol
        self.top = top
        self.n_jobs = n_jobs

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self.rows_ = X
        self.labels_ = presence(Y)
        near = nearest_rows(X, X, self.k, own=True, n_jobs=self.n_jobs)
        described = self._described(near, X).astype(np.float64)
        W, b = learn_logistic(described, Y, self.C, self.tol, self.n_jobs)
        self.weights_, self.intercept_ = W.astype(np.float32), b.astype(np.float32)

    def _described(self, near: NDArray[np.int32], X: Any) -> Any:
        """Shares of the neighbours, and the features; sparse when the training rows are."""
        shares = count_labels(near, self.labels_) / np.float32(self.k)
        sparse = sp.issparse(self.rows_)
        if not self.plus:
            return shares if sparse else shares.toarray()
        if sparse:
            return sp.csr_array(sp.hstack([shares, sp.csr_array(X)]))
        return np.hstack([shares.toarray(), X.toarray() if sp.issparse(X) else X])

    def _rank(self, X: Any, k: int | None) -> Ranking:
        near = nearest_rows(self.rows_, X, self.k, n_jobs=self.n_jobs)

        def best(part: slice) -> Ranking:
            odds = self._described(near[part], X[part]) @ self.weights_
            return Ranking.from_dense(expit(odds + self.intercept_), k or self.top)

        return Ranking.stack(over_blocks(best, len(near), self.n_jobs, 512))

    def _check_params(self) -> None:
        whole("k", self.k)
        if not isinstance(self.plus, bool | np.bool_):
            raise InputError(f"plus must be True or False, found {self.plus!r}.")
        positive("C", self.C)
        positive("tol", self.tol)
        if self.top is not None:
            whole("top", self.top)
        check_n_jobs(self.n_jobs)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if self.rows_.shape != (self.labels_.shape[0], self.n_features_in_):
            raise ValueError("rows, labels and features do not have the same numbers")
        if self.labels_.shape[1] != self.n_labels_ or (self.labels_.data != 1).any():
            raise ValueError("the labels are not ones for every label")
        inputs = self.n_labels_ + (self.n_features_in_ if self.plus else 0)
        if self.weights_.shape != (inputs, self.n_labels_):
            raise ValueError(f"weights of shape {self.weights_.shape} do not fit")
        if self.intercept_.shape != (self.n_labels_,):
            raise ValueError(f"{len(self.intercept_)} intercepts for {self.n_labels_} labels")
