"""Features and labels of a file brought to those of a model."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelrank import InputError
from labelrank.data import Dataset
from labelrank.data.alignment import features_of_width, labels_by_name, labels_of_width


def test_sparse_rows_are_cut_or_widened():
    X = sp.csr_array(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 4.0]]))
    assert features_of_width(X, 2).toarray().tolist() == [[1, 2], [0, 0]]
    assert features_of_width(X, 4).toarray().tolist() == [[1, 2, 3, 0], [0, 0, 4, 0]]
    assert features_of_width(X, 3) is X


def test_dense_rows_must_fit():
    with pytest.raises(InputError, match="3 features, but the model was trained on 2"):
        features_of_width(np.ones((1, 3)), 2)


def test_labels_get_the_numbers_of_their_names_and_new_ones_come_last():
    data = Dataset(Y=np.array([[1, 0, 2], [0, 3, 0]]), label_names=["x", "b", "a"])
    found = labels_by_name(data, ["a", "b", "c"])
    assert found.label_names == ["a", "b", "c", "x"]
    assert found.Y.toarray().tolist() == [[2, 0, 0, 1], [0, 3, 0, 0]]
    assert found.Y.has_canonical_format


def test_labels_without_names_or_with_the_same_are_kept():
    named, plain = Dataset(Y=np.eye(2), label_names=["a", "b"]), Dataset(Y=np.eye(2))
    assert labels_by_name(named, ["a", "b"]) is named
    assert labels_by_name(plain, ["a", "b"]) is plain


def test_labels_are_widened_and_never_cut():
    Y = sp.csr_array(np.eye(2))
    assert labels_of_width(Y, 3).toarray().tolist() == [[1, 0, 0], [0, 1, 0]]
    with pytest.raises(InputError, match="2 labels, more than 1"):
        labels_of_width(Y, 1)
