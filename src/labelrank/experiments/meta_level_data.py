"""Data sets for the meta-level experiment, in every form, as features and labels in two parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from labelrank.data import Dataset, MultilabelStratifiedKFold
from labelrank.data.files import stem_and_suffix
from labelrank.errors import InputError
from labelrank.experiments.meta_level_files import read_files

__all__ = ["SCALES", "Parts", "read_parts"]

SCALES = ("auto", "unit", "none")
_BLOCKS = {"vowel": 66}  # six times eleven vowels a speaker, one speaker after another
_SPREAD = 10.0


@dataclass
class Parts:
    """A training and a test part over the same features and labels.

    Attributes
    ----------
    name : str
    X_train, X_test : dense or sparse float32 (n_rows, n_features)
    Y_train, Y_test : sparse (n_rows, n_labels)
    notes : list of str
        What was done to the data.
    groups : int array (n_train,), optional
        Rows of one group are kept together in cross-validation.
    """

    name: str
    X_train: Any
    Y_train: sp.csr_array
    X_test: Any
    Y_test: sp.csr_array
    notes: list[str]
    groups: NDArray[np.int64] | None = None

    @property
    def one_label(self) -> bool:
        """Whether every row has exactly one label: classes."""
        return all((np.diff(Y.indptr) == 1).all() for Y in (self.Y_train, self.Y_test))

    @property
    def dense(self) -> bool:
        """Whether the features are dense."""
        return not sp.issparse(self.X_train)

    def about(self) -> str:
        """Sizes, in a line."""
        n, d = self.X_train.shape
        m = self.Y_train.shape[1]
        return (
            f"{n} rows to learn from, {self.X_test.shape[0]} to test on, {d} features, {m} labels"
        )


def read_parts(
    source: str,
    data: str | Path | None = None,
    scale: str = "auto",
    block: int | None = None,
    random_state: int = 0,
) -> Parts:
    """Read a data set and bring it into the paper's form.

    Texts become ``ltc`` weights, (1 + log tf) idf with rows of length one, learned from the
    training part. What is not split is split 2:1, with every label spread evenly.

    Parameters
    ----------
    source : str
        A name of the catalog, "vowel", or a file: Mulan ARFF, SVMlight, csv with the class first,
        JSON lines with texts and labels (and a split column, if there is one). Of a pair of files
        whose names differ in train and test either may be named, or their folder.
    data : path, optional
        The folder of named sets.
    scale : {"auto", "unit", "none"}
        "unit" brings each dense feature to unit variance (by the training part). "auto" does so
        where scales are not comparable: the 95th percentile of the features' standard deviations
        is more than ten times the 5th. Of the paper's sets that is emotions alone, as in section
        3.4.
    block : int, optional
        So many training rows one after another belong together (a speaker, a recording) and are
        never on both sides of cross-validation. Known for vowel: 66.
    random_state : int
        Of the split.
    """
    if scale not in SCALES:
        raise InputError(
            f"scale must be {', '.join(SCALES[:-1])} or {SCALES[-1]}, found {scale!r}."
        )
    train, test, notes = read_files(source, data)
    if test is None:
        train, test = _split(train, random_state)
        notes.append("split 2:1, every label spread evenly")
    _check(train, test, source)
    if train.X is None:
        words = TfidfVectorizer(sublinear_tf=True, dtype=np.float32)
        try:
            learned = words.fit_transform(train.joined_texts())
        except ValueError:
            raise InputError(f"{source}: the training part's texts have no words.") from None
        X, X_test = sp.csr_array(learned), sp.csr_array(words.transform(test.joined_texts()))
        notes.append("ltc weights of title and body")
    else:
        X, X_test = train.X, test.X
    if not sp.issparse(X) and (scale == "unit" or (scale == "auto" and _uneven(X))):
        X, X_test = _unit(X, X_test)
        notes.append("features at unit variance")
    name = _plain_name(source)
    return Parts(name, X, train.Y, X_test, test.Y, notes, _groups(name, len(train), block))


def _split(data: Dataset, random_state: int) -> tuple[Dataset, Dataset]:
    if len(data) < 6:
        raise InputError(f"{data.name or 'the data'} has {len(data)} rows: too few to be split.")
    fold = MultilabelStratifiedKFold(3, random_state=random_state).folds(data.Y)
    return data[np.flatnonzero(fold != 0)], data[np.flatnonzero(fold == 0)]


def _check(train: Dataset, test: Dataset, source: str) -> None:
    if train.n_labels != test.n_labels or train.n_features != test.n_features:
        raise InputError(
            f"{source}: the training part has {train.n_features} features and {train.n_labels} "
            f"labels, the test part {test.n_features} and {test.n_labels}: they must agree."
        )
    if train.X is None and not train.texts:
        raise InputError(f"{source} has labels, but neither features nor texts.")
    for part, rows in (("training", train), ("test", test)):
        labelled = int((np.diff(rows.Y.indptr) > 0).sum())
        if labelled < (5 if part == "training" else 1) or rows.n_labels < 2:
            raise InputError(
                f"{source}: the {part} part has {labelled} rows with labels, of {rows.n_labels} "
                "labels; five rows and two labels are the least."
            )


def _uneven(X: Any) -> bool:
    """Whether the features' scales are not comparable."""
    spread = X.std(axis=0)
    spread = spread[spread > 0]
    low, high = np.quantile(spread, [0.05, 0.95]) if len(spread) else (1.0, 1.0)
    return bool(high > _SPREAD * low)


def _unit(X: Any, X_test: Any) -> tuple[Any, Any]:
    middle, spread = X.mean(axis=0, dtype=np.float64), X.std(axis=0, dtype=np.float64)
    spread[spread == 0] = 1.0
    unit, unit_test = (((A - middle) / spread).astype(np.float32) for A in (X, X_test))
    return unit, unit_test


def _plain_name(source: str) -> str:
    """``scene`` for scene, a/scene-train.arff.gz and the folder a/scene."""
    path = Path(source)
    if not path.exists() or path.is_dir():
        return path.name
    return re.sub(r"[-_.]?(train|test)", "", stem_and_suffix(path)[0]) or path.name


def _groups(name: str, n: int, block: int | None) -> NDArray[np.int64] | None:
    size = block or _BLOCKS.get(name)
    if size is None or (block is None and n % size):
        return None
    if size < 1 or n < 2 * size:
        raise InputError(f"block must lie between 1 and half of the {n} training rows.")
    return np.arange(n) // size
