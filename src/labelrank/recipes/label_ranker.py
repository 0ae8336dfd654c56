"""LabelRanker: scorer, features, ranker and cutoff composed to one scorer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold, train_test_split
from sklearn.utils import check_random_state

from labelrank._progress import track
from labelrank._rows import known_rows
from labelrank.cutoffs import Cutoff
from labelrank.errors import InputError
from labelrank.features import Features
from labelrank.measures import propensities
from labelrank.rankers import Explanation, Ranker
from labelrank.ranking import Ranking
from labelrank.scorers import Scorer
from labelrank.store import Field, Number, Part

__all__ = ["Described", "LabelRanker", "Parts", "crossed_scores", "for_ranker", "row_folds"]


class Described(NamedTuple):
    """Candidates of some rows, their numbers and their truth: what a ranker learns from."""

    ranking: Ranking
    F: NDArray[np.float32]
    Y: sp.csr_array

    def rows(self, at: NDArray[np.int64]) -> Described:
        """Some of the rows."""
        return Described(self.ranking[at], self.F[self.ranking.entries_of(at)], self.Y[at])


class Parts(NamedTuple):
    """The four that a `LabelRanker` composes, not fitted."""

    scorer: Scorer
    features: Features
    ranker: Ranker
    cutoff: Cutoff | None


class LabelRanker(Scorer):
    """Candidates of a scorer, described by features, re-ordered by a ranker, shortened by a cutoff.

    The ranker learns from candidates that were described as new rows will be, by stages that have
    not seen them (`holdout`); then the stages are fitted to all rows.

    Parameters
    ----------
    scorer : Scorer
        Lists the candidates.
    features : Features
    ranker : Ranker
        With ``gain="propensity"`` it gets the propensities of `labelrank.propensities`.
    cutoff : Cutoff, optional
        What `decide` and `predict` keep; learned from rankings by rankers that have not seen the
        rows, five-fold.
    holdout : int, float or "own"
        Cross-fitting with so many folds; or the share of the rows that is held out once; or "own":
        features leave each training row out of its own description themselves, and the scorer's
        candidates do not depend on the row's labels (all labels, for example).
    random_state : int, RandomState or None
        Of the folds.
    verbose : int
        1 shows progress.

    Attributes
    ----------
    scorer_, features_, ranker_, cutoff_
        Fitted clones.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import LabelRanker
    >>> from labelrank.features import MetaLevel
    >>> from labelrank.rankers import ListNet
    >>> from labelrank.scorers import Popularity
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 2))
    >>> Y = np.column_stack([X[:, 0] > 0, X[:, 0] <= 0, X[:, 1] > 1])
    >>> model = LabelRanker(Popularity(), MetaLevel(k=3), ListNet(), holdout="own").fit(X, Y)
    >>> model.rank(np.array([[2.0, 0.0], [-2.0, 0.0]]), k=1).labels
    array([0, 1], dtype=int32)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "scorer_": Part(),
        "features_": Part(),
        "ranker_": Part(),
        "cutoff_": Part(optional=True),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    scorer_: Scorer
    features_: Features
    ranker_: Ranker
    cutoff_: Cutoff | None
    scorer: Any  # recipes that are LabelRankers may take other parameters
    features: Any
    ranker: Any
    cutoff: Any

    def __init__(
        self,
        scorer: Scorer,
        features: Features,
        ranker: Ranker,
        cutoff: Cutoff | None = None,
        holdout: int | float | str = 5,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.scorer = scorer
        self.features = features
        self.ranker = ranker
        self.cutoff = cutoff
        self.holdout = holdout
        self.random_state = random_state
        self.verbose = verbose

    def describe(self, X: Any) -> tuple[Ranking, NDArray[np.float32]]:
        """The candidates of rows and their numbers."""
        return _described_by(self.scorer_, self.features_, known_rows(self, X))

    def decide(self, X: Any) -> Ranking:
        """The labels that the cutoff keeps."""
        if self.cutoff_ is None:
            raise InputError(
                f"this {type(self).__name__} has no cutoff: give it one, such as cutoff=LLSF()."
            )
        return self.cutoff_.keep(self.rank(X), X)

    def predict(self, X: Any) -> sp.csr_array:
        """The same as a (n_rows, n_labels) matrix of 0 and 1, as scikit-learn has it."""
        kept = self.decide(X).to_csr()
        return sp.csr_array(
            (np.ones(kept.nnz, dtype=np.int8), kept.indices, kept.indptr), shape=kept.shape
        )

    def explain(self, X: Any, k: int = 5) -> list[list[tuple[int, float, Explanation]]]:
        """For each row its best k labels: (label, score, what each feature contributed)."""
        ranking, F = self.describe(X)
        scores = self.ranker_.scores(ranking, F)
        told: list[list[tuple[int, float, Explanation]]] = []
        for start, end in zip(ranking.indptr[:-1], ranking.indptr[1:], strict=True):
            own = scores[start:end]
            best = start + np.lexsort((ranking.labels[start:end], -own))[:k]
            told.append(
                [
                    (int(ranking.labels[e]), float(scores[e]), self.ranker_.explain(F[e]))
                    for e in best
                ]
            )
        return told

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self._check_rows(X)
        parts = self._parts(X, Y)
        self.scorer_ = clone(parts.scorer).fit(X, Y)
        self.features_ = clone(parts.features).fit(X, Y)
        self._learn(self._described(X, Y, parts), Y, parts.ranker, parts.cutoff)

    def _parts(self, X: Any, Y: sp.csr_array) -> Parts:
        """What is composed; recipes that pick by the data override it."""
        return Parts(self.scorer, self.features, self.ranker, self.cutoff)

    def _check_rows(self, X: Any) -> None:
        if X.shape[0] < 2:
            raise InputError(f"{type(self).__name__} needs at least two rows, found {X.shape[0]}.")

    def _described(self, X: Any, Y: sp.csr_array, parts: Parts) -> Described:
        """Candidates of training rows, described by stages that have not seen them."""
        if self.holdout == "own":
            ranking = self.scorer_.rank(X)
            return Described(ranking, self.features_.describe_training(ranking), Y)
        found = []
        splits = list(self._splits(X.shape[0]))
        for train, held in track(splits, len(splits), "describe", self.verbose):
            scorer = clone(parts.scorer).fit(X[train], Y[train])
            features = clone(parts.features).fit(X[train], Y[train])
            found.append(Described(*_described_by(scorer, features, X[held]), Y[held]))
        return Described(
            Ranking.stack([part.ranking for part in found]),
            np.concatenate([part.F for part in found]),
            sp.vstack([part.Y for part in found], format="csr"),
        )

    def _learn(
        self, described: Described, Y: sp.csr_array, ranker: Ranker, cutoff: Cutoff | None
    ) -> None:
        """Fit the last two stages."""
        given = self._given(ranker, Y) | {"names": self.features_.names}
        self.ranker_ = clone(ranker).fit(*described, **given)
        self.cutoff_ = None
        if cutoff is not None:
            crossed = crossed_scores(ranker, described, 5, self.random_state, given)
            self.cutoff_ = clone(cutoff).fit(described.ranking.reordered(crossed), described.Y)

    def _given(self, ranker: Ranker, Y: sp.csr_array) -> dict[str, Any]:
        """What fit of the ranker is told beside candidates."""
        return for_ranker(ranker, Y)

    def _splits(self, n_rows: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        rng = check_random_state(self.random_state)
        if isinstance(self.holdout, float):
            rows = np.arange(n_rows)
            train, held = train_test_split(rows, test_size=self.holdout, random_state=rng)
            yield train, held
        else:
            yield from row_folds(n_rows, int(self.holdout), rng)

    def _rank(self, X: Any, k: int | None) -> Ranking:
        ranking, F = self.describe(X)
        found = self.ranker_.rerank(ranking, F)
        return found if k is None else found.top(k)

    def _check_params(self) -> None:
        for name, kind in (("scorer", Scorer), ("features", Features), ("ranker", Ranker)):
            if not isinstance(getattr(self, name), kind):
                raise InputError(
                    f"{type(self).__name__}: {name} must be a {kind.__name__}, found "
                    f"{getattr(self, name)!r:.60}."
                )
        self._check_composition()

    def _check_composition(self) -> None:
        if self.cutoff is not None and not isinstance(self.cutoff, Cutoff):
            raise InputError(f"{type(self).__name__}: cutoff must be a Cutoff or None.")
        h = self.holdout
        whole = isinstance(h, int | np.integer) and not isinstance(h, bool) and h >= 2
        if not (h == "own" or whole or (isinstance(h, float) and 0 < h < 1)):
            raise InputError(
                f"{type(self).__name__}: holdout must be a number of folds from 2, a share between "
                f'0 and 1, or "own"; found {h!r}.'
            )

    def _check_fitted(self) -> None:
        super()._check_fitted()
        kinds = (("scorer_", Scorer), ("features_", Features), ("ranker_", Ranker))
        for name, kind in kinds:
            part = getattr(self, name)
            if not isinstance(part, kind):
                raise ValueError(f"a {type(part).__name__} is no {kind.__name__}")
            if kind is not Ranker and (part.n_labels_, part.n_features_in_) != (
                self.n_labels_,
                self.n_features_in_,
            ):
                raise ValueError(f"its {name[:-1]} has other numbers of labels or features")
        if self.cutoff_ is not None and not isinstance(self.cutoff_, Cutoff):
            raise ValueError(f"a {type(self.cutoff_).__name__} is no Cutoff")
        if len(self.features_.names) != self.ranker_.n_features_in_:
            raise ValueError("its ranker was fitted with another number of features")


def _described_by(
    scorer: Scorer, features: Features, X: Any
) -> tuple[Ranking, NDArray[np.float32]]:
    """Candidates of new rows and their numbers."""
    stages = scorer.rank_stages(X)
    ranking = scorer.joined(stages)
    return ranking, features.describe(X, ranking, stages)


def for_ranker(ranker: Ranker, Y: sp.csr_array) -> dict[str, Any]:
    """What fit has to be told beside candidates: propensities, for rankers that want them."""
    wanted = getattr(ranker, "gain", None) == "propensity"
    return {"propensities": propensities(Y)} if wanted else {}


def row_folds(
    n_rows: int, folds: int, random_state: Any
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """(training rows, held rows) of each fold; a fold a row where there are fewer rows."""
    rng = check_random_state(random_state)
    split = KFold(min(folds, n_rows), shuffle=True, random_state=rng)
    return list(split.split(np.arange(n_rows)))


def crossed_scores(
    ranker: Ranker, described: Described, folds: int, random_state: Any, fit: dict[str, Any]
) -> NDArray[np.float64]:
    """Scores of candidates by rankers that have not seen their rows."""
    scores = np.zeros(described.ranking.n_entries)
    for train, held in row_folds(len(described.ranking), folds, random_state):
        model = clone(ranker).fit(*described.rows(train), **fit)
        part = described.rows(held)
        scores[described.ranking.entries_of(held)] = model.scores(part.ranking, part.F)
    return scores
