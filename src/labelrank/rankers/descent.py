"""Ways down a smooth loss: L-BFGS over all groups, or Adam over some groups at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelrank._progress import track
from labelrank.rankers.watch import Watch

__all__ = ["adam", "lbfgs"]

Floats: TypeAlias = NDArray[np.float64]
Scorer: TypeAlias = Callable[[Any], Callable[[NDArray[np.float32]], NDArray[Any]]]


def lbfgs(
    loss: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    rounds: int,
    watch: Watch,
    scorer: Scorer,
) -> Floats:
    """The minimum of a convex loss; with patience, the best iterate on the validation ranking.

    Parameters
    ----------
    loss : function
        Parameters to (value, gradient).
    start : array
    rounds : int
        The most iterations.
    watch : Watch
        Asked after each iteration.
    scorer : function
        Parameters to the function that scores described candidates.
    """
    from scipy.optimize import minimize

    best = start

    def after(x: Floats) -> None:
        nonlocal best
        if watch.improved(scorer(x)):
            best = x.copy()
        if watch.over:
            raise StopIteration

    options = {"maxiter": rounds, "maxcor": 20}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", callback=after, options=options)
    return best if watch.decides else np.asarray(found.x)


def adam(
    slopes: Callable[[list[Floats], NDArray[np.int64]], list[Any]],
    start: list[Any],
    n_groups: int,
    *,
    rounds: int,
    batch: int,
    rate: float,
    alpha: float,
    watch: Watch,
    scorer: Scorer,
    rng: np.random.RandomState,
    verbose: int = 0,
    what: str = "",
) -> list[Any]:
    """Stochastic steps of sizes adapted to each parameter (Kingma & Ba 2015).

    The rate falls to nothing along half a cosine, so that the last rounds settle; `alpha` shrinks
    the parameters apart from the gradient, as AdamW does.

    Parameters
    ----------
    slopes : function
        (parameters, group numbers) to the gradient of the mean loss over these groups.
    start : list of arrays
    rounds : int
        Passes over all groups.
    batch : int
        Groups a step.
    rate : float
        Of the first step.
    """
    now = [np.array(p) for p in start]
    best = now
    first, second = ([np.zeros_like(p) for p in now] for _ in range(2))
    steps = -(-n_groups // batch)
    step = 0
    for _ in track(range(rounds), rounds, what, verbose):
        order = rng.permutation(n_groups)
        for at in range(0, n_groups, batch):
            step += 1
            pace = rate * 0.5 * (1 + np.cos(np.pi * (step - 1) / (rounds * steps)))
            pace_fit = pace * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            for p, m, v, g in zip(
                now, first, second, slopes(now, np.sort(order[at : at + batch])), strict=True
            ):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                p -= pace_fit * m / (np.sqrt(v) + 1e-8) + pace * alpha * p
        if watch.improved(scorer(now)) or not watch.decides:
            best = [p.copy() for p in now]
        if watch.over:
            break
    return best
