r"""The cutting-plane method for regularised risks whose value and slope are known at any point.

.. math:: \min_w \frac{\alpha}{2} |w|^2 + R(w)

The risk R is convex: each slope is a plane below it. The minimum over all planes so far is a small
quadratic programme, its solution the next point, and its value a lower bound that says how far from
the minimum the best point is (Joachims 2006; Teo et al. 2010).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from labelrank import _native
from labelrank._progress import track
from labelrank.rankers.watch import Watch

__all__ = ["cutting_planes"]

Floats: TypeAlias = NDArray[np.float64]
Risk: TypeAlias = Callable[[Floats], tuple[float, Floats]]

_IDLE = 20  # a plane that has not held for so many rounds is dropped


def cutting_planes(
    risk: Risk,
    n_weights: int,
    *,
    alpha: float,
    tolerance: float,
    rounds: int,
    watch: Watch,
    scorer: Callable[[Floats], Callable[[NDArray[np.float32]], NDArray[Any]]],
    verbose: int = 0,
    what: str = "",
) -> Floats:
    """The minimum; with patience, the best point on the validation ranking.

    Parameters
    ----------
    risk : function
        Weights to (R, its slope).
    n_weights : int
    alpha : float
    tolerance : float
        How far the objective may be from its minimum, as a share of its value at 0.
    rounds : int
        The most planes; a warning says when they were too few.
    watch : Watch
        Asked after each plane.
    scorer : function
        Weights to the function that scores described candidates.
    """
    best, left = np.zeros(n_weights), np.inf
    steps = _steps(risk, n_weights, alpha, tolerance, rounds)
    for weights, gap in track(steps, rounds, what, verbose):
        left = gap
        if watch.improved(scorer(weights)) or not watch.decides:
            best = weights
        if watch.over:
            return best
    if left > tolerance:
        warnings.warn(
            f"{what}: after {rounds} rounds the objective may be {left:.2g} of its start above its "
            "minimum; give more rounds, a larger tolerance or a larger alpha.",
            ConvergenceWarning,
            stacklevel=4,
        )
    return best


def _steps(
    risk: Risk, n_weights: int, alpha: float, tolerance: float, rounds: int
) -> Iterator[tuple[Floats, float]]:
    """(the best point so far, how far its objective may be from the minimum) after each plane."""
    best = now = np.zeros(n_weights)
    least, start = np.inf, 0.0
    planes, heights = np.empty((0, n_weights)), np.empty(0)
    share, idle = np.empty(0), np.empty(0, dtype=np.int64)
    for step in range(rounds):
        value, slope = risk(now)
        found = value + alpha / 2 * float(now @ now)
        start = start if step else found
        worse = found > least
        if not worse:
            best, least = now, found
        planes = np.vstack([planes, slope])
        heights = np.append(heights, value - slope @ now)
        share = np.append(share, 0.0 if step else 1.0)
        idle = np.append(idle, 0)
        # the dual: max heights·share - |share·planes|² / (2 alpha) over the simplex
        gram = planes @ planes.T / alpha
        share = _native.simplex_minimum(gram, heights, share, 0.01 * tolerance * start, 10_000)
        lower = float(heights @ share) - 0.5 * float(share @ gram @ share)
        gap = (least - lower) / start if start > 0 else 0.0
        yield best, gap
        if gap <= tolerance:
            return
        now = -(share @ planes) / alpha
        if worse:  # the far end of a new plane overshoots: go half the way
            now = (now + best) / 2
        idle = np.where(share > 0, 0, idle + 1)
        keep = idle < _IDLE
        planes, heights, share, idle = planes[keep], heights[keep], share[keep], idle[keep]
