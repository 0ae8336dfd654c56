"""HybridRanker: the four papers joined, candidates by trees and neighbours, ordered by a ranker."""

from __future__ import annotations

from typing import Any

import scipy.sparse as sp
from sklearn.base import clone

from labelrank.cutoffs import Cutoff
from labelrank.errors import InputError
from labelrank.features import Features, LabelStatistics, MetaLevel, StageScores
from labelrank.measures import propensities
from labelrank.rankers import LambdaMart, Ranker
from labelrank.rankers import ranker as ranker_named
from labelrank.recipes.label_ranker import LabelRanker, Parts
from labelrank.scorers import LabelTree, NearestNeighbours, Scorer

__all__ = ["HybridRanker"]

_TREE, _NEAR = 60, 40  # candidates of the label tree and of neighbours


class HybridRanker(LabelRanker):
    """Candidates of several stages, described by all of them, ordered by learning to rank.

    A label tree and nearest neighbours list candidates; the scores of both, how often the label is
    used and meta-level distances (paper 000) describe them; a ranker of paper 001 orders them, with
    gains by propensity (paper 003) as far as the dial says. The ranker learns by cross-fitting. Any
    part may be given instead.

    Parameters
    ----------
    scorer : Scorer, optional
        Lists the candidates; ``LabelTree() | NearestNeighbours()`` when None. What each of its
        stages says of a candidate is a feature.
    features : Features, optional
        Beside the stages' words; label statistics and meta-level distances when None.
    ranker : str or Ranker
    dial : float
        From 0, right most often (P@k), to 1, right about the rare (PSP@k): a label counts
        :math:`p_l^{-dial}`, with the propensities of paper 003, (1).
    cutoff : Cutoff, optional
        What `decide` keeps.
    holdout : int or float
        As in `LabelRanker`.
    random_state : int, RandomState or None
    n_jobs : int, optional
    verbose : int

    Attributes
    ----------
    scorer_, features_, ranker_, cutoff_
        As in `LabelRanker`.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.recipes import HybridRanker
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((80, 5))
    >>> Y = X > 0.7
    >>> model = HybridRanker().fit(X, Y)
    >>> model.rank(np.array([[0.9, 0.1, 0.1, 0.2, 0.1]]), k=1).labels
    array([0], dtype=int32)
    """

    def __init__(
        self,
        scorer: Scorer | None = None,
        features: Features | None = None,
        ranker: str | Ranker = "lambdamart",
        dial: float = 0.0,
        cutoff: Cutoff | None = None,
        holdout: int | float = 3,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.scorer = scorer
        self.features = features
        self.ranker = ranker
        self.dial = dial
        self.cutoff = cutoff
        self.holdout = holdout
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _parts(self, X: Any, Y: sp.csr_array) -> Parts:
        scorer = self.scorer if self.scorer is not None else self._candidates()
        more = self.features if self.features is not None else self._pairs()
        return Parts(scorer, StageScores(scorer.stages) + more, self._ranker(), self.cutoff)

    def _given(self, ranker: Ranker, Y: sp.csr_array) -> dict[str, Any]:
        wanted = getattr(ranker, "gain", None) == "propensity"
        return {"propensities": propensities(Y) ** self.dial} if wanted else {}

    def _candidates(self) -> Scorer:
        tree = LabelTree(top=_TREE, random_state=self.random_state, n_jobs=self.n_jobs)
        return tree | NearestNeighbours(k=[50, 10], top=_NEAR, n_jobs=self.n_jobs)

    def _pairs(self) -> Features:
        return LabelStatistics() + MetaLevel(k=3, distances=["cosine"], n_jobs=self.n_jobs)

    def _ranker(self) -> Ranker:
        """A clone of the ranker whose gain is what the dial says."""
        if isinstance(self.ranker, Ranker):
            found: Ranker = clone(self.ranker)
        elif self.ranker == "lambdamart":
            found = LambdaMart(n_trees=300, leaves=31, rate=0.05, min_leaf=50, features=0.7)
        else:
            found = ranker_named(self.ranker)
        known = found.get_params(deep=False)
        own = {} if isinstance(self.ranker, Ranker) else {"random_state": self.random_state}
        own |= {"n_jobs": self.n_jobs, "verbose": self.verbose} if own else {}
        found.set_params(**{name: value for name, value in own.items() if name in known})
        if self.dial:
            if "gain" not in known or "propensity" not in found.gains:
                raise InputError(
                    f"HybridRanker: {type(found).__name__} has no gain by propensity, so dial must "
                    f"be 0; found {self.dial!r}."
                )
            found.set_params(gain="propensity")
        return found

    def _check_params(self) -> None:
        number = isinstance(self.dial, int | float) and not isinstance(self.dial, bool)
        if not number or not 0 <= self.dial <= 1:
            raise InputError(f"HybridRanker: dial must be from 0 to 1, found {self.dial!r}.")
        for name, kind in (("scorer", Scorer), ("features", Features)):
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                raise InputError(
                    f"HybridRanker: {name} must be a {kind.__name__} or None, found {value!r:.60}."
                )
        self._ranker()
        self._check_composition()
