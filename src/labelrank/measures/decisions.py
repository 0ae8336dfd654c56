"""Measures of decisions: every label that is listed counts as said to be relevant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank.measures.base import Empty, Measure, Rows
from labelrank.measures.gains import inverse
from labelrank.measures.judged import Judged

__all__ = ["ExactMatch", "ExampleAccuracy", "ExampleF1", "ExamplePrecision", "ExampleRecall"]
__all__ += ["Decision", "HammingLoss", "MacroF1", "MicroF1"]


@dataclass(frozen=True, kw_only=True)
class Decision(Measure):
    """A measure for which the order of the list does not matter, only what is on it.

    Cut the ranking first (a cutoff, or `Ranking.top`): a list of all labels says yes to all.
    """

    tie_policies: ClassVar[tuple[str, ...]] = ("order",)
    ordered: ClassVar[bool] = False
    whole_list: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class MicroF1(Decision):
    r"""Micro-averaged F1: precision and recall over all decisions at once.

    .. math:: F_1 = \frac{2 \sum TP}{\sum (2 TP + FP + FN)}

    Paper 000, (10) to (12). The sign test of section 4.3 compares the single decisions.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1], [0]], n_labels=3)
    >>> MicroF1()(ranking, np.array([[1, 0, 1], [1, 0, 0]])).value  # TP 2, FP 1, FN 1
    0.6666666666666666
    """

    name: ClassVar[str] = "micro-F1"

    def _rows(self, judged: Judged) -> Rows:
        return Rows(
            2 * judged.n_hits,
            (judged.ranking.lengths + judged.counts).astype(np.float64),
            wrong=wrong_decisions(judged),
        )


@dataclass(frozen=True, kw_only=True)
class MacroF1(Decision):
    r"""Macro-averaged F1: the mean over labels of each label's F1.

    .. math:: F_1(c) = \frac{2 TP_c}{2 TP_c + FP_c + FN_c}

    Paper 000, (13) to (15). An empty label, neither relevant nor listed anywhere, counts 0.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1], [0]], n_labels=3)
    >>> MacroF1()(ranking, np.array([[1, 0, 1], [1, 0, 0]])).values
    array([1., 0., 0.])
    """

    empty: Empty = "zero"
    name: ClassVar[str] = "macro-F1"
    unit: ClassVar[str] = "label"

    def _rows(self, judged: Judged) -> Rows:
        n = judged.ranking.n_labels
        listed = np.bincount(judged.ranking.labels, minlength=n)
        relevant = np.bincount(judged.labels, minlength=n)
        both = np.bincount(judged.ranking.labels, weights=judged.hits, minlength=n)
        total = (listed + relevant).astype(np.float64)
        return Rows(2 * both * inverse(total), undefined=total == 0)


@dataclass(frozen=True, kw_only=True)
class HammingLoss(Decision):
    r"""Hamming loss: the share of wrong decisions.

    .. math:: HLoss = \frac{FP + FN}{m}

    Paper 000, (16), for m labels.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1]], n_labels=4)
    >>> HammingLoss()(ranking, np.array([[1, 0, 1, 0]])).value
    0.5
    """

    name: ClassVar[str] = "HLoss"
    higher_is_better: ClassVar[bool] = False

    def _rows(self, judged: Judged) -> Rows:
        wrong = judged.ranking.lengths + judged.counts - 2 * judged.n_hits
        return Rows(wrong / max(judged.ranking.n_labels, 1), wrong=wrong_decisions(judged))


@dataclass(frozen=True, kw_only=True)
class ExampleAccuracy(Decision):
    r"""Accuracy of the decisions of each row, 1 - HLoss: paper 002's unranked accuracy.

    .. math:: Acc = \frac{TP + TN}{m}

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0]], n_labels=4)
    >>> ExampleAccuracy()(ranking, np.array([[1, 0, 1, 0]])).value
    0.75
    """

    name: ClassVar[str] = "ex-Acc"

    def _rows(self, judged: Judged) -> Rows:
        return Rows(1 - HammingLoss()._rows(judged).numerators)


@dataclass(frozen=True, kw_only=True)
class ExampleF1(Decision):
    r"""F1 of each row's decisions, averaged over rows.

    .. math:: F_1 = \frac{2 TP}{2 TP + FP + FN}

    A row with nothing relevant and nothing listed is empty and counts 1.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1], []], n_labels=3)
    >>> ExampleF1()(ranking, np.array([[1, 0, 1], [0, 0, 0]])).values
    array([0.5, 1. ])
    """

    empty: Empty = "one"
    name: ClassVar[str] = "ex-F1"

    def _rows(self, judged: Judged) -> Rows:
        total = (judged.ranking.lengths + judged.counts).astype(np.float64)
        return Rows(2 * judged.n_hits * inverse(total), undefined=total == 0)


@dataclass(frozen=True, kw_only=True)
class ExamplePrecision(Decision):
    r"""Share of each row's listed labels that is relevant, averaged over rows.

    .. math:: P = \frac{TP}{TP + FP}

    Paper 002, section 5.3 (unranked). A row that lists nothing is empty and counts 0.
    """

    empty: Empty = "zero"
    name: ClassVar[str] = "ex-P"

    def _rows(self, judged: Judged) -> Rows:
        listed = judged.ranking.lengths.astype(np.float64)
        return Rows(judged.n_hits * inverse(listed), undefined=listed == 0)


@dataclass(frozen=True, kw_only=True)
class ExampleRecall(Decision):
    r"""Share of each row's relevant labels that is listed, averaged over rows.

    .. math:: R = \frac{TP}{TP + FN}

    Paper 002, section 5.3 (unranked).
    """

    name: ClassVar[str] = "ex-R"

    def _rows(self, judged: Judged) -> Rows:
        return Rows(judged.n_hits * inverse(judged.counts), undefined=judged.counts == 0)


@dataclass(frozen=True, kw_only=True)
class ExactMatch(Decision):
    r"""How often a row's decisions are all right: the 0-1 measure of paper 002, section 5.3.

    .. math:: [FP + FN = 0]

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1], [2]], n_labels=3)
    >>> ExactMatch()(ranking, np.array([[1, 1, 0], [1, 0, 1]])).value
    0.5
    """

    name: ClassVar[str] = "exact-match"

    def _rows(self, judged: Judged) -> Rows:
        right = (judged.ranking.lengths == judged.counts) & (judged.n_hits == judged.counts)
        return Rows(right.astype(np.float64))


def wrong_decisions(judged: Judged) -> NDArray[np.int64]:
    """``row * n_labels + label`` of every label listed wrongly or left out wrongly, sorted."""
    n = judged.ranking.n_labels
    listed = judged.ranking.rows * n + judged.ranking.labels
    rows = np.repeat(np.arange(len(judged.counts)), judged.counts)
    return np.setxor1d(listed, rows * n + judged.labels, assume_unique=True)
