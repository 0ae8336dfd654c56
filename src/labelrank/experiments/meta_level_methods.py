"""The methods of the meta-level experiment, and how their parameters are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, ParameterGrid

from labelrank._progress import track
from labelrank.cutoffs import LLSF, Cutoff, Threshold
from labelrank.data import MultilabelStratifiedKFold
from labelrank.errors import InputError
from labelrank.experiments.meta_level_data import Parts
from labelrank.measures import evaluate
from labelrank.ranking import Ranking
from labelrank.scorers import IBLR, BinarySVM, MLkNN, RankSVMLabels, Scorer

__all__ = ["Plan", "Tuned", "conventional", "default_cutoff", "folds_of", "plan_of", "tuned"]

_SMALL = 3_000  # dense rows up to which kernels are tried
_MEMORY = 400_000_000  # bytes of pair features
_LIMIT = 4_000_000_000

Grid = list[dict[str, list[Any]]]


@dataclass(frozen=True)
class Plan:
    """How much is tried, from the size of the data.

    Attributes
    ----------
    ks : list of int
        Neighbours to describe pairs by.
    distances : tuple of str
    alphas : dict of str to grid
        For each ranker what `MetaLabelRanker` tries.
    neighbours : list of int
        k of ML-kNN and IBLR.
    kernels : bool
        Whether kernel machines are tried.
    scored : tuple of str
        The rankers that also get the SVM's scores.
    folds : int
    quick : bool
    """

    ks: list[int]
    distances: tuple[str, ...]
    alphas: dict[str, dict[str, list[Any]]]
    neighbours: list[int]
    kernels: bool
    scored: tuple[str, ...]
    folds: int = 5
    quick: bool = False


def plan_of(parts: Parts, quick: bool = False) -> Plan:
    """Grids that fit the data's size: pair features stay under 400 MB.

    Small sets try k from 10 to 100 with all distances; larger ones at most 20; the largest describe
    pairs by 20 neighbours of one distance, the cosine (rows of texts have length one, so L2 says
    the same).
    """
    n, m = parts.Y_train.shape
    distances: tuple[str, ...] = ("l2", "l1", "cosine")
    if quick:
        alphas: dict[str, dict[str, list[Any]]] = {
            "listnet": {"alpha": [1e-2]}, "ranksvm": {"alpha": [0.1]},
            "svmmap": {"alpha": [0.1]}, "lambdarank": {"hidden": [0], "alpha": [1.0]},
        }  # fmt: skip
        return Plan([5], distances, alphas, [10], False, ("listnet",), 3, True)
    pair = 4 * n * m
    large = pair * 302 > _MEMORY
    wanted = [10, 20] if large else [10, 20, 30, 60, 100]
    if pair * 62 > _MEMORY / 4:
        wanted, distances = [20], ("cosine",)
    if pair * 22 > _LIMIT:
        raise InputError(
            f"{parts.name} has {n} rows and {m} labels: every label of every row is described here,"
            " which would take more than 4 GB; use a recipe that lists candidates first."
        )
    steps = [1e-4, 1e-3, 1e-2] if large else [1e-3, 3e-3, 1e-2, 3e-2, 1e-1]
    alphas = {
        "listnet": {"alpha": steps},
        "ranksvm": {"alpha": [1e-2, 1e-1, 1.0] if large else [1e-2, 3e-2, 1e-1, 3e-1, 1.0]},
        "svmmap": {"alpha": [1e-2, 1e-1] if large else [1e-2, 3e-2, 1e-1, 3e-1, 1.0]},
        "lambdarank": {"hidden": [0], "alpha": [0.1, 1.0] if large else [0.03, 0.1, 0.3, 1.0, 3.0]},
    }
    scored = ("listnet", "ranksvm", "lambdarank") if large else tuple(alphas)
    kernels = parts.dense and n <= _SMALL
    return Plan(wanted, distances, alphas, [10, 20, 30, 50], kernels, scored)


def conventional(parts: Parts, plan: Plan, n_jobs: int | None) -> dict[str, tuple[Scorer, Grid]]:
    """The methods compared with in section 3.2, each with the grid of its parameters."""
    machines: Grid = [{"kernel": ["linear"], "C": [0.01, 0.1, 1.0, 10.0]}]
    small = plan.ks[-1] > 20
    pairs: Grid = [{"kernel": ["linear"], "C": [0.1, 1.0, 10.0] if small else [10.0, 100.0]}]
    if plan.kernels:
        gammas = ["scale", *(float(g) for g in _around(parts.X_train))]
        machines += [{"kernel": ["rbf"], "C": [0.3, 1.0, 3.0, 10.0], "gamma": gammas}]
        pairs += [{"kernel": ["rbf"], "C": [1.0, 10.0], "gamma": gammas}]
    near: Grid = [{"k": plan.neighbours}]
    if plan.quick:
        machines, pairs = [{"C": [1.0]}], [{"C": [1.0]}]
    return {
        "BinarySVM": (BinarySVM(n_jobs=n_jobs), machines),
        "RankSVM": (RankSVMLabels(n_jobs=n_jobs), pairs),
        "IBLR": (IBLR(n_jobs=n_jobs), near),
        "ML-kNN": (MLkNN(n_jobs=n_jobs), near),
    }


def _around(X: Any) -> NDArray[np.float64]:
    """A third and three times of what "scale" stands for."""
    scale = 1.0 / max(X.shape[1] * float(X.var()), 1e-12)
    return np.array([scale / 3, scale * 3])


def default_cutoff(method: str) -> Cutoff:
    """The method's own way to decide (section 3.2): 0, 0.5, or the unnormalised LLSF."""
    if method == "RankSVM":
        return LLSF(
            "errors", scale="scores", inputs="labels", temperature=1.0, ridge=0.0, corrected=False
        )
    return Threshold(0.0 if method == "BinarySVM" else 0.5)


