"""Measures for labels whose order is known: grades of Y as ranks (paper 002, section 5.3).

Every pair of labels u < v with different grades is one decision: positive when u has the greater
grade, negative when v has. The list decides the same pair by which of the two stands higher.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from labelrank import _native
from labelrank.measures.base import Measure, Rows
from labelrank.measures.judged import Floats, Judged

__all__ = ["RankedAccuracy", "RankedExact", "RankedF1", "RankedMAP", "RankedPrecision"]
__all__ += ["RankedMeasure", "RankedRecall"]

_NOT_LINEAR = ("order", "worst", "best")  # tied pairs do not enter these measures one by one


@dataclass(frozen=True, kw_only=True)
class RankedMeasure(Measure):
    """A measure of the pairs of labels with different grades.

    A label that is not listed stands below all that are; two such labels have no order, which is
    wrong. With ``ties="order"`` equal scores stand by smaller label id; the mean over all orders of
    tied labels is offered where it is half a point a pair. A row is empty when all its labels have
    the same grade. Where a formula is 0/0 it is 1 on a row without a mistake, else 0.
    """

    needs_levels: ClassVar[bool] = False

    def _rows(self, judged: Judged) -> Rows:
        r = judged.ranking
        tie = {"order": -1.0, "expected": 0.5, "worst": 0.0, "best": 1.0}[self.ties]
        sums = _native.ordered_pairs(
            *(r.indptr, r.labels, r.scores),
            *(judged.indptr, judged.labels, judged.grades),
            *(r.n_labels, tie, self.needs_levels),
        )
        positive, negative, true_positive, true_negative, mean_precision = sums.T
        pairs = Pairs(
            true_positive,
            positive - true_positive,
            negative - true_negative,
            true_negative,
            mean_precision,
        )
        return Rows(self._value(pairs), undefined=positive + negative == 0)

    @abstractmethod
    def _value(self, pairs: Pairs) -> Floats:
        """The measure of each row."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of each row: true positive, false negative, false positive, true negative."""

    tp: Floats
    fn: Floats
    fp: Floats
    tn: Floats
    mean_precision: Floats

    @property
    def faultless(self) -> Floats:
        """1 for each row without a mistake."""
        return np.where(self.fn + self.fp == 0, 1.0, 0.0)

    def share(self, right: Floats, total: Floats) -> Floats:
        """Right over total; 0/0 is 1 without a mistake and 0 with one."""
        return np.divide(right, total, out=self.faultless, where=total > 0)


@dataclass(frozen=True, kw_only=True)
class RankedPrecision(RankedMeasure):
    r"""Ranked precision: of the pairs that the list puts u before v, the share that should be.

    .. math:: P = \frac{TP}{TP + FP}

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1, 2]])
    >>> RankedPrecision()(ranking, np.array([[3, 1, 2]])).value  # (1, 2) is wrong
    0.6666666666666666
    """

    name: ClassVar[str] = "ranked-P"
    tie_policies: ClassVar[tuple[str, ...]] = _NOT_LINEAR

    def _value(self, pairs: Pairs) -> Floats:
        return pairs.share(pairs.tp, pairs.tp + pairs.fp)


@dataclass(frozen=True, kw_only=True)
class RankedRecall(RankedMeasure):
    r"""Ranked recall: of the pairs with u before v in the truth, the share the list has so.

    .. math:: R = \frac{TP}{TP + FN}
    """

    name: ClassVar[str] = "ranked-R"

    def _value(self, pairs: Pairs) -> Floats:
        return pairs.share(pairs.tp, pairs.tp + pairs.fn)


@dataclass(frozen=True, kw_only=True)
class RankedF1(RankedMeasure):
    r"""Ranked F1 of each row's pairs, averaged over rows.

    .. math:: F_1 = \frac{2 TP}{2 TP + FP + FN}
    """

    name: ClassVar[str] = "ranked-F1"
    tie_policies: ClassVar[tuple[str, ...]] = _NOT_LINEAR

    def _value(self, pairs: Pairs) -> Floats:
        return pairs.share(2 * pairs.tp, 2 * pairs.tp + pairs.fp + pairs.fn)


@dataclass(frozen=True, kw_only=True)
class RankedAccuracy(RankedMeasure):
    r"""Ranked accuracy: the share of pairs in the right order.

    .. math:: Acc = \frac{TP + TN}{TP + TN + FP + FN}

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1, 2]])
    >>> RankedAccuracy()(ranking, np.array([[3, 1, 2]])).value
    0.6666666666666666
    """

    name: ClassVar[str] = "ranked-Acc"

    def _value(self, pairs: Pairs) -> Floats:
        return pairs.share(pairs.tp + pairs.tn, pairs.tp + pairs.fn + pairs.fp + pairs.tn)


@dataclass(frozen=True, kw_only=True)
class RankedExact(RankedMeasure):
    r"""Ranked 0-1: how often every pair of a row is in the right order.

    .. math:: [FP + FN = 0]
    """

    name: ClassVar[str] = "ranked-0/1"
    tie_policies: ClassVar[tuple[str, ...]] = _NOT_LINEAR

    def _value(self, pairs: Pairs) -> Floats:
        return pairs.faultless


@dataclass(frozen=True, kw_only=True)
class RankedMAP(RankedMeasure):
    r"""Ranked mAP: ranked precision averaged over the levels of the truth.

    .. math:: mAP = \frac{1}{|T|} \sum_{t \in T} P(y \cdot [y \ge t])

    with T the grades that occur in the row: one level after another, the smallest grades become 0.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1, 2]])
    >>> RankedMAP()(ranking, np.array([[3, 0, 2]])).value  # levels 2 and 3: (2/3 + 2/2) / 2
    0.8333333333333333
    """

    name: ClassVar[str] = "ranked-mAP"
    tie_policies: ClassVar[tuple[str, ...]] = _NOT_LINEAR
    needs_levels: ClassVar[bool] = True

    def _value(self, pairs: Pairs) -> Floats:
        return pairs.mean_precision
