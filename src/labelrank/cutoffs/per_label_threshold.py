"""PerLabelThreshold: one number for each label."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.cutoffs.learned import (
    CRITERIA,
    TIES,
    LearnedCutoff,
    Truth,
    best_cuts,
    between,
    choice,
    real,
)
from labelrank.cutoffs.threshold import best_threshold
from labelrank.ranking import Ranking
from labelrank.store import Array, Field, Number

__all__ = ["PerLabelThreshold"]


class PerLabelThreshold(LearnedCutoff):
    r"""Keep a label where its score is at least its own threshold (SCut; Yang 2001).

    Each label's best threshold is drawn to the one for all labels, the more the fewer relevant
    rows :math:`n_l` it has on the lists of training:

    .. math:: t_l = \frac{n_l\, t_l^* + s\, t^*}{n_l + s}

    Parameters
    ----------
    criterion : {"f1", "errors"}
        What is best for each label: its F1 (the mean of which is macro-F1) or its wrong decisions.
    shrinkage : float
        The s of the formula; 0 trusts a single example. A label that was relevant nowhere on the
        lists has the threshold of all labels.
    fbr : float
        A label whose best F1 in training is below this is only kept above the highest score it
        had there: a bad label is better left out (Yang's SCutFBR.1). 0 switches it off.
    ties : {"fewest", "most", "widest"}
        Which of equally good thresholds: the highest, the lowest, or the one in the widest gap.

    Attributes
    ----------
    thresholds_ : float64 (n_labels,)
    n_labels_ : int

    Notes
    -----
    Scores of a label must be comparable between rows: probabilities, decision values. Fit it on
    rows the scorer was not fitted on, or every threshold comes out too high.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.cutoffs import PerLabelThreshold
    >>> ranking = Ranking.from_dense(np.array([[0.9, 0.4], [0.7, 0.2], [0.5, 0.1]]))
    >>> Y = np.array([[1, 1], [0, 1], [0, 0]])
    >>> cutoff = PerLabelThreshold(shrinkage=0).fit(ranking, Y)
    >>> cutoff.thresholds_.round(2).tolist()
    [0.8, 0.15]
    """

    fitted: ClassVar[dict[str, Field]] = {"thresholds_": Array("f8"), "n_labels_": Number()}
    thresholds_: NDArray[np.float64]

    def __init__(
        self,
        criterion: str = "f1",
        shrinkage: float = 2.0,
        fbr: float = 0.0,
        ties: str = "widest",
    ) -> None:
        self.criterion = criterion
        self.shrinkage = shrinkage
        self.fbr = fbr
        self.ties = ties

    def _learn(self, ranking: Ranking, Y: sp.csr_array, X: Any) -> None:
        common = best_threshold(ranking.scores, Truth.of(ranking, Y), self.criterion)
        n = ranking.n_labels
        # the same entries turned round: for each label a list of rows, best first
        turned = sp.csr_array(
            (ranking.scores, ranking.labels, ranking.indptr), shape=ranking.shape
        ).tocsc()
        rows = Ranking.from_entries(turned.indptr, turned.indices, turned.data, ranking.n_rows)
        indptr, sizes, scores = rows.indptr, rows.lengths, rows.scores.astype(np.float64)
        truth = Truth.of(rows, sp.csr_array(Y.T))
        cuts = best_cuts(indptr, scores, truth, self.criterion, self.ties)
        ends = np.concatenate([[0], np.cumsum(truth.hits)])
        found = ends[indptr[1:]] - ends[indptr[:-1]]
        # scores on both sides of each cut; beyond an end the threshold stands at the end itself
        last, past = indptr[:-1] + cuts - 1, indptr[:-1] + cuts
        padded = np.append(scores, 0.0)  # for labels that are not listed at all
        top = padded[np.minimum(indptr[:-1], len(scores))]
        above = np.where(cuts > 0, padded[last], np.nextafter(top, np.inf))
        below = np.where(cuts < sizes, padded[np.minimum(past, len(scores))], above)
        best = np.where((cuts > 0) & (cuts < sizes), between(above, below), above)
        total = found + self.shrinkage
        # weights and not a difference, so that scores of any size do not overflow
        own = np.divide(found, total, out=np.zeros(n), where=found > 0)
        thresholds = own * np.where(found > 0, best, 0) + (1 - own) * common
        if self.fbr > 0:
            right = ends[past] - ends[indptr[:-1]]
            f1 = 2 * right / np.maximum(cuts + truth.relevant, 1)
            weak = (f1 < self.fbr) & (sizes > 0)
            thresholds = np.where(weak, np.nextafter(top, np.inf), thresholds)
        self.thresholds_ = thresholds

    def _cut(self, ranking: Ranking, X: Any) -> Ranking:
        return ranking.filtered(ranking.scores >= self.thresholds_[ranking.labels])

    def _check_params(self) -> None:
        choice(self, "criterion", self.criterion, CRITERIA)
        choice(self, "ties", self.ties, TIES)
        real(self, "shrinkage", self.shrinkage, 0)
        real(self, "fbr", self.fbr, 0, 1)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if len(self.thresholds_) != self.n_labels_:
            raise ValueError(f"{len(self.thresholds_)} thresholds for {self.n_labels_} labels")
