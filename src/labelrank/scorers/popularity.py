"""Popularity: the labels that most rows have, for every row. What each method must beat."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank.ranking import Ranking
from labelrank.scorers.base import Scorer, whole
from labelrank.store import Array, Field, Number

__all__ = ["Popularity"]


class Popularity(Scorer):
    r"""Rank labels by how often they occur in training.

    .. math:: s_l = \frac{1}{n} \sum_i y_{il}

    Parameters
    ----------
    top : int, optional
        How many labels to list for a row; all by default.

    Attributes
    ----------
    frequency_ : float32 array (n_labels,)
        The mean grade of each label.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import Popularity
    >>> Y = np.array([[1, 0, 1], [1, 0, 0]])
    >>> Popularity(top=2).fit(np.zeros((2, 1)), Y).rank(np.zeros((1, 1)))
    Ranking(1 rows, 3 labels, 2 entries)
      0: 0 (1), 2 (0.5)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "frequency_": Array("f4"),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    frequency_: NDArray[np.float32]

    def __init__(self, top: int | None = None) -> None:
        self.top = top

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        sums = np.bincount(Y.indices, weights=Y.data, minlength=Y.shape[1])
        self.frequency_ = (sums / Y.shape[0]).astype(np.float32)

    def _rank(self, X: Any, k: int | None) -> Ranking:
        width = min(k or self.top or self.n_labels_, self.n_labels_)
        labels, scores, _ = _native.top_dense(self.frequency_[None, :], width)
        n = X.shape[0]
        return Ranking(
            np.arange(n + 1) * width, np.tile(labels[0], n), np.tile(scores[0], n), self.n_labels_
        )

    def _check_params(self) -> None:
        if self.top is not None:
            whole("top", self.top)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if len(self.frequency_) != self.n_labels_:
            raise ValueError(f"{len(self.frequency_)} frequencies for {self.n_labels_} labels")
