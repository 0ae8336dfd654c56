"""Scales: the scores of each row made comparable with those of other rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from labelrank.cutoffs.learned import Truth
from labelrank.ranking import Ranking

__all__ = ["SCALES", "fitted_temperature", "on_scale", "per_row", "top_columns"]

Floats = NDArray[np.float64]
SCALES = ("softmax", "log-softmax", "scores")
_LARGEST = 1e100  # scores beyond it are cut, so that no difference or square of them overflows
_ROWS = 20_000  # enough to fit one number
_SPAN = np.log(100)  # temperatures from 1/100 to 100 times the spread of the scores


def on_scale(ranking: Ranking, scale: str, temperature: float) -> Floats:
    r"""The scores of a ranking, one value an entry, falling within each row as they do.

    .. math::
        p_l = \frac{e^{s_l/T}}{\sum_j e^{s_j/T}} \quad (\text{softmax}),\qquad
        \log p_l \quad (\text{log-softmax}),\qquad s_l / T \quad (\text{scores})

    over the labels that the row lists. Each step keeps the order, so equal stay equal and a list
    falls, though a softmax may make equal what was different (below 1e-308).
    """
    scores = _clipped(ranking)
    if scale == "scores":
        return scores / temperature
    falling = (scores - per_row(ranking, _first(ranking, scores))) / temperature
    weights = np.exp(falling)
    totals = _sums(ranking, weights)
    if scale == "softmax":
        return weights / per_row(ranking, totals)
    return falling - per_row(ranking, np.log(np.maximum(totals, 1)))


def fitted_temperature(ranking: Ranking, truth: Truth) -> float:
    r"""The T under which the truth is most likely, so that any multiple of the scores is the same.

    .. math:: \max_T \sum_i \frac{1}{|R_i|} \sum_{l \in R_i} \log p_{il}

    over rows that list relevant labels R_i: ListNet's likelihood. Its derivative by 1/T only
    rises, so one root is found, between 1/100 and 100 times the scores' spread within rows.
    """
    some = np.arange(0, ranking.n_rows, max(1, -(-ranking.n_rows // _ROWS)))
    part, known = ranking[some], truth.of_rows(ranking, some)
    scores = _clipped(part)
    falling = scores - per_row(part, _first(part, scores))
    n_hits = _sums(part, known.hits.astype(np.float64))
    learns = n_hits > 0
    share = known.hits / per_row(part, np.maximum(n_hits, 1))
    centred = falling - per_row(part, _sums(part, falling) / np.maximum(part.lengths, 1))
    spread = float(np.sqrt(np.square(centred).mean())) if len(centred) else 0.0
    if not learns.any() or spread == 0:
        return spread or 1.0
    relevant = (share * falling).sum()
    counts = per_row(part, learns.astype(np.float64))

    def slope(log_beta: float) -> float:
        weights = np.exp(falling * (np.exp(log_beta) / spread)) * counts
        means = _sums(part, weights * falling) / np.maximum(_sums(part, weights), 1e-300)
        return float((means.sum() - relevant) / spread)

    low, high = -_SPAN, _SPAN
    if slope(low) >= 0:  # relevant labels are no higher than others: nothing can be learned here
        return spread
    if slope(high) <= 0:
        return spread / float(np.exp(high))
    return spread / float(np.exp(brentq(slope, low, high, xtol=1e-6)))


def top_columns(ranking: Ranking, values: Floats, depth: int) -> Floats:
    """Dense (n_rows, depth): the first values of each row; short rows repeat their last one."""
    at = np.minimum(np.arange(depth), np.maximum(ranking.lengths, 1)[:, None] - 1)
    at += ranking.indptr[:-1, None]
    padded = np.append(values, 0.0)  # for an empty row at the end
    columns: Floats = np.where(ranking.lengths[:, None] > 0, padded[at], 0.0)
    return columns


def per_row(ranking: Ranking, values: Floats) -> Floats:
    """One value a row, repeated for each of its entries."""
    repeated: Floats = np.repeat(values, ranking.lengths)
    return repeated


def _clipped(ranking: Ranking) -> Floats:
    return np.clip(ranking.scores.astype(np.float64), -_LARGEST, _LARGEST)


def _first(ranking: Ranking, values: Floats) -> Floats:
    """The largest of each row, which is its first; 0 for empty rows."""
    return top_columns(ranking, values, 1)[:, 0]


def _sums(ranking: Ranking, values: Floats) -> Floats:
    """Sums of each row; 0 for empty ones."""
    sums = np.add.reduceat(np.append(values, 0.0), ranking.indptr[:-1])
    sums[ranking.lengths == 0] = 0
    return sums
