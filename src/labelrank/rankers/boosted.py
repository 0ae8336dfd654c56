"""What the rankers made of trees share: LightGBM grows, on gradients of ours; a Forest remains."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelrank._progress import track
from labelrank.errors import InputError
from labelrank.rankers.base import FIELDS, Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.forest import Forest
from labelrank.rankers.watch import Watch
from labelrank.store import Field, Part

__all__ = ["Boosted", "Gradients"]

Gradients: TypeAlias = Callable[[NDArray[np.float64]], tuple[NDArray[Any], NDArray[Any]]]
"""From the scores so far to first and second derivatives of the loss, one a candidate."""

_FIXED = {
    "objective": "none", "verbosity": -1, "deterministic": True, "force_col_wise": True,
    "feature_pre_filter": False, "use_missing": False, "boost_from_average": False,
}  # fmt: skip


class Boosted(Ranker):
    """A ranker whose scores are the sum of regression trees.

    A subclass says in `_gradients` what the next tree should correct, in `_settings` how LightGBM
    grows it, and in `_finished` what the sum of the trees still needs. Gains are divided by the
    largest before anything is learned from them.

    Attributes
    ----------
    forest_ : Forest
        The trees up to the best round. Without a single relevant candidate there are none, and
        every score is 0.
    """

    fitted: ClassVar[dict[str, Field]] = FIELDS | {"forest_": Part()}
    _independent: ClassVar[bool] = False  # whether a tree may have no split and the next one some
    forest_: Forest
    bags: int = 1
    n_trees: int
    leaves: int
    min_leaf: int
    bins: int
    rate: float
    features: Any
    sample: Any
    l2: float
    random_state: Any
    n_jobs: int | None
    verbose: int

    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        most = float(candidates.gains.max())
        self.forest_ = Forest.empty(candidates.F.shape[1])
        if most > 0:
            rng = check_random_state(self.random_state)
            gains = candidates.gains / most
            bags = _Bag.of(candidates.indptr, self.bags, rng)
            grown = self._grown(
                candidates, bags, self._gradients(candidates.indptr, gains, rng), watch
            )
            self.forest_ = self._finished(grown, gains, most)

    def _grown(
        self, candidates: Candidates, bags: list[_Bag], gradients: Gradients, watch: Watch
    ) -> Forest:
        """The trees up to the best round; a round adds one to each bag."""
        import lightgbm

        F = candidates.F
        settings = {
            "num_leaves": self.leaves, "max_bin": self.bins,
            "min_data_in_bin": 3 if len(F) >= 1000 else 1,
            "num_threads": effective_n_jobs(self.n_jobs),
        } | _FIXED | self._least(len(F)) | self._settings(F.shape[1])  # fmt: skip
        data = lightgbm.Dataset(F, np.zeros(len(F), np.float32), params=settings)
        boosters = [lightgbm.Booster(settings | bag.seeds, data) for bag in bags]
        best, scores = 0, np.zeros(0 if watch.F is None else len(watch.F))
        name = type(self).__name__
        for _ in track(range(self.n_trees), self.n_trees, name, self.verbose):
            before = [booster.num_trees() for booster in boosters]
            for booster, bag in zip(boosters, bags, strict=True):
                booster.update(fobj=lambda sums, _, bag=bag: bag.of_it(gradients(sums)))
            after = [booster.num_trees() for booster in boosters]
            if after == before and not self._independent:
                break  # no split is worth anything any more
            if watch.F is not None:
                scores = scores + sum(
                    _trees(booster, since, 1).scores(watch.F)
                    for booster, since, now in zip(boosters, before, after, strict=True)
                    if now > since
                )
            if watch.improved(lambda F, sums=scores: sums):  # type: ignore[misc]
                best = sum(after)
            if watch.over:
                break
        return Forest.by_turns([_trees(booster) for booster in boosters]).first(best)

    @abstractmethod
    def _gradients(
        self, indptr: NDArray[np.int64], gains: NDArray[np.float64], rng: np.random.RandomState
    ) -> Gradients:
        """What the next tree is fitted to."""

    @abstractmethod
    def _settings(self, n_features: int) -> dict[str, Any]:
        """Parameters of LightGBM."""

    def _least(self, n_candidates: int) -> dict[str, Any]:
        """What a leaf must have, less where there are few candidates."""
        most = max(1, n_candidates // 10)
        return {"min_data_in_leaf": min(self.min_leaf, most), "min_sum_hessian_in_leaf": 1e-3}

    def _boosting(self) -> dict[str, Any]:
        """Parameters of those that boost."""
        return {
            "learning_rate": self.rate, "lambda_l2": self.l2, "feature_fraction": self.features,
            "bagging_fraction": self.sample, "bagging_freq": int(self.sample < 1),
        }  # fmt: skip

    def _check_boosting(self) -> None:
        self._number("rate", 0, 1, above=True)
        self._number("features", 0, 1, above=True)
        self._number("sample", 0, 1, above=True)
        self._number("l2", 0)
        self._whole("bags", 1)

    @abstractmethod
    def _finished(self, forest: Forest, gains: NDArray[np.float64], most: float) -> Forest:
        """The trees with the scores they should have; `gains` have been divided by `most`."""

    def _scores(self, F: NDArray[np.float32]) -> NDArray[np.float64]:
        return self.forest_.scores(F)

    def _explain(self, F: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        return self.forest_.contributions(F)

    def _check_params(self) -> None:
        super()._check_params()
        self._whole("n_trees", 1)
        self._whole("leaves", 2)
        self._whole("min_leaf", 1)
        self._whole("bins", 2)
        if self.n_jobs is not None and (not _is_whole(self.n_jobs) or self.n_jobs == 0):
            raise InputError(f"n_jobs must be a whole number other than 0, found {self.n_jobs!r}.")

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if self.forest_.n_features_in_ != self.n_features_in_:
            raise ValueError(
                f"the forest has {self.forest_.n_features_in_} features, not {self.n_features_in_}"
            )

    def _whole(self, name: str, least: int) -> None:
        value = getattr(self, name)
        if not _is_whole(value) or value < least:
            raise InputError(f"{name} must be a whole number from {least}, found {value!r}.")

    def _number(
        self, name: str, least: float, most: float = np.inf, *, above: bool = False
    ) -> None:
        """Between `least` and `most`, and not `least` itself when it has to be above."""
        value = getattr(self, name)
        good = not isinstance(value, bool) and isinstance(value, int | float | np.number)
        if not good or not least <= value <= most or (above and value == least) or np.isinf(value):
            low = f"above {least:g}" if above else f"from {least:g}"
            high = "" if np.isinf(most) else f" and at most {most:g}"
            raise InputError(f"{name} must be a number {low}{high}, found {value!r}.")


@dataclass(frozen=True)
class _Bag:
    """What one of several models side by side is grown on: how often each candidate is drawn."""

    times: NDArray[np.float32] | None  # None is once each
    seeds: dict[str, int]

    @classmethod
    def of(cls, indptr: NDArray[np.int64], n_bags: int, rng: np.random.RandomState) -> list[_Bag]:
        """Whole groups are drawn with replacement; a single bag holds each of them once."""
        sizes, bags = np.diff(indptr), []
        for _ in range(n_bags):
            kinds = ("bagging_seed", "feature_fraction_seed", "extra_seed")
            seeds = {kind: int(rng.randint(2**31 - 1)) for kind in kinds}
            drawn = np.bincount(rng.randint(len(sizes), size=len(sizes)), minlength=len(sizes))
            times = np.repeat(drawn.astype(np.float32), sizes) if n_bags > 1 else None
            bags.append(cls(times, seeds))
        return bags

    def of_it(self, found: tuple[NDArray[Any], NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Gradients and hessians as often as their candidates are in the bag."""
        return found if self.times is None else (found[0] * self.times, found[1] * self.times)


def _trees(booster: Any, start: int = 0, n: int = -1) -> Forest:
    """So many trees of a booster, or all, from one on."""
    text = booster.model_to_string(num_iteration=n, start_iteration=start)
    return Forest.of_lightgbm(text)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
