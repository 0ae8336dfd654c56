"""OnTexts: a scorer of features put to work on texts, by tf-idf weights of their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils.validation import check_is_fitted

from labelrank.data import Dataset
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers import Scorer
from labelrank.scorers.base import whole
from labelrank.store import Array, Field, Names, Number, Part, Stored

__all__ = ["OnTexts"]


class OnTexts(Stored, BaseEstimator):
    r"""Rank labels for texts: a scorer on tf-idf weights of their words, rows of length one.

    .. math:: x_{iw} \propto (1 + \log n_{iw})\, \Bigl(1 + \log \frac{1 + N}{1 + N_w}\Bigr)

    where the word w stands n_iw times in thing i and in N_w of the N things of training.

    Parameters
    ----------
    scorer : Scorer
        Cloned, not changed, by fit.
    fields : sequence of str, optional
        Which text fields to read; all of the training data by default.
    min_rows : int
        Words that fewer training things have are left out.

    Attributes
    ----------
    scorer_ : Scorer
        Fitted to the weights.
    words_ : list of str
    idf_ : float32 array (n_words,)
    fields_ : list of str

    Examples
    --------
    >>> from labelrank.data import Dataset
    >>> from labelrank.scorers import NearestNeighbours
    >>> data = Dataset(texts={"title": ["red fox", "red car", "blue car"]},
    ...                Y=[[1, 0], [1, 1], [0, 1]], label_names=["red", "car"])
    >>> model = OnTexts(NearestNeighbours(k=1)).fit(data)
    >>> model.words_
    ['blue', 'car', 'fox', 'red']
    >>> model.rank(Dataset(texts={"title": ["a blue thing"]}, Y=[[0, 0]]))
    Ranking(1 rows, 2 labels, 1 entries)
      0: 1 (1)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "scorer_": Part(),
        "words_": Names(),
        "idf_": Array("f4"),
        "fields_": Names(),
        "n_labels_": Number(),
    }
    scorer_: Scorer
    words_: list[str]
    idf_: NDArray[np.float32]
    fields_: list[str]
    n_labels_: int

    def __init__(
        self, scorer: Scorer, fields: Sequence[str] | None = None, min_rows: int = 1
    ) -> None:
        self.scorer = scorer
        self.fields = fields
        self.min_rows = min_rows

    def fit(self, data: Dataset) -> Self:
        """Learn from a Dataset with texts."""
        whole("min_rows", self.min_rows)
        self.fields_ = list(data.texts) if self.fields is None else list(self.fields)
        self.__dict__.pop("label_names_", None)
        words = TfidfVectorizer(
            sublinear_tf=True, dtype=np.float32, min_df=min(self.min_rows, len(data))
        )
        try:
            X = sp.csr_array(words.fit_transform(self._joined(data)))
        except ValueError:
            raise InputError(f"{data.name or 'the data set'} has texts without a word.") from None
        self.words_ = words.get_feature_names_out().tolist()
        self.idf_ = words.idf_.astype(np.float32)
        self.scorer_ = clone(self.scorer).fit(X, data.Y)
        self.n_labels_ = self.scorer_.n_labels_
        return self

    def rank(self, data: Dataset, k: int | None = None) -> Ranking:
        """Rank labels for the rows of a Dataset with the text fields of training."""
        return self.scorer_.rank(self.weights(data), k)

    def weights(self, data: Dataset) -> sp.csr_array:
        """The tf-idf weights of texts, float32 (n_rows, n_words)."""
        check_is_fitted(self)
        words = TfidfVectorizer(sublinear_tf=True, dtype=np.float32, vocabulary=self.words_)
        words.idf_ = self.idf_
        return sp.csr_array(words.transform(self._joined(data)))

    def _joined(self, data: Dataset) -> list[str]:
        missing = [field for field in self.fields_ if field not in data.texts]
        if missing or not self.fields_:
            found = f"has the text fields {', '.join(data.texts)}" if data.texts else "has no texts"
            needed = f", but the model reads {', '.join(self.fields_)}" if self.fields_ else ""
            raise InputError(f"{data.name or 'the data set'} {found}{needed}.")
        columns = [data.texts[field] for field in self.fields_]
        return ["\n".join(parts) for parts in zip(*columns, strict=True)]

    def _check_fitted(self) -> None:
        if not isinstance(self.scorer_, Scorer):
            raise ValueError(f"a {type(self.scorer_).__name__} is no scorer")
        if not self.words_ or len(set(self.words_)) < len(self.words_) or not self.fields_:
            raise ValueError("its words or text fields are none, or stand twice")
        if not len(self.words_) == len(self.idf_) == self.scorer_.n_features_in_:
            raise ValueError(f"{len(self.words_)} words do not fit its weights or its scorer")
        if self.scorer_.n_labels_ != self.n_labels_:
            raise ValueError("its scorer has another number of labels")
