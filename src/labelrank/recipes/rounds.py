"""How many rounds of boosting held-out things can bear."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from labelrank.rankers import Ranker
from labelrank.rankers.boosted import Boosted
from labelrank.recipes.label_ranker import Described

__all__ = ["with_best_rounds"]

_PATIENCE = 80


def with_best_rounds(ranker: Ranker, V: Described, measure: str = "nDCG@5") -> Ranker:
    """The same ranker, unfitted, with the number of trees that is best on a third of V.

    It learns from the other two thirds and stops when 80 trees have brought nothing; on few things
    a boosted ranker learns by heart what it could do with all its trees. Other rankers, and V of
    fewer than 30 things, are left as they are.

    Parameters
    ----------
    ranker : Ranker
    V : Described
    measure : str

    Examples
    --------
    >>> from labelrank import Ranking
    >>> from labelrank.rankers import Mart
    >>> ranking = Ranking.from_dense(np.zeros((90, 4)))
    >>> rng = np.random.default_rng(0)
    >>> F = rng.random((360, 2))
    >>> Y = (F[:, 0] + rng.normal(0, 0.3, 360) > 0.8).reshape(90, 4)
    >>> with_best_rounds(Mart(random_state=0), Described(ranking, F, Y)).n_trees < 500
    True
    """
    n, fresh = V.ranking.n_rows, _clone(ranker)
    if not isinstance(ranker, Boosted) or n < 30:
        return fresh
    third = np.arange(n) % 3 == 0
    learned, held = V.rows(np.flatnonzero(~third)), V.rows(np.flatnonzero(third))
    if not (_to_be_found(learned) and _to_be_found(held)):
        return fresh
    watched = _clone(ranker).set_params(patience=_PATIENCE, measure=measure)
    watched.fit(*learned, validation=held)
    fresh.set_params(n_trees=int(np.argmax(watched.watched_)) + 1)
    return fresh


def _clone(ranker: Ranker) -> Ranker:
    fresh: Ranker = clone(ranker)
    return fresh


def _to_be_found(V: Described) -> bool:
    """Whether any candidate is relevant."""
    ranking = V.ranking
    return bool(np.asarray(V.Y[ranking.rows, ranking.labels]).any())
