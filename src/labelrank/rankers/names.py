"""Rankers by name: ``ranker("lambdamart", leaves=7)``, as on the command line and in recipes."""

from __future__ import annotations

import difflib
from typing import Any

from labelrank.errors import InputError
from labelrank.rankers.ada_rank import AdaRank
from labelrank.rankers.base import Ranker
from labelrank.rankers.genetic_program import GeneticProgram
from labelrank.rankers.lambda_mart import LambdaMart
from labelrank.rankers.lambda_rank import LambdaRank
from labelrank.rankers.linear_mix import LinearMix
from labelrank.rankers.list_net import ListNet
from labelrank.rankers.mart import Mart
from labelrank.rankers.random_forest import RandomForest
from labelrank.rankers.rank_boost import RankBoost
from labelrank.rankers.rank_svm import RankSVM
from labelrank.rankers.rlsep import RLSEP
from labelrank.rankers.svm_map import SVMMap

__all__ = ["RANKERS", "ranker"]

RANKERS: dict[str, type[Ranker]] = {
    cls.__name__.lower(): cls
    for cls in (
        ListNet, LambdaRank, RankSVM, SVMMap, AdaRank, RankBoost, RandomForest, Mart, LambdaMart,
        GeneticProgram, LinearMix, RLSEP,
    )
}  # fmt: skip
"""Every ranker by its name in small letters."""

_SHORT = {"rf": "randomforest", "gp": "geneticprogram"}


def ranker(name: str | Ranker, **params: Any) -> Ranker:
    """The ranker that a name stands for.

    Parameters
    ----------
    name : str
        The class's name in any spelling: ``lambdamart``, ``LambdaMART``, ``lambda-mart``; ``rf``
        and ``gp`` are short for the random forest and the genetic program. A `Ranker` is returned
        as it is, with its parameters set.
    **params
        Parameters of the ranker.

    Examples
    --------
    >>> ranker("rank-svm")
    RankSVM()
    """
    if isinstance(name, Ranker):
        given: Ranker = name.set_params(**params)
        return given
    plain = "".join(c for c in str(name).lower() if c.isalnum())
    known = _SHORT.get(plain, plain)
    if known not in RANKERS:
        close = difflib.get_close_matches(known, RANKERS, n=1, cutoff=0.5)
        meant = f"did you mean {close[0]}? " if close else ""
        raise InputError(f"there is no ranker {name!r}; {meant}Known are {', '.join(RANKERS)}.")
    cls = RANKERS[known]
    allowed = cls._get_param_names()
    for param in params:
        if param not in allowed:
            raise InputError(
                f"{cls.__name__} has no parameter {param!r}; it has {', '.join(allowed)}."
            )
    return cls(**params)
