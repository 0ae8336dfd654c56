"""RandomForest: the mean of deep regression trees, each grown on a bag of its own."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank.errors import InputError
from labelrank.rankers.boosted import Boosted, Gradients
from labelrank.rankers.forest import Forest

__all__ = ["RandomForest"]


class RandomForest(Boosted):
    r"""A random forest that predicts the gain of a candidate (paper 001, §4.3.2; Breiman 2001).

    .. math:: s(x) = \frac{1}{T} \sum_t v_{t,\ell_t(x)}

    where :math:`v_{t,\ell}` is the mean gain in leaf :math:`\ell` of tree t. Every tree is grown on
    a bootstrap sample, and every split chooses among `features` of the features.

    Parameters
    ----------
    n_trees : int
        T.
    leaves : int
        The most leaves of a tree, l in the paper.
    features : "log2", int or float
        Features to choose from at each split: :math:`m = \lfloor \log_2(M + 1) + 0.5 \rfloor` of
        the M features as in paper 001 §5.3, so many, or this share of them.
    sample : {"groups", "candidates"}
        What is drawn with replacement: whole groups, or each candidate by itself.
    min_leaf : int
        Candidates of its bag that a leaf must have; at most a tenth of all.
    bins : int
        Thresholds tried for a feature are at most so many.
    gain, measure, patience, random_state, n_jobs, verbose
        See `Ranker`.

    Attributes
    ----------
    forest_ : Forest
        The trees up to the best round.

    Notes
    -----
    LightGBM grows the trees: each is one Newton step of its own from zero, with the times a
    candidate is in the bag as weights. Defaults are those of paper 001, Table III.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers.random_forest import RandomForest
    >>> ranking = Ranking.from_dense(np.zeros((20, 3)))
    >>> F = np.random.default_rng(0).random((60, 2))
    >>> Y = (F[:, 0] > 0.5).reshape(20, 3)
    >>> ranker = RandomForest(n_trees=20, random_state=0).fit(ranking, F, Y)
    >>> ranker.forest_.n_trees
    20
    """

    grid: ClassVar[dict[str, list[Any]]] = {"leaves": [100, 300, 1000]}
    _independent = True

    def __init__(
        self,
        n_trees: int = 300,
        leaves: int = 300,
        *,
        features: str | float = "log2",
        sample: str = "groups",
        min_leaf: int = 1,
        bins: int = 63,
        gain: str = "grade",
        measure: str = "nDCG@10",
        patience: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.leaves = leaves
        self.features = features
        self.sample = sample
        self.min_leaf = min_leaf
        self.bins = bins
        self.gain = gain
        self.measure = measure
        self.patience = patience
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _gradients(
        self, indptr: NDArray[np.int64], gains: NDArray[np.float64], rng: np.random.RandomState
    ) -> Gradients:
        sizes = np.diff(indptr)
        of_groups = self.sample == "groups"
        n = len(sizes) if of_groups else len(gains)

        def bag(sums: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any]]:
            drawn = np.bincount(rng.randint(n, size=n), minlength=n).astype(np.float32)
            times = np.repeat(drawn, sizes) if of_groups else drawn
            return (-times * gains).astype(np.float32), times

        return bag

    def _settings(self, n_features: int) -> dict[str, Any]:
        if self.features == "log2":
            share = int(np.log2(n_features + 1) + 0.5) / n_features
        elif isinstance(self.features, int | np.integer):
            share = min(int(self.features), n_features) / n_features
        else:
            share = float(self.features)
        # A candidate outside the bag weighs nothing, so a leaf is measured by weight.
        return {"learning_rate": 1.0, "feature_fraction_bynode": share}

    def _least(self, n_candidates: int) -> dict[str, Any]:
        return {
            "min_data_in_leaf": 1,
            "min_sum_hessian_in_leaf": super()._least(n_candidates)["min_data_in_leaf"] - 1e-3,
        }

    def _finished(self, forest: Forest, gains: NDArray[np.float64], most: float) -> Forest:
        return forest.scaled(most / max(forest.n_trees, 1))

    def _check_params(self) -> None:
        super()._check_params()
        if isinstance(self.features, str):
            if self.features != "log2":
                raise InputError(f"features must be 'log2' or a number, found {self.features!r}.")
        elif isinstance(self.features, int | np.integer):
            self._whole("features", 1)
        else:
            self._number("features", 0, 1, above=True)
        if self.sample not in ("groups", "candidates"):
            raise InputError(f"sample must be groups or candidates, not {self.sample!r}.")
