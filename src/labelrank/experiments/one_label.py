"""Table 7: error rates of support vector machines on data with one label a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.model_selection import ParameterGrid
from sklearn.preprocessing import StandardScaler

from labelrank._parallel import over_tasks
from labelrank._progress import track
from labelrank.experiments.meta_level_data import Parts
from labelrank.experiments.meta_level_methods import Plan, folds_of
from labelrank.features import MetaLevelTransformer
from labelrank.scorers import BinarySVM

__all__ = ["ErrorRate", "error_rates"]

_Task = tuple[Any, sp.csr_array, Any, sp.csr_array]  # training rows and labels, the same to judge


@dataclass(frozen=True)
class ErrorRate:
    """The share of test rows whose best label is wrong.

    Attributes
    ----------
    method : str
    value : float
        On the test part.
    crossed : float
        In cross-validation on the training part, of the parameters chosen there.
    wrong : bool array
        Whether each test row is wrong.
    params : dict
    """

    method: str
    value: float
    crossed: float
    wrong: NDArray[np.bool_]
    params: dict[str, Any]


def error_rates(
    parts: Parts, plan: Plan, random_state: int = 0, n_jobs: int | None = None, verbose: int = 0
) -> list[ErrorRate]:
    """Plain features, then meta-level features; all is chosen on the training part.

    In cross-validation the whole chain is fitted anew to the training rows of each fold: nearest
    neighbours, unit variance, machines. So a group of rows that is held out (a speaker) is held out
    of the neighbours as well, as the test part's groups are.
    """
    groups = parts.groups
    n_folds = plan.folds if groups is None or plan.quick else len(np.unique(groups))
    folds = folds_of(parts.Y_train, groups, n_folds, random_state)
    X, Y = parts.X_train, parts.Y_train
    cut = [(X[train], Y[train], X[held], Y[held]) for train, held in folds]
    tasks = [*cut, (X, Y, parts.X_test, parts.Y_test)]
    ks = [5] if plan.quick else [1, 3, 5, 10, 20]
    work = (tasks, parts, plan, n_jobs, verbose)
    return [
        _chosen("SVM, plain features", [0], *work),
        _chosen("SVM, meta-level features", ks, *work),
    ]


def _chosen(
    method: str,
    ks: list[int],
    tasks: list[_Task],
    parts: Parts,
    plan: Plan,
    n_jobs: int | None,
    verbose: int,
) -> ErrorRate:
    """The parameters with the least error in cross-validation, and their error on the test part."""
    best: tuple[float, NDArray[np.bool_], dict[str, Any]] | None = None
    for k in track(ks, len(ks), method, verbose):
        ready = [_described(task, k, parts.dense, n_jobs) for task in tasks]
        width = ready[0][0].shape[1]
        grid = _grid(plan, width, parts.dense or k > 0, parts.X_train.shape[0])
        for params in ParameterGrid(grid):

            def judge(task: _Task, params: dict[str, Any] = params) -> NDArray[np.bool_]:
                Z, Y, held, truth = task
                top = BinarySVM(**params).fit(Z, Y).rank(held, 1)
                wrong: NDArray[np.bool_] = top.labels != truth.indices
                return wrong

            wrong = list(over_tasks(judge, ready, n_jobs))
            crossed = float(np.concatenate(wrong[:-1]).mean())
            if best is None or crossed < best[0]:
                chosen = {"k": k, **params} if k else dict(params)
                best = crossed, wrong[-1], chosen
    assert best is not None
    return ErrorRate(method, float(best[1].mean()), best[0], best[1], best[2])


def _described(task: _Task, k: int, dense: bool, n_jobs: int | None) -> _Task:
    """Features as they are (k = 0) or meta-level ones, dense columns at unit variance."""
    X, Y, held, truth = task
    if k:
        z = MetaLevelTransformer(k=k, n_jobs=n_jobs)
        X = z.fit_transform(X, Y)
        held = z.transform(held)
    if dense or k:
        scaler = StandardScaler().fit(X)
        X, held = scaler.transform(X), scaler.transform(held)
    return X, Y, held, truth


def _grid(plan: Plan, width: int, dense: bool, n: int) -> list[dict[str, list[Any]]]:
    if plan.quick:
        return [{"C": [0.1]}]
    if not dense:
        return [{"C": [0.01, 0.1, 1.0, 10.0]}]
    machines: list[dict[str, list[Any]]] = [{"C": [1e-3, 1e-2, 1e-1]}]
    if n <= 3_000:
        gammas = [0.1 / width, 0.3 / width, 1.0 / width, 3.0 / width]
        machines.append({"kernel": ["rbf"], "C": [0.1, 1.0, 10.0], "gamma": gammas})
    return machines
