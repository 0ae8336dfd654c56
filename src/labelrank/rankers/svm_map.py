"""SVM-MAP: no ranking should come close to the best one in its margin (Yue & Finley 2007)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.cutting_plane import cutting_planes
from labelrank.rankers.linear import LinearRanker
from labelrank.rankers.parameters import between, whole
from labelrank.rankers.scaling import Scaling
from labelrank.rankers.watch import Watch

__all__ = ["SVMMap"]


class SVMMap(LinearRanker):
    r"""A linear ranker whose structural hinge loss bounds 1 - average precision.

    .. math::
        \min_w \frac{\alpha}{2} |w|^2 + \frac{1}{n} \sum_g \omega_g \max_y
        \big[1 - AP(y) - w \cdot (\Psi(y^*) - \Psi(y))\big], \qquad
        \Psi(y) = \frac{1}{|R| |N|} \sum_{i \in R} \sum_{j \in N} \pm (x_i - x_j)

    over all rankings y of a group; the sign is + where y puts the relevant i before the irrelevant
    j. Paper 000 (section 2.2) compares with it. The ranking that violates the margin most is found
    exactly, in \|R\| × \|N\| steps, and the minimum by cutting planes. A grade above 0 is relevant.

    Parameters
    ----------
    alpha : float
        Ridge penalty on weights of scaled columns.
    rounds : int
        The most planes.
    tolerance : float
        Of the optimum, as a share of the objective's value at w = 0.
    scale : bool
        Whether columns are brought to variance 1; if not, larger ones are penalised less.
    gain, measure, patience, n_jobs, verbose
        See `Ranker`. A group counts :math:`\omega_g`, the mean weight of its relevant candidates.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers import SVMMap
    >>> ranking = Ranking.from_dense(np.zeros((2, 3)))
    >>> F = np.array([[0.9], [0.2], [0.1], [0.3], [0.1], [0.8]])
    >>> model = SVMMap().fit(ranking, F, np.array([[1, 0, 0], [0, 0, 1]]))
    >>> [labels.tolist() for labels, _ in model.rerank(ranking, F)]
    [[0, 1, 2], [2, 0, 1]]
    """

    gains: ClassVar[tuple[str, ...]] = ("grade", "propensity")  # relevant or not is all that counts
    grid: ClassVar[dict[str, list[Any]]] = {"alpha": [1e-2, 1e-1, 3e-1, 1.0]}

    def __init__(
        self,
        alpha: float = 0.3,
        rounds: int = 500,
        tolerance: float = 1e-3,
        scale: bool = True,
        gain: str = "grade",
        measure: str = "nDCG@10",
        patience: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.alpha = alpha
        self.rounds = rounds
        self.tolerance = tolerance
        self.scale = scale
        self.gain = gain
        self.measure = measure
        self.patience = patience
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        groups = candidates.comparable()
        scaling = Scaling(groups.F, self.scale)
        X, relevant = scaling.apply(groups.F), groups.grades > 0
        weights = groups.group_weights / groups.n_groups

        def risk(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            scores = (X @ w.astype(np.float32)).astype(np.float64)
            losses, slope = _native.most_violated(groups.indptr, scores, relevant, weights)
            return float(losses.sum()), (slope.astype(np.float32) @ X).astype(np.float64)

        def scorer(w: NDArray[np.float64]) -> Callable[[NDArray[np.float32]], NDArray[Any]]:
            self._keep(w, scaling)
            return self._scores

        best = cutting_planes(
            risk, X.shape[1], alpha=self.alpha, tolerance=self.tolerance, rounds=self.rounds,
            watch=watch, scorer=scorer, verbose=self.verbose, what="SVMMap",
        )  # fmt: skip
        self._keep(best, scaling)

    def _check_params(self) -> None:
        super()._check_params()
        whole("rounds", self.rounds)
        for name in ("alpha", "tolerance"):
            between(name, getattr(self, name), 0, above=True)
