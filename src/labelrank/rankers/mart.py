"""Mart: boosted regression trees on the gains."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from labelrank.rankers.boosted import Boosted, Gradients
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.forest import Forest

__all__ = ["Mart"]


class Mart(Boosted):
    r"""Multiple additive regression trees (paper 001, §4.3.3; Friedman 2001).

    Each tree is fitted to what the trees before it left of the gains,

    .. math:: r_i = g_i - s(x_i),

    beginning with the mean gain, and `rate` of it is added: the scores are expected gains.

    Parameters
    ----------
    n_trees : int
        Rounds.
    leaves : int
        Of each tree.
    rate : float
        The learning rate: how much of each tree is added.
    features : float
        The share of the features that a tree may use, drawn for each.
    sample : float
        The share of the candidates that a tree is grown on, drawn for each.
    min_leaf : int
        Candidates that a leaf must have; at most a tenth of all.
    l2 : float
        Added to the candidates of a leaf when its mean is taken: shrinks its value.
    bags : int
        From 2 on, the mean of so many models side by side, each on groups drawn with replacement: a
        better order for so many times the work. A round adds a tree to each.
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
    LightGBM grows the trees. Defaults are those of paper 001, Table III; `validation` and
    `patience` find how many trees are enough.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers.mart import Mart
    >>> ranking = Ranking.from_dense(np.zeros((20, 3)))
    >>> F = np.random.default_rng(0).random((60, 2))
    >>> Y = (F[:, 0] > 0.5).reshape(20, 3)
    >>> ranker = Mart(n_trees=50).fit(ranking, F, Y)
    >>> ranker.rerank(ranking, F).scores.round(1).max()
    np.float64(1.0)
    """

    grid: ClassVar[dict[str, list[Any]]] = {
        "leaves": [5, 10], "rate": [0.05, 0.1], "features": [0.5, 1.0],
    }  # fmt: skip

    def __init__(
        self,
        n_trees: int = 1500,
        leaves: int = 5,
        rate: float = 0.1,
        *,
        features: float = 1.0,
        sample: float = 1.0,
        min_leaf: int = 20,
        l2: float = 0.0,
        bags: int = 1,
        bins: int = 255,
        gain: str = "grade",
        measure: str = "nDCG@10",
        patience: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.leaves = leaves
        self.rate = rate
        self.features = features
        self.sample = sample
        self.min_leaf = min_leaf
        self.l2 = l2
        self.bags = bags
        self.bins = bins
        self.gain = gain
        self.measure = measure
        self.patience = patience
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _gradients(self, groups: Candidates, rng: np.random.RandomState) -> Gradients:
        aim, ones = groups.gains - groups.gains.mean(), np.ones(len(groups.gains), np.float32)
        return lambda sums: ((sums - aim).astype(np.float32), ones)

    def _finished(self, candidates: Candidates, most: float) -> Forest:
        return self.forest_.scaled(most / self.bags, plus=float(candidates.gains.mean()) * most)
