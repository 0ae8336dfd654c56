"""Nearest neighbours in plain NumPy: cosine, the k best above zero, weighted votes."""

from __future__ import annotations

import numpy as np


def unit(X):
    """Rows divided by their length, in double; rows of zeros stay."""
    X = np.asarray(X, dtype=np.float64)
    length = np.sqrt((X**2).sum(axis=1, keepdims=True))
    return X / np.where(length == 0, 1, length)


def nearest(queries, rows, k):
    """For each query (rows, similarities) of the k most similar rows, ties by smaller number."""
    found = []
    for similar in queries @ rows.T:
        order = sorted(np.flatnonzero(similar > 0), key=lambda i: (-similar[i], i))[:k]
        found.append((order, similar[order]))
    return found


def votes(near, Y):
    """Scores (n_queries, n_labels): the mean grade of the neighbours, weighted by similarity."""
    scores = np.zeros((len(near), Y.shape[1]))
    for i, (rows, similar) in enumerate(near):
        if len(rows):
            scores[i] = similar @ Y[rows] / similar.sum()
    return scores
