"""RLSEP: pairs in the wrong order cost exponentially, all of them (Dari et al.)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.network import Cost, NetworkRanker
from labelrank.rankers.parameters import one_of
from labelrank.rankers.watch import Watch

__all__ = ["RLSEP"]


class RLSEP(NetworkRanker):
    r"""Ranked log-sum-exp over the pairs of candidates of different grades.

    .. math::
        L = \frac{1}{n} \sum_g \omega_g
            \log\Big(1 + \sum_{(i, j) \in g:\, r_i > r_j} e^{s_j - s_i}\Big)
            + \frac{\alpha}{2} |w|^2

    Paper 002 (formula 6), without a network where none is wanted; see `labelrank.losses.rlsep` for
    how all pairs are counted in :math:`O(n \log n)`. The loss of a linear model is convex and is
    minimised by L-BFGS over all groups; one hidden layer is trained by Adam.

    Parameters
    ----------
    loss : {"rlsep", "lsep"}
        Pairs of all grades, or pairs of a relevant and an irrelevant candidate (formula 3).
    hidden : int
        Hidden units; 0 is a linear model.
    alpha : float
        Ridge penalty on weights of scaled columns.
    rounds : int
        The most iterations of L-BFGS, or passes of Adam.
    batch, rate : int, float
        Groups a step and size of the first step, for hidden units.
    scale : bool
        Whether columns are brought to variance 1; if not, larger ones are penalised less.
    gain, measure, patience, random_state, n_jobs, verbose
        See `Ranker`. Only the order of grades counts; a group counts :math:`\omega_g`, the mean
        weight of its relevant candidates.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers import RLSEP
    >>> ranking = Ranking.from_dense(np.zeros((2, 3)))
    >>> F = np.array([[0.9], [0.5], [0.1], [0.3], [0.1], [0.8]])
    >>> model = RLSEP().fit(ranking, F, np.array([[2, 1, 0], [1, 0, 2]]))
    >>> [labels.tolist() for labels, _ in model.rerank(ranking, F)]
    [[0, 1, 2], [2, 0, 1]]
    """

    gains: ClassVar[tuple[str, ...]] = ("grade", "propensity")
    grid: ClassVar[dict[str, list[Any]]] = {"alpha": [1e-3, 1e-2, 3e-2, 1e-1, 3e-1]}

    def __init__(
        self,
        loss: str = "rlsep",
        hidden: int = 0,
        alpha: float = 0.01,
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
        self.loss = loss
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
        weights, levels = part.group_weights, self.loss == "rlsep"

        def cost(scores: NDArray[Any]) -> tuple[float, NDArray[np.float64]]:
            losses, slope, _ = _native.rlsep(part.indptr, scores, part.grades, weights, levels)
            return float(losses.sum()), slope

        return cost

    def _check_params(self) -> None:
        super()._check_params()
        one_of("loss", self.loss, ("rlsep", "lsep"))
