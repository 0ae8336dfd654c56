"""Alignment: the features and labels of a file brought to those that a model knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from labelrank.data.dataset import Dataset
from labelrank.errors import InputError

__all__ = ["features_of_width", "labels_by_name", "labels_of_width"]


def features_of_width(X: Any, n_features: int) -> Any:
    """Sparse rows over `n_features` features; a feature beyond says nothing and is left out.

    Dense rows must have the right width, as a missing column cannot be told from a wrong one.
    """
    if X.shape[1] == n_features:
        return X
    if not sp.issparse(X):
        raise InputError(
            f"the rows have {X.shape[1]} features, but the model was trained on {n_features}."
        )
    return _columns(X, n_features)


def labels_by_name(data: Dataset, names: Sequence[str]) -> Dataset:
    """The same rows with labels numbered as `names` has them; labels without a place come last."""
    if data.label_names is None or data.label_names == list(names):
        return data
    place = {name: i for i, name in enumerate(names)}
    new = [name for name in data.label_names if name not in place]
    place |= {name: len(names) + i for i, name in enumerate(new)}
    columns = np.array([place[name] for name in data.label_names], dtype=np.int32)
    Y = sp.csr_array((data.Y.data, columns[data.Y.indices], data.Y.indptr),
                     shape=(len(data), len(place)))  # fmt: skip
    Y.sort_indices()
    return Dataset(
        data.X, Y, label_names=[*names, *new], ids=data.ids, texts=data.texts, name=data.name
    )


def labels_of_width(Y: sp.csr_array, n_labels: int) -> sp.csr_array:
    """The same labels among `n_labels`, at least as many as there are."""
    if Y.shape[1] > n_labels:
        raise InputError(f"there are {Y.shape[1]} labels, more than {n_labels}.")
    return sp.csr_array((Y.data, Y.indices, Y.indptr), shape=(Y.shape[0], n_labels))


def _columns(X: Any, width: int) -> sp.csr_array:
    if X.shape[1] < width:
        return sp.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], width))
    return sp.csr_array(X[:, :width])
