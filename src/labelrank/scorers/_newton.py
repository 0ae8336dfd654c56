"""Truncated Newton: linear functions of rows that minimise a convex loss, many at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.extmath import row_norms

__all__ = ["At", "Double", "Loss", "newton"]

Double: TypeAlias = NDArray[np.float64]
_FLOOR = 1e-10  # a gradient so much smaller than its terms at the start is rounding


class At(NamedTuple):
    """A loss at some scores F (n_rows, n_columns)."""

    slopes: Double  # its gradient, the shape of F
    diagonal: Double  # of its Hessian, the shape of F
    bend: Callable[[Double], Double]  # V -> Hessian times V, the shape of F


class Loss(Protocol):
    """What is minimised beside the length of the weights: convex, with a curvature."""

    joint: ClassVar[bool]  # whether the columns depend on each other: then they walk in step

    def values(self, F: Double, columns: NDArray[np.intp]) -> Double:
        """The loss of each column."""

    def at(self, F: Double, columns: NDArray[np.intp], rows: NDArray[np.intp] | None = None) -> At:
        """Slope and curvature, of all rows or of those whose scores F has."""


def newton(
    X: Any, loss: Loss, start: Double, tol: float = 1e-4, max_iter: int = 100
) -> tuple[Double, Double, Double]:
    r"""Minimise a loss of F = X W + b, with weights that are short.

    .. math:: \tfrac{1}{2} \|w_j\|^2 + \ell_j(X w_j + b_j) \quad \text{for each column } j

    Newton's method; its linear systems are solved by conjugate gradients as far as it pays, and
    steps are halved until they help. All columns walk together, so that each product with X is one
    of matrices; those that have arrived rest.

    Parameters
    ----------
    X : float64 array or CSR (n_rows, n_features)
    loss : Loss
    start : array (n_columns,)
        The intercepts b to start from; W starts at 0.
    tol : float
        Stop when the gradient is so small beside the weights, which bounds their relative error.
    max_iter : int
        Newton steps at most.

    Returns
    -------
    W (n_features, n_columns), b (n_columns,), F (n_rows, n_columns)
    """
    problem = _Problem(X, loss.joint)
    d, columns = X.shape[1], np.arange(len(start))
    P = np.vstack([np.zeros((d, len(start))), start])  # the last row is b
    F = np.repeat(np.asarray(start, dtype=np.float64)[None], X.shape[0], axis=0)
    floor = None
    for _ in range(max_iter):
        at = loss.at(F[:, columns], columns)
        gradient = problem.ridge * P[:, columns] + problem.backward(at.slopes)
        length, weights = problem.length(gradient[:d]), problem.length(P[:d, columns])
        tilt, most = problem.length(gradient[d:]), problem.length(np.abs(at.slopes).sum(0)[None])
        if floor is None:
            pull = row_norms(X) @ np.abs(at.slopes)  # what the gradient cannot exceed
            floor = _FLOOR * np.array([problem.length(pull[None]), most])
        walking = (length > np.maximum(tol * weights, floor[0])) | (
            tilt > np.maximum(0.1 * tol * most, floor[1])
        )
        if not walking.any():
            break
        if not walking.all():  # a joint loss has one length for all
            columns, floor = columns[walking], floor[:, walking]
            continue
        precise = np.minimum(0.1, np.sqrt(length / (length + weights + tilt + 1e-300)))
        bent = np.flatnonzero(at.diagonal.any(axis=1))  # rows beyond their margin are straight
        if len(bent) < 0.7 * len(F):
            at = loss.at(F[np.ix_(bent, columns)], columns, bent)
            step = problem.of(bent).solve(gradient, at, precise)
        else:
            step = problem.solve(gradient, at, precise)
        moved = problem.forward(step)
        far = problem.search(loss, columns, P[:, columns], F[:, columns], step, moved, gradient)
        P[:, columns] += far * step
        F[:, columns] += far * moved
        columns, floor = columns[far > 0], floor[:, far > 0]
        if not len(columns):  # as good as float64 can tell
            break
    return P[:d], P[d], F


class _Problem:
    """Products with X and a column of ones; sums for each column, or for all of them together."""

    def __init__(self, X: Any, joint: bool) -> None:
        self.X, self.joint = X, joint
        self.turned = X.T  # a view
        self.ridge = np.append(np.ones(X.shape[1]), 0)[:, None]  # intercepts cost nothing

    def of(self, rows: NDArray[np.intp]) -> _Problem:
        return _Problem(self.X[rows], self.joint)

    def forward(self, P: Double) -> Double:
        return np.asarray(self.X @ P[:-1] + P[-1])

    def backward(self, G: Double) -> Double:
        return np.vstack([self.turned @ G, G.sum(axis=0)])

    def dot(self, A: Double, B: Double) -> Double:
        sums: Double = np.einsum("ij,ij->j", A, B)
        return np.full_like(sums, sums.sum()) if self.joint else sums

    def length(self, A: Double) -> Double:
        return np.sqrt(self.dot(A, A))

    def solve(self, gradient: Double, at: At, precise: Double) -> Double:
        """The Newton step, by conjugate gradients with the diagonal as preconditioner."""
        squares = self.X.power(2) if sp.issparse(self.X) else self.X**2
        diagonal = self.ridge + np.vstack([squares.T @ at.diagonal, at.diagonal.sum(axis=0)])
        diagonal = np.where(diagonal > 0, diagonal, 1)
        step, rest = np.zeros_like(gradient), -gradient
        scaled = rest / diagonal
        direction, fall = scaled, self.dot(rest, scaled)
        enough = np.square(precise) * fall
        for _ in range(min(10 * len(gradient), 500)):
            bent = self.ridge * direction + self.backward(at.bend(self.forward(direction)))
            curve = self.dot(direction, bent)
            going = (fall > enough) & (curve > 0)
            if not going.any():
                break
            far = np.where(going, fall / np.where(going, curve, 1), 0)
            step += far * direction
            rest -= far * bent
            scaled = rest / diagonal
            before, fall = fall, np.where(going, self.dot(rest, scaled), 0)
            direction = scaled + np.where(going, fall / np.where(going, before, 1), 0) * direction
        return step

    def search(
        self,
        loss: Loss,
        columns: NDArray[np.intp],
        P: Double,
        F: Double,
        step: Double,
        moved: Double,
        gradient: Double,
    ) -> Double:
        """How far to go along the step: 1, or halved until the objective falls as it should."""
        linear, square = self.dot(self.ridge * P, step), self.dot(self.ridge * step, step)
        before, slope = self._sums(loss.values(F, columns)), self.dot(gradient, step)
        noise = 1e-14 * (before + self.dot(self.ridge * P, P))
        far = np.ones(len(columns))
        for _ in range(40):
            after = self._sums(loss.values(F + far * moved, columns))
            change = after - before + far * linear + 0.5 * far**2 * square
            fine = change <= 1e-4 * far * slope + noise
            if fine.all():
                return far
            far = np.where(fine, far, far / 2)
        return np.where(fine, far, 0)

    def _sums(self, values: Double) -> Double:
        return np.full_like(values, values.sum()) if self.joint else values
