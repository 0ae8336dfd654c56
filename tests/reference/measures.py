"""The measures of one row, written down from the papers; plain, slow, and the specification.

A row is the list of its labels, best first, the grade of each relevant label, the number m of
labels, the propensity of each, and the number of relevant labels in the complete truth. A label
that is not listed has no place. Where a row has no value (it is "empty") the value is None.
"""

from __future__ import annotations

from math import log2

from reference.ordered_labels import ORDERED, ordered, ranked_map
from reference.rare import PLAIN, ps_hamming
from reference.rows import hits

# ---------------------------------------------------------------- gains, paper 003 Table 1


def precision(row, k):
    return sum(hits(row, k)) / k if row.grades else None


def recall(row, k):
    return sum(hits(row, k)) / len(row.grades) if row.grades else None


def f_beta(row, k, beta=1.0):
    if not row.grades:
        return None
    P, R = precision(row, k), recall(row, k)
    return (1 + beta**2) * P * R / (beta**2 * P + R) if P else 0.0


def mrr(row, k=None):
    total = sum(hit / place for place, hit in enumerate(hits(row, k), 1))
    return total / len(row.grades) if row.grades else None


def adg(row, k=None):
    total = sum(hit / log2(1 + place) for place, hit in enumerate(hits(row, k), 1))
    return total / len(row.grades) if row.grades else None


def ndcg(row, k=None, gain=lambda grade: grade):
    def dcg(grades):
        return sum(gain(g) / log2(1 + place) for place, g in enumerate(grades[:k], 1))

    if not row.grades:
        return None
    best = sorted(row.grades.values(), reverse=True)
    return dcg([row.grades.get(c, 0.0) for c in row.order]) / dcg(best)


# ---------------------------------------------------------------- orders, paper 000 section 3.3


def average_precision(row, k=None):
    if not row.grades:
        return None
    hit = hits(row, k)
    return sum(sum(hit[:j]) / j for j in range(1, len(hit) + 1) if hit[j - 1]) / len(row.grades)


def rank_loss(row):
    others = [c for c in range(row.m) if c not in row.grades]
    if not row.grades or not others:
        return None
    place = {c: i for i, c in enumerate(row.order)}
    wrong = sum(
        place.get(c, row.m + 1) > place.get(other, row.m) for c in row.grades for other in others
    )
    return wrong / (len(row.grades) * len(others))


def one_error(row):
    return float(not any(hits(row, 1))) if row.grades else None


def coverage(row):
    if not row.grades:
        return None
    place = {c: i for i, c in enumerate(row.order, 1)}
    return max(place.get(c, row.m) for c in row.grades) - 1


def reciprocal_rank(row, k=None):
    if not row.grades:
        return None
    return next((1 / place for place, hit in enumerate(hits(row, k), 1) if hit), 0.0)


# ---------------------------------------------------------------- decisions


def hamming(row):
    return len(set(row.order) ^ set(row.grades)) / row.m


def example_f1(row):
    both, total = len(set(row.order) & set(row.grades)), len(row.order) + len(row.grades)
    return 2 * both / total if total else None


def example_precision(row):
    return sum(hits(row)) / len(row.order) if row.order else None


def example_recall(row):
    return sum(hits(row)) / len(row.grades) if row.grades else None


def exact_match(row):
    return float(set(row.order) == set(row.grades))


# ---------------------------------------------------------------- by name


def value(name, row, k=None):
    """The value of one row by the measure's name; k is None for the whole list."""
    depth = k or row.m
    if name in PLAIN:
        return PLAIN[name](row, depth) if row.grades else None
    if name in ORDERED:
        return ordered(row, ORDERED[name])
    return {
        "P": lambda: precision(row, depth),
        "R": lambda: recall(row, depth),
        "F1": lambda: f_beta(row, depth),
        "F0.5": lambda: f_beta(row, depth, 0.5),
        "nDCG": lambda: ndcg(row, k),
        "nDCG(gain=exp)": lambda: ndcg(row, k, lambda grade: 2**grade - 1),
        "MRR": lambda: mrr(row, k),
        "ADG": lambda: adg(row, k),
        "MAP": lambda: average_precision(row, k),
        "RR": lambda: reciprocal_rank(row, k),
        "RankLoss": lambda: rank_loss(row),
        "OneError": lambda: one_error(row),
        "Coverage": lambda: coverage(row),
        "ranked-mAP": lambda: ranked_map(row),
        "HLoss": lambda: hamming(row),
        "ex-Acc": lambda: 1 - hamming(row),
        "ex-F1": lambda: example_f1(row),
        "ex-P": lambda: example_precision(row),
        "ex-R": lambda: example_recall(row),
        "exact-match": lambda: exact_match(row),
        "PSHLoss": lambda: ps_hamming(row),
    }[name]()


AT_K = ["P", "R", "F1", "F0.5", "nDCG", "nDCG(gain=exp)", "MRR", "ADG", "MAP", "RR"]
WHOLE = ["nDCG", "nDCG(gain=exp)", "MRR", "ADG", "MAP", "RR", "RankLoss", "OneError", "Coverage"]
RANKED = [*ORDERED, "ranked-mAP"]
DECISIONS = ["HLoss", "ex-Acc", "ex-F1", "ex-P", "ex-R", "exact-match", "PSHLoss"]
