"""The meta-level representation of rows, for conventional methods."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from labelrank.errors import InputError
from labelrank.features.meta_level import MetaLevel
from labelrank.ranking import Ranking

__all__ = ["MetaLevelTransformer"]


class MetaLevelTransformer(TransformerMixin, BaseEstimator):
    r"""Turn rows into what all labels say of them: the meta-level features side by side.

    .. math::
        z_i = (\phi(x_i, c_1), \phi(x_i, c_2), \dots, \phi(x_i, c_m))

    Formula (2) of Yang & Gopal 2012; phi is `MetaLevel`, formula (1). With it any method of
    scikit-learn learns from meta-level features instead of the original ones (the paper's Figure 2
    and Table 7).

    `fit_transform` describes the training rows, each left out of its own neighbours and centroids;
    `transform` describes new rows. In a pipeline scikit-learn calls the right one.

    Parameters
    ----------
    k, distances, centroid, n_jobs
        As in `MetaLevel`.

    Attributes
    ----------
    features_ : MetaLevel
        The fitted features.
    classes_ : array
        The classes, in the order of the columns, when y is one class a row.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.features import MetaLevelTransformer
    >>> X, y = np.array([[0.0], [1.0], [5.0]]), np.array(["a", "a", "b"])
    >>> z = MetaLevelTransformer(k=1, distances=["l1"], centroid=False).fit(X, y)
    >>> z.transform([[2.0]])
    array([[1., 3.]], dtype=float32)
    >>> z.fit_transform(X[:2], np.array([[1, 1], [1, 0]]))[0]
    array([1., 1.], dtype=float32)
    """

    features_: MetaLevel

    def __init__(
        self,
        k: int = 10,
        distances: Any = ("l2", "l1", "cosine"),
        centroid: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.distances = distances
        self.centroid = centroid
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from rows and their labels.

        Parameters
        ----------
        X : sparse or dense array (n_rows, n_features)
        y : array (n_rows,) of classes, or sparse or dense array (n_rows, n_labels) of grades

        Returns
        -------
        self
        """
        if y is None:
            raise InputError("the transformer requires y to be passed, but the target y is None.")
        features = MetaLevel(**self.get_params(deep=False))
        self.features_ = features.fit(X, self._labels(y))
        self.n_features_in_ = features.n_features_in_
        if hasattr(features, "feature_names_in_"):
            self.feature_names_in_ = features.feature_names_in_
        return self

    def transform(self, X: Any) -> NDArray[np.float32]:
        """Z of new rows: float32 (n_rows, n_labels * (3 k + 2)), or fewer distances."""
        check_is_fitted(self)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        return self._side_by_side(self.features_.describe(X, self._all_labels(n)))

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> NDArray[np.float32]:
        """Fit, and z of the very rows of fit, each as if it had not been among them."""
        self.fit(X, y)
        everything = self._all_labels(self.features_.n_rows_)
        return self._side_by_side(self.features_.describe_training(everything))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """``label0_l2_1, …``, with the class's name where there are classes."""
        check_is_fitted(self)
        n = self.features_.n_labels_
        labels = self.classes_ if hasattr(self, "classes_") else [f"label{i}" for i in range(n)]
        return np.array([f"{a}_{b}" for a in labels for b in self.features_.names], dtype=object)

    def _labels(self, y: Any) -> Any:
        """Grades; one class a row becomes a matrix."""
        self.__dict__.pop("classes_", None)
        if sp.issparse(y) or (np.ndim(y) == 2 and np.shape(y)[1] != 1):
            return y
        check_classification_targets(y)
        classes = column_or_1d(y, warn=True)
        self.classes_, which = np.unique(classes, return_inverse=True)
        return np.eye(len(self.classes_), dtype=np.float32)[which]

    def _all_labels(self, n: int) -> Ranking:
        m = self.features_.n_labels_
        labels = np.tile(np.arange(m, dtype=np.int32), n)
        return Ranking._trusted(np.arange(n + 1) * m, labels, np.zeros(n * m, np.float32), m)

    def _side_by_side(self, F: NDArray[np.float32]) -> NDArray[np.float32]:
        m = self.features_.n_labels_
        return F.reshape(-1, m * F.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.transformer_tags.preserves_dtype = []
        return tags
