"""Missing labels, simulated (paper 003, section 7 and Figure 3): what is lost and what helps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.data import Dataset
from labelrank.measures import evaluate
from labelrank.measures.propensity_model import model as propensity_model
from labelrank.scorers import Scorer

__all__ = ["Curve", "Missing", "Point", "curve", "hide", "simulate"]

Maker: TypeAlias = Callable[[int], Scorer]
"""A scorer for a random state, without propensities."""
PropensityMaker: TypeAlias = Callable[[int, float, float], Scorer]
"""A scorer for a random state that believes in A and B."""

_K = 3
_DRAWS = 20  # times that test labels are hidden for each of the seeds


@dataclass(frozen=True)
class Curve:
    """One propensity curve of Figure 3 (a).

    Attributes
    ----------
    A, B : float
    p : array (n_labels,)
        The chance of each label to be observed where it is relevant.
    missing : float
        The share of the training labels that is hidden, in expectation.
    """

    A: float
    B: float
    p: NDArray[np.float64]
    missing: float


@dataclass(frozen=True)
class Point:
    """A value over several seeds."""

    mean: float
    deviation: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Point:
        """Mean and standard deviation."""
        several = len(values) > 1
        return cls(float(np.mean(values)), float(np.std(values, ddof=1)) if several else 0.0)


@dataclass
class Missing:
    """Figure 3; the keys of what was measured are curves' places in `curves`.

    Attributes
    ----------
    curves : list of Curve
        Figure 3 (a).
    seeds : int
    complete : float
        P@3 on the complete test labels of a scorer that was trained on all labels.
    observed, scored : dict of int to Point
        Figure 3 (b): P@3 and propensity-scored P@3 of the same scorer on what is observed, over
        twenty times as many ways to hide test labels as there are seeds.
    without, with_ : dict of int to Point
        Figure 3 (c): nDCG@3 on the complete test labels, trained on what is observed.
    believed : dict of float to Point
        Figure 3 (d): the same for scorers that believe in another A than that of the reference.
    reference : int
        The curve that labels were removed by in (d).
    """

    curves: list[Curve]
    seeds: int
    complete: float
    reference: int
    observed: dict[int, Point] = field(default_factory=dict)
    scored: dict[int, Point] = field(default_factory=dict)
    without: dict[int, Point] = field(default_factory=dict)
    with_: dict[int, Point] = field(default_factory=dict)
    believed: dict[float, Point] = field(default_factory=dict)


def curve(Y: Any, A: float, B: float) -> Curve:
    r"""The propensities with which labels must go missing so that (1) describes what is left.

    Formula (1) is a function of how often a label is *observed*. A label that N* points have is
    kept with the p for which

    .. math:: N_l = N_l^*\, p(N_l)

    so that whoever only sees the observed counts, and knows A and B, finds the right propensities.

    Parameters
    ----------
    Y : (n_points, n_labels)
        The complete labels.
    A, B : float

    Examples
    --------
    >>> Y = np.zeros((1000, 2)); Y[:400, 0] = 1; Y[:4, 1] = 1
    >>> found = curve(Y, 0.55, 1.5)
    >>> found.p.round(2), round(found.missing, 2)
    (array([0.69, 0.13]), 0.31)
    >>> propensity_model(found.p * [400, 4], 1000, 0.55, 1.5).round(2)
    array([0.69, 0.13])
    """
    truth = sp.csr_array(Y)
    n = truth.shape[0]
    counts = np.bincount(truth.indices, minlength=truth.shape[1]).astype(np.float64)
    low, high = np.zeros_like(counts), counts.copy()
    for _ in range(60):  # N* p(N) - N falls from above 0 to below
        middle = (low + high) / 2
        more = counts * propensity_model(middle, n, A, B) > middle
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    p = propensity_model(high, n, A, B)
    return Curve(A, B, p, float(1 - counts @ p / max(counts.sum(), 1)))


def hide(Y: Any, p: NDArray[np.float64], random_state: Any = None) -> sp.csr_array:
    """Labels of which each is kept with its propensity, and irrelevant ones never appear.

    Examples
    --------
    >>> hide(np.ones((4, 2)), np.array([1.0, 0.0])).toarray().tolist()
    [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    """
    truth = sp.coo_array(Y)
    rng = np.random.default_rng(random_state)
    kept = rng.random(truth.nnz) < p[truth.col]
    return sp.csr_array((truth.data[kept], (truth.row[kept], truth.col[kept])), shape=truth.shape)


def simulate(
    train: Dataset,
    test: Dataset,
    without: Maker,
    with_: PropensityMaker,
    *,
    shapes: Sequence[float] = (0.2, 0.35, 0.55, 0.75, 1.0),
    B: float = 1.5,
    reference: float = 0.55,
    seeds: int = 5,
    say: Callable[[str], None] = lambda sentence: None,
) -> Missing:
    """Figure 3 on a data set whose labels are taken to be complete.

    Parameters
    ----------
    train, test : Dataset
        With features.
    without, with_ : callable
        Make a scorer that knows nothing of propensities, and one that trains with those of A and B
        at the observed counts.
    shapes : sequence of float
        The A of each curve: the smaller, the more labels are missing.
    B : float
    reference : float
        The A, among `shapes`, that labels of Figure 3 (d) are removed by.
    seeds : int
        Each hides other labels, and trains with another random state.
    say : callable
        Is told what is done.
    """
    curves = [curve(train.Y, A, B) for A in shapes]
    complete = [without(seed).fit(train.X, train.Y).rank(test.X, _K) for seed in range(seeds)]
    truth = [evaluate(ranking, test.Y, f"P@{_K}")[f"P@{_K}"].value for ranking in complete]
    say("Figure 3 (b): trained on all labels")
    found = Missing(curves, seeds, float(np.mean(truth)), list(shapes).index(reference))
    for at, each in enumerate(curves):
        names = [f"P@{_K}", f"PSP(norm=plain)@{_K}"]
        values = []
        for draw in range(_DRAWS * seeds):
            ranking = complete[draw % seeds]
            observed = hide(test.Y, each.p, [1, draw])
            scores = evaluate(ranking, observed, names, propensities=each.p)
            values.append([scores[name].value for name in names])
        found.observed[at] = Point.of([row[0] for row in values])
        found.scored[at] = Point.of([row[1] for row in values])
    for at, each in enumerate(curves):
        say(f"Figure 3 (c): {each.missing:.0%} of the labels are missing")
        plain, scored = [], []
        for seed in range(seeds):
            observed = hide(train.Y, each.p, [0, seed])
            plain.append(_judged(without(seed), train.X, observed, test))
            scored.append(_judged(with_(seed, each.A, each.B), train.X, observed, test))
        found.without[at], found.with_[at] = Point.of(plain), Point.of(scored)
    used = curves[found.reference]
    for A in shapes:
        say(f"Figure 3 (d): A = {used.A:g} in truth, {A:g} in training")
        if A == used.A:
            found.believed[A] = found.with_[found.reference]
            continue
        judged = []
        for seed in range(seeds):
            observed = hide(train.Y, used.p, [0, seed])
            judged.append(_judged(with_(seed, A, B), train.X, observed, test))
        found.believed[A] = Point.of(judged)
    return found


def _judged(scorer: Scorer, X: Any, observed: sp.csr_array, test: Dataset) -> float:
    """NDCG@3 on the complete test labels."""
    ranking = scorer.fit(X, observed).rank(test.X, _K)
    return evaluate(ranking, test.Y, f"nDCG@{_K}")[f"nDCG@{_K}"].value
