"""What Mart and LambdaMart share: round by round a tree more, on gradients of ours."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from labelrank._progress import track
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.forest import Forest
from labelrank.rankers.parameters import between, whole
from labelrank.rankers.trees import TreeRanker, grown_trees
from labelrank.rankers.watch import Watch

__all__ = ["Boosted", "Gradients"]

Gradients: TypeAlias = Callable[[NDArray[np.float64]], tuple[NDArray[Any], NDArray[Any]]]
"""From the scores so far to first and second derivatives of the loss, one a candidate."""


class Boosted(TreeRanker):
    """Trees that each correct those before; a subclass says in `_gradients` what is to correct.

    With several bags as many models are grown side by side, and their mean remains.
    """

    rate: float
    features: float
    sample: float
    l2: float
    bags: int

    @abstractmethod
    def _gradients(self, groups: Candidates, rng: np.random.RandomState) -> Gradients:
        """What the next tree is fitted to."""

    def _grown(self, candidates: Candidates, rng: np.random.RandomState, watch: Watch) -> Forest:
        import lightgbm

        data, settings = self._data(candidates.F)
        settings["num_threads"] = effective_n_jobs(self.n_jobs)  # a tree has to wait for the last
        bags = []
        for times in _bags(candidates.indptr, self.bags, rng):
            seed = int(rng.randint(2**31 - 1))
            seeds = {"bagging_seed": seed, "feature_fraction_seed": seed}
            booster = lightgbm.Booster(settings | seeds, data)
            own = np.random.RandomState(seed)  # a bag does not depend on the others
            bags.append(_Bag(booster, self._gradients(candidates, own), times))
        best, total, scores = 0, 0, np.zeros(0 if watch.F is None else len(watch.F))
        for _ in track(range(self.n_trees), self.n_trees, type(self).__name__, self.verbose):
            grown = sum(bag.turn() for bag in bags)
            if grown == 0:
                break  # no split is worth anything any more
            total += grown
            if watch.F is not None:
                scores = scores + sum(bag.latest.scores(watch.F) for bag in bags if bag.grows)
            if watch.improved(lambda F, sums=scores: sums):  # type: ignore[misc]
                best = total
            if watch.over:
                break
        return Forest.by_turns([grown_trees(bag.booster) for bag in bags]).first(best)

    def _settings(self, n_candidates: int, n_features: int) -> dict[str, Any]:
        return {
            "min_data_in_leaf": self._least(n_candidates), "min_sum_hessian_in_leaf": 1e-3,
            "learning_rate": self.rate, "lambda_l2": self.l2, "feature_fraction": self.features,
            "bagging_fraction": self.sample, "bagging_freq": int(self.sample < 1),
        }  # fmt: skip

    def _check_params(self) -> None:
        super()._check_params()
        for name in ("rate", "features", "sample"):
            between(name, getattr(self, name), 0, 1, above=True)
        between("l2", self.l2, 0)
        whole("bags", self.bags)


@dataclass
class _Bag:
    """One of several models side by side."""

    booster: Any
    gradients: Gradients
    times: NDArray[np.float32] | None  # how often each candidate was drawn; None is once each
    grows: bool = True

    def turn(self) -> int:
        """Grow a tree; how many came of it, 0 or 1."""
        if self.grows:
            before = self.booster.num_trees()
            self.booster.update(fobj=lambda sums, _: self._weighted(*self.gradients(sums)))
            self.grows = self.booster.num_trees() > before
        return int(self.grows)

    @property
    def latest(self) -> Forest:
        """The last tree alone."""
        return grown_trees(self.booster, self.booster.num_trees() - 1, 1)

    def _weighted(
        self, gradients: NDArray[Any], hessians: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        if self.times is None:
            return gradients, hessians
        return gradients * self.times, hessians * self.times


def _bags(
    indptr: NDArray[np.int64], n_bags: int, rng: np.random.RandomState
) -> list[NDArray[np.float32] | None]:
    """How often each candidate is in each bag: whole groups are drawn with replacement."""
    if n_bags == 1:
        return [None]
    sizes = np.diff(indptr)
    n = len(sizes)
    drawn = [np.bincount(rng.randint(n, size=n), minlength=n) for _ in range(n_bags)]
    return [np.repeat(times.astype(np.float32), sizes) for times in drawn]
