"""Inputs: what users pass as X and Y, checked once and turned into a source of batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from labelrank._labels import check_labels, narrow
from labelrank._rows import fit_rows, known_rows
from labelrank.deep.batches import Arrays, Samples, Source, pictures
from labelrank.errors import InputError

__all__ = ["held_out", "to_learn", "to_rank"]


def to_learn(estimator: Any, X: Any, Y: Any) -> Source:
    """Samples with grades; the estimator learns how many features rows have.

    Parameters
    ----------
    estimator : a scikit-learn estimator
    X : rows, pictures, or without Y a Dataset
    Y : grades, or None
    """
    source: Source = Samples(X) if Y is None else _with_grades(estimator, _array(X), Y)
    if source.n < 2:
        raise InputError(f"a network needs 2 samples to learn from, found {source.n}.")
    return source


def held_out(fresh: Any, given: Any, source: Source) -> Source:
    """Samples for validation, of the form of those to learn from.

    Parameters
    ----------
    fresh : a scikit-learn estimator that may learn another number of features
    given : (X, Y), or a Dataset
    source : what is learned from
    """
    pair = isinstance(given, tuple) and len(given) == 2
    held: Source = _with_grades(fresh, _array(given[0]), given[1]) if pair else Samples(given)
    if held.shape != source.shape or held.n_labels != source.n_labels:
        raise InputError(
            f"validation has inputs of shape {held.shape} and {held.n_labels} labels, and the "
            f"samples to learn from {source.shape} and {source.n_labels}: they must agree."
        )
    return held


def to_rank(estimator: Any, X: Any, shape: tuple[int, ...]) -> Source:
    """Inputs like those of fit; a Dataset gives pairs, whose grades are not looked at."""
    given = _array(X)
    if not hasattr(given, "shape") and not isinstance(given, list | tuple):
        source: Source = Samples(given)
    else:
        source = Arrays(known_rows(estimator, given) if len(shape) == 1 else pictures(given))
    if source.shape != shape:
        raise InputError(f"X has inputs of shape {source.shape}, and those of fit had {shape}.")
    return source


def _with_grades(estimator: Any, X: Any, Y: Any) -> Arrays:
    truth = check_labels(Y)
    rows = fit_rows(estimator, X) if _is_rows(X) else pictures(X)
    if rows.shape[0] != truth.shape[0]:
        raise InputError(f"X has {rows.shape[0]} rows but Y has {truth.shape[0]}: they must agree.")
    if truth.shape[1] == 0:
        raise InputError("Y has no labels.")
    return Arrays(rows, narrow(truth))


def _array(X: Any) -> Any:
    """A tensor's numbers; anything else as it is."""
    return X.detach().cpu().numpy() if hasattr(X, "detach") else X


def _is_rows(X: Any) -> bool:
    """Rows of numbers, or pictures?"""
    if sp.issparse(X) or not isinstance(X, np.ndarray | list | tuple):
        return True
    return np.ndim(X[0]) < 2 if len(X) else True
