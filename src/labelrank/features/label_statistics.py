"""LabelStatistics: how often a label is used."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.features.base import Features
from labelrank.ranking import Ranking
from labelrank.store import Array, Field, Number

__all__ = ["LabelStatistics"]


class LabelStatistics(Features):
    r"""Describe a pair by its label alone: :math:`\log(1 + N_l)`, for a label of :math:`N_l` rows.

    For training rows :math:`N_l` does without the row itself.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.features import LabelStatistics
    >>> Y = np.array([[1, 0], [1, 1], [1, 0]])
    >>> features = LabelStatistics().fit(np.eye(3), Y)
    >>> features.describe(np.eye(3)[:1], Ranking.from_lists([[0, 1]])).round(3)
    array([[1.386],
           [0.693]], dtype=float32)
    """

    names: ClassVar[list[str]] = ["log rows"]
    fitted: ClassVar[dict[str, Field]] = {
        "counts_": Array("i8"),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    counts_: NDArray[np.int64]

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self._known = sp.csr_array(Y > 0)
        self.counts_ = np.bincount(self._known.indices, minlength=Y.shape[1]).astype(np.int64)

    def _describe(self, X: Any, ranking: Ranking) -> NDArray[np.float32]:
        return _column(self.counts_[ranking.labels])

    def _describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        own = np.asarray(self._known[ranking.rows, ranking.labels]).ravel()
        return _column(self.counts_[ranking.labels] - own)

    def _check_fitted(self) -> None:
        if len(self.counts_) != self.n_labels_ or (self.counts_ < 0).any():
            raise ValueError("the numbers of rows are not one a label")


def _column(counts: NDArray[np.int64]) -> NDArray[np.float32]:
    return np.log1p(counts)[:, None].astype(np.float32)
