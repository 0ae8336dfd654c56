"""Propensity curves (paper 003, Figure 2): the model, heuristic weights, and a fit of A and B."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.experiments.missing_labels import curve, hide
from labelrank.measures import estimate_propensity
from labelrank.measures.propensity_model import PRESETS
from labelrank.measures.propensity_model import model as propensity_model

__all__ = ["Curves", "propensity_curves"]

_PER_BIN = 20


@dataclass(frozen=True)
class Curves:
    """What Figure 2 shows, over frequencies N_l.

    Attributes
    ----------
    frequencies : array (n,)
        From 1 to the most frequent label's, evenly on a logarithmic scale.
    propensities : dict of str to array (n,)
        Formula (1) by preset, and with the fitted A and B.
    weights : dict of str to array (n,)
        1/p of formula (2) and the heuristics N^-β and log(N/N_l), all 1 at the last frequency.
    bins : array (n_bins, 2)
        Mean observed count and mean share of the complete count, of labels of similar frequency.
    fitted : (float, float)
        A and B, as estimated from observed and complete counts.
    """

    frequencies: NDArray[np.float64]
    propensities: dict[str, NDArray[np.float64]]
    weights: dict[str, NDArray[np.float64]]
    bins: NDArray[np.float64]
    fitted: tuple[float, float]


def propensity_curves(Y: Any, random_state: int = 0) -> Curves:
    """Figure 2 for a data set.

    The labels are taken to be complete; some are hidden as formula (1) has it with A = .55 and
    B = 1.5, and A and B are estimated again from the two counts of each label.

    Parameters
    ----------
    Y : (n_points, n_labels)
    random_state : int
        Of what is hidden.
    """
    truth = sp.csr_array(Y)
    n = truth.shape[0]
    counts = np.bincount(truth.indices, minlength=truth.shape[1])
    A, B = PRESETS["default"]
    hidden = hide(truth, curve(truth, A, B).p, random_state)
    seen = np.bincount(hidden.indices, minlength=truth.shape[1])
    some = seen > 0
    fitted = (A, B)
    if some.sum() >= 2:
        fitted = estimate_propensity(seen[some], counts[some], n, _PER_BIN)
    grid = np.unique(np.geomspace(1, max(counts.max(initial=1), 2), 25).round())
    shapes = {f"{name} (A={a:g}, B={b:g})": (a, b) for name, (a, b) in PRESETS.items()}
    shapes[f"fitted (A={fitted[0]:.2f}, B={fitted[1]:.2f})"] = fitted
    p = {name: propensity_model(grid, n, *ab) for name, ab in shapes.items()}
    weights = {
        "1/p, formula (2)": 1 / propensity_model(grid, n, A, B),
        "N_l^-0.5": grid**-0.5,
        "log(N/N_l)": np.log(max(n, 3) / np.minimum(grid, n - 1)),
    }
    weights = {name: w / w[-1] for name, w in weights.items()}
    return Curves(grid, p, weights, _bins(seen[some], counts[some]), fitted)


def _bins(seen: NDArray[Any], complete: NDArray[Any]) -> NDArray[np.float64]:
    """Labels of similar frequency together, twenty a bin, as the paper does."""
    order = np.argsort(seen, kind="stable")
    parts = np.array_split(order, max(len(seen) // _PER_BIN, 1))
    return np.array([[seen[b].mean(), (seen[b] / complete[b]).mean()] for b in parts if len(b)])