def folds_of(
    Y: sp.csr_array, groups: NDArray[np.int64] | None, folds: int, random_state: int
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """(training rows, held rows) of each fold: labels spread evenly, or groups kept whole."""
    n = Y.shape[0]
    if groups is None:
        split = MultilabelStratifiedKFold(min(folds, n), random_state=random_state)
        return list(split.split(None, Y))
    n_groups = len(np.unique(groups))
    return list(GroupKFold(min(folds, n_groups)).split(np.zeros(n), groups=groups))


@dataclass
class Tuned:
    """A scorer with the best parameters of cross-validation.

    Attributes
    ----------
    scorer : Scorer
        Fitted to all rows.
    params : dict
    value : float
        MAP in cross-validation.
    crossed : Ranking
        The training rows, each ranked by a scorer that had not seen it.
    """

    scorer: Scorer
    params: dict[str, Any]
    value: float
    crossed: Ranking


def tuned(
    scorer: Scorer,
    grid: Grid,
    X: Any,
    Y: sp.csr_array,
    folds: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
    verbose: int = 0,
) -> Tuned:
    """Choose a scorer's parameters by MAP over folds of the training rows."""
    back = np.argsort(np.concatenate([held for _, held in folds]), kind="stable")
    tries = [params for params in ParameterGrid(grid) if _possible(params, folds)]
    best: tuple[float, dict[str, Any], Ranking] | None = None
    for params in track(tries, len(tries), type(scorer).__name__, verbose):
        lists = []
        for train, held in folds:
            model = clone(scorer).set_params(**params).fit(X[train], Y[train])
            lists.append(model.rank(X[held]))
        crossed = Ranking.stack(lists)[back]
        value = float(np.nan_to_num(evaluate(crossed, Y, "MAP")["MAP"].value))
        if best is None or value > best[0]:
            best = value, params, crossed
    if best is None:
        raise InputError("there are too few training rows for the neighbours asked for.")
    final = clone(scorer).set_params(**best[1]).fit(X, Y)
    return Tuned(final, best[1], best[0], best[2])


def _possible(
    params: dict[str, Any], folds: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]]
) -> bool:
    """More neighbours than rows would be the same as fewer."""
    k = int(params.get("k", 1))
    return k <= 10 or k < min(len(train) for train, _ in folds)
