"""Data for the extreme-classification experiment: two parts over the same features and labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfVectorizer

from labelrank.data import CATALOG, Dataset, load
from labelrank.data.alignment import features_of_width, labels_by_name, labels_of_width
from labelrank.data.files import stem_and_suffix
from labelrank.errors import InputError
from labelrank.experiments.meta_level_files import pair

__all__ = ["read_extreme"]


def read_extreme(
    source: str, data: str | Path | None = None, random_state: int = 0
) -> tuple[Dataset, Dataset, list[str]]:
    """(training part, test part, what was done to them) of a named set, a file or a folder.

    Parameters
    ----------
    source : str
        A name of the catalog; or a file of any form, or a folder, with a training and a test part
        whose names differ in train and test. What is not split is split 4:1 at random.
    data : path, optional
        The folder of named sets.
    random_state : int
        Of the split.
    """
    path, notes = Path(source), list[str]()
    if not path.exists() and source in CATALOG:
        parts = CATALOG[source].parts
        train = load(source, data=data)
        test = load(source, part="test", data=data) if "test" in parts else None
    elif not path.exists():
        train, test = load(source, data=data), None  # says what is wrong
    else:
        first, second = pair(path)
        train, test = load(first), None if second is None else load(second)
    name = _plain_name(source)
    if test is None:
        train, test = _split(train, random_state)
        notes.append("split 4:1 at random")
    train, test = _aligned(train, test)
    if train.X is None:
        train, test = _weighed(train, test, source)
        notes.append("tf-idf weights of the texts")
    for part, rows in (("training", train), ("test", test)):
        labelled = int((np.diff(rows.Y.indptr) > 0).sum())
        if labelled < (10 if part == "training" else 1):
            raise InputError(f"{source}: the {part} part has {labelled} rows with labels.")
    train.name = test.name = name
    return train, test, notes


def _aligned(train: Dataset, test: Dataset) -> tuple[Dataset, Dataset]:
    """Both parts over the labels and features of both."""
    if train.label_names is not None:
        test = labels_by_name(test, train.label_names)
    n_labels = max(train.n_labels, test.n_labels)
    both = []
    for rows in (train, test):
        X = rows.X
        if X is not None and sp.issparse(X):
            X = features_of_width(X, max(train.n_features, test.n_features))
        both.append(Dataset(X, labels_of_width(rows.Y, n_labels), texts=rows.texts))
    if both[0].n_features != both[1].n_features:
        raise InputError(
            f"the training part has {train.n_features} features, the test part {test.n_features}: "
            "they must agree."
        )
    return both[0], both[1]


def _weighed(train: Dataset, test: Dataset, source: str) -> tuple[Dataset, Dataset]:
    words = TfidfVectorizer(sublinear_tf=True, dtype=np.float32)
    try:
        X = sp.csr_array(words.fit_transform(train.joined_texts()))
    except ValueError:
        raise InputError(f"{source}: the training part has no features and no words.") from None
    return Dataset(X, train.Y), Dataset(sp.csr_array(words.transform(test.joined_texts())), test.Y)


def _split(rows: Dataset, random_state: int) -> tuple[Dataset, Dataset]:
    order = np.random.default_rng(random_state).permutation(len(rows))
    at = max(1, len(rows) // 5)
    return rows[np.sort(order[at:])], rows[np.sort(order[:at])]


def _plain_name(source: str) -> str:
    """``delicious`` for delicious, a/delicious/train.txt.gz and the folder a/delicious."""
    path = Path(source)
    if not path.exists() or path.is_dir():
        return path.resolve().name if path.exists() else source
    stem = stem_and_suffix(path)[0]
    plain = stem.replace("train", "").replace("test", "").strip("-_. ")
    return plain or path.resolve().parent.name
