"""RankBoost: a sum of steps, each at a threshold of one feature, boosted on pairs."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank._progress import track
from labelrank.errors import InputError
from labelrank.rankers.base import FIELDS, Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.parameters import between, whole
from labelrank.rankers.watch import Watch
from labelrank.store import Array, Field, Number

__all__ = ["RankBoost"]

_SMOOTH = 1e-6  # added to both weights of a step: a step that makes no mistake is finite
_LEARNED = np.log(1e-9)  # of the loss at the start; what is left is rounding


class RankBoost(Ranker):
    r"""Rank by a sum of steps, each found on pairs that weigh more the worse they are ordered.

    A weak ranker says whether one feature exceeds a threshold, :math:`h(x) = [x_j > \theta]`. Over
    all pairs (u, v) of a group where u has the larger grade, each round takes the step with the
    largest :math:`|r|` and the coefficient that makes the new loss :math:`Z` smallest,

    .. math::
        D(u, v) \propto w_u\, e^{f(v) - f(u)}, \quad
        r = \sum_{u, v} D(u, v) (h(u) - h(v)), \quad
        \alpha = \tfrac{1}{2} \ln \frac{W_+}{W_-}, \quad f \leftarrow f + \nu \alpha h,

    where :math:`W_+` and :math:`W_-` are the weights :math:`D` of the pairs that the step orders
    rightly and wrongly. A negative coefficient turns a step around.

    Parameters
    ----------
    rounds : int
        Steps; paper 001 (Table III) takes 300 to 700.
    rate : float
        The share :math:`\nu` of each coefficient that is taken. 1 is the algorithm as published;
        less learns slower and better.
    thresholds : int
        At most so many for each feature, 1 to 255: between all values where they are few, else at
        quantiles.
    balance : float
        How far groups with more pairs are kept from deciding alone: pairs weigh
        (number of pairs of their group) to the power ``-balance``. 0 is the algorithm as published,
        1 gives all groups the same say.
    gain : {"grade", "propensity"}
        Pairs weigh the same for each grade, or as much as the inverse propensity of the label of u.
    measure, patience, n_jobs, verbose
        See `Ranker`.

    Attributes
    ----------
    thresholds_ : float32 array
        Where the score steps, rising within each feature; those of feature j are
        ``indptr_[j]:indptr_[j + 1]``.
    values_ : float64 array (number of thresholds + n_features,)
        What each feature adds between its thresholds, 0 in the mean over training; those of feature
        j begin at ``indptr_[j] + j``.
    rounds_ : int
        Rounds that were kept.

    Notes
    -----
    Freund, Iyer, Schapire and Singer, An Efficient Boosting Algorithm for Combining Preferences,
    JMLR 4, 2003: the weights are products of a factor for u and one for v (their RankBoost.B,
    §3.3), also with more than two grades, for which running sums over the grades of a group do.
    r is found for all thresholds by one pass over binned features (§3.2); :math:`\alpha` is the
    exact one for steps of 0 and 1. A round costs candidates × features.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers.rank_boost import RankBoost
    >>> ranking = Ranking.from_lists([[0, 1, 2], [0, 1, 2]])
    >>> F = np.array([[3, 0.1], [7, 0.3], [5, 0.2], [4, 0.2], [6, 0.9], [9, 0.1]])
    >>> Y = np.array([[0, 1, 0], [0, 1, 0]])
    >>> model = RankBoost(rounds=20).fit(ranking, F, Y, names=["views", "match"])
    >>> [labels.tolist()[0] for labels, _ in model.rerank(ranking, F)]
    [1, 1]
    >>> model.explain(F[1]).strongest()[0][0]
    'match'
    """

    fitted: ClassVar[dict[str, Field]] = FIELDS | {
        "indptr_": Array("i8"),
        "thresholds_": Array("f4"),
        "values_": Array("f8"),
        "rounds_": Number(),
    }
    gains: ClassVar[tuple[str, ...]] = ("grade", "propensity")
    grid: ClassVar[dict[str, list[Any]]] = {
        "rounds": [100, 300],
        "rate": [0.05, 0.1, 0.3],
        "balance": [0.0, 0.5],
    }
    indptr_: NDArray[np.int64]
    thresholds_: NDArray[np.float32]
    values_: NDArray[np.float64]
    rounds_: int

    def __init__(
        self,
        rounds: int = 300,
        rate: float = 0.1,
        thresholds: int = 64,
        balance: float = 0.5,
        gain: str = "grade",
        measure: str = "nDCG@10",
        patience: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.rounds = rounds
        self.rate = rate
        self.thresholds = thresholds
        self.balance = balance
        self.gain = gain
        self.measure = measure
        self.patience = patience
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        groups = candidates.comparable()
        rows = np.lexsort((groups.grades, groups.groups))  # grades rise within a group
        indptr, grades, F = groups.indptr, groups.grades[rows], groups.F[rows]
        weights = self._weights(indptr, grades, groups.weights[rows])
        cuts = [_cuts(column, self.thresholds) for column in F.T]
        bins = np.empty((len(rows), len(cuts)), dtype=np.uint8)
        for j, cut in enumerate(cuts):
            bins[:, j] = np.searchsorted(cut, F[:, j])  # thresholds below
        n_bins = max(map(len, cuts)) + 1
        is_step = np.arange(n_bins) < np.array([len(cut) for cut in cuts])[:, None]
        scores = np.zeros(len(rows))
        held = np.zeros(0 if watch.F is None else len(watch.F))
        steps: list[tuple[int, int, float]] = []  # (feature, threshold, coefficient)
        self.rounds_, first = 0, 0.0
        for step in track(range(self.rounds), self.rounds, "RankBoost", self.verbose):
            force, total, farthest = _native.pair_forces(indptr, grades, weights, scores)
            if step == 0:
                if not total > 0:
                    raise InputError(
                        "there is no order to learn: no group has two candidates of different "
                        "grades, the better one with a weight above 0."
                    )
                first = np.log(total)
            r = np.where(is_step, np.abs(_native.step_forces(bins, force, n_bins)), 0)
            # of equally good steps the first, whatever the last bits of their sums say
            j, b = divmod(int(r.round(12).argmax()), n_bins)
            if r[j, b] <= 1e-12 or np.log(total) + farthest - first < _LEARNED:
                break
            high = bins[:, j] > b
            pairs = indptr, grades, weights, scores
            right, wrong = np.array(_native.moved_weight(*pairs, high, farthest)) / total
            alpha = self.rate * 0.5 * np.log((right + _SMOOTH) / (wrong + _SMOOTH))
            scores += alpha * high
            steps.append((j, b, alpha))
            if watch.F is not None:
                np.add(held, alpha * (watch.F[:, j] > cuts[j][b]), out=held)
            if watch.improved(lambda F: held):
                self.rounds_ = len(steps)
            if watch.over:
                break
        self._keep(steps[: self.rounds_], cuts, bins)

    def _weights(
        self, indptr: NDArray[Any], grades: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """What each candidate's pairs weigh at first; only the ratios count."""
        if not weights.any():
            return weights
        sizes = np.diff(indptr)
        groups = np.repeat(np.arange(len(sizes)), sizes)
        runs = np.flatnonzero((np.diff(grades, prepend=-1) != 0) | (np.diff(groups, prepend=-1)))
        lengths = np.diff(runs, append=len(grades)).astype(float)
        same = np.bincount(groups[runs], lengths**2, len(sizes))
        pairs = (sizes.astype(float) ** 2 - same) / 2  # of a larger and a smaller grade
        first: NDArray[np.float64] = weights / weights.max()
        first *= np.repeat(pairs, sizes) ** -self.balance
        return first

    def _keep(
        self, steps: list[tuple[int, int, float]], cuts: list[Any], bins: NDArray[np.uint8]
    ) -> None:
        """Steps at one threshold become one, and those of a feature a table."""
        sums: list[dict[int, float]] = [{} for _ in cuts]
        for j, b, alpha in steps:
            sums[j][b] = sums[j].get(b, 0.0) + alpha
        used = [sorted(own) for own in sums]
        means = [sum(a * (bins[:, j] > b).mean() for b, a in s.items()) for j, s in enumerate(sums)]
        self.indptr_ = np.cumsum([0, *map(len, used)]).astype(np.int64)
        self.thresholds_ = np.concatenate([cut[at] for cut, at in zip(cuts, used, strict=True)])
        tables = zip(means, sums, used, strict=True)
        self.values_ = np.concatenate(
            [np.cumsum([0.0 - mean, *(own[b] for b in at)]) for mean, own, at in tables]
        )

    def _contributions(self, F: NDArray[np.float32]) -> NDArray[np.float64]:
        arrays = self.indptr_, self.thresholds_, self.values_
        return _native.step_values(np.ascontiguousarray(F), *arrays)

    def _scores(self, F: NDArray[np.float32]) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = self._contributions(F).sum(axis=1)
        return scores

    def _explain(self, F: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        return self._contributions(F), np.zeros(len(F))

    def _check_params(self) -> None:
        super()._check_params()
        whole("rounds", self.rounds)
        whole("thresholds", self.thresholds, 1, 255)
        between("rate", self.rate, 0, 1, above=True)
        between("balance", self.balance, 0, 1)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        indptr, at = self.indptr_, self.thresholds_
        fits = len(indptr) == self.n_features_in_ + 1 and indptr[0] == 0 and indptr[-1] == len(at)
        if not fits or (np.diff(indptr) < 0).any():
            raise ValueError("the thresholds do not fit the features")
        if len(self.values_) != len(at) + self.n_features_in_:
            raise ValueError("the values do not fit the thresholds")
        same = np.repeat(np.arange(self.n_features_in_), np.diff(indptr))
        if ((np.diff(at) <= 0) & (np.diff(same) == 0)).any():
            raise ValueError("thresholds must rise")


def _cuts(column: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """At most so many thresholds of a column; ``x > threshold`` parts its values at each."""
    values, counts = np.unique(column, return_counts=True)
    at = np.arange(len(values) - 1)  # a threshold above each value but the last
    if len(at) > most:
        below = np.cumsum(counts[:-1])
        wanted = len(column) * np.arange(1, most + 1) / (most + 1)
        at = np.unique(np.minimum(np.searchsorted(below, wanted), len(below) - 1))
    low, high = values[at], values[at + 1]
    middle = (low / 2 + high / 2).astype(np.float32)
    return np.where((middle >= low) & (middle < high), middle, low)
