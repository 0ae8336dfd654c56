"""ListNet: who stands first, as likely as in the truth (Cao et al. 2007)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.network import Cost, NetworkRanker
from labelrank.rankers.parameters import one_of
from labelrank.rankers.watch import Watch

__all__ = ["ListNet"]


class ListNet(NetworkRanker):
    r"""Cross entropy between two distributions of the candidate at the first place.

    .. math::
        L = -\frac{1}{n} \sum_g \omega_g \sum_{i \in g} P^*_i \log P_i + \frac{\alpha}{2} |w|^2,
        \qquad P_i = \frac{e^{s_i}}{\sum_j e^{s_j}}

    Papers 000 (section 2.2) and 001 (section 4.3.5). The loss of a linear model is convex and is
    minimised by L-BFGS over all groups; a network is trained by Adam.

    Parameters
    ----------
    target : {"share", "softmax"}
        The truth's distribution :math:`P^*`: each candidate's share of the gain of its group, so
        that irrelevant ones are never first; or the softmax of the gains, as Cao et al. have it.
    hidden : int
        Hidden units; 0 is a linear model.
    alpha : float
        Ridge penalty on weights of scaled columns.
    rounds : int
        The most iterations of L-BFGS, or passes of Adam.
    batch, rate : int, float
        Groups a step and size of the first step, for a network.
    scale : bool
        Whether columns are brought to variance 1; if not, larger ones are penalised less.
    gain, measure, patience, random_state, n_jobs, verbose
        See `Ranker`. A group counts :math:`\omega_g`, the mean weight of its relevant candidates.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers import ListNet
    >>> ranking = Ranking.from_dense(np.zeros((2, 3)))
    >>> F = np.array([[0.9], [0.2], [0.1], [0.3], [0.1], [0.8]])
    >>> model = ListNet().fit(ranking, F, np.array([[1, 0, 0], [0, 0, 1]]))
    >>> [labels.tolist() for labels, _ in model.rerank(ranking, F)]
    [[0, 1, 2], [2, 0, 1]]
    """

    grid: ClassVar[dict[str, list[Any]]] = {
        "alpha": [1e-3, 1e-2, 3e-2, 1e-1, 3e-1],
    }

    def __init__(
        self,
        target: str = "share",
        hidden: int = 0,
        alpha: float = 0.1,
        rounds: int = 200,
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
        self.target = target
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
        self._descend(candidates.comparable(), watch, self._cost)

    def _cost(self, part: Candidates) -> Cost:
        targets = self._targets(part)
        return lambda scores: _native.top_one(part.indptr, scores, targets)

    def _targets(self, groups: Candidates) -> NDArray[np.float64]:
        """P* of each candidate, times the weight of its group."""
        starts, lengths = groups.indptr[:-1], np.diff(groups.indptr)
        worth = groups.gains
        if self.target == "softmax":
            worth = np.exp(worth - np.repeat(np.maximum.reduceat(worth, starts), lengths))
        sums = np.add.reduceat(worth, starts)
        share = np.divide(groups.group_weights, sums, out=np.zeros_like(sums), where=sums > 0)
        targets: NDArray[np.float64] = worth * np.repeat(share, lengths)
        return targets

    def _check_params(self) -> None:
        super()._check_params()
        one_of("target", self.target, ("share", "softmax"))
