"""What the rankers made of trees share: LightGBM grows them, a Forest remains."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelrank.errors import InputError
from labelrank.rankers.base import FIELDS, Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.forest import Forest
from labelrank.rankers.parameters import whole
from labelrank.rankers.watch import Watch
from labelrank.store import Field, Part

__all__ = ["TreeRanker", "grown_trees"]

_FIXED = {
    "objective": "none", "verbosity": -1, "deterministic": True, "force_col_wise": True,
    "feature_pre_filter": False, "use_missing": False, "boost_from_average": False,
}  # fmt: skip


class TreeRanker(Ranker):
    """A ranker whose scores are the sum of regression trees.

    A subclass grows them in `_grown`. Gains are divided by the largest before anything is learned
    from them.

    Attributes
    ----------
    forest_ : Forest
        The trees up to the best round.
    """

    fitted: ClassVar[dict[str, Field]] = FIELDS | {"forest_": Part()}
    forest_: Forest
    n_trees: int
    leaves: int
    min_leaf: int
    bins: int
    random_state: Any
    n_jobs: int | None
    verbose: int

    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        candidates.teaching("gains")  # says it where nothing can be learned
        most = float(candidates.gains.max())
        scaled = replace(candidates, gains=candidates.gains / most)
        self.forest_ = self._grown(scaled, check_random_state(self.random_state), watch)
        self.forest_ = self._finished(scaled, most)

    @abstractmethod
    def _grown(self, candidates: Candidates, rng: np.random.RandomState, watch: Watch) -> Forest:
        """The trees up to the best round; gains are at most 1."""

    @abstractmethod
    def _settings(self, n_candidates: int, n_features: int) -> dict[str, Any]:
        """Parameters of LightGBM beside those that all have."""

    @abstractmethod
    def _finished(self, candidates: Candidates, most: float) -> Forest:
        """The grown trees with the scores they should have; gains have been divided by `most`."""

    def _least(self, n_candidates: int) -> int:
        """Candidates that a leaf must have: fewer where there are few."""
        return min(self.min_leaf, max(1, n_candidates // 10))

    def _data(self, F: NDArray[np.float32]) -> tuple[Any, dict[str, Any]]:
        """LightGBM's copy of the candidates, and how trees are grown from it by one thread."""
        import lightgbm

        settings = {
            "num_leaves": self.leaves, "max_bin": self.bins, "num_threads": 1,
            "min_data_in_bin": 3 if len(F) >= 1000 else 1,
        } | _FIXED | self._settings(*F.shape)  # fmt: skip
        data = lightgbm.Dataset(F, np.zeros(len(F), np.float32), params=settings)
        return data.construct(), settings

    def _scores(self, F: NDArray[np.float32]) -> NDArray[np.float64]:
        return self.forest_.scores(F)

    def _explain(self, F: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        return self.forest_.contributions(F)

    def _check_params(self) -> None:
        super()._check_params()
        for name, least in (("n_trees", 1), ("leaves", 2), ("min_leaf", 1), ("bins", 2)):
            whole(name, getattr(self, name), least)
        jobs = isinstance(self.n_jobs, int | np.integer) and self.n_jobs != 0
        if self.n_jobs is not None and not jobs:
            raise InputError(f"n_jobs must be a whole number other than 0, found {self.n_jobs!r}.")

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if self.forest_.n_features_in_ != self.n_features_in_:
            raise ValueError(
                f"the forest has {self.forest_.n_features_in_} features, not {self.n_features_in_}"
            )


def grown_trees(booster: Any, start: int = 0, n: int = -1) -> Forest:
    """So many trees of a booster, or all, from one on."""
    text = booster.model_to_string(num_iteration=n, start_iteration=start)
    return Forest.of_lightgbm(text)
