"""AssociationRules: tags that a thing's tags imply (LATRE)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelrank import _native
from labelrank.data import Rows, Settings, Things
from labelrank.data.relevance import Tuning, relevance
from labelrank.ranking import Ranking
from labelrank.scorers.things import TagScorer, ranked

__all__ = ["AssociationRules", "Rules", "rules"]


class Rules(NamedTuple):
    """Rules X → c of one thing, one a row."""

    antecedents: NDArray[np.int32]  # (n_rules, 3): the tags of X, filled up with -1
    consequents: NDArray[np.int32]
    supports: NDArray[np.int32]  # how many things have X
    both: NDArray[np.int32]  # how many have X and c

    @property
    def confidences(self) -> NDArray[np.float64]:
        """θ(X → c): the share of the things with X that have c."""
        return self.both / self.supports


def rules(
    things: Things, tags: Any, tuning: Tuning | None = None, consequents: Any = None
) -> Rules:
    """All rules from some tags, or those to some consequents.

    Parameters
    ----------
    things : Things
    tags : array of int
        I_o, each once.
    tuning : Tuning, optional
        `length` and `wide` count.
    consequents : array of int, optional

    Examples
    --------
    >>> from labelrank.data import Dataset, Things
    >>> from labelrank.scorers.rules import rules
    >>> things = Things.of(Dataset(Y=[[1, 1, 1], [1, 1, 1], [1, 0, 0]], label_names=list("abc")))
    >>> found = rules(things, [0, 1])
    >>> found.antecedents.tolist(), found.consequents.tolist()
    ([[0, -1, -1], [1, -1, -1], [1, 0, -1]], [2, 2, 2])
    >>> found.confidences.round(2).tolist()
    [0.67, 1.0, 1.0]
    """
    tuning = tuning or Tuning()
    tuning.check()
    heads = np.asarray([] if consequents is None else consequents, dtype=np.int32)
    own = np.asarray(tags, dtype=np.int32)
    return Rules(*_native.rules(
        things.of_tags.columns.arrays, things.of_tags.rows.arrays, own, heads, consequents is None,
        tuning.length, things.settings.support, things.settings.confidence, tuning.wide,
    ))  # fmt: skip


class AssociationRules(TagScorer):
    r"""Rank tags by the confidence of the rules that lead to them (paper 001, (1)).

    .. math:: Sum(c, I_o, \ell) = \sum_{X \subseteq I_o, |X| \le \ell} \theta(X \to c)

    Rules are made for the thing at hand when it comes, from the posting lists of its tags (LATRE):
    no rule is kept, so what was learned or forgotten a moment ago counts.

    Parameters
    ----------
    length : int
        Tags in X, 1 to 3.
    wide : int
        Of a thing with more tags, only so many, the rarest, are put together in X of two or three.
    settings : Settings, optional
        How things are read; minimum support and confidence.
    n_jobs : int, optional

    Examples
    --------
    >>> from labelrank.data import Dataset
    >>> from labelrank.scorers import AssociationRules
    >>> data = Dataset(Y=[[1, 1, 0], [1, 1, 0], [1, 0, 1]], label_names=["a", "b", "c"])
    >>> AssociationRules().fit(data).rank(Dataset(Y=[[1]], label_names=["b"]))
    Ranking(1 rows, 3 labels, 1 entries)
      0: 0 (1)
    """

    def __init__(
        self,
        length: int = 3,
        wide: int = 12,
        settings: Settings | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.length = length
        self.wide = wide
        self.settings = settings
        self.n_jobs = n_jobs

    def _check_params(self) -> None:
        Tuning(self.length, self.wide).check()

    def _rank_rows(self, rows: Rows, k: int | None) -> Ranking:
        tuning = Tuning(self.length, self.wide)
        found = relevance(self.things_, rows, tuning, n_jobs=self.n_jobs)
        return ranked(found, found.column("Sum(l=3)"), self.n_labels_, k)
