"""Tune: choose a ranker's parameters by cross-validation over groups or on a validation part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold, ParameterGrid, ParameterSampler
from sklearn.utils import check_random_state

from labelrank._entries import to_frame
from labelrank._labels import check_labels
from labelrank._parallel import over_tasks
from labelrank._progress import track
from labelrank._text import number, table
from labelrank.errors import InputError
from labelrank.measures import Measure
from labelrank.measures import measure as named
from labelrank.rankers.base import Ranker, Validation
from labelrank.ranking import Ranking

__all__ = ["Tuning", "tune"]

Grid: TypeAlias = Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]]
_PER_ENTRY, _PER_LABEL = ("pair_weights",), ("label_weights", "propensities", "names")


@dataclass(frozen=True, eq=False)
class Tuning:
    """What `tune` found.

    Attributes
    ----------
    ranker : Ranker
        Fitted with the best parameters: on all groups after cross-validation, on the training
        groups alone (and stopped by the validation ranking) after a fixed validation part, not at
        all without `refit`.
    best_params : dict
    best_value : float
        Of the measure; the best of several tries, so a little flattering.
    rows : list of dict
        For each try its parameters, the value, its standard error over groups and its rank.
    measure : str
    """

    ranker: Ranker
    best_params: dict[str, Any]
    best_value: float
    rows: list[dict[str, Any]]
    measure: str

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame with one row a try (polars or pandas, whichever is installed)."""
        return to_frame({c: [row[c] for row in self.rows] for c in self.rows[0]}, backend)

    def __str__(self) -> str:
        columns = [c for c in self.rows[0] if c not in ("value", "error", "rank")]
        cells = [
            [str(row["rank"]), number(row["value"]), f"± {number(row['error'])}"]
            + [str(row[c]) for c in columns]
            for row in sorted(self.rows, key=lambda row: int(row["rank"]))
        ]
        return table(["rank", self.measure, "", *columns], cells, left=0)

    __repr__ = __str__


def tune(
    ranker: Ranker,
    ranking: Ranking,
    F: Any,
    Y: Any,
    grid: Grid | None = None,
    *,
    measure: str | Measure = "nDCG@10",
    folds: int = 5,
    validation: Validation | None = None,
    n_iter: int | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    refit: bool = True,
    **fit: Any,
) -> Tuning:
    """Choose the parameters of a ranker.

    Groups are kept whole: a fold is some rows of the ranking with all their candidates. The value
    of a try is the mean over all groups, each judged once, by a model that has not seen it.

    Parameters
    ----------
    ranker : Ranker
        Cloned, not changed.
    ranking, F, Y
        As in `Ranker.fit`.
    grid : mapping or list of mappings, optional
        Values to try for each parameter; with `n_iter` also distributions of `scipy.stats`. By
        default the ranker's own, `Ranker.grid`.
    measure : str or Measure
        What to be best at; see `labelrank.measure`.
    folds : int
        Parts of the cross-validation; not used with `validation`.
    validation : (Ranking, F, Y), optional
        Judge every try on this part instead; rankers with rounds also stop early by it.
    n_iter : int, optional
        Try so many combinations drawn at random; all of the grid by default.
    random_state : int, RandomState or None
        Of the folds and of `n_iter`; the ranker has its own.
    n_jobs : int, optional
        Tries at a time; the result does not depend on it.
    verbose : int
        1 shows a progress bar.
    refit : bool
        Whether to fit the best model to all groups at last; if not, it has the best parameters and
        is not fitted.
    **fit
        pair_weights, label_weights, propensities and names for `Ranker.fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers import LinearMix, tune
    >>> ranking = Ranking.from_dense(np.zeros((6, 3)))
    >>> F = np.random.default_rng(0).random((18, 2))
    >>> Y = (F[:, 0] > 0.5).reshape(6, 3)
    >>> found = tune(LinearMix(), ranking, F, Y, {"weights": [[1, 0], [0, 1]]}, folds=3)
    >>> found.best_params
    {'weights': [1, 0]}
    """
    unknown = set(fit) - {*_PER_ENTRY, *_PER_LABEL}
    if unknown:
        raise InputError(f"tune has no argument {sorted(unknown)[0]!r}.")
    tries = _tries(ranker.grid if grid is None else grid, n_iter, random_state)
    wanted = named(measure)
    parts = _Parts(ranking, np.asarray(F), check_labels(Y), fit)
    if validation is None:
        splits = _folds(ranking, folds, random_state)
    else:
        splits = [(np.arange(ranking.n_rows), np.empty(0, np.int64))]
    work = [(params, train, test) for params in tries for train, test in splits]

    def judge(
        task: tuple[dict[str, Any], NDArray[Any], NDArray[Any]],
    ) -> tuple[Ranker | None, NDArray[np.float64]]:
        params, train, test = task
        model = clone(ranker).set_params(**params)
        parts.fit(model, train, validation)
        held = parts.rows(test) if validation is None else validation
        found = model.rerank(held[0], held[1])
        score = wanted(found, held[2], propensities=fit.get("propensities"))
        return (None if validation is None else model), score.values

    done = list(track(over_tasks(judge, work, n_jobs), len(work), "tune", verbose))
    values = [
        np.concatenate([v for _, v in done[i : i + len(splits)]])
        for i in range(0, len(done), len(splits))
    ]
    rows = _table(tries, values, wanted.higher_is_better)
    best = min(range(len(rows)), key=lambda i: rows[i]["rank"])
    model = done[best][0]
    if model is None:
        model = clone(ranker).set_params(**tries[best])
        if refit:
            parts.fit(model, np.arange(ranking.n_rows), None)
    return Tuning(model, tries[best], rows[best]["value"], rows, str(wanted))


