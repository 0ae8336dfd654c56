"""Tries: neighbourhoods and parameters of a ranker, judged in cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone

from labelrank._parallel import over_tasks
from labelrank._progress import track
from labelrank.features import Features
from labelrank.measures import Measure
from labelrank.rankers import Ranker
from labelrank.ranking import Ranking
from labelrank.recipes.label_ranker import for_ranker, row_folds

__all__ = ["Try", "columns_of", "judged"]

Task = tuple[int, dict[str, Any]]


class Try(NamedTuple):
    """A k and parameters of a ranker, with what cross-validation says of them."""

    k: int
    params: dict[str, Any]
    model: Ranker
    worth: float
    crossed: NDArray[np.float64]  # scores by models that have not seen the row, of deviation 1
    spread: float  # what they were divided by


def judged(
    start: Ranker,
    tasks: Sequence[Task],
    features: Callable[[], Features],
    data: tuple[Any, sp.csr_array, Ranking],
    judge: Measure,
    *,
    folds: int,
    random_state: Any,
    n_jobs: int | None = None,
    verbose: int = 0,
    what: str = "",
) -> list[Try]:
    """Every try, in the order of the tasks.

    Rows that are held out are held out of the neighbours, too. Otherwise their labels would reach
    the ranker through the numbers of the rows that it learns from.

    Parameters
    ----------
    start : Ranker
        With the parameters that no task sets.
    tasks : list of (k, parameters)
    features : function
        Makes features with the largest k of the tasks.
    data : (X, Y, ranking)
        The training rows, and candidates for each.
    judge : Measure
    folds : int
    random_state, n_jobs, verbose, what
        Of the folds; how many tries at a time; whether progress is shown, and under which name.
    """
    X, Y, ranking = data
    given = for_ranker(start, Y)
    split = row_folds(len(ranking), folds, random_state)

    def fold(train: NDArray[np.int64], held: NDArray[np.int64]) -> Iterator[NDArray[Any]]:
        described = features().fit(X[train], Y[train])
        own, new = ranking[train], ranking[held]
        F, F_new = described.describe_training(own), described.describe(X[held], new)

        def scores(task: Task) -> NDArray[Any]:
            used = columns_of(described.names, task[0])
            model = clone(start).set_params(**task[1])
            model.fit(own, np.ascontiguousarray(F[:, used]), Y[train], **given)
            return np.asarray(model.scores(new, np.ascontiguousarray(F_new[:, used])))

        yield from over_tasks(scores, tasks, n_jobs)

    crossed = np.zeros((len(tasks), ranking.n_entries))
    places = ((at, held) for _, held in split for at in range(len(tasks)))
    found = (scores for part in split for scores in fold(*part))
    steps = zip(places, found, strict=True)
    for (at, held), scores in track(steps, len(split) * len(tasks), what, verbose):
        crossed[at, ranking.entries_of(held)] = scores

    def tried(task: Task, scores: NDArray[np.float64]) -> Try:
        value = judge(ranking.reordered(scores), Y, **given).value
        worth = float(np.nan_to_num(value if judge.higher_is_better else -value, nan=-np.inf))
        spread = float(scores.std()) or 1.0
        return Try(*task, clone(start).set_params(**task[1]), worth, scores / spread, spread)

    return [tried(*pair) for pair in zip(tasks, crossed, strict=True)]


def columns_of(names: Sequence[str], k: int) -> NDArray[np.int64]:
    """Which columns there would be with k neighbours: those of the k nearest, and all others.

    Examples
    --------
    >>> columns_of(["l2_1", "l2_2", "l2_3", "centroid_l2"], 2)
    array([0, 1, 3])
    """
    near = [name.rpartition("_") for name in names]
    far = [
        kind in ("l2", "l1", "cos") and place.isdecimal() and int(place) > k
        for kind, _, place in near
    ]
    return np.flatnonzero(~np.array(far, dtype=bool))
