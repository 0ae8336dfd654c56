"""The propensity model: the chance that a relevant label was observed (paper 003, section 5)."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import least_squares

from labelrank._labels import check_labels
from labelrank.errors import InputError

__all__ = ["PRESETS", "estimate_propensity", "propensities"]

Preset: TypeAlias = Literal["default", "wikipedia", "amazon"]
PRESETS: dict[str, tuple[float, float]] = {
    "wikipedia": (0.5, 0.4),
    "amazon": (0.6, 2.6),
    "default": (0.55, 1.5),
}


def propensities(
    Y: Any,
    preset: Preset = "default",
    *,
    A: float | None = None,
    B: float | None = None,
) -> NDArray[np.float64]:
    r"""The propensity of each label, from how often it occurs in the training data.

    .. math:: p_l = \frac{1}{1 + C e^{-A \log(N_l + B)}}, \quad C = (\log N - 1)(B + 1)^A

    Paper 003, (1), for a label that N_l of N points have.

    Parameters
    ----------
    Y : (n_points, n_labels) labels of the **training** data
    preset : {"default", "wikipedia", "amazon"}
        (A, B) = (.55, 1.5), (.5, .4) or (.6, 2.6).
    A, B : float, optional
        Override the preset's.

    Returns
    -------
    array of shape (n_labels,), in (0, 1)

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.zeros((100, 2)); Y[:50, 0] = 1; Y[0, 1] = 1
    >>> propensities(Y).round(3)
    array([0.594, 0.217])
    """
    if preset not in PRESETS:
        raise InputError(f"preset must be one of {', '.join(PRESETS)}, not {preset!r}.")
    a, b = PRESETS[preset]
    truth = check_labels(Y)
    counts = np.bincount(truth.indices, minlength=truth.shape[1])
    return model(counts, truth.shape[0], a if A is None else A, b if B is None else B)


def model(counts: ArrayLike, n_points: int, A: float, B: float) -> NDArray[np.float64]:
    """Formula (1) for labels seen `counts` times among `n_points`."""
    times = np.asarray(counts, dtype=np.float64)
    if n_points < 3:
        raise InputError(
            f"the propensity model needs log N > 1, that is 3 points or more; found {n_points}."
        )
    if not (np.isfinite(A) and np.isfinite(B)) or A < 0 or (times + B <= 0).any() or B <= -1:
        raise InputError(
            f"A = {A} and B = {B} give no propensity in (0, 1): A must be 0 or more, and B greater "
            "than 0 (a label may be seen 0 times)."
        )
    with np.errstate(over="ignore", invalid="ignore"):  # told below
        C = (np.log(n_points) - 1) * np.float64(B + 1) ** A
        p: NDArray[np.float64] = 1 / (1 + C * (times + B) ** -A)
    if not (p > 0).all():
        raise InputError(f"A = {A} and B = {B} give a propensity of 0: choose a smaller A.")
    return p


def estimate_propensity(
    observed: ArrayLike, complete: ArrayLike, n_points: int, labels_per_bin: int = 20
) -> tuple[float, float]:
    r"""Fit A and B where the complete counts of some labels are known.

    The propensity of such a label is :math:`N_l / N_l^*`. Labels of similar frequency are put in
    bins of equal size and (A, B) are those of formula (1) closest to the bins' means, as paper 003
    does for Wikipedia and Amazon.

    Parameters
    ----------
    observed, complete : arrays of shape (n,)
        How often each label occurs in the observed and in the complete truth.
    n_points : int
        Points in the observed truth.
    labels_per_bin : int

    Returns
    -------
    (A, B), to be given to `propensities`.

    Examples
    --------
    >>> import numpy as np
    >>> seen = np.arange(1, 2001)
    >>> A, B = estimate_propensity(seen, seen / model(seen, 10_000, 0.6, 2.6), 10_000)
    >>> abs(A - 0.6) < 0.01, abs(B - 2.6) < 0.2
    (True, True)
    """
    seen, all_ = np.asarray(observed, np.float64), np.asarray(complete, np.float64)
    if seen.shape != all_.shape or seen.ndim != 1 or len(seen) < 2:
        raise InputError("observed and complete must be two lists of counts of the same labels.")
    if not ((seen > 0) & (all_ >= seen)).all():
        raise InputError("observed counts must be 1 or more and at most the complete counts.")
    order = np.argsort(seen, kind="stable")
    bins = np.array_split(order, max(len(seen) // labels_per_bin, 2))
    times = np.array([seen[b].mean() for b in bins])
    rates = np.array([(seen[b] / all_[b]).mean() for b in bins])
    fit = least_squares(
        lambda ab: model(times, n_points, *ab) - rates, x0=PRESETS["default"], bounds=(1e-6, 50)
    )
    return float(fit.x[0]), float(fit.x[1])
