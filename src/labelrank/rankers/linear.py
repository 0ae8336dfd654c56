"""What linear rankers share: scaled columns, one weight a column, exact explanations."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank.rankers.base import FIELDS, Ranker
from labelrank.rankers.scaling import Scaling
from labelrank.store import Array, Field

__all__ = ["LinearRanker"]


class LinearRanker(Ranker):
    """A score is a weighted sum of columns.

    A subclass learns weights of scaled columns and gives them to `_keep`.

    Attributes
    ----------
    weights_ : float64 array (n_features_in_,)
        Of the columns as they are, not scaled.
    means_ : float64 array (n_features_in_,)
        Of the columns in training; a candidate of mean columns scores 0.
    """

    fitted: ClassVar[dict[str, Field]] = FIELDS | {"weights_": Array("f8"), "means_": Array("f8")}
    weights_: NDArray[np.float64]
    means_: NDArray[np.float64]

    def _keep(self, weights: NDArray[Any], scaling: Scaling) -> None:
        self.weights_ = np.asarray(weights * scaling.factor, dtype=np.float64)
        self.means_ = scaling.mean

    def _scores(self, F: NDArray[np.float32]) -> NDArray[Any]:
        return F @ self.weights_ - self.means_ @ self.weights_

    def _explain(self, F: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        return (F - self.means_) * self.weights_, np.zeros(len(F))

    def _check_fitted(self) -> None:
        super()._check_fitted()
        if not len(self.weights_) == len(self.means_) == self.n_features_in_:
            raise ValueError("the weights and means are not one a feature")
