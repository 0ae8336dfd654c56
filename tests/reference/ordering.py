"""The kernel of native/ordered.cpp in plain Python: pairs of labels with different grades."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from reference.judging import rows_of


def rightness(high, low, place, score, tie):
    """Does the list put `high` above `low`? Two labels that are not listed have no order: no."""
    if high not in place or low not in place:
        return float(high in place)
    if tie >= 0 and score[high] == score[low]:
        return tie
    return float(place[high] < place[low])


def count_pairs(grade, place, score, tie):
    """(positive, negative, true positive, true negative) pairs u < v: positive has u greater."""
    total = np.zeros(4)
    for u, v in combinations(range(len(grade)), 2):
        if grade[u] > grade[v]:
            total += [1, 0, rightness(u, v, place, score, tie), 0]
        elif grade[u] < grade[v]:
            total += [0, 1, 0, rightness(v, u, place, score, tie)]
    return total


def pair_precision(positive, negative, true_positive, true_negative):
    """TP / (TP + FP); 0/0 is 1 on a row without a mistake, else 0."""
    called = true_positive + negative - true_negative
    return true_positive / called if called else float(positive == true_positive)


def ordered_pairs(indptr, labels, scores, t_indptr, t_labels, t_grades, n_labels, tie, levels):
    """The four counts of each row, and the mean over levels t of the precision of y·[y ≥ t]."""
    out = []
    lists = zip(rows_of(indptr, labels), rows_of(indptr, scores), strict=True)
    truths = zip(rows_of(t_indptr, t_labels), rows_of(t_indptr, t_grades), strict=True)
    for (listed, s), (relevant, grades) in zip(lists, truths, strict=True):
        place = {label: i for i, label in enumerate(listed)}
        score = dict(zip(listed, s, strict=True))
        y = np.zeros(n_labels)
        y[relevant] = grades
        mean = 0.0
        if levels and len(grades):
            cuts = [np.where(y >= t, y, 0) for t in sorted(set(grades))]
            mean = np.mean([pair_precision(*count_pairs(cut, place, score, tie)) for cut in cuts])
        out.append([*count_pairs(y, place, score, tie), mean])
    return np.reshape(out, (len(indptr) - 1, 5))
