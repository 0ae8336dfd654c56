"""Propensity-scored measures: unbiased although relevant labels are missing (paper 003)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from labelrank import _native
from labelrank.errors import InputError
from labelrank.measures.base import Empty, Rows, log_discount
from labelrank.measures.decisions import Decision
from labelrank.measures.gains import ADG, MRR, FBeta, Gain, Precision, Recall
from labelrank.measures.judged import Floats, Judged
from labelrank.measures.score import Score

__all__ = ["PSADG", "PSMRR", "PSNDCG", "PSFBeta", "PSHammingLoss", "PSPrecision", "PSRecall"]
__all__ += ["PropensityScored"]

Norm: TypeAlias = Literal["normalised", "plain"]
Count: TypeAlias = Literal["complete", "observed"]


@dataclass(frozen=True, kw_only=True)
class PropensityScored(Gain):
    r"""A gain measure in which a relevant label counts 1/p.

    .. math:: G_i = s_i \sum_{j \le k} d(j)\, \frac{y_{\hat y_j}}{p_{\hat y_j}}

    Parameters
    ----------
    norm : {"normalised", "plain"}
        Divide by the value of the best list, paper 003's 100 · G(ŷ) / G(y) without the 100; or the
        estimate itself, which may pass 1.
    """

    norm: Norm = "normalised"
    empty: Empty = "zero"
    needs_propensity: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.norm == "normalised" and self.empty == "one":
            raise InputError(
                f"{self.name}: an empty row cannot count 1 in a normalised value, where it weighs "
                "nothing; use empty=skip, or norm=plain."
            )

    def _relevant(self, judged: Judged) -> Floats:
        """The number of relevant labels that the scale of a row is made from."""
        return judged.complete

    def _rows(self, judged: Judged) -> Rows:
        discount = self._discount(judged)
        scale = self._scale(judged, self._relevant(judged))
        gained = scale * judged.gained(judged.weighted_hits, discount, self.ties)
        if self.norm == "plain":
            return Rows(gained, undefined=judged.counts == 0)
        best = scale * judged.ideal(judged.falling_weights, discount)
        return Rows(gained, best, undefined=judged.counts == 0)

    def score(self, judged: Judged) -> Score:
        """Score, with what the interval of Theorem 4.3 needs."""
        discount = self._discount(judged)
        scale = self._scale(judged, self._relevant(judged))
        r, weights = judged.ranking, judged.listed_weights
        if self.ties != "order":  # any order of tied labels may come first
            weights = _native.settle_ties(r.indptr, r.scores, weights, 1)
        terms = scale * _native.discounted_max(r.indptr, weights, discount)
        return replace(
            super().score(judged),
            largest_term=float(terms.max(initial=0)),
            relevant=np.maximum(judged.counts, np.ceil(judged.complete)),
        )

    @property
    def policy(self) -> str:
        """The choices in words; says whether the value is normalised."""
        plain, normalised = "plain estimate G(ŷ)", "normalised: 100·G(ŷ)/G(y) as a share"
        return f"{plain if self.norm == 'plain' else normalised}, {super().policy}"


@dataclass(frozen=True, kw_only=True)
class PSPrecision(PropensityScored, Precision):
    r"""PSP@k, propensity-scored precision.

    .. math:: PSP@k = \frac{1}{k} \sum_{j \le k} \frac{y_{\hat y_j}}{p_{\hat y_j}}

    Paper 003, Table 1 (a).

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking, Y = Ranking.from_lists([[0, 1]]), np.array([[1, 1]])
    >>> p = np.array([0.5, 0.25])
    >>> PSPrecision(k=1, norm="plain")(ranking, Y, propensities=p).value
    2.0
    >>> PSPrecision(k=1)(ranking, Y, propensities=p).value  # the best list would gain 4
    0.5
    """

    name: ClassVar[str] = "PSP"


@dataclass(frozen=True, kw_only=True)
class PSRecall(PropensityScored, Recall):
    r"""PSR@k, propensity-scored recall.

    .. math:: PSR@k = \frac{1}{1^\top y^*} \sum_{j \le k} \frac{y_{\hat y_j}}{p_{\hat y_j}}

    Paper 003, Table 1 (b). The complete number of relevant labels 1ᵀy* is `complete` where it is
    given, else its unbiased estimate Σ y/p.

    Parameters
    ----------
    count : {"complete", "observed"}
        "observed" divides by the observed number instead, as napkinXC does.
    """

    count: Count = "complete"
    name: ClassVar[str] = "PSR"

    def _relevant(self, judged: Judged) -> Floats:
        return judged.complete if self.count == "complete" else judged.counts.astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class PSFBeta(PropensityScored, FBeta):
    r"""PSF_β@k, propensity-scored F.

    .. math::
        PSF_\beta@k = \frac{1 + \beta^2}{\beta^2\, 1^\top y^* + k}
                      \sum_{j \le k} \frac{y_{\hat y_j}}{p_{\hat y_j}}

    Paper 003, Table 1 (b); see `FBeta` for the denominator and `PSRecall` for 1ᵀy*.
    """

    name: ClassVar[str] = "PSFβ"


@dataclass(frozen=True, kw_only=True)
class PSMRR(PropensityScored, MRR):
    r"""PSMRR, the propensity-scored mean reciprocal rank of all relevant labels.

    .. math:: PSMRR = \frac{1}{1^\top y^*} \sum_l \frac{y_l}{p_l r_l}

    Paper 003, Table 1 (b); see `PSRecall` for 1ᵀy*.
    """

    name: ClassVar[str] = "PSMRR"


@dataclass(frozen=True, kw_only=True)
class PSADG(PropensityScored, ADG):
    r"""PSADG, the propensity-scored average discounted gain.

    .. math:: PSADG = \frac{1}{1^\top y^*} \sum_l \frac{y_l}{p_l \log_2(1 + r_l)}

    Paper 003, Table 1 (b); see `PSRecall` for 1ᵀy*.
    """

    name: ClassVar[str] = "PSADG"


@dataclass(frozen=True, kw_only=True)
class PSNDCG(PropensityScored):
    r"""PSnDCG@k, propensity-scored nDCG.

    .. math::
        PSnDCG@k = \frac{\sum_{j \le k} y_{\hat y_j} / (p_{\hat y_j} \log_2(1 + j))}
                        {\sum_{j \le k} 1 / \log_2(1 + j)}

    Paper 003, Table 1 (a).

    Parameters
    ----------
    k : int, optional
        Look at the first k labels only.
    depth : {"k", "labels"}
        How many places the denominator adds up: k as in the paper, or min(k, observed relevant
        labels) as napkinXC does.
    """

    k: int | None = None
    depth: Literal["k", "labels"] = "k"
    name: ClassVar[str] = "PSnDCG"

    def _discount(self, judged: Judged) -> Floats:
        return log_discount(self.k or judged.ranking.n_labels)

    def _scale(self, judged: Judged, relevant: Floats) -> Floats:
        totals = np.cumsum(log_discount(self.k or max(judged.ranking.n_labels, 1)))
        if self.depth == "k":
            return np.full(len(relevant), 1 / totals[-1])
        sizes: Floats = totals[np.clip(judged.counts, 1, len(totals)) - 1]
        return 1 / sizes


@dataclass(frozen=True, kw_only=True)
class PSHammingLoss(Decision):
    r"""PSHLoss, an unbiased estimate of the Hamming loss.

    .. math:: \frac{1}{m} \sum_l \frac{y_l}{p_l}(1 - 2 \hat y_l) + \hat y_l^2

    Paper 003, Theorem 4.4, divided by the number m of labels as `HLoss` is. It has no normalised
    form, and a row may fall below 0.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking, Y = Ranking.from_lists([[0]], n_labels=2), np.array([[1, 1]])
    >>> PSHammingLoss()(ranking, Y, propensities=np.array([0.5, 0.25])).value  # (-2 + 4 + 1) / 2
    1.5
    """

    name: ClassVar[str] = "PSHLoss"
    higher_is_better: ClassVar[bool] = False
    needs_propensity: ClassVar[bool] = True

    def _rows(self, judged: Judged) -> Rows:
        found = judged.gained(judged.weighted_hits, np.ones(judged.longest))
        loss = judged.summed(judged.true_weights) - 2 * found + judged.ranking.lengths
        return Rows(loss / max(judged.ranking.n_labels, 1))

    def score(self, judged: Judged) -> Score:
        """Score, with what the interval of Theorem 4.4 needs."""
        m = max(judged.ranking.n_labels, 1)
        return replace(
            super().score(judged),
            largest_term=float(judged.inverse_propensity.max(initial=0)) / m,
            relevant=np.maximum(judged.counts, np.ceil(judged.complete)),
        )

    @property
    def policy(self) -> str:
        """The choices in words."""
        return f"plain estimate, {super().policy}"
