"""TagRecommender: tags that are missing, ranked by what was learned, with the reason why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from labelrank._progress import track
from labelrank.data import Items, Rows, Settings, Things
from labelrank.data.kept_things import KeptThings
from labelrank.data.relevance import Tuning, relevance
from labelrank.errors import InputError
from labelrank.features import ThingFeatures
from labelrank.features.tag_groups import tag_features
from labelrank.features.tag_neighbours import TagNeighbours
from labelrank.features.tag_relevance import TagRelevance
from labelrank.rankers import Ranker
from labelrank.rankers import ranker as ranker_named
from labelrank.ranking import Ranking
from labelrank.recipes.held_out import check_holdout, held_out
from labelrank.recipes.label_ranker import Described
from labelrank.recipes.reasons import Recommendation, reasons
from labelrank.recipes.rounds import with_best_rounds
from labelrank.scorers.base import whole
from labelrank.scorers.things import TagScorer
from labelrank.store import Field, Part

__all__ = ["TagRecommender"]


class TagRecommender(TagScorer):
    """Recommend tags for things with a title, a description and some tags (paper 001).

    Candidates are the tags that a thing's tags imply and those that stand in its texts; each is
    described by the metrics of Table I, and a ranker orders them (section 4.3). Rules and metrics
    come from a part D of the things, the ranker learns from the others, V, of which half of the
    tags are given and the other half is to be found (section 5.2). By default every thing is in V
    once, and in D at all other times.

    Parameters
    ----------
    ranker : str or Ranker
        "lambdamart", "mart", "randomforest", "ranksvm", …; how many trees of boosting are enough is
        then found on held-out things. Or a ranker with parameters of its own.
    features : sequence of str
        Groups of `labelrank.features.tag_groups.TAG_FEATURES`: "relevance" is Table I, "neighbours"
        what the most similar things have.
    candidates : int
        So many candidates of a thing go to the ranker: the best by LATRE+wTS (13).
    holdout : float or int
        A number of parts that are V by turns, each described by the others, so that the ranker
        learns from all things; or the share of the things in V, once, as in the paper (0.25).
    teachers : int, optional
        So many things are enough for the ranker to learn from; where a part has as many, it is V.
    refit : bool
        Whether V is taken into rules and metrics once the ranker has learned.
    settings : Settings, optional
        How things are read: fields, stemming, which tags are the same, support and confidence.
    tuning : Tuning, optional
        Parameters of the metrics.
    random_state : int, RandomState or None
    n_jobs : int, optional
    verbose : int
        1 shows progress.

    Attributes
    ----------
    things_ : Things
    ranker_ : Ranker
    label_names_ : list of str

    Examples
    --------
    >>> from labelrank.data import Dataset
    >>> from labelrank.recipes import TagRecommender
    >>> tags = [["arrays", "python"], ["arrays", "python", "sparse"], ["songs"]] * 10
    >>> names = sorted({tag for row in tags for tag in row})
    >>> data = Dataset(Y=[[name in row for name in names] for row in tags], label_names=names,
    ...                texts={"title": ["Arrays", "Sparse arrays", "Old songs"] * 10})
    >>> model = TagRecommender(random_state=0).fit(data)
    >>> best = model.recommend("Sparse matrices", tags=["Python"], k=1)[0]
    >>> best.label, best.reasons[0].text
    ('arrays', '100 % of the 20 things tagged *python* are tagged *arrays*')
    """

    fitted: ClassVar[dict[str, Field]] = {"things_": KeptThings(), "ranker_": Part()}
    ranker_: Ranker

    def __init__(
        self,
        ranker: str | Ranker = "lambdamart",
        features: Sequence[str] = ("relevance", "neighbours"),
        candidates: int = 100,
        holdout: float | int = 5,
        teachers: int | None = 10_000,
        refit: bool = True,
        settings: Settings | None = None,
        tuning: Tuning | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.ranker = ranker
        self.features = features
        self.candidates = candidates
        self.holdout = holdout
        self.teachers = teachers
        self.refit = refit
        self.settings = settings
        self.tuning = tuning
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, Y: Any = None) -> Self:
        """Learn from things and all of their tags; with Y these instead of their own."""
        self._check_params()
        settings = Settings() if self.settings is None else Settings(*self.settings)
        items = Items.of(X, settings.fields, Things(settings).read)
        items = items if Y is None else items.with_tags(Y)
        if len(items) < 2:
            raise InputError(f"TagRecommender needs at least two things, found {len(items)}.")
        self.things_ = Things.of(items, settings)
        parts, last = [], self.things_
        folds = 1 if isinstance(self.holdout, float) else int(self.holdout)
        held = held_out(items, self.things_, self.holdout, self.random_state, self.teachers)
        for things, rows, gold in track(held, folds, "describe", self.verbose):
            ranking, F = self._describe(things, rows)
            parts.append(Described(ranking, F, gold))
            last = things
        self.ranker_ = self._learned(parts)
        if not self.refit:
            self.things_ = last
        return self

    def update(self, X: Any) -> Self:
        """Learn new things, and changes of things whose id is known, without training again.

        Rules and metrics are then those of all things; the ranker stays. Tags that were never seen
        can be recommended from now on. Numbers of labels may change, names do not.
        """
        check_is_fitted(self)
        self.things_.update(X)
        return self

    def forget(self, ids: Iterable[str]) -> Self:
        """Forget things by id, with all that only they have: tags, spellings, words.

        Numbers of labels may change, names do not. What is saved afterwards holds no trace of them
        except what the ranker learned from, together with all others.
        """
        check_is_fitted(self)
        self.things_.forget(ids)
        return self

    def recommend(
        self,
        title: str = "",
        description: str = "",
        tags: Iterable[str] = (),
        k: int = 5,
        *,
        texts: Mapping[str, str] | None = None,
    ) -> list[Recommendation]:
        """The best tags for one thing, with the reasons.

        Parameters
        ----------
        title, description : str
        tags : iterable of str
            What it has already; those that are not known do no harm.
        k : int
        texts : mapping, optional
            Other fields, where `settings` names such.

        Returns
        -------
        list of Recommendation
            `label`, `score`, `reasons` and `why`; the best first, never one that the thing has.
        """
        check_is_fitted(self)
        given = {"title": title, "description": description} | dict(texts or {})
        own = [tags] if isinstance(tags, str) else tags
        rows = self.things_.row(given, own)
        best, scores = self._rank_rows(rows, whole("k", k)).row(0)
        shown = self.things_.names.shown
        groups = self._groups(self.things_)
        near = next((g.near(rows) for g in groups if isinstance(g, TagNeighbours)), None)
        told = reasons(self.things_, rows, best, self._tuning, near)
        return [
            Recommendation(shown[tag], float(score), why)
            for tag, score, why in zip(best.tolist(), scores, told, strict=True)
        ]

    def describe(self, X: Any) -> tuple[Ranking, NDArray[np.float32]]:
        """The candidates of things, best first by LATRE+wTS, and their numbers."""
        rows = X if isinstance(X, Rows) else self.things_.rows(X)
        return self._describe(self.things_, rows)

    def _learned(self, parts: list[Described]) -> Ranker:
        ranking = Ranking.stack([part.ranking for part in parts])
        F = np.concatenate([part.F for part in parts])
        Y = sp.csr_array(sp.vstack([part.Y for part in parts]))
        ranker = clone(ranker_named(self.ranker))
        for name in ("random_state", "n_jobs", "verbose"):
            if isinstance(self.ranker, str) and name in ranker.get_params():
                ranker.set_params(**{name: getattr(self, name)})
        if isinstance(self.ranker, str):
            ranker = with_best_rounds(ranker, Described(ranking, F, Y))
        names = [name for group in self._groups(self.things_) for name in group.names]
        fitted: Ranker = ranker.fit(ranking, F, Y, names=names)
        return fitted

    def _groups(self, things: Things) -> list[ThingFeatures]:
        """The groups of features, made once for each index."""
        made: list[ThingFeatures] | None = self.__dict__.get("_made")
        if made is None or made[0].things_ is not things:
            made = [group.on(things) for group in tag_features(self.features)]
            self.__dict__["_made"] = made
        return made

    def _describe(self, things: Things, rows: Rows) -> tuple[Ranking, NDArray[np.float32]]:
        """The candidates of things, in the order of LATRE+wTS, and their numbers."""
        groups = self._groups(things)
        asked = (group.candidates(rows, self.n_jobs) for group in groups)
        more = next((tags for tags in asked if tags is not None), None)
        found = relevance(
            things, rows, self._tuning, most=self.candidates, more=more, n_jobs=self.n_jobs
        )
        worth = found.blend(0.7)
        of = np.repeat(np.arange(rows.n), np.diff(found.indptr))
        order = np.lexsort((found.tags, -worth, of))
        ranking = Ranking._trusted(found.indptr, found.tags[order], worth[order], things.n_tags)
        F = [
            found.F[order] if isinstance(group, TagRelevance) else group.describe(rows, ranking)
            for group in groups
        ]
        return ranking, F[0] if len(F) == 1 else np.hstack(F)

    def _rank_rows(self, rows: Rows, k: int | None) -> Ranking:
        ranking, F = self._describe(self.things_, rows)
        scores = self.ranker_.scores(ranking, F)
        best = Ranking.from_entries(ranking.indptr, ranking.labels, scores, self.n_labels_, k)
        wanted = 1 if k is None else k
        short = np.flatnonzero(best.lengths < wanted)
        return best if len(short) == 0 else self._filled(best, rows, short, wanted)

    def _filled(self, best: Ranking, rows: Rows, short: NDArray[Any], k: int) -> Ranking:
        """Rows with fewer than k tags go on with those that most things have."""
        uses = self.things_.uses
        popular = np.argsort(-uses, kind="stable")
        popular = popular[uses[popular] > 0]
        lists = [list(zip(*(part.tolist() for part in best.row(i)), strict=True)) for i in
                 range(best.n_rows)]  # fmt: skip
        for i in short:
            own = set(rows.tags[rows.tag_indptr[i] : rows.tag_indptr[i + 1]].tolist())
            own.update(tag for tag, _ in lists[i])
            least = min((score for _, score in lists[i]), default=0.0)
            more = [tag for tag in popular[: k + len(own)].tolist() if tag not in own]
            for place, tag in enumerate(more[: k - len(lists[i])], start=1):
                lists[i].append((tag, least - place))
        return Ranking.from_lists(
            [[tag for tag, _ in row] for row in lists],
            [[score for _, score in row] for row in lists],
            best.n_labels,
        )

    @property
    def _tuning(self) -> Tuning:
        return Tuning() if self.tuning is None else Tuning(*self.tuning)

    def _check_params(self) -> None:
        ranker_named(self.ranker)
        tag_features(self.features)
        whole("candidates", self.candidates)
        check_holdout(self.holdout)
        if self.teachers is not None:
            whole("teachers", self.teachers)
        self._tuning.check()

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if not isinstance(self.ranker_, Ranker):
            raise ValueError(f"a {type(self.ranker_).__name__} is no Ranker")
        columns = sum(len(group.names) for group in self._groups(self.things_))
        if self.ranker_.n_features_in_ != columns:
            raise ValueError("its ranker was fitted with another number of features")
