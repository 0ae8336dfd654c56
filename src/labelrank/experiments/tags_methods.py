"""The rankers of the tag recommendation experiment, and how much each learns from and tries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from labelrank.errors import InputError
from labelrank.measures import evaluate
from labelrank.rankers import Ranker
from labelrank.rankers import ranker as named
from labelrank.recipes.label_ranker import Described

__all__ = ["BEST", "BEYOND", "Method", "fitted", "methods"]

BEYOND = " + neighbours"
"""Behind the name of a ranker that also gets what the nearest things have."""

BEST = ("RandomForest", "MART", "LambdaMART")
"""The paper's winning group."""

_MEASURE = "nDCG@5"


@dataclass(frozen=True)
class Method:
    """A ranker and what is tried on V.

    Attributes
    ----------
    ranker : Ranker
    most : int
        Things of V it learns from, at most.
    grid : list of dict
        Parameters to choose from; the best on a third of V, learned from the rest, is taken.
    features : tuple of str
        Groups of features.
    """

    ranker: Ranker
    most: int
    grid: list[dict[str, Any]] = field(default_factory=lambda: [{}])
    features: tuple[str, ...] = ("relevance",)


def methods(quick: bool = False, random_state: int = 0, n_jobs: int | None = None) -> dict[
    str, Method
]:  # fmt: skip
    """The eight rankers of the paper, two more, and the best three with more features.

    Parameters are those of Table III, where it was the same on all sets; steps and sizes of trees,
    which depend on how much there is to learn from, are chosen on V.
    """
    trees = 150 if quick else 1500
    most = 200 if quick else 1000
    slow = 60 if quick else 200
    boosted = [{"rate": 0.1 if quick else 0.05}]
    def made(name: str, **params: Any) -> Ranker:
        plain = named(name)
        common = {"random_state": random_state, "n_jobs": n_jobs, "measure": _MEASURE}
        known = plain.get_params()
        return plain.set_params(**{k: v for k, v in (common | params).items() if k in known})

    # patience: boosting ends where V has no more to say
    watched = {"n_trees": trees, "patience": 100}
    found = {
        "RankSVM": Method(made("ranksvm"), 4 * slow),
        "GP": Method(made("gp", generations=20 if quick else 200), slow),
        "RankBoost": Method(made("rankboost", rounds=60 if quick else 300), 4 * slow),
        "RandomForest": Method(made("rf", n_trees=60 if quick else 300), most),
        "MART": Method(made("mart", **watched), 3 * most, boosted),
        "LambdaMART": Method(made("lambdamart", **watched), most, boosted),
        "AdaRank": Method(made("adarank"), 4 * slow),
        "ListNet": Method(made("listnet"), 4 * slow),
        "LambdaRank": Method(made("lambdarank", rounds=10 if quick else 50), 4 * slow),
        "SVMMap": Method(made("svmmap", rounds=50 if quick else 200), slow),
    }
    for name in BEST:
        same = found[name]
        found[name + BEYOND] = Method(
            same.ranker, same.most, same.grid, ("relevance", "neighbours")
        )
    return found


def fitted(method: Method, V: Described) -> tuple[Ranker, dict[str, Any]]:
    """The ranker learned from V, and the parameters that were taken."""
    whole = _some(V, method.most)
    if method.grid == [{}]:
        return clone(method.ranker).set_params(**_calm(method.ranker)).fit(*whole), {}
    n = whole.ranking.n_rows
    learned, held = (whole.rows(np.flatnonzero((np.arange(n) % 3 == 0) == h)) for h in (False, True))
    tried = []
    for params in method.grid:
        ranker = clone(method.ranker).set_params(**params)
        if ranker.get_params().get("patience"):
            ranker.fit(*learned, validation=held)
            best = int(np.argmax(ranker.watched_)) + 1
            tried.append((max(ranker.watched_), params | {"n_trees": best}))
        else:
            ranker.fit(*learned)
            tried.append((_worth(ranker, held), params))
    _, taken = max(tried, key=lambda pair: pair[0])
    final = clone(method.ranker).set_params(**taken).set_params(**_calm(method.ranker))
    return final.fit(*whole), taken


def _calm(ranker: Ranker) -> dict[str, Any]:
    """Nothing is watched in the last fit."""
    return {"patience": None} if "patience" in ranker.get_params() else {}


def _worth(ranker: Ranker, held: Described) -> float:
    ranking = ranker.rerank(held.ranking, held.F)
    return float(np.nan_to_num(evaluate(ranking, held.Y, [_MEASURE])[_MEASURE].value))


def _some(V: Described, most: int) -> Described:
    """Things of V, drawn at random, that have a candidate to be found."""
    ranking = V.ranking
    hit = np.asarray(V.Y[ranking.rows, ranking.labels]).ravel() > 0
    able = np.unique(ranking.rows[hit])
    if len(able) == 0:
        raise InputError("no thing to learn from has a candidate that is to be found.")
    drawn = np.random.default_rng(0).permutation(len(able))[:most]
    return V.rows(able[drawn])
