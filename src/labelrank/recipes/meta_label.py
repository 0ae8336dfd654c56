"""MetaLabelRanker: multi-label ranking by meta-level features (Yang & Gopal 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from labelrank._rows import known_rows
from labelrank.cutoffs import LLSF, Cutoff
from labelrank.errors import InputError
from labelrank.features import Features, Joined, MetaLevel
from labelrank.measures import measure as named
from labelrank.rankers import Mean, Ranker
from labelrank.rankers import ranker as ranker_named
from labelrank.ranking import Ranking
from labelrank.recipes.averaging import how_many
from labelrank.recipes.label_ranker import Described, LabelRanker, crossed_scores, for_ranker
from labelrank.recipes.support import Support, supports
from labelrank.recipes.tries import Try, columns_of, judged
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
    average : int or "auto"
        The scores are the mean over so many of the best tries: 1 is the best one alone, as in the
        paper, and "auto" takes as many as are best on rows that had no say in which tries are best.
        Tries that differ little make different mistakes, above all where rows are few.
    cutoff : Cutoff, optional
        ``LLSF()`` when None; learned from the scores of the cross-validation.
    random_state : int, RandomState or None
    n_jobs : int, optional
    verbose : int

    Attributes
    ----------
    scorer_, features_, ranker_, cutoff_
        As in `LabelRanker`.
    tuning_ : list of dict
        What was tried, with the value of each try.
    chosen_ : list of dict
        k and parameters of the tries that were kept, the best first.

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
        average: int | str = 1,
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
        self.average = average
        self.cutoff = cutoff
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def neighbours(self, X: Any, k: int = 5) -> list[list[Support]]:
        """Why: for each row its best labels, each with the training rows that speak for it.

        Parameters
        ----------
        X : array (n_rows, n_features)
        k : int
            How many labels.

        Returns
        -------
        list of list of Support
            For each row its best labels, each with the numbers of these rows (the nearest first),
            how far they are, and all labels of each of them.
        """
        rows = known_rows(self, X)
        return supports(self._meta_level(), rows, self.rank(rows, k))

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self._check_rows(X)
        self.scorer_ = Popularity().fit(X, Y)
        ranking = self.scorer_.rank(X)
        kept = self._kept(self._tries(X, Y, ranking), ranking, Y)
        self.chosen_ = [{"k": t.k, **t.params} for t in kept]
        self.features_ = self._described_by(max(t.k for t in kept)).fit(X, Y)
        described = Described(ranking, self.features_.describe_training(ranking), Y)
        self.ranker_, crossed = self._final(kept, described)
        self.cutoff_ = clone(self.cutoff or LLSF()).fit(ranking.reordered(crossed), Y)

    def _tries(self, X: Any, Y: sp.csr_array, ranking: Ranking) -> list[Try]:
        """Every k and combination of parameters, judged in cross-validation; the best first."""
        start, ks, judge = self._ranker(), self._ks(), named(self.measure)
        own = _own_grid(start) if self.grid else {}
        grid = ParameterGrid(self.grid if isinstance(self.grid, Mapping) else own)
        tries = judged(
            start, [(k, params) for k in ks for params in grid],
            lambda: self._described_by(ks[-1]), (X, Y, ranking), judge,
            folds=self.folds, random_state=self.random_state, n_jobs=self.n_jobs,
            verbose=self.verbose, what=type(self).__name__,
        )  # fmt: skip
        sign = 1 if judge.higher_is_better else -1
        self.tuning_ = [{"k": t.k, **t.params, "value": sign * t.worth} for t in tries]
        return sorted(tries, key=lambda t: -t.worth)

    def _kept(self, tries: list[Try], ranking: Ranking, Y: sp.csr_array) -> list[Try]:
        """The best tries: as many as asked for, or as many as are best together."""
        if self.average != "auto":
            return tries[: int(self.average)]
        given = for_ranker(tries[0].model, Y)
        crossed = [t.crossed for t in tries]
        return tries[: how_many(crossed, ranking, Y, named(self.measure), given)]

    def _final(self, kept: list[Try], described: Described) -> tuple[Ranker, NDArray[np.float64]]:
        """The rankers of some tries fitted to all rows, as one; and what the cutoff learns from.

        That is scores of all rows by rankers that have not seen them, on the scale of the final
        one, of features that leave out nothing but the row: as those of new rows.
        """
        names, given = self.features_.names, for_ranker(kept[0].model, described.Y)
        columns = [columns_of(names, t.k) for t in kept]
        fitted, crossed = [], np.zeros((len(kept), described.ranking.n_entries))
        weights = [1 / t.spread if len(kept) > 1 else 1.0 for t in kept]
        for at, (t, used) in enumerate(zip(kept, columns, strict=True)):
            F = np.ascontiguousarray(described.F[:, used])
            part = Described(described.ranking, F, described.Y)
            scores = crossed_scores(t.model, part, self.folds, self.random_state, given)
            crossed[at] = weights[at] * scores
            fitted.append(clone(t.model).fit(*part, names=[names[j] for j in used], **given))
        only: Ranker = fitted[0]
        if len(fitted) > 1:
            only = Mean.of(fitted, columns, weights, len(names), names)
        return only, crossed.mean(axis=0)

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
        if self.average != "auto":
            whole("average", self.average)
        if whole("folds", self.folds) < 2:
            raise InputError("folds must be a whole number from 2, found 1.")
        if self.features is not None and not isinstance(self.features, Features):
            raise InputError(f"features must be Features or None, found {self.features!r:.60}.")
        if self.cutoff is not None and not isinstance(self.cutoff, Cutoff):
            raise InputError(f"cutoff must be a Cutoff or None, found {self.cutoff!r:.60}.")

    def _check_fitted(self) -> None:
        super()._check_fitted()
        first = getattr(self.features_, "first_", self.features_)
        if not isinstance(first, MetaLevel):
            raise ValueError(f"a {type(first).__name__} describes where MetaLevel should")


def _own_grid(ranker: Ranker) -> dict[str, Sequence[Any]]:
    """A ranker's own grid, and columns as they are beside scaled ones: distances are alike."""
    both = {"scale": [True, False]} if "scale" in ranker.get_params() else {}
    return {**ranker.grid, **both}
