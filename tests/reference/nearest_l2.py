"""Nearest rows by Euclidean distance in plain NumPy, and what ML-kNN and IBLR make of them."""

from __future__ import annotations

import numpy as np


def nearest(queries, rows, k, own=False):
    """The k nearest rows of each query, ties by smaller number; with `own`, i is not among its own.

    Rows and squared distances, (n_queries, k or what there is).
    """
    queries, rows = (np.asarray(a, dtype=np.float64) for a in (queries, rows))
    found, distances = [], []
    for i, query in enumerate(queries):
        far = ((query - rows) ** 2).sum(axis=1)
        order = sorted((j for j in range(len(rows)) if not (own and j == i)), key=lambda j: far[j])
        found.append(order[:k])
        distances.append(far[order[:k]])
    width = min(k, len(rows) - own)
    return (
        np.array(found, dtype=int).reshape(len(queries), width),
        np.array(distances).reshape(len(queries), width),
    )


def ml_knn(X, Y, queries, k, s, leave_out=True):
    """(posterior, joint) of each query and label, after Zhang & Zhou's figure 1."""
    Y = np.asarray(Y) > 0
    n, m = Y.shape
    train = nearest(X, X, k, own=leave_out)[0]
    near = nearest(queries, X, k)[0]
    posterior, joint = np.zeros((2, len(near), m))
    for label in range(m):
        prior = (s + Y[:, label].sum()) / (2 * s + n)
        has, has_not = np.zeros(k + 1), np.zeros(k + 1)
        for i in range(n):
            (has if Y[i, label] else has_not)[Y[train[i], label].sum()] += 1
        for q, rows in enumerate(near):
            j = Y[rows, label].sum()
            yes = prior * (s + has[j]) / (s * (k + 1) + has.sum())
            no = (1 - prior) * (s + has_not[j]) / (s * (k + 1) + has_not.sum())
            posterior[q, label], joint[q, label] = yes / (yes + no), yes
    return posterior, joint


def shares(Y, near, k):
    """IBLR's features: how many of the k neighbours have each label, as a share."""
    Y = np.asarray(Y) > 0
    return np.array([Y[rows].sum(axis=0) / k for rows in near])
