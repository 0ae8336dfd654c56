"""RankSVM: the better candidate of each pair should win by a margin (Joachims 2002, 2006)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.cutting_plane import cutting_planes
from labelrank.rankers.descent import lbfgs
from labelrank.rankers.linear import LinearRanker
from labelrank.rankers.parameters import between, one_of, whole
from labelrank.rankers.scaling import Scaling
from labelrank.rankers.watch import Watch

__all__ = ["RankSVM"]


class RankSVM(LinearRanker):
    r"""A linear ranker with the hinge loss of all pairs of a group.

    .. math::
        \min_w \frac{\alpha}{2} |w|^2 + \frac{1}{n} \sum_g \frac{\omega_g}{p_g} \sum_{r_i > r_j}
        c_i \max(0, 1 - s_i + s_j)^q, \qquad s = w \cdot x

    with scaled columns x, grades r, q = 1 or 2. Papers 000 and 001 (section 4.3.1). Pairs are never
    listed: a pass costs O(n log n) for n candidates, whatever the number of pairs.

    Parameters
    ----------
    loss : {"squared_hinge", "hinge"}
        q = 2, minimised by L-BFGS; or q = 1, minimised by cutting planes.
    pairs : {"group", "all"}
        A group counts once, :math:`p_g` being its (weighted) number of pairs, or as often as it has
        pairs, as Joachims has it.
    alpha : float
        Ridge penalty on weights of scaled columns.
    rounds : int
        The most iterations or planes.
    tolerance : float
        Of the optimum, with cutting planes: a share of the objective's value at w = 0.
    scale : bool
        Whether columns are brought to variance 1; if not, larger ones are penalised less.
    gain, measure, patience, n_jobs, verbose
        See `Ranker`. A pair has the weight :math:`c_i` of its better candidate.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers import RankSVM
    >>> ranking = Ranking.from_dense(np.zeros((2, 3)))
    >>> F = np.array([[0.9], [0.2], [0.1], [0.3], [0.1], [0.8]])
    >>> model = RankSVM().fit(ranking, F, np.array([[1, 0, 0], [0, 0, 1]]))
    >>> [labels.tolist() for labels, _ in model.rerank(ranking, F)]
    [[0, 1, 2], [2, 0, 1]]
    """

    gains: ClassVar[tuple[str, ...]] = ("grade", "propensity")  # of a pair only the order counts
    grid: ClassVar[dict[str, list[Any]]] = {
        "alpha": [1e-2, 1e-1, 3e-1, 1.0, 3.0],
    }

    def __init__(
        self,
        loss: str = "squared_hinge",
        pairs: str = "group",
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
        self.loss = loss
        self.pairs = pairs
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
        X, weights = scaling.apply(groups.F), self._pair_weights(groups)
        squared = self.loss == "squared_hinge"

        def risk(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            scores = (X @ w.astype(np.float32)).astype(np.float64)
            losses, slope = _native.pair_hinge(
                groups.indptr, scores, groups.grades, weights, squared
            )
            return float(losses.sum()), (slope.astype(np.float32) @ X).astype(np.float64)

        def ridged(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            value, slope = risk(w)
            return value + self.alpha / 2 * float(w @ w), slope + self.alpha * w

        def scorer(w: NDArray[np.float64]) -> Callable[[NDArray[np.float32]], NDArray[Any]]:
            self._keep(w, scaling)
            return self._scores

        if squared:
            best = lbfgs(ridged, np.zeros(X.shape[1]), self.rounds, watch, scorer)
        else:
            best = cutting_planes(
                risk, X.shape[1], alpha=self.alpha, tolerance=self.tolerance, rounds=self.rounds,
                watch=watch, scorer=scorer, verbose=self.verbose, what="RankSVM",
            )  # fmt: skip
        self._keep(best, scaling)

    def _pair_weights(self, groups: Candidates) -> NDArray[np.float64]:
        """The weight of each candidate's pairs; they sum to the mean group weight over all."""
        none = np.zeros(len(groups.grades))
        pairs, _ = _native.pair_hinge(groups.indptr, none, groups.grades, groups.weights, False)
        if self.pairs == "all":
            return np.asarray(groups.weights / max(pairs.sum(), np.finfo(float).tiny))
        share = np.divide(groups.group_weights, pairs, out=np.zeros_like(pairs), where=pairs > 0)
        each: NDArray[np.float64] = np.repeat(share / groups.n_groups, np.diff(groups.indptr))
        return groups.weights * each

    def _check_params(self) -> None:
        super()._check_params()
        whole("rounds", self.rounds)
        for name in ("alpha", "tolerance"):
            between(name, getattr(self, name), 0, above=True)
        one_of("loss", self.loss, ("squared_hinge", "hinge"))
        one_of("pairs", self.pairs, ("group", "all"))
