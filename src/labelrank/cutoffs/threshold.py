"""Threshold: one number for all rows and labels."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from labelrank.cutoffs.learned import LearnedCutoff, Truth, best_cuts, between, choice, real
from labelrank.ranking import Ranking
from labelrank.store import Field, Number

__all__ = ["Threshold", "best_threshold"]


class Threshold(LearnedCutoff):
    r"""Keep the labels whose score is at least t, the same t for all rows and labels.

    Given as a number, or the one that is best on the ranking of fit, over all decisions at once:

    .. math::
        t = \arg\max_t \frac{2\,TP(t)}{2\,TP(t) + FP(t) + FN(t)}
        \quad\text{or}\quad \arg\min_t\, FP(t) + FN(t)

    Parameters
    ----------
    threshold : float, optional
        A number to use as it is; fit then learns nothing. Paper 000, section 3.2: 0 for a
        support vector machine, 0.5 for probabilities.
    criterion : {"f1", "errors", "count"}
        Micro-averaged F1, the number of wrong decisions, or as many labels kept as there are
        relevant ones (so that rows have as many labels on average as in training).

    Attributes
    ----------
    threshold_ : float
        In the middle between the last score kept and the first one not kept.
    n_labels_ : int

    Notes
    -----
    Exact: every place between two different scores is tried. Relevant labels that the ranking does
    not list are misses. Of equally good thresholds the highest is taken.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.cutoffs import Threshold
    >>> ranking = Ranking.from_dense(np.array([[0.9, 0.6, 0.1], [0.2, 0.8, 0.3]]))
    >>> cutoff = Threshold().fit(ranking, np.array([[1, 1, 0], [0, 1, 0]]))
    >>> round(cutoff.threshold_, 2)
    0.45
    >>> cutoff.keep(ranking).lengths.tolist()
    [2, 1]
    """

    fitted: ClassVar[dict[str, Field]] = {"threshold_": Number(float), "n_labels_": Number()}
    threshold_: float

    def __init__(self, threshold: float | None = None, criterion: str = "f1") -> None:
        self.threshold = threshold
        self.criterion = criterion

    def keep(self, ranking: Ranking, X: Any = None) -> Ranking:
        """The labels of each row that reach the threshold; one that is given needs no fit."""
        if self.threshold is not None and not hasattr(self, "threshold_"):
            self._check_params()
            return ranking.filtered(ranking.scores >= np.float64(self.threshold))
        return super().keep(ranking, X)

    def _learn(self, ranking: Ranking, Y: sp.csr_array, X: Any) -> None:
        if self.threshold is not None:
            self.threshold_ = float(self.threshold)
        else:
            truth = Truth.of(ranking, Y)
            self.threshold_ = best_threshold(ranking.scores, truth, self.criterion)

    def _cut(self, ranking: Ranking, X: Any) -> Ranking:
        return ranking.filtered(ranking.scores >= np.float64(self.threshold_))

    def _check_params(self) -> None:
        choice(self, "criterion", self.criterion, ("f1", "errors", "count"))
        if self.threshold is not None:
            real(self, "threshold", self.threshold, -np.inf)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if not np.isfinite(self.threshold_):
            raise ValueError("the threshold is not finite")


def best_threshold(scores: Any, truth: Truth, criterion: str) -> float:
    """The best number to cut all scores at; 0 when there are none."""
    if not len(scores):
        return 0.0
    order = np.argsort(-scores, kind="stable")
    falling = np.asarray(scores, dtype=np.float64)[order]
    relevant = truth.relevant.sum(keepdims=True)
    if criterion == "count":
        n = _nearest_gap(falling, int(relevant[0]))
    else:
        whole = np.array([0, len(falling)])
        n = int(best_cuts(whole, falling, Truth(truth.hits[order], relevant), criterion)[0])
    if n == 0:
        return float(np.nextafter(falling[0], np.inf))  # above every score seen
    if n == len(falling):
        return float(falling[-1])
    return float(between(falling[n - 1 : n], falling[n : n + 1])[0])


def _nearest_gap(falling: Any, n: int) -> int:
    """The place between two different scores (or an end) that is nearest to n, the fewer first."""
    gaps = np.flatnonzero(falling[1:] < falling[:-1]) + 1
    places = np.concatenate([[0], gaps, [len(falling)]])
    return int(places[np.argmin(np.abs(places - n))])
