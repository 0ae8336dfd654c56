"""PfastreXML: propensity-scored trees, re-ranked by classifiers for tail labels (paper 003)."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp

from labelrank import _native
from labelrank._parallel import over_blocks
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers._checks import positive
from labelrank.scorers.base import Scorer
from labelrank.scorers.trees import PfastXML, TailLabels
from labelrank.scorers.trees.tail_labels import unit_rows
from labelrank.store import Field, Number, Part

__all__ = ["PfastreXML"]

_BLOCK = 256  # rows whose candidates are held at a time


class PfastreXML(Scorer):
    r"""Rank labels for applications where labels are missing and rare ones are worth most.

    .. math::
        s_l = \alpha \log P_{\text{pf}}(y_l = 1 \mid x) + (1 - \alpha) \log P(y_l = 1 \mid x)

    Paper 003, (8), over the labels with :math:`P_{\text{pf}} > 0`: the mean leaf of `PfastXML`,
    whose nodes are split by propensity-scored nDCG, and the nearness to a label's mean row,
    `TailLabels`.

    Parameters
    ----------
    n_trees, leaf_size, leaf_labels, C, bias
        Of the trees; see `FastXML`.
    alpha : float
        From 0 to 1: how much the trees count.
    gamma : float
        Of the classifiers for tail labels.
    A, B : float
        Of the propensity model (1), for labels whose propensities are not given in fit.
    top : int, optional
        How many labels to list for a row; by default all with :math:`P_{\text{pf}} > 0`.
    random_state : int, RandomState or None
    n_jobs : int, optional
        Trees, and in `rank` blocks of rows, at a time; results do not depend on it.
    verbose : int

    Attributes
    ----------
    trees_ : PfastXML
    tail_ : TailLabels

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import PfastreXML
    >>> X = np.repeat(np.eye(3), 10, axis=0)
    >>> Y = np.repeat([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0]], 10, axis=0)
    >>> PfastreXML(n_trees=5, random_state=0).fit(X, Y).rank(np.eye(3)[:1], k=2)
    Ranking(1 rows, 4 labels, 2 entries)
      0: 0 (0.431), 3 (-1.06)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "trees_": Part(),
        "tail_": Part(),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    trees_: PfastXML
    tail_: TailLabels

    def __init__(
        self,
        n_trees: int = 50,
        leaf_size: int = 10,
        leaf_labels: int = 100,
        C: float = 1.0,
        bias: float = 1.0,
        alpha: float = 0.8,
        gamma: float = 30.0,
        A: float = 0.55,
        B: float = 1.5,
        top: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.leaf_size = leaf_size
        self.leaf_labels = leaf_labels
        self.C = C
        self.bias = bias
        self.alpha = alpha
        self.gamma = gamma
        self.A = A
        self.B = B
        self.top = top
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, Y: Any, propensities: Any = None) -> Self:
        """Learn from rows and their labels; see `PfastXML.fit`."""
        self._given = propensities
        try:
            return super().fit(X, Y)
        finally:
            del self._given

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self.trees_ = self._trees().fit(X, Y, propensities=self._given)
        self.tail_ = TailLabels(self.gamma, n_jobs=self.n_jobs).fit(X, Y)

    def _trees(self) -> PfastXML:
        params = self.get_params(deep=False)
        own = PfastXML().get_params(deep=False).keys()
        return PfastXML(**{name: params[name] for name in own})

    def _rank(self, X: Any, k: int | None) -> Ranking:
        rows, unit = sp.csr_array(X), unit_rows(X)
        keep = np.full(_BLOCK, k or self.top or -1, dtype=np.int64)

        def best(part: slice) -> Ranking:
            indptr, labels, p = self.trees_.candidates(rows[part])
            near = self.tail_.log_probabilities(unit[part], indptr, labels)
            scores = np.float32(self.alpha) * np.log(p) + np.float32(1 - self.alpha) * near
            return Ranking._trusted(
                *_native.top_rows(indptr, labels, scores, keep[: len(indptr) - 1]), self.n_labels_
            )

        return Ranking.stack(over_blocks(best, rows.shape[0], self.n_jobs, _BLOCK))

    def _check_params(self) -> None:
        self._trees()._check_params()
        positive("gamma", self.gamma)
        real = isinstance(self.alpha, int | float | np.number) and not isinstance(self.alpha, bool)
        if not (real and 0 <= self.alpha <= 1):
            raise InputError(f"alpha must be a number from 0 to 1, found {self.alpha!r}.")

    def _check_fitted(self) -> None:
        super()._check_fitted()
        for part, kind in ((self.trees_, PfastXML), (self.tail_, TailLabels)):
            if not isinstance(part, kind):
                raise ValueError(f"a {type(part).__name__} is no {kind.__name__}")
            if (part.n_labels_, part.n_features_in_) != (self.n_labels_, self.n_features_in_):
                raise ValueError("its parts have other numbers of labels or features")
