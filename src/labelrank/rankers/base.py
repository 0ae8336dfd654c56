"""What a ranker is: it learns to re-order candidates from the numbers that describe them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelrank._parallel import over_blocks
from labelrank.errors import InputError
from labelrank.measures import Judged
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.explanation import Explanation
from labelrank.rankers.watch import Watch
from labelrank.ranking import Ranking
from labelrank.store import Field, Names, Number, Stored

__all__ = ["FIELDS", "Ranker", "Validation"]

Validation: TypeAlias = tuple[Ranking, Any, Any]

FIELDS: dict[str, Field] = {"n_features_in_": Number(), "names_": Names()}
"""What every ranker keeps; a subclass's `fitted` is ``FIELDS | {...}``."""

_BLOCK = 1 << 15  # candidates scored at a time by one job


class Ranker(Stored, BaseEstimator, ABC):
    """Learning to rank: the rows of a Ranking are the groups, its entries the candidates.

    A subclass writes `_fit` and `_scores`, and `_explain` where a score is a sum over features.
    These parameters mean the same wherever a ranker has them:

    Parameters
    ----------
    gain : {"grade", "exp", "propensity"}
        What placing a relevant candidate well is worth: its grade, :math:`2^{grade} - 1`, or its
        grade divided by the label's propensity, so that rare labels count for more (paper 003).
    measure : str
        What early stopping looks at; see `labelrank.measure`.
    patience : int, optional
        Stop after so many rounds without a better value of `measure` on the validation ranking, and
        go back to the best round. None goes through all rounds and still back to the best, but
        methods that converge (convex ones, and networks, whose steps shrink to nothing) stay at
        their end.
    random_state : int, RandomState or None
    n_jobs : int, optional
        Results do not depend on it.
    verbose : int
        1 shows a progress bar.

    Attributes
    ----------
    n_features_in_ : int
        Columns of F.
    names_ : list of str or None
        What they are called, where fit was told.
    watched_ : list of float
        The measure on the validation ranking after each round, where there was one.
    """

    fitted: ClassVar[dict[str, Field]] = FIELDS
    gains: ClassVar[tuple[str, ...]] = ("grade", "exp", "propensity")  # that the objective allows
    grid: ClassVar[dict[str, list[Any]]] = {}  # what `tune` tries when it is not told
    n_features_in_: int
    names_: list[str] | None = None

    def fit(
        self,
        ranking: Ranking,
        F: Any,
        Y: Any,
        *,
        pair_weights: Any = None,
        label_weights: Any = None,
        propensities: Any = None,
        validation: Validation | None = None,
        names: Sequence[str] | None = None,
    ) -> Self:
        """Learn from described candidates and the truth.

        Parameters
        ----------
        ranking : Ranking
        F : array (ranking.n_entries, n_features)
        Y : sparse or dense array of the shape of the ranking
            Grades; a candidate without an entry has grade 0.
        pair_weights : array (ranking.n_entries,), optional
            How much each candidate counts, beside its gain.
        label_weights : array (ranking.n_labels,), optional
            How much each label counts, beside its gain.
        propensities : array (ranking.n_labels,), optional
            For ``gain="propensity"``; see `labelrank.propensities`.
        validation : (Ranking, F, Y), optional
            Rows that are not learned from, for early stopping.
        names : sequence of str, optional
            What the columns of F are called; explanations and formulas use it.

        Returns
        -------
        self
        """
        described = _described(ranking, F)
        judged = Judged(ranking, Y, propensities)
        if ranking.n_entries == 0:
            raise InputError("there is no candidate to learn from: the ranking is empty.")
        if described.shape[1] == 0:
            raise InputError("F has no columns: a ranker needs at least one feature.")
        self._check_params()
        self.n_features_in_ = described.shape[1]
        self.names_ = _names(names, self.n_features_in_)
        gain = getattr(self, "gain", "grade")
        candidates = Candidates.of(judged, described, gain, pair_weights, label_weights)
        watch = Watch(getattr(self, "measure", "nDCG@10"), getattr(self, "patience", None))
        if validation is not None:
            watch.on(*self._validated(validation), propensities)
        self._fit(candidates, watch)
        self.watched_ = watch.values
        return self

    def rerank(self, ranking: Ranking, F: Any) -> Ranking:
        """The same candidates in the learned order."""
        return ranking.reordered(self.scores(ranking, F))

    def scores(self, ranking: Ranking, F: Any) -> NDArray[Any]:
        """One score for each entry of the ranking, in its order."""
        check_is_fitted(self)
        described = _described(ranking, F)
        self._check_width(described)
        return self._scored(described)

    def explain(self, F: Any) -> Explanation:
        """What each feature contributed to the scores of some candidates.

        Parameters
        ----------
        F : array (n_candidates, n_features), or one candidate's (n_features,)
        """
        check_is_fitted(self)
        rows = np.atleast_2d(np.asarray(F))
        described = _finite(rows)
        self._check_width(described)
        contributions, base = self._explain(described)
        return Explanation(contributions, base, self.feature_names)

    @property
    def feature_names(self) -> list[str]:
        """What the columns are called: as fit was told, or f0, f1, …"""
        return self.names_ or [f"f{j}" for j in range(self.n_features_in_)]

    @abstractmethod
    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        """Learn; where there are rounds, ask `watch` after each."""

    @abstractmethod
    def _scores(self, F: NDArray[np.float32]) -> NDArray[Any]:
        """One score for each described candidate."""

    def _explain(self, F: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        """(contributions of shape of F, what the score is without them)."""
        raise InputError(f"{type(self).__name__} has no contributions of single features.")

    def _check_params(self) -> None:
        """Raise InputError when a parameter cannot be used; called by fit and after loading."""
        gain = getattr(self, "gain", "grade")
        if gain not in self.gains:
            raise InputError(
                f"{type(self).__name__}: gain must be one of {', '.join(self.gains)}, not {gain!r}."
            )

    def _check_fitted(self) -> None:
        self._check_params()

    def _scored(self, F: NDArray[np.float32]) -> NDArray[Any]:
        if len(F) <= _BLOCK:
            return np.asarray(self._scores(F))
        parts = over_blocks(
            lambda part: self._scores(F[part]), len(F), getattr(self, "n_jobs", None), _BLOCK
        )
        return np.concatenate(parts)

    def _check_width(self, F: NDArray[np.float32]) -> None:
        if F.shape[1] != self.n_features_in_:
            raise InputError(
                f"F has {F.shape[1]} columns, but {self.n_features_in_} were seen in fit."
            )

    def _validated(self, validation: Validation) -> tuple[Ranking, NDArray[np.float32], Any]:
        try:
            ranking, F, Y = validation
        except (TypeError, ValueError):
            raise InputError("validation must be a triple (ranking, F, Y).") from None
        described = _described(ranking, F)
        self._check_width(described)
        return ranking, described, Y


def _described(ranking: Ranking, F: Any) -> NDArray[np.float32]:
    shape = np.shape(F)
    if len(shape) != 2 or shape[0] != ranking.n_entries:
        raise InputError(
            f"F has shape {shape}, but the ranking has {ranking.n_entries} entries: one row an "
            "entry."
        )
    return _finite(F)


def _finite(F: Any) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is told
        matrix = np.require(F, np.float32, ["C", "A"])
    if not np.isfinite(matrix).all():
        raise InputError("F has a value that is NaN or infinite (or too large for float32).")
    return matrix


def _names(names: Sequence[str] | None, n_features: int) -> list[str] | None:
    if names is None:
        return None
    given = [str(name) for name in names]
    if len(given) != n_features:
        raise InputError(f"{len(given)} names were given for {n_features} features.")
    return given