@dataclass(frozen=True, eq=False)
class _Parts:
    """All groups with their numbers, truth and weights, to be cut by rows."""

    ranking: Ranking
    F: NDArray[Any]
    Y: Any
    fit_arguments: dict[str, Any]

    def rows(self, at: NDArray[Any]) -> Validation:
        """Some of the groups."""
        return self.ranking[at], self.F[self.ranking.entries_of(at)], self.Y[at]

    def fit(self, model: Ranker, at: NDArray[Any], validation: Validation | None) -> Ranker:
        """Fit a model to some of the groups."""
        entries = self.ranking.entries_of(at)
        arguments: dict[str, Any] = {
            name: np.asarray(value)[entries] if name in _PER_ENTRY and value is not None else value
            for name, value in self.fit_arguments.items()
        }
        ranking, F, Y = self.rows(at)
        return model.fit(ranking, F, Y, validation=validation, **arguments)


def _tries(grid: Grid, n_iter: int | None, random_state: Any) -> list[dict[str, Any]]:
    try:
        if n_iter is None:
            found = list(ParameterGrid(grid))
        else:
            found = list(ParameterSampler(grid, n_iter, random_state=random_state))
    except (TypeError, ValueError) as error:
        raise InputError(f"tune cannot use this grid: {error}") from None
    if not found:
        raise InputError("tune needs at least one combination of parameters to try.")
    return found


def _folds(
    ranking: Ranking, folds: int, random_state: Any
) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    filled = np.flatnonzero(ranking.lengths)
    if isinstance(folds, bool) or not isinstance(folds, int) or not 2 <= folds <= len(filled):
        raise InputError(
            f"folds must lie between 2 and the {len(filled)} groups that have candidates, found "
            f"{folds!r}."
        )
    split = KFold(folds, shuffle=True, random_state=check_random_state(random_state))
    return [(filled[train], filled[test]) for train, test in split.split(filled)]


def _table(
    tries: list[dict[str, Any]], values: list[NDArray[np.float64]], higher_is_better: bool
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    columns = dict.fromkeys(name for params in tries for name in params)
    for params, each in zip(tries, values, strict=True):
        known = each[~np.isnan(each)]
        mean = float(known.mean()) if len(known) else float("nan")
        error = float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else float("nan")
        rows.append({**columns, **params, "value": mean, "error": error})
    badness = [-row["value"] if higher_is_better else row["value"] for row in rows]
    order = np.argsort(np.nan_to_num(badness, nan=np.inf), kind="stable")
    for place, i in enumerate(order):
        rows[i]["rank"] = place + 1
    return rows
