"""AdaRank: a sum of single features, boosted on groups for a measure."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank._parallel import over_blocks
from labelrank._progress import track
from labelrank.errors import InputError
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.linear import LinearRanker
from labelrank.rankers.parameters import between, one_of, whole
from labelrank.rankers.scaling import Scaling
from labelrank.rankers.watch import Watch
from labelrank.store import Field, Number

__all__ = ["AdaRank"]

_SMOOTH = 1e-6  # a feature that is right on every group has a finite coefficient
_AT_A_TIME = 4  # columns judged by one job


class AdaRank(LinearRanker):
    r"""Rank by a linear function, to which each round adds one feature for the sake of a measure.

    E is a measure of a group from 0 to 1. A weak ranker h is one feature, falling or rising. With
    weights P of the groups, which grow where the scores f of the rounds before do badly,

    .. math::
        P(g) \propto e^{-E(f, g)}, \quad
        \alpha_h = \tfrac{1}{2} \ln \frac{\sum_g P(g) (1 + E(h, g))}{\sum_g P(g) (1 - E(h, g))},
        \quad f \leftarrow f + \alpha_h h,

    and of those with the best :math:`\sum_g P(g) E(h, g)`, a shortlist, that one is taken that
    leaves the smallest loss :math:`\sum_g e^{-E(f + \alpha_h h, g)}`. The score is the mean of f
    over the rounds.

    Parameters
    ----------
    rounds : int
        Paper 001 (Table III) takes 100 or 300.
    objective : {"nDCG", "MAP", "RR"}
        The measure E. Ties count in expectation. MAP and RR see only which candidates are relevant.
    k : int
        How many places count; 0 for all.
    shortlist : float
        The share of the weak rankers that is tried on top of the scores in each round. 0 tries only
        the best one, as published.
    average : bool
        Whether the score is the mean of f over the rounds; False takes f after the last, as
        published.
    warm_up : int
        The first round after which the validation ranking is looked at: by chance, a sum of very
        few features may be the best on it. `watched_` begins with this round.
    gain : {"grade", "exp", "propensity"}
        What a place is worth to nDCG, see `Ranker`.
    measure, patience, n_jobs, verbose
        See `Ranker`.

    Attributes
    ----------
    weights_, means_ : float64 arrays (n_features,)
        The score is ``(x - means_) @ weights_``.
    rounds_ : int
        Rounds that were kept.

    Notes
    -----
    Xu and Li, AdaRank: A Boosting Algorithm for Information Retrieval, SIGIR 2007, and paper 001,
    §4.3.6. What is different, and why:

    - Weak rankers are standardised features: coefficients say nothing of the scale of a feature.
    - As published, a round takes the weak ranker with the best weighted measure by itself, a bound
      on the loss (their Eq. 7). On top of the same feature it changes no order, so no weight, and
      every later round takes it again. The shortlist is judged by the loss (their Eq. 6). Taking
      all for the shortlist would not look at P, and be stuck early.
    - Coefficients hardly shrink, so f swings from round to round; its mean does not. When f orders
      every group as well as can be, training ends with f itself.
    - Groups of which every order is equally good do not take part.

    The measure of each weak ranker on each group is computed once: 16 bytes for each feature and
    group. A round then costs a product with that matrix and a pass over the candidates for each on
    the shortlist.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers.ada_rank import AdaRank
    >>> ranking = Ranking.from_lists([[0, 1, 2], [0, 1, 2]])
    >>> F = np.array([[3, 0.1], [7, 0.3], [5, 0.2], [4, 0.2], [6, 0.9], [9, 0.1]])
    >>> Y = np.array([[0, 1, 0], [0, 1, 0]])
    >>> model = AdaRank(rounds=5).fit(ranking, F, Y, names=["views", "match"])
    >>> [labels.tolist()[0] for labels, _ in model.rerank(ranking, F)]
    [1, 1]
    >>> model.explain(F[1]).strongest()[0][0]
    'match'
    """

    fitted: ClassVar[dict[str, Field]] = LinearRanker.fitted | {"rounds_": Number()}
    grid: ClassVar[dict[str, list[Any]]] = {
        "rounds": [30, 100],
        "objective": ["nDCG", "MAP"],
        "shortlist": [0.2, 0.4, 0.7],
    }
    rounds_: int

    def __init__(
        self,
        rounds: int = 100,
        objective: str = "nDCG",
        k: int = 10,
        shortlist: float = 0.4,
        average: bool = True,
        warm_up: int = 10,
        gain: str = "grade",
        measure: str = "nDCG@10",
        patience: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.rounds = rounds
        self.objective = objective
        self.k = k
        self.shortlist = shortlist
        self.average = average
        self.warm_up = warm_up
        self.gain = gain
        self.measure = measure
        self.patience = patience
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        groups = candidates.comparable("gains")
        indptr, gains = groups.indptr, groups.gains
        scaling = Scaling(groups.F)
        # (n_features, n_candidates): passes go along one feature
        columns = np.ascontiguousarray(scaling.apply(groups.F).T)
        values = self._feature_values(indptr, columns, gains)
        d, n_groups = len(columns), len(indptr) - 1
        P = np.full(n_groups, 1 / n_groups)
        scores = np.zeros(len(gains))
        last, total, kept = np.zeros(d), np.zeros(d), np.zeros(d)
        tried = max(1, math.ceil(self.shortlist * len(values)))
        self.rounds_ = 0
        for step in track(range(self.rounds), self.rounds, "AdaRank", self.verbose):
            worth = np.where(np.tile(scaling.factor > 0, 2), values @ P, 0)
            alphas = 0.5 * np.log((1 + worth + _SMOOTH) / (1 - worth + _SMOOTH))
            # of equally good ones the first, whatever the last bits of their sums say
            listed = np.argsort(-worth.round(12), kind="stable")[:tried]
            listed = listed[worth[listed] > 0]
            if len(listed) == 0:
                break
            on = (listed % d).astype(np.int32)
            steps = np.where(listed < d, 1.0, -1.0) * alphas[listed]
            found = _native.stepped_values(
                indptr, columns, gains, self.objective, self.k, scores, on, steps
            )
            best = int(np.exp(-found).mean(axis=1).round(12).argmin())
            scores += steps[best] * columns[on[best]]
            last[on[best]] += steps[best]
            total += last
            perfect = found[best].min() > 1 - 1e-9
            now = total / (step + 1) if self.average and not perfect else last.copy()
            self._keep(now, scaling)
            ripe = perfect or step + 1 >= min(self.warm_up, self.rounds)
            if ripe and watch.improved(self._scores):
                kept, self.rounds_ = now, step + 1
            if perfect or (ripe and watch.over):
                break
            P = np.exp(-found[best])
            P /= P.sum()
        self._keep(kept, scaling)

    def _feature_values(
        self, indptr: NDArray[np.int64], columns: NDArray[np.float32], gains: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """(2 n_features, n_groups): each group by each feature, falling and then rising."""
        parts = over_blocks(
            lambda part: _native.feature_values(
                indptr, columns[part], gains, self.objective, self.k
            ),
            len(columns),
            self.n_jobs,
            _AT_A_TIME,
        )
        falling = np.concatenate([part[: len(part) // 2] for part in parts])
        return np.concatenate([falling, *(part[len(part) // 2 :] for part in parts)])

    def _check_params(self) -> None:
        super()._check_params()
        whole("rounds", self.rounds)
        whole("warm_up", self.warm_up)
        whole("k", self.k, 0)
        between("shortlist", self.shortlist, 0, 1)
        if not isinstance(self.average, bool | np.bool_):
            raise InputError(f"average must be True or False, found {self.average!r}.")
        one_of("objective", self.objective, ("nDCG", "MAP", "RR"))
        if self.gain == "propensity" and self.objective != "nDCG":
            raise InputError(
                f"AdaRank: {self.objective} sees only which candidates are relevant: "
                "gain='propensity' needs objective='nDCG'."
            )
