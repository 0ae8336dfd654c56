"""MetaLabelRanker: multi-label ranking by meta-level features (Yang & Gopal 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank._rows import known_rows
from labelrank.cutoffs import LLSF, Cutoff
from labelrank.errors import InputError
from labelrank.features import Features, Joined, MetaLevel
from labelrank.measures import measure as named
from labelrank.rankers import Ranker, tune
from labelrank.rankers import ranker as ranker_named
from labelrank.ranking import Ranking
from labelrank.recipes.label_ranker import Described, LabelRanker, for_ranker
from labelrank.scorers import Popularity
from labelrank.scorers.base import whole

__all__ = ["MetaLabelRanker"]


class MetaLabelRanker(LabelRanker):
    """Every label is a candidate, described by its nearest rows, ranked and cut.

    A pair of a row and a label is described by the distances of the row to the label's k nearest
    training rows and to its centroid (`MetaLevel`, paper 000 (1)); a ranker orders the labels of a
    row (section 2.2); a cutoff decides how many to keep (section 2.3). k and the ranker's
    parameters are chosen by cross-validation on the training rows (section 3.4).

    Parameters
    ----------
    ranker : str or Ranker
        ``"listnet"``, ``"ranksvm"``, ``"svmmap"``, ``"lambdarank"``, … or a ranker with parameters
        of its own.
    k : int or sequence of int
        Neighbours for each distance; of several, the best one in cross-validation.
    distances : sequence of {"l2", "l1", "cosine"}
    features : Features, optional
        More columns beside the meta-level features, such as ``Scored(BinarySVM())``.
    grid : mapping, "own" or None
        Parameters of the ranker to choose from: given, the ranker's own `grid`, or none.
    measure : str
        What to be best at in cross-validation.
    folds : int
        Of the cross-validation.
    cutoff : Cutoff, optional
        ``LLSF()`` when None.
    random_state : int, RandomState or None
    n_jobs : int, optional
    verbose : int

    Attributes
    ----------
    scorer_, features_, ranker_, cutoff_
        As in `LabelRanker`.
    tuning_ : list of dict
        What was tried, with the value of each try, where there was a choice.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.recipes import MetaLabelRanker
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 2))
    >>> Y = np.column_stack([X[:, 0] > 0, X[:, 0] <= 0, X[:, 1] > 1])
    >>> model = MetaLabelRanker(k=[3, 10], random_state=0).fit(X, Y)
    >>> model.predict(np.array([[2.0, 0.0], [-2.0, 2.0]])).toarray()
    array([[1, 0, 0],
           [0, 1, 1]], dtype=int8)
    """

    def __init__(
        self,
        ranker: str | Ranker = "listnet",
        k: int | Sequence[int] = (10, 30, 60),
        distances: Sequence[str] = ("l2", "l1", "cosine"),
        features: Features | None = None,
        grid: Mapping[str, Sequence[Any]] | str | None = "own",
        measure: str = "MAP",
        folds: int = 5,
        cutoff: Cutoff | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.ranker = ranker
        self.k = k
        self.distances = distances
        self.features = features
        self.grid = grid
        self.measure = measure
        self.folds = folds
        self.cutoff = cutoff
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def neighbours(self, X: Any, k: int = 5) -> list[list[tuple[int, Any]]]:
        """Why: for each row its best labels, each with the training rows that speak for it.

        Parameters
        ----------
        X : array (n_rows, n_features)
        k : int
            How many labels.

        Returns
        -------
        For each row a list of (label, training rows nearest first, -1 where there are no more).
        """
        rows = known_rows(self, X)
        best = self.rank(rows, k)
        near = self._meta_level().neighbours(rows, best)
        return [
            [(int(best.labels[e]), near.rows[e]) for e in range(start, end)]
            for start, end in zip(best.indptr[:-1], best.indptr[1:], strict=True)
        ]

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self._check_rows(X)
        ks = self._ks()
        self.scorer_ = Popularity().fit(X, Y)
        ranking = self.scorer_.rank(X)
        widest = self._described_by(ks[-1]).fit(X, Y)
        F, names = widest.describe_training(ranking), widest.names
        model, k = self._chosen(ranking, F, names, Y, ks)
        self.features_ = widest if k == ks[-1] else self._described_by(k).fit(X, Y)
        described = Described(ranking, F[:, _columns(names, k)], Y)
        self._learn(described, Y, model, self.cutoff or LLSF())

    def _chosen(
        self, ranking: Ranking, F: NDArray[np.float32], names: list[str], Y: Any, ks: list[int]
    ) -> tuple[Ranker, int]:
        """The ranker and k that are best in cross-validation, the ranker not fitted."""
        start = self._ranker()
        grid = self.grid if isinstance(self.grid, Mapping) else start.grid if self.grid else {}
        self.tuning_: list[dict[str, Any]] = []
        if len(ks) == 1 and not grid:
            return start, ks[0]
        sign = 1 if named(self.measure).higher_is_better else -1
        best, chosen = -np.inf, (start, ks[0])
        for k in ks:
            columns = np.ascontiguousarray(F[:, _columns(names, k)])
            found = tune(
                start, ranking, columns, Y, grid or [{}], measure=self.measure, folds=self.folds,
                random_state=self.random_state, n_jobs=self.n_jobs, verbose=self.verbose,
                refit=False, **for_ranker(start, Y),
            )  # fmt: skip
            self.tuning_ += [{"k": k, **row} for row in found.rows]
            if sign * found.best_value > best:
                best, chosen = sign * found.best_value, (found.ranker, k)
        return chosen

    def _ranker(self) -> Ranker:
        """The ranker to start from."""
        found = ranker_named(self.ranker)
        if isinstance(self.ranker, str) and "random_state" in found.get_params():
            found.set_params(random_state=self.random_state)
        return found

    def _described_by(self, k: int) -> Features:
        near = MetaLevel(k=k, distances=self.distances, n_jobs=self.n_jobs)
        return near if self.features is None else Joined(near, self.features)

    def _meta_level(self) -> MetaLevel:
        found = self.features_.first_ if isinstance(self.features_, Joined) else self.features_
        assert isinstance(found, MetaLevel)
        return found

    def _ks(self) -> list[int]:
        given = [self.k] if isinstance(self.k, int | np.integer) else self.k
        if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray) or not len(given):
            raise InputError(f"k must be a whole number or several, found {self.k!r}.")
        return sorted({whole("k", k) for k in given})

    def _check_params(self) -> None:
        self._ks()
        self._ranker()
        if not (self.grid is None or self.grid == "own" or isinstance(self.grid, Mapping)):
            raise InputError(f'grid must be a mapping, "own" or None, found {self.grid!r}.')
        if self.features is not None and not isinstance(self.features, Features):
            raise InputError(f"features must be Features or None, found {self.features!r:.60}.")
        if self.cutoff is not None and not isinstance(self.cutoff, Cutoff):
            raise InputError(f"cutoff must be a Cutoff or None, found {self.cutoff!r:.60}.")

    def _check_fitted(self) -> None:
        super()._check_fitted()
        first = getattr(self.features_, "first_", self.features_)
        if not isinstance(first, MetaLevel):
            raise ValueError(f"a {type(first).__name__} describes where MetaLevel should")


def _columns(names: list[str], k: int) -> NDArray[np.int64]:
    """Which columns there would be with k neighbours: those of the k nearest, and all others."""
    near = [name.rpartition("_") for name in names]
    far = [
        kind in ("l2", "l1", "cos") and place.isdecimal() and int(place) > k
        for kind, _, place in near
    ]
    return np.flatnonzero(~np.array(far, dtype=bool))
