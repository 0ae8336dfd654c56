"""LATRE and LATREwTS: what tag recommendation was before anything was learned (paper 001, §4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from labelrank.data import Items, Rows, Settings, Things
from labelrank.data.kept_things import KeptThings
from labelrank.data.relevance import Tuning, relevance
from labelrank.errors import InputError
from labelrank.measures import measure as named
from labelrank.ranking import Ranking
from labelrank.recipes.held_out import check_holdout, held_out
from labelrank.scorers import AssociationRules
from labelrank.scorers.things import TagScorer, ranked
from labelrank.store import Field, Number

__all__ = ["LATRE", "LATREwTS"]


class LATRE(AssociationRules):
    """Tags by the confidence of the rules that lead to them: `AssociationRules` by its name.

    Lazy Associative Tag Recommendation (Menezes et al. 2010; paper 001, (1)).

    Examples
    --------
    >>> from labelrank.data import Dataset
    >>> from labelrank.recipes import LATRE
    >>> data = Dataset(Y=[[1, 1, 0], [1, 1, 0], [1, 0, 1]], label_names=["a", "b", "c"])
    >>> LATRE().fit(data).rank(Dataset(Y=[[1]], label_names=["b"])).labels
    array([0], dtype=int32)
    """


class LATREwTS(TagScorer):
    r"""Rules and terms in one sum, with a weight (paper 001, (13)).

    .. math:: \alpha\, Sum(c, I_o, \ell) + (1 - \alpha)\, wTS(c, o)

    Parameters
    ----------
    alpha : float, optional
        The weight of the rules; by default the best of `alphas` on held-out things.
    alphas : sequence of float
    measure : str
        What alpha is chosen by.
    length, wide
        See `AssociationRules`.
    holdout : float or int
        The share of the things that alpha is chosen on; the index has all in the end.
    settings : Settings, optional
        How things are read.
    random_state : int, RandomState or None
    n_jobs : int, optional

    Attributes
    ----------
    alpha_ : float

    Examples
    --------
    >>> from labelrank.data import Dataset
    >>> from labelrank.recipes import LATREwTS
    >>> texts = {"title": ["Sparse arrays", "Arrays in C", "Old songs"]}
    >>> data = Dataset(Y=[[1, 1, 0], [1, 1, 0], [0, 0, 1]], label_names=["array", "c", "song"],
    ...                texts=texts)
    >>> model = LATREwTS(alpha=0.7).fit(data)
    >>> model.rank(Dataset(Y=[[1]], label_names=["c"], texts={"title": ["A song"]}))
    Ranking(1 rows, 3 labels, 2 entries)
      0: 0 (0.7), 2 (0.3)
    """

    fitted: ClassVar[dict[str, Field]] = {"things_": KeptThings(), "alpha_": Number(float)}
    alpha_: float

    def __init__(
        self,
        alpha: float | None = None,
        alphas: Sequence[float] = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1.0),
        measure: str = "nDCG@5",
        length: int = 3,
        wide: int = 12,
        holdout: float | int = 0.25,
        settings: Settings | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.alphas = alphas
        self.measure = measure
        self.length = length
        self.wide = wide
        self.holdout = holdout
        self.settings = settings
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, Y: Any = None) -> Self:
        """Learn from things and all of their tags; with Y these instead of their own."""
        self._check_params()
        settings = Settings() if self.settings is None else Settings(*self.settings)
        empty = Things(settings)
        items = Items.of(X, settings.fields, empty.read)
        items = items if Y is None else items.with_tags(Y)
        self.things_ = Things.of(items, settings)
        self.alpha_ = float(self._chosen(items) if self.alpha is None else self.alpha)
        return self

    def _chosen(self, items: Items) -> float:
        """The best alpha on held-out things; of equally good ones the last."""
        if len(items) < 2:
            return float(self.alphas[-1])
        judge = named(self.measure)
        worth = np.zeros(len(self.alphas))
        for held in held_out(items, self.things_, self.holdout, self.random_state):
            found = relevance(held.things, held.rows, self._tuning, n_jobs=self.n_jobs)
            for i, alpha in enumerate(self.alphas):
                ranking = ranked(found, found.blend(alpha), held.things.n_tags, 100)
                worth[i] += np.nan_to_num(judge(ranking, held.gold).value)
        if not judge.higher_is_better:
            worth = -worth
        return float(self.alphas[int(np.flatnonzero(worth == worth.max())[-1])])

    @property
    def _tuning(self) -> Tuning:
        return Tuning(self.length, self.wide)

    def _check_params(self) -> None:
        self._tuning.check()
        check_holdout(self.holdout)
        given = list(self.alphas) if self.alpha is None else [self.alpha]
        if not given or not all(isinstance(a, int | float) and 0 <= a <= 1 for a in given):
            raise InputError(f"alpha must lie in 0..1, found {given!r:.60}.")

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if not 0 <= self.alpha_ <= 1:
            raise ValueError(f"alpha is {self.alpha_}")

    def _rank_rows(self, rows: Rows, k: int | None) -> Ranking:
        found = relevance(self.things_, rows, self._tuning, n_jobs=self.n_jobs)
        return ranked(found, found.blend(self.alpha_), self.n_labels_, k)
