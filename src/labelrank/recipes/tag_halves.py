"""Judging a model of tags: half of a thing's tags are given, the other half is to be found."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from labelrank.data import Dataset, half_of_the_tags, merged_tags
from labelrank.data.items import merged_columns
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers.things import TagScorer

__all__ = ["rank_halves"]


def rank_halves(
    model: TagScorer, data: Dataset, k: int | None = None, random_state: Any = 0
) -> tuple[Ranking, sp.csr_array]:
    """Rank tags for things by half of their tags and their texts (paper 001, section 5.2).

    Parameters
    ----------
    model : fitted TagRecommender, LATREwTS, …
    data : Dataset
        Things with two tags or more are judged; the others are left out.
    k : int, optional
        The most tags to list.
    random_state : int, RandomState or None
        Of the halves.

    Returns
    -------
    (ranking, tags to be found), what `evaluate` needs; tags that the model does not know are the
    last columns, and are missed.

    Examples
    --------
    >>> from labelrank import evaluate, load
    >>> from labelrank.recipes import LATREwTS
    >>> data = load("python-docs")
    >>> ranking, hidden = rank_halves(LATREwTS(alpha=0.9).fit(data[:2000]), data[2000:], k=5)
    >>> 0 < evaluate(ranking, hidden, ["nDCG@5"])["nDCG@5"].value < 1
    True
    """
    settings = model.things_.settings
    merged = merged_tags(data, settings.same, settings.stemming)
    judged = merged[np.flatnonzero(np.diff(merged.Y.indptr) >= 2)]
    if not len(judged):
        raise InputError(
            f"{data.name or 'the data set'} has no thing with two tags: half are to be found."
        )
    given, hidden = half_of_the_tags(judged.Y, random_state)
    ranking = model.rank(
        Dataset(None, given, label_names=judged.label_names, texts=judged.texts), k
    )
    known = [model.things_.names.number(name) for name in judged.label_names or []]
    n, new = model.n_labels_, 0
    for column, number in enumerate(known):
        if number < 0:
            known[column] = n + new
            new += 1
    truth = merged_columns(hidden, known, n + new)
    wide = Ranking(ranking.indptr, ranking.labels, ranking.scores, n + new)
    return wide, truth
