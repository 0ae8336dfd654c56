"""RandomForest: the mean of deep regression trees, each grown on a bag of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypeAlias

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from labelrank._parallel import over_tasks
from labelrank._progress import track
from labelrank.errors import InputError
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.forest import Forest
from labelrank.rankers.parameters import between, one_of, whole
from labelrank.rankers.trees import TreeRanker, grown_trees
from labelrank.rankers.watch import Watch

__all__ = ["RandomForest"]

_Task: TypeAlias = tuple[int, int]  # how many trees, from which seed
_AT_A_TIME = 10  # trees grown by one job: results do not depend on how many jobs there are


class RandomForest(TreeRanker):
    r"""A random forest that predicts the gain of a candidate (paper 001, §4.3.2; Breiman 2001).

    .. math:: s(x) = \frac{1}{T} \sum_t v_{t,\ell_t(x)}

    where :math:`v_{t,\ell}` is the mean gain in leaf :math:`\ell` of tree t. Every tree is grown on
    a bootstrap sample, and every split chooses among `features` of the features.

    Parameters
    ----------
    n_trees : int
        T.
    leaves : int
        The most leaves of a tree, l in the paper.
    features : "log2", int or float
        Features to choose from at each split: :math:`m = \lfloor \log_2(M + 1) + 0.5 \rfloor` of
        the M features as in paper 001 §5.3, so many, or this share of them.
    sample : {"candidates", "groups"}
        What is drawn with replacement: each candidate by itself as in the paper, or whole groups.
    min_leaf : int
        Candidates of its bag that a leaf must have; at most a tenth of all.
    bins : int
        Thresholds tried for a feature are at most so many.
    gain, measure, patience, random_state, n_jobs, verbose
        See `Ranker`.

    Attributes
    ----------
    forest_ : Forest
        The trees up to the best round.

    Notes
    -----
    LightGBM grows the trees: each is one Newton step of its own from zero, with the times a
    candidate is in the bag as weights. Defaults are those of paper 001, Table III.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers.random_forest import RandomForest
    >>> ranking = Ranking.from_dense(np.zeros((20, 3)))
    >>> F = np.random.default_rng(0).random((60, 2))
    >>> Y = (F[:, 0] > 0.5).reshape(20, 3)
    >>> ranker = RandomForest(n_trees=20, random_state=0).fit(ranking, F, Y)
    >>> ranker.forest_.n_trees
    20
    """

    grid: ClassVar[dict[str, list[Any]]] = {"leaves": [15, 60, 300]}

    def __init__(
        self,
        n_trees: int = 300,
        leaves: int = 300,
        *,
        features: str | float = "log2",
        sample: str = "candidates",
        min_leaf: int = 1,
        bins: int = 63,
        gain: str = "grade",
        measure: str = "nDCG@10",
        patience: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.leaves = leaves
        self.features = features
        self.sample = sample
        self.min_leaf = min_leaf
        self.bins = bins
        self.gain = gain
        self.measure = measure
        self.patience = patience
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _grown(self, candidates: Candidates, rng: np.random.RandomState, watch: Watch) -> Forest:
        (data, settings), gains = self._data(candidates.F), candidates.gains
        sizes = np.diff(candidates.indptr) if self.sample == "groups" else np.ones(len(gains), int)

        def some(task: _Task) -> Forest:
            return _independent(data, settings, gains, sizes, *task)

        starts = range(0, self.n_trees, _AT_A_TIME)
        tasks = [(min(_AT_A_TIME, self.n_trees - at), int(rng.randint(2**31 - 1))) for at in starts]
        parts: list[Forest] = []
        best, total, scores = 0, 0, np.zeros(0 if watch.F is None else len(watch.F))
        for part in track(self._in_order(some, tasks), len(tasks), "trees", self.verbose):
            parts.append(part)
            for t in range(part.n_trees):
                total += 1
                if watch.F is not None:
                    scores = scores + part.tree(t).scores(watch.F)
                if watch.improved(lambda F, sums=scores: sums):  # type: ignore[misc]
                    best = total
                if watch.over:
                    return Forest.joined(parts).first(best)
        return Forest.joined(parts).first(best)

    def _in_order(self, work: Callable[[_Task], Forest], tasks: list[_Task]) -> Iterator[Forest]:
        """As many tasks at a time as there are jobs, so that early stopping wastes few."""
        jobs = effective_n_jobs(self.n_jobs)
        for at in range(0, len(tasks), jobs):
            yield from list(over_tasks(work, tasks[at : at + jobs], jobs))

    def _settings(self, n_candidates: int, n_features: int) -> dict[str, Any]:
        if self.features == "log2":
            share = int(np.log2(n_features + 1) + 0.5) / n_features
        elif isinstance(self.features, int | np.integer):
            share = min(int(self.features), n_features) / n_features
        else:
            share = float(self.features)
        return {
            "learning_rate": 1.0,
            "feature_fraction_bynode": share,
            # a candidate outside the bag weighs nothing, so leaves are measured by weight
            "min_data_in_leaf": 1,
            "min_sum_hessian_in_leaf": self._least(n_candidates) - 1e-3,
        }

    def _finished(self, candidates: Candidates, most: float) -> Forest:
        return self.forest_.scaled(most / max(self.forest_.n_trees, 1))

    def _check_params(self) -> None:
        super()._check_params()
        if isinstance(self.features, str):
            if self.features != "log2":
                raise InputError(f"features must be 'log2' or a number, found {self.features!r}.")
        elif isinstance(self.features, int | np.integer):
            whole("features", self.features)
        else:
            between("features", self.features, 0, 1, above=True)
        one_of("sample", self.sample, ("groups", "candidates"))


def _independent(
    data: Any,
    settings: dict[str, Any],
    gains: NDArray[np.float64],
    sizes: NDArray[np.int64],
    n_trees: int,
    seed: int,
) -> Forest:
    """Trees that each start from zero, on bags of their own."""
    import lightgbm

    rng = np.random.RandomState(seed)
    booster = lightgbm.Booster(settings | {"feature_fraction_seed": seed}, data)

    def bag(sums: Any, _: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        n = len(sizes)
        times = np.repeat(np.bincount(rng.randint(n, size=n), minlength=n), sizes)
        return (-times * gains).astype(np.float32), times.astype(np.float32)

    for _ in range(n_trees):
        booster.update(fobj=bag)
    return grown_trees(booster)
