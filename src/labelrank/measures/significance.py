"""Is the difference real? The tests of paper 000, section 4.3, and those over many data sets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from labelrank.errors import InputError

__all__ = ["Friedman", "Test", "friedman", "holm", "sign_test", "wilcoxon"]


class Test(NamedTuple):
    """A two-sided p-value and an effect size in [-1, 1], positive when the first is better."""

    name: str
    p: float
    effect: float
    n: int  # pairs that differ


def sign_test(first: ArrayLike, second: ArrayLike) -> Test:
    r"""Sign test on the decisions of two systems, for micro-F1.

    Every decision on which exactly one of the two is wrong is a toss of a fair coin under the null
    hypothesis. The effect is :math:`(n_+ - n_-) / (n_+ + n_-)`.

    Parameters
    ----------
    first, second : arrays of int
        The wrong decisions of each system (`Score.wrong`).

    Examples
    --------
    >>> sign_test([1, 2], [3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    Test(name='sign test', p=0.0385..., effect=0.66..., n=12)
    """
    only_first = len(np.setdiff1d(first, second))
    only_second = len(np.setdiff1d(second, first))
    n = only_first + only_second
    if n == 0:
        return Test("sign test", 1.0, 0.0, 0)
    p = stats.binomtest(only_second, n, 0.5).pvalue
    return Test("sign test", float(p), (only_second - only_first) / n, n)


def wilcoxon(first: ArrayLike, second: ArrayLike, higher_is_better: bool = True) -> Test:
    r"""Wilcoxon signed-rank test of paired values; pairs with a NaN or no difference are left out.

    The effect is the matched-pairs rank-biserial correlation
    :math:`(W_+ - W_-) / (W_+ + W_-)`.

    Parameters
    ----------
    first, second : arrays of the same length
    higher_is_better : bool

    Examples
    --------
    >>> wilcoxon([0.9, 0.8, 0.7, 0.9, 0.6], [0.5, 0.5, 0.5, 0.5, 0.5])
    Test(name='Wilcoxon', p=0.0625, effect=1.0, n=5)
    """
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if a.shape != b.shape:
        raise InputError(f"paired values are needed, found {a.shape} and {b.shape}.")
    difference = (a - b) if higher_is_better else (b - a)
    difference = difference[~np.isnan(difference)]
    # Differences of equal size must tie although their last bits differ.
    difference = np.round(difference, 12)
    difference = difference[difference != 0]
    if len(difference) == 0:
        return Test("Wilcoxon", 1.0, 0.0, 0)
    ranks = stats.rankdata(np.abs(difference))
    effect = float((np.sign(difference) * ranks).sum() / ranks.sum())
    p = float(stats.wilcoxon(difference).pvalue)
    return Test("Wilcoxon", p, effect, len(difference))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    r"""Holm's correction of several p-values.

    .. math:: \tilde p_{(i)} = \max_{j \le i} \min(1, (m - j + 1)\, p_{(j)})

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    scaled = np.minimum(p[order] * np.arange(len(p), 0, -1), 1)
    corrected = np.empty_like(p)
    corrected[order] = np.maximum.accumulate(scaled)
    return corrected


class Friedman(NamedTuple):
    """Friedman's test with the critical difference of Nemenyi."""

    p: float
    mean_ranks: NDArray[np.float64]  # of each method; 1 is best
    critical_difference: float  # mean ranks further apart than this differ


def friedman(values: ArrayLike, higher_is_better: bool = True, alpha: float = 0.05) -> Friedman:
    r"""Compare methods over many data sets by their ranks (Demšar 2006).

    .. math:: CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}}

    Parameters
    ----------
    values : array of shape (N data sets, k methods)
    higher_is_better : bool
    alpha : float

    Examples
    --------
    >>> result = friedman([[0.9, 0.8, 0.7]] * 12)
    >>> result.mean_ranks, round(result.critical_difference, 3)
    (array([1., 2., 3.]), 0.957)
    """
    table = np.asarray(values, np.float64)
    if table.ndim != 2 or table.shape[1] < 3 or table.shape[0] < 2:
        raise InputError("Friedman's test needs a table of 2 data sets and 3 methods at least.")
    if np.isnan(table).any():
        raise InputError("Friedman's test needs a value for every method on every data set.")
    n, k = table.shape
    ranks = stats.rankdata(-table if higher_is_better else table, axis=1)
    p = 1.0 if (table == table[:, :1]).all() else float(stats.friedmanchisquare(*table.T).pvalue)
    q = stats.studentized_range.ppf(1 - alpha, k, np.inf) / np.sqrt(2)
    return Friedman(p, ranks.mean(axis=0), float(q * np.sqrt(k * (k + 1) / (6 * n))))
