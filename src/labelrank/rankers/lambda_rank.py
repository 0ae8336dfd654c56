"""LambdaRank: pairs pull by what exchanging them changes the measure (Burges et al. 2006)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.network import NetworkRanker
from labelrank.rankers.parameters import one_of, whole
from labelrank.rankers.watch import Watch

__all__ = ["LambdaRank"]


class LambdaRank(NetworkRanker):
    r"""A network whose scores are pulled by the change of a measure.

    .. math::
        \lambda_i = \omega_g \sum_{j} \pm \frac{|\Delta M_{ij}|}{1 + e^{s_b - s_w}}

    where of i and j, b is the better and w the worse by grade, and :math:`\Delta M_{ij}` is how
    much nDCG, MAP or RR changes when the two are exchanged in the present order. There is no loss
    of which this is the gradient; papers 000 and 001 compare with it.

    Parameters
    ----------
    objective : {"nDCG", "MAP", "RR"}
        The measure M.
    k : int
        How many places count; 0 for all.
    hidden : int
        Hidden units; 0 is a linear model.
    alpha : float
        How fast weights shrink, beside the rate.
    rounds : int
        Passes over all groups.
    batch : int
        Groups a step.
    rate : float
        Size of the first step; it falls to 0 along half a cosine.
    scale : bool
        Whether columns are brought to variance 1; if not, larger ones are penalised less.
    gain, measure, patience, random_state, n_jobs, verbose
        See `Ranker`. MAP and RR know relevant from irrelevant only. A group counts
        :math:`\omega_g`, the mean weight of its relevant candidates.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers import LambdaRank
    >>> ranking = Ranking.from_dense(np.zeros((2, 3)))
    >>> F = np.array([[0.9], [0.2], [0.1], [0.3], [0.1], [0.8]])
    >>> model = LambdaRank(random_state=0).fit(ranking, F, np.array([[1, 0, 0], [0, 0, 1]]))
    >>> [labels.tolist() for labels, _ in model.rerank(ranking, F)]
    [[0, 1, 2], [2, 0, 1]]
    """

    grid: ClassVar[dict[str, list[Any]]] = {"hidden": [0, 16], "alpha": [0.1, 1.0, 3.0]}

    def __init__(
        self,
        objective: str = "nDCG",
        k: int = 10,
        hidden: int = 16,
        alpha: float = 1.0,
        rounds: int = 50,
        batch: int = 16,
        rate: float = 0.01,
        scale: bool = True,
        gain: str = "grade",
        measure: str = "nDCG@10",
        patience: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.objective = objective
        self.k = k
        self.hidden = hidden
        self.alpha = alpha
        self.rounds = rounds
        self.batch = batch
        self.rate = rate
        self.scale = scale
        self.gain = gain
        self.measure = measure
        self.patience = patience
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        self._learn(candidates.comparable(), watch, self._pull)

    def _pull(self, part: Candidates, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        of = part.indptr, scores, part.gains, part.group_weights
        return _native.lambdas(*of, self.objective, self.k, False)[0]

    def _check_params(self) -> None:
        super()._check_params()
        one_of("objective", self.objective, ("nDCG", "MAP", "RR"))
        whole("k", self.k, 0)
