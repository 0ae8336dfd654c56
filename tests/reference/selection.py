"""The kernels of native/top.cpp in plain Python: what they are meant to compute."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def top_dense(scores, k):
    """(labels, scores, first row that is not finite or -1) of the k best of each row."""
    labels, best = [], []
    for i, row in enumerate(scores):
        if not np.isfinite(row).all():
            return None, None, i
        order = sorted(range(len(row)), key=lambda label: (-row[label], label))[:k]
        labels.append(order)
        best.append([row[label] for label in order])
    shape = (len(scores), min(k, scores.shape[1]))
    return np.reshape(labels, shape), np.reshape(best, shape), -1


def top_rows(indptr, labels, scores, keep):
    """(indptr, labels, scores) of the best keep[i] entries of each row, all when it is -1."""
    out_labels, out_scores, out_indptr = [], [], [0]
    for start, end, k in zip(indptr[:-1], indptr[1:], keep, strict=True):
        row = sorted(range(start, end), key=lambda e: (-scores[e], labels[e]))
        row = row if k < 0 else row[:k]
        out_labels += [labels[e] for e in row]
        out_scores += [scores[e] for e in row]
        out_indptr.append(len(out_labels))
    return np.array(out_indptr), np.array(out_labels), np.array(out_scores)


def check_rows(indptr, labels, scores, n_labels, ordered):
    """(fault, row): 1 label out of range, 2 score not finite, 3 label twice, 4 not best first."""
    for i, (start, end) in enumerate(pairwise(indptr)):
        seen = []  # the row's entries so far, as keys that must rise when the best comes first
        for label, score in zip(labels[start:end], scores[start:end], strict=True):
            if not 0 <= label < n_labels:
                return 1, i
            if not np.isfinite(score):
                return 2, i
            if label in [before for _, before in seen]:
                return 3, i
            if ordered and seen and (-score, label) < seen[-1]:
                return 4, i
            seen.append((-score, label))
    return 0, -1
