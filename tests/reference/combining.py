"""Rankings as dicts of label -> score: the union and the order, in plain Python."""

from __future__ import annotations


def as_dicts(ranking):
    """One dict a row, best first."""
    return [dict(zip(a.tolist(), s.tolist(), strict=True)) for a, s in ranking]


def union(first, second, combine):
    """The union of two rows."""
    both = [*first, *(label for label in second if label not in first)]
    if combine == "first":
        scores = {label: first.get(label, second.get(label)) for label in both}
    elif combine == "reciprocal":
        places = [{label: i for i, label in enumerate(row, 1)} for row in (first, second)]
        scores = {c: sum(1 / (60 + p[c]) for p in places if c in p) for c in both}
    else:
        add = {"sum": sum, "max": max}[combine]
        scores = {c: add([row[c] for row in (first, second) if c in row]) for c in both}
    return best_first(scores)


def best_first(scores):
    """Higher score first, then the smaller label."""
    return dict(sorted(scores.items(), key=lambda entry: (-entry[1], entry[0])))
