"""LambdaMart: boosted trees on the lambdas of nDCG, or on a loss over lists."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank.errors import InputError
from labelrank.rankers.boosted import Boosted, Gradients
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.forest import Forest
from labelrank.rankers.parameters import one_of, whole

__all__ = ["LambdaMart"]


class LambdaMart(Boosted):
    r"""Boosted trees that optimise nDCG by pairs (paper 001, §4.3.4; Wu et al. 2010).

    Each tree is a Newton step along the lambdas: of two candidates of a group with gains
    :math:`g_i > g_j` and scores :math:`s_i, s_j`, the first is pulled up and the second down by

    .. math::
        \lambda_{ij} = \frac{|\Delta nDCG@k_{ij}|}{1 + e^{s_i - s_j}}

    where :math:`\Delta nDCG@k_{ij}` is what swapping them would change; pairs count that have a
    candidate among the first k. With ``objective="xendcg"`` it is a step down the cross entropy
    between the softmax of the scores and :math:`(g_i + \gamma_i) / \sum_j (g_j + \gamma_j)`, with
    :math:`\gamma` drawn from [0, 1) anew for each tree (Bruch 2021). With "rlsep", "lsep" or "ce"
    it is a step down a loss of paper 002 (`labelrank.losses`), for labels whose order is known.

    Parameters
    ----------
    n_trees : int
        Rounds.
    leaves : int
        Of each tree.
    rate : float
        The learning rate: how much of its step each tree goes.
    objective : {"lambdarank", "xendcg", "rlsep", "lsep", "ce"}
        The last three know grades by their order alone, or not even that.
    k : int
        Where nDCG is cut, for "lambdarank".
    normed : bool
        For "lambdarank": pairs that are far apart count less, and so do groups of many pairs.
    features : float
        The share of the features that a tree may use, drawn for each.
    sample : float
        The share of the candidates that a tree is grown on, drawn for each.
    min_leaf : int
        Candidates that a leaf must have; at most a tenth of all.
    l2 : float
        Added to the second derivatives of a leaf: shrinks its value.
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
    LightGBM grows the trees; the gradients are ours. So gains need not be whole, there may be any
    number of grades and candidates in a group, and several models may be trained at a time.
    Defaults are those of paper 001, Table III; `validation` and `patience` find how many trees are
    enough.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers.lambda_mart import LambdaMart
    >>> ranking = Ranking.from_dense(np.zeros((20, 3)))
    >>> F = np.random.default_rng(0).random((60, 2))
    >>> Y = (F[:, 0] > 0.5).reshape(20, 3)
    >>> ranker = LambdaMart(n_trees=10, random_state=0).fit(ranking, F, Y, names=["a", "b"])
    >>> ranker.explain(F[:1]).strongest(n=1)[0][0]
    'a'
    """

    objectives: ClassVar[tuple[str, ...]] = ("lambdarank", "xendcg", "rlsep", "lsep", "ce")
    grid: ClassVar[dict[str, list[Any]]] = {
        "objective": ["lambdarank", "xendcg"], "leaves": [5, 10], "rate": [0.05, 0.1],
    }  # fmt: skip

    def __init__(
        self,
        n_trees: int = 1500,
        leaves: int = 5,
        rate: float = 0.1,
        *,
        objective: str = "lambdarank",
        k: int = 10,
        normed: bool = True,
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
        self.objective = objective
        self.k = k
        self.normed = normed
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
        indptr, gains, weights = groups.indptr, groups.gains, groups.group_weights
        if self.objective == "lambdarank":
            return lambda sums: _native.lambdas(
                indptr, sums, gains, weights, "nDCG", self.k, self.normed
            )
        if self.objective in ("rlsep", "lsep"):
            grades, levels = groups.grades, self.objective == "rlsep"
            return lambda sums: _native.rlsep(indptr, sums, grades, weights, levels)[1:]
        owners, lengths = groups.groups, np.diff(indptr)

        def entropy(sums: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any]]:
            worth = (groups.grades > 0).astype(np.float64)
            if self.objective == "xendcg":
                worth = gains + rng.random_sample(len(gains))
            each = np.bincount(owners, worth, groups.n_groups)
            mass = np.divide(weights, each, out=np.zeros_like(each), where=each > 0)
            targets = worth * np.repeat(mass, lengths)
            slope = _native.top_one(indptr, sums, targets)[1]
            share = slope + targets  # weight × softmax
            of_one = np.divide(share, np.repeat(weights, lengths), out=np.zeros_like(share),
                               where=share > 0)  # fmt: skip
            return slope, share * (1 - of_one)

        return entropy

    def _finished(self, candidates: Candidates, most: float) -> Forest:
        return self.forest_.scaled(1 / self.bags)

    def _check_params(self) -> None:
        super()._check_params()
        whole("k", self.k)
        one_of("objective", self.objective, self.objectives)
        if not isinstance(self.normed, bool | np.bool_):
            raise InputError(f"normed must be true or false, found {self.normed!r}.")
