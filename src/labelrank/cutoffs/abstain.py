"""Abstain: keep nothing for a row that is too unsure."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone

from labelrank.cutoffs.base import Cutoff
from labelrank.cutoffs.learned import LearnedCutoff, Truth, choice, real
from labelrank.cutoffs.scales import fitted_temperature, on_scale, top_columns
from labelrank.cutoffs.top_k import TopK
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.store import Field, Number, Part

__all__ = ["Abstain"]

Floats = NDArray[np.float64]
_ALONE = 1e101  # above every margin there can be


class Abstain(LearnedCutoff):
    r"""Keep what another cutoff keeps, and nothing in rows whose confidence is below c.

    .. math::
        c = \min \Big\{ c : \frac{\sum_{i:\, c_i \ge c} TP_i}{\sum_{i:\, c_i \ge c} TP_i + FP_i}
        \ge \text{precision} \Big\}

    so that as many rows as possible are answered while, of the labels kept in training, the wanted
    share is right.

    Parameters
    ----------
    cutoff : Cutoff, optional
        Decides which labels of a row would be kept; by default all that are listed.
    precision : float
        The wanted share of right labels among those that are kept; 1 - risk.
    confidence : {"share", "score", "margin"}
        What says how sure a row is: the first label's share of the row's softmax, its score, or how
        far it is above the second score (a row that lists one label is as sure as can be).

    Attributes
    ----------
    cutoff_ : Cutoff
        Fitted to the same ranking.
    least_ : float
        The c of the formula; just above all confidences seen when no part of the rows reaches the
        precision: then every row of training is left out.
    temperature_ : float
        By which scores are divided before the softmax; see `LLSF`.
    precision_, answered_ : float
        Reached in training: the share of right labels, and the share of rows with labels kept.
    n_labels_ : int

    Notes
    -----
    The precision holds on average for rows like those of fit, which the scorer must not have been
    fitted on; it is an estimate and no guarantee. Rows that are equally sure go together.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.cutoffs import Abstain, TopK
    >>> ranking = Ranking.from_dense(np.array([[5.0, 0], [0, 4], [2, 1], [1, 1.5]]))
    >>> Y = np.array([[1, 0], [0, 1], [1, 0], [1, 0]])
    >>> careful = Abstain(TopK(k=1), precision=1.0).fit(ranking, Y)
    >>> careful.keep(ranking).lengths.tolist(), careful.answered_
    ([1, 1, 1, 0], 0.75)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "cutoff_": Part(),
        "least_": Number(float),
        "temperature_": Number(float),
        "precision_": Number(float),
        "answered_": Number(float),
        "n_labels_": Number(),
    }
    cutoff_: Cutoff
    least_: float
    temperature_: float
    precision_: float
    answered_: float

    def __init__(
        self, cutoff: Cutoff | None = None, precision: float = 0.9, confidence: str = "share"
    ) -> None:
        self.cutoff = cutoff
        self.precision = precision
        self.confidence = confidence

    def _learn(self, ranking: Ranking, Y: sp.csr_array, X: Any) -> None:
        inner = TopK(k=ranking.n_labels) if self.cutoff is None else clone(self.cutoff)
        self.cutoff_ = inner.fit(ranking, Y, X)
        self.temperature_ = fitted_temperature(ranking, Truth.of(ranking, Y))
        kept = self.cutoff_.keep(ranking, X)
        hits = np.concatenate([[0], np.cumsum(Truth.of(kept, Y).hits)])[kept.indptr]
        rows = np.flatnonzero(kept.lengths > 0)
        sure = self._confidences(ranking)[rows]
        order = np.argsort(-sure, kind="stable")
        sure = sure[order]
        right = np.cumsum(np.diff(hits)[rows][order])
        share = right / np.cumsum(kept.lengths[rows][order])
        last_of_equals = np.append(sure[1:] < sure[:-1], True)[: len(sure)]
        good = np.flatnonzero((share >= self.precision) & last_of_equals)
        self.answered_ = float(good[-1] + 1) / ranking.n_rows if len(good) else 0.0
        self.precision_ = float(share[good[-1]]) if len(good) else 1.0
        if len(good):
            self.least_ = float(sure[good[-1]])
        else:
            self.least_ = float(np.nextafter(sure[0], np.inf)) if len(sure) else 0.0

    def _cut(self, ranking: Ranking, X: Any) -> Ranking:
        kept = self.cutoff_.keep(ranking, X)
        return kept.filtered(np.repeat(self._confidences(ranking) >= self.least_, kept.lengths))

    def _confidences(self, ranking: Ranking) -> Floats:
        """How sure each row is; rows that list nothing have nothing to keep."""
        if self.confidence == "share":
            values = on_scale(ranking, "softmax", self.temperature_)
            return top_columns(ranking, values, 1)[:, 0]
        first_two = top_columns(ranking, on_scale(ranking, "scores", 1.0), 2)
        if self.confidence == "score":
            return first_two[:, 0]
        alone = ranking.lengths == 1
        return np.where(alone, _ALONE, first_two[:, 0] - first_two[:, 1])

    def _check_params(self) -> None:
        if self.cutoff is not None and not isinstance(self.cutoff, Cutoff):
            raise InputError(f"Abstain: cutoff must be a cutoff, found {self.cutoff!r}.")
        real(self, "precision", self.precision, 0, 1)
        choice(self, "confidence", self.confidence, ("share", "score", "margin"))

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if not isinstance(self.cutoff_, Cutoff):
            raise ValueError("the part is no cutoff")
        if getattr(self.cutoff_, "n_labels_", self.n_labels_) != self.n_labels_:
            raise ValueError("the part is for another number of labels")
        numbers = [self.least_, self.precision_, self.answered_, self.temperature_]
        if not np.isfinite(numbers).all() or self.temperature_ <= 0:
            raise ValueError("a learned number cannot be")
