"""Rows of numbers whose labels have an order: networks and boosted trees by each loss, in folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from labelrank.data import Dataset
from labelrank.errors import InputError
from labelrank.experiments.clock import Clock
from labelrank.experiments.paper_002 import RANKED
from labelrank.measures import Evaluation, evaluate
from labelrank.rankers import LambdaMart
from labelrank.ranking import Ranking
from labelrank.scorers import OrderedLabelNet

__all__ = ["TablePlan", "TableStudy", "table_study"]

MLP = {"MLP, RLSEP": "rlsep", "MLP, LSEP": "lsep", "MLP, CE": "ce"}
TREES = {
    "LambdaMART, RLSEP": "rlsep",
    "LambdaMART, graded gains": "lambdarank",
    "LambdaMART, LSEP": "lsep",
    "LambdaMART, CE": "ce",
}


@dataclass(frozen=True)
class TablePlan:
    """How much of everything: folds, epochs of networks at most, trees at most."""

    folds: int = 5
    epochs: int = 60
    trees: int = 300
    patience: int = 20


@dataclass
class TableStudy:
    """What was measured on one data set.

    Attributes
    ----------
    name : str
    about : str
        Sizes, in a line.
    plan : TablePlan
    evaluations : dict of str to Evaluation
        By method; each row was ranked by a model that had not seen it.
    timings : list of dict
    """

    name: str
    about: str
    plan: TablePlan
    evaluations: dict[str, Evaluation] = field(default_factory=dict)
    timings: list[dict[str, Any]] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """In the form of results.json."""
        return [
            {"dataset": self.name, "method": method}
            | {key: row[key] for key in ("measure", "value", "low", "high")}
            for method, evaluation in self.evaluations.items()
            for row in evaluation.rows()
        ]


def table_study(
    data: Dataset,
    plan: TablePlan,
    random_state: int = 0,
    n_jobs: int | None = None,
    say: Callable[[str], None] = lambda sentence: None,
) -> TableStudy:
    """Rank each fold by models of the others; a tenth of these says when to stop.

    Losses that know no order learn nothing where every label is relevant, as in full orders: then
    the upper half of each row's grades counts as relevant for them.
    """
    if data.X is None or len(data) < 2 * plan.folds:
        raise InputError(f"{data.name} needs features and {2 * plan.folds} rows at least.")
    X = np.asarray(data.X.toarray() if hasattr(data.X, "toarray") else data.X, np.float32)
    Y = data.Y.toarray()
    halves = (Y > 0).all()
    binary = np.median(Y, axis=1, keepdims=True) < Y if halves else Y > 0
    about = f"{len(data)} rows, {data.n_features} features, {data.n_labels} labels"
    about += "; LSEP and CE know each row's upper half" if halves else ""
    study = TableStudy(data.name, about, plan)
    folds = list(KFold(plan.folds, shuffle=True, random_state=random_state).split(X))
    for method in (*MLP, *TREES):
        say(f"  {method}")
        clock = Clock(data.name, method, study.timings)
        graded = Y if method.endswith(("RLSEP", "gains")) else binary.astype(np.float32)
        found = np.zeros_like(Y, dtype=np.float64)
        for train, test in folds:
            held = np.random.default_rng(random_state).permutation(train)
            stop, rest = held[: len(train) // 10], held[len(train) // 10 :]
            parts = (X[rest], graded[rest], X[stop], graded[stop])
            rank = _mlp if method in MLP else _trees
            kind = MLP.get(method) or TREES[method]
            found[test] = rank(kind, parts, X[test], plan, random_state, n_jobs)
        clock.lap("train and rank")
        study.evaluations[method] = evaluate(Ranking.from_dense(found), Y, RANKED)
    return study


def _mlp(
    loss: str, parts: Any, X: NDArray[np.float32], plan: TablePlan, seed: int, n_jobs: int | None
) -> NDArray[np.float64]:
    net = OrderedLabelNet(
        "mlp", loss, epochs=plan.epochs, patience=plan.patience, random_state=seed,
        threshold=False, batch=32, rate=2e-3,
    )  # fmt: skip
    net.fit(parts[0], parts[1], (parts[2], parts[3]))
    return np.asarray(net.rank(X).to_csr().toarray(), np.float64)


def _trees(
    objective: str, parts: Any, X: NDArray[np.float32], plan: TablePlan, seed: int,
    n_jobs: int | None,
) -> NDArray[np.float64]:  # fmt: skip
    rows, graded, stop, graded_stop = parts
    m = graded.shape[1]
    model = LambdaMart(
        plan.trees, 15, 0.05, objective=objective, k=m, patience=plan.patience,
        measure="ranked-Acc", random_state=seed, n_jobs=n_jobs,
    )  # fmt: skip
    ranking, held = (Ranking.from_dense(np.zeros_like(y)) for y in (graded, graded_stop))
    model.fit(ranking, _pairs(rows, m), graded, validation=(held, _pairs(stop, m), graded_stop))
    return np.asarray(
        model.scores(Ranking.from_dense(np.zeros((len(X), m))), _pairs(X, m))
    ).reshape(len(X), m)


def _pairs(X: NDArray[np.float32], m: int) -> NDArray[np.float32]:
    """Each row with each label: the row's features, and which label it is."""
    return np.hstack([np.repeat(X, m, axis=0), np.tile(np.eye(m, dtype=np.float32), (len(X), 1))])
