"""Measures that add up gains from the top of the list: P@k, R@k, F@k, nDCG, MRR, ADG."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from labelrank.errors import InputError
from labelrank.measures.base import Empty, Measure, Rows, log_discount
from labelrank.measures.judged import Floats, Judged

__all__ = ["ADG", "MRR", "NDCG", "FBeta", "Gain", "Precision", "Recall"]


@dataclass(frozen=True, kw_only=True)
class Gain(Measure):
    r"""A weighted count of the relevant labels of the list.

    .. math::
        G_i = s_i \sum_{j \le k} d(j)\, [\hat y_{ij} \in R_i]

    with a discount d for each place j and a scale s for each row. The propensity-scored measures
    have the same form with 1/p in place of 1 (`labelrank.measures.propensity`).
    """

    def _rows(self, judged: Judged) -> Rows:
        discount, scale = self._discount(judged), self._scale(judged, judged.counts)
        gained = judged.gained(judged.hits, discount, self.ties)
        return Rows(gained * scale, undefined=judged.counts == 0)

    @abstractmethod
    def _discount(self, judged: Judged) -> Floats:
        """d(1), d(2), …, d(k)."""

    @abstractmethod
    def _scale(self, judged: Judged, relevant: Floats) -> Floats:
        """The factor of each row, given its number of relevant labels."""


def inverse(counts: Floats) -> Floats:
    """1/n, and 0 for n = 0, where the policy on empty rows decides anyway."""
    return np.divide(1.0, counts, out=np.zeros(len(counts)), where=counts > 0)


@dataclass(frozen=True, kw_only=True)
class Precision(Gain):
    r"""P@k, the share of the first k labels that is relevant.

    .. math:: P@k = \frac{1}{k} \sum_{j \le k} [\hat y_j \in R]

    Paper 003, Table 1 with p = 1; paper 001, section 5.2. A row without a relevant label counts 0.

    Parameters
    ----------
    k : int

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[2, 0, 1]])
    >>> Precision(k=2)(ranking, np.array([[0, 1, 1]])).value
    0.5
    """

    k: int
    empty: Empty = "zero"
    name: ClassVar[str] = "P"

    def _discount(self, judged: Judged) -> Floats:
        return np.ones(self.k)

    def _scale(self, judged: Judged, relevant: Floats) -> Floats:
        return np.full(len(relevant), 1 / self.k)


@dataclass(frozen=True, kw_only=True)
class Recall(Gain):
    r"""R@k, the share of the relevant labels that is among the first k.

    .. math:: R@k = \frac{1}{|R|} \sum_{j \le k} [\hat y_j \in R]

    Paper 003, Table 1 with p = 1; paper 001, section 5.2.

    Parameters
    ----------
    k : int

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[2, 0, 1]])
    >>> Recall(k=1)(ranking, np.array([[0, 1, 1]])).value
    0.5
    """

    k: int
    name: ClassVar[str] = "R"

    def _discount(self, judged: Judged) -> Floats:
        return np.ones(self.k)

    def _scale(self, judged: Judged, relevant: Floats) -> Floats:
        return inverse(relevant)


@dataclass(frozen=True, kw_only=True)
class FBeta(Gain):
    r"""F_β@k, recall weighing β times as much as precision.

    .. math:: F_\beta@k = \frac{(1 + \beta^2) \sum_{j \le k} [\hat y_j \in R]}{\beta^2 |R| + k}

    Paper 003, Table 1 with p = 1, where the print lost the length of the list from the denominator.

    Parameters
    ----------
    k : int
    beta : float

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[2, 0, 1]])
    >>> round(FBeta(k=1)(ranking, np.array([[0, 1, 1]])).value, 4)  # 2 P R / (P + R)
    0.6667
    """

    k: int
    beta: float = 1.0
    name: ClassVar[str] = "Fβ"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.beta < np.inf:
            raise InputError(f"F: beta must be greater than 0, found {self.beta}.")

    def _discount(self, judged: Judged) -> Floats:
        return np.ones(self.k)

    def _scale(self, judged: Judged, relevant: Floats) -> Floats:
        return (1 + self.beta**2) / (self.beta**2 * relevant + self.k)


@dataclass(frozen=True, kw_only=True)
class MRR(Gain):
    r"""Mean reciprocal rank of all relevant labels, as paper 003 defines it.

    .. math:: MRR = \frac{1}{|R|} \sum_{l \in R} \frac{1}{r_l}

    Paper 003, Table 1 with p = 1. The reciprocal rank of the *first* relevant label, which others
    call MRR, is `RR`; the two agree where every row has one relevant label.

    Parameters
    ----------
    k : int, optional
        Look at the first k labels only.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[2, 0, 1]])
    >>> MRR()(ranking, np.array([[1, 0, 1]])).value  # (1/1 + 1/2) / 2
    0.75
    """

    k: int | None = None
    name: ClassVar[str] = "MRR"

    def _discount(self, judged: Judged) -> Floats:
        return 1.0 / np.arange(1, (self.k or judged.ranking.n_labels) + 1)

    def _scale(self, judged: Judged, relevant: Floats) -> Floats:
        return inverse(relevant)


@dataclass(frozen=True, kw_only=True)
class ADG(Gain):
    r"""Average discounted gain of the relevant labels.

    .. math:: ADG = \frac{1}{|R|} \sum_{l \in R} \frac{1}{\log_2(1 + r_l)}

    Paper 003, Table 1 with p = 1.

    Parameters
    ----------
    k : int, optional
        Look at the first k labels only.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1, 2]])
    >>> ADG()(ranking, np.array([[1, 0, 1]])).value  # (1/log2(2) + 1/log2(4)) / 2
    0.75
    """

    k: int | None = None
    name: ClassVar[str] = "ADG"

    def _discount(self, judged: Judged) -> Floats:
        return log_discount(self.k or judged.ranking.n_labels)

    def _scale(self, judged: Judged, relevant: Floats) -> Floats:
        return inverse(relevant)


@dataclass(frozen=True, kw_only=True)
class NDCG(Measure):
    r"""nDCG, the discounted gain of the list over that of the best list.

    .. math::
        nDCG@k = \frac{\sum_{j \le k} g(\hat y_j) / \log_2(1 + j)}
                      {\sum_{j \le \min(k, |R|)} g_{(j)} / \log_2(1 + j)}

    Paper 000, (7) to (9), where all gains are 1; with grades the gain of a label is its grade.

    Parameters
    ----------
    k : int, optional
        Look at the first k labels only.
    gain : {"linear", "exp"}
        The grade itself, or 2^grade - 1 as LETOR has it.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1, 2]])
    >>> NDCG()(ranking, np.array([[0, 0, 1]])).value  # 1/log2(4) over 1/log2(2)
    0.5
    """

    k: int | None = None
    gain: Literal["linear", "exp"] = "linear"
    name: ClassVar[str] = "nDCG"

    def _rows(self, judged: Judged) -> Rows:
        listed, falling = judged.listed_grades, judged.falling_grades
        if self.gain == "exp":
            if judged.grades.max(initial=0) > 1000:
                raise InputError(
                    f"{self}: 2^grade overflows for the grade {judged.grades.max():g}; "
                    "use gain=linear."
                )
            # 2^g - 1, exact for small grades too
            listed, falling = (np.expm1(g * np.log(2)) for g in (listed, falling))
        discount = log_discount(self.k or judged.ranking.n_labels)
        found = judged.gained(listed, discount, self.ties)
        best = judged.ideal(falling, discount)
        return Rows(found * inverse(best), undefined=judged.counts == 0)
