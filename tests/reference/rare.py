"""Propensity-scored measures of one row, from paper 003, Table 1 and Theorem 4.4."""

from __future__ import annotations

from math import log2


def weighted(row, discount, k):
    """Σ y / p × discount over the first k places."""
    listed = enumerate(row.order[:k], 1)
    return sum(discount(place) / row.p[c] for place, c in listed if c in row.grades)


def number(row):
    """1ᵀy*, known or estimated."""
    return sum(1 / row.p[c] for c in row.grades) if row.complete is None else row.complete


PLAIN = {
    "PSP": lambda r, k: weighted(r, lambda place: 1, k) / k,
    "PSR": lambda r, k: weighted(r, lambda place: 1, k) / number(r),
    "PSF1": lambda r, k: 2 / (number(r) + k) * weighted(r, lambda place: 1, k),
    "PSF2": lambda r, k: 5 / (4 * number(r) + k) * weighted(r, lambda place: 1, k),
    "PSMRR": lambda r, k: weighted(r, lambda place: 1 / place, k) / number(r),
    "PSADG": lambda r, k: weighted(r, lambda place: 1 / log2(1 + place), k) / number(r),
    "PSnDCG": lambda r, k: (
        weighted(r, lambda place: 1 / log2(1 + place), k)
        / sum(1 / log2(1 + place) for place in range(1, k + 1))
    ),
}


def best(row):
    """The row with the list that gains most: the relevant labels, rarest first."""
    return row._replace(order=sorted(row.grades, key=lambda c: row.p[c]))


def ps_hamming(row):
    """Theorem 4.4 over m."""
    terms = [
        (c in row.grades) / row.p[c] * (1 - 2 * (c in row.order)) + (c in row.order)
        for c in range(row.m)
    ]
    return sum(terms) / row.m
