"""Methods by name: what the command trains, what each needs, and which one suits which data."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy.sparse as sp

from labelrank.data import Dataset
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["METHODS", "Method", "fit_model", "method", "rank_data", "suggested"]

Needs: TypeAlias = Literal["features", "texts", "texts and tags"]
Suits: TypeAlias = Callable[[Dataset], bool]
_MANY = 1_000


@dataclass(frozen=True)
class Method:
    """One method of the command; its class is imported when it is made.

    Attributes
    ----------
    name : str
    home : str
        Package and class: ``"scorers:NearestNeighbours"``.
    needs : {"features", "texts", "texts and tags"}
        What fit gets: ``X, Y`` for "features", else the Dataset itself.
    what : str
        What it is, in a few words.
    suits : callable
        Whether it is the one to take for a Dataset when none is named; the first that suits is
        taken.
    why : str
        The reason then given.
    """

    name: str
    home: str
    needs: Needs
    what: str
    suits: Suits = lambda data: False
    why: str = ""

    def make(self, **params: Any) -> Any:
        """The unfitted model with these parameters."""
        package, _, cls = self.home.partition(":")
        model = getattr(import_module(f"labelrank.{package}"), cls)()
        return configured(model, params, self.name)


def configured(model: Any, params: dict[str, Any], name: str) -> Any:
    """Set parameters; those of parts are written ``part__parameter``."""
    known = model.get_params(deep=True)
    for param in params:
        if param not in known:
            close = difflib.get_close_matches(param, known, n=1)
            meant = f"did you mean {close[0]}? It has" if close else "it has"
            raise InputError(f"{name} has no parameter {param!r}; {meant} {', '.join(known)}.")
    return model.set_params(**params)


def _extreme(data: Dataset) -> bool:
    return sp.issparse(data.X) and data.n_labels > _MANY


def _small_dense(data: Dataset) -> bool:
    return data.X is not None and not sp.issparse(data.X) and len(data) * data.n_labels <= 200_000


def _sparse(data: Dataset) -> bool:
    return bool(sp.issparse(data.X))


def _features(data: Dataset) -> bool:
    return data.X is not None


def _tagged_texts(data: Dataset) -> bool:
    several = int((np.diff(data.Y.indptr) >= 2).sum())  # tags to give, and tags to find
    named = data.X is None and bool(data.texts) and data.label_names is not None
    return named and several >= 20


METHODS: dict[str, Method] = {
    each.name: each
    for each in (
        Method("metalabel", "recipes:MetaLabelRanker", "features", "meta-level features, ranked",
               _small_dense, "few rows of dense features"),
        Method("labeltree", "scorers:LabelTree", "features", "a tree of labels, linear nodes",
               _extreme, "sparse rows of more than 1,000 labels"),
        Method("onevsall", "scorers:OneVsAll", "features", "one-vs-all sparse linear",
               _sparse, "sparse rows"),
        Method("neighbours", "scorers:NearestNeighbours", "features", "nearest neighbours' labels",
               _features, "rows of features"),
        Method("fastxml", "scorers:FastXML", "features", "a forest split by nDCG"),
        Method("pfastxml", "scorers:PfastXML", "features",
               "the same for labels that may be missing"),
        Method("pfastrexml", "recipes:PfastreXML", "features",
               "the same, re-ranked in favour of rare labels"),
        Method("hybrid", "recipes:HybridRanker", "features",
               "a label tree and neighbours, re-ranked by learning to rank"),
        Method("popularity", "scorers:Popularity", "features", "the most frequent labels for all"),
        Method("logistic", "scorers:OneVsAllLogistic", "features", "one-vs-all logistic"),
        Method("svm", "scorers:BinarySVM", "features", "one-vs-all support vector machines"),
        Method("mlknn", "scorers:MLkNN", "features", "ML-kNN"),
        Method("tags", "recipes:TagRecommender", "texts and tags", "missing tags, with reasons",
               _tagged_texts, "things with texts and several tags"),
        Method("latrewts", "recipes:LATREwTS", "texts and tags", "association rules and terms"),
    )
}  # fmt: skip
"""Every method by its name; a line here is all it takes to add one."""


def method(name: str) -> Method:
    """The method of a name, in any spelling: ``ml-knn`` is ``mlknn``.

    Examples
    --------
    >>> method("ML-kNN").make(k=5)
    MLkNN(k=5)
    """
    plain = "".join(c for c in name.lower() if c.isalnum())
    if plain not in METHODS:
        close = difflib.get_close_matches(plain, METHODS, n=1, cutoff=0.5)
        meant = f"did you mean {close[0]}? Known are" if close else "known are"
        raise InputError(f"there is no method {name!r}; {meant} {', '.join(METHODS)}.")
    return METHODS[plain]


def suggested(data: Dataset) -> Method:
    """The method for data when none is named.

    Examples
    --------
    >>> import numpy as np
    >>> suggested(Dataset(np.eye(3), np.eye(3))).name
    'metalabel'
    """
    for each in METHODS.values():
        if each.suits(data):
            return each
    if data.texts:  # whose weights will be sparse rows
        return METHODS["labeltree" if data.n_labels > _MANY else "onevsall"]
    raise InputError(
        f"{data.name or 'the data set'} has labels alone, neither features nor texts: there is "
        "nothing to learn from."
    )


def fit_model(chosen: Method, data: Dataset, params: dict[str, Any] | None = None) -> Any:
    """Train a method on a Dataset; one that needs features gets tf-idf weights of texts.

    Parameters
    ----------
    chosen : Method
    data : Dataset
    params : dict, optional
        See `Method.make`.

    Examples
    --------
    >>> data = Dataset(texts={"title": ["red fox", "red car", "blue car"]},
    ...                Y=[[1, 0], [1, 1], [0, 1]], label_names=["red", "car"])
    >>> model = fit_model(method("neighbours"), data, {"k": 1})
    >>> rank_data(model, data[:1], k=1)
    Ranking(1 rows, 2 labels, 1 entries)
      0: 0 (1)
    """
    model = chosen.make(**(params or {}))
    where = data.name or "the data set"
    if chosen.needs != "features":
        if not data.texts:
            raise InputError(
                f"{where} has {'features' if data.X is not None else 'labels'} and no texts, but "
                f"{chosen.name} needs {chosen.needs}: choose a method for features, such as "
                f"{suggested(data).name}."
            )
        return model.fit(data)
    if data.X is not None:
        return model.fit(data.X, data.Y)
    if not data.texts:
        raise InputError(f"{where} has labels alone, but {chosen.name} needs features or texts.")
    from labelrank.recipes.on_texts import OnTexts

    return OnTexts(model).fit(data)


def rank_data(model: Any, data: Dataset, k: int | None = None) -> Ranking:
    """Rank the rows of a Dataset by a fitted model, whatever the model takes.

    Sparse rows may be wider or narrower than those of training: what training has not seen says
    nothing.
    """
    from labelrank.data.alignment import features_of_width
    from labelrank.scorers import Scorer
    from labelrank.scorers.things import TagScorer

    where, what = data.name or "the data set", type(model).__name__
    if isinstance(model, TagScorer):
        return model.rank(data, k)
    if not isinstance(model, Scorer):
        if not hasattr(model, "rank"):
            raise InputError(f"the model is a {what}, which ranks no data set.")
        if not data.texts:
            raise InputError(f"{where} has no texts, but the {what} was trained on texts.")
        found: Ranking = model.rank(data, k)
        return found
    if data.X is None:
        raise InputError(f"{where} has no features, but the {what} was trained on features.")
    return model.rank(features_of_width(data.X, model.n_features_in_), k)
