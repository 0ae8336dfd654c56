"""Terms: tags that stand in a thing's texts."""

from __future__ import annotations

from labelrank.data import Rows, Settings
from labelrank.data.relevance import relevance
from labelrank.ranking import Ranking
from labelrank.scorers.things import TagScorer, ranked

__all__ = ["Terms"]


class Terms(TagScorer):
    r"""Rank the tags in a thing's texts by the spread of the fields they stand in (paper 001, (7)).

    .. math:: wTS(c, o) = \sum_{F_o^i \ni c} AFS(F^i)

    A tag stands in a text where its words do, one after another, by their stems. AFS is how many
    fields the words of a field stand in, on average: high for fields that say what the thing is.

    Parameters
    ----------
    settings : Settings, optional
        How things are read.
    n_jobs : int, optional

    Examples
    --------
    >>> from labelrank.data import Dataset
    >>> from labelrank.scorers import Terms
    >>> texts = {"title": ["Linear algebra", "Testing"], "description": ["algebra", "of tests"]}
    >>> data = Dataset(Y=[[1, 0], [0, 1]], label_names=["linear-algebra", "test"], texts=texts)
    >>> new = Dataset(Y=[[0]], texts={"title": ["More linear algebra"]})
    >>> Terms().fit(data).rank(new)
    Ranking(1 rows, 2 labels, 1 entries)
      0: 0 (1.75)
    """

    def __init__(self, settings: Settings | None = None, n_jobs: int | None = None) -> None:
        self.settings = settings
        self.n_jobs = n_jobs

    def _rank_rows(self, rows: Rows, k: int | None) -> Ranking:
        found = relevance(self.things_, rows, rules=False, n_jobs=self.n_jobs)
        return ranked(found, found.column("wTS"), self.n_labels_, k)
