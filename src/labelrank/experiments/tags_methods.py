"""The rankers of the tag recommendation experiment, and how much each learns from and tries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from labelrank.errors import InputError
from labelrank.rankers import Ranker
from labelrank.rankers import ranker as named
from labelrank.rankers.boosted import Boosted
from labelrank.recipes.label_ranker import Described
from labelrank.recipes.rounds import with_best_rounds

__all__ = ["BEST", "BEYOND", "CANDIDATES", "Method", "fitted", "methods"]

CANDIDATES = 200
"""Candidates of a thing that rankers order: the best by LATRE+wTS."""

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
    features : tuple of str
        Groups of features.
    """

    ranker: Ranker
    most: int
    features: tuple[str, ...] = ("relevance",)


def methods(quick: bool = False, random_state: int = 0, n_jobs: int | None = None) -> dict[
    str, Method
]:  # fmt: skip
    """The eight rankers of the paper, two more, and the best three with more features.

    Parameters are those of Table III; how many trees of boosting, which depends on how much there
    is to learn from, is chosen on V, and smaller steps are taken.
    """
    trees = 150 if quick else 1500
    most = 200 if quick else 600
    slow = 50 if quick else 100
    rate = 0.1 if quick else 0.05

    def made(name: str, **params: Any) -> Ranker:
        plain = named(name)
        common = {"random_state": random_state, "n_jobs": n_jobs, "measure": _MEASURE}
        known = plain.get_params()
        plain.set_params(**{k: v for k, v in (common | params).items() if k in known})
        return plain

    found = {
        "RankSVM": Method(made("ranksvm"), most),
        "GP": Method(made("gp", generations=20 if quick else 200), slow),
        "RankBoost": Method(made("rankboost", rounds=60 if quick else 300), 4 * slow),
        "RandomForest": Method(made("rf", n_trees=60 if quick else 300), most),
        "MART": Method(made("mart", n_trees=trees, rate=rate), 5 * most),
        "LambdaMART": Method(made("lambdamart", n_trees=trees, rate=rate), most),
        "AdaRank": Method(made("adarank"), 4 * slow),
        "ListNet": Method(made("listnet"), most),
        "LambdaRank": Method(made("lambdarank", rounds=10 if quick else 20), 4 * slow),
        "SVMMap": Method(made("svmmap", rounds=50 if quick else 200), 2 * slow),
    }
    for name in BEST:
        same = found[name]
        found[name + BEYOND] = Method(same.ranker, same.most, ("relevance", "neighbours"))
    return found


def fitted(method: Method, V: Described) -> tuple[Ranker, dict[str, Any]]:
    """The ranker learned from V, and the parameters that were taken."""
    whole = _some(V, method.most)
    ranker = with_best_rounds(method.ranker, whole, _MEASURE)
    taken = {"n_trees": ranker.get_params()["n_trees"]} if isinstance(ranker, Boosted) else {}
    return ranker.fit(*whole), taken


def _some(V: Described, most: int) -> Described:
    """Things of V, drawn at random, that have a candidate to be found."""
    ranking = V.ranking
    hit = np.asarray(V.Y[ranking.rows, ranking.labels]).ravel() > 0
    able = np.unique(ranking.rows[hit])
    if len(able) == 0:
        raise InputError("no thing to learn from has a candidate that is to be found.")
    drawn = np.random.default_rng(0).permutation(len(able))[:most]
    return V.rows(able[drawn])
