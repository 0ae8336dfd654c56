"""Convex losses of scores against relevance: a label at a time, or pairs of labels of a row."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from labelrank.scorers._newton import At, Double

__all__ = ["Logistic", "PairHinge", "SquaredHinge"]

_Indices = NDArray[np.intp]


class SquaredHinge:
    r"""The loss of L2 support vector machines, :math:`C \sum_i \max(0, 1 - t_{il} f_{il})^2`.

    Parameters
    ----------
    relevant : bool array (n_rows, n_labels)
        t is 1 where it is true, and -1 elsewhere.
    C : float
    """

    joint: ClassVar[bool] = False

    def __init__(self, relevant: NDArray[np.bool_], C: float) -> None:
        self.signs = np.where(relevant, 1.0, -1.0)
        self.C = C

    def values(self, F: Double, columns: _Indices) -> Double:
        """One a label."""
        missing = np.maximum(1 - self.signs[:, columns] * F, 0)
        return np.asarray(self.C * np.einsum("ij,ij->j", missing, missing))

    def at(self, F: Double, columns: _Indices, rows: _Indices | None = None) -> At:
        """The curvature is constant within the margin and 0 beyond it."""
        signs = _some(self.signs, columns, rows)
        missing = np.maximum(1 - signs * F, 0)
        diagonal: Double = np.where(missing > 0, 2 * self.C, 0.0)
        return At(-2 * self.C * signs * missing, diagonal, lambda V: diagonal * V)


class Logistic:
    r"""The log loss, :math:`C \sum_i \log(1 + e^{-t_{il} f_{il}})`, else as `SquaredHinge`."""

    joint: ClassVar[bool] = False

    def __init__(self, relevant: NDArray[np.bool_], C: float) -> None:
        self.signs = np.where(relevant, 1.0, -1.0)
        self.C = C

    def values(self, F: Double, columns: _Indices) -> Double:
        """One a label."""
        return np.asarray(self.C * np.logaddexp(0, -self.signs[:, columns] * F).sum(axis=0))

    def at(self, F: Double, columns: _Indices, rows: _Indices | None = None) -> At:
        """Slope and curvature by the probability of the wrong answer."""
        signs = _some(self.signs, columns, rows)
        wrong = expit(-signs * F)
        diagonal = self.C * wrong * (1 - wrong)
        return At(-self.C * signs * wrong, diagonal, lambda V: diagonal * V)


class PairHinge:
    r"""The ranking loss of Elisseeff & Weston with a squared hinge.

    .. math::
        C \sum_i \frac{1}{|Y_i| |\bar Y_i|} \sum_{k \in Y_i} \sum_{l \in \bar Y_i}
        \max(0, 1 - f_{ik} + f_{il})^2

    With v = f - 1 for relevant labels and v = f for the others, a pair counts where
    :math:`v_l > v_k`, so one sorting of v tells all pairs, and sums over them are running sums:
    O(m log m) a row. On the pairs that count the loss is a quadratic form of v, whose matrix is the
    Laplacian of the graph of pairs; slope and curvature are products with it.

    Parameters
    ----------
    relevant : bool array (n_rows, n_labels)
        Rows without a relevant or without an irrelevant label have no pairs.
    C : float
    """

    joint: ClassVar[bool] = True

    def __init__(self, relevant: NDArray[np.bool_], C: float) -> None:
        counts = relevant.sum(axis=1)
        pairs = np.maximum(counts * (relevant.shape[1] - counts), 1)
        self.relevant = relevant
        self.weights = (2 * C / pairs)[:, None]

    def values(self, F: Double, columns: _Indices) -> Double:
        """Parts that sum up to the loss."""
        v = F - self.relevant
        return np.asarray(
            0.5 * np.einsum("ij,ij->j", v, _Pairs(v, self.relevant) @ v * self.weights)
        )

    def at(self, F: Double, columns: _Indices, rows: _Indices | None = None) -> At:
        """Slope and curvature while the same pairs count."""
        chosen = slice(None) if rows is None else rows
        relevant, weights = self.relevant[chosen], self.weights[chosen]
        v = F - relevant
        pairs = _Pairs(v, relevant)
        return At(weights * (pairs @ v), weights * pairs.degrees, lambda V: weights * (pairs @ V))


class _Pairs:
    """The graph of the pairs that count in each row; ``@`` multiplies by its Laplacian."""

    def __init__(self, v: Double, relevant: NDArray[np.bool_]) -> None:
        self.order = np.argsort(v, axis=1, kind="stable")
        self.relevant = np.take_along_axis(relevant, self.order, axis=1)
        self.sorted_degrees = self._partners(np.ones(v.shape))
        self.degrees = self._back(self.sorted_degrees)

    def __matmul__(self, V: Double) -> Double:
        sorted_v = np.take_along_axis(V, self.order, axis=1)
        return self._back(self.sorted_degrees * sorted_v - self._partners(sorted_v))

    def _partners(self, V: Double) -> Double:
        """Sums over the partners: irrelevant labels above a relevant one, relevant ones below."""
        below = np.cumsum(np.where(self.relevant, V, 0), axis=1)
        others = np.cumsum(np.where(self.relevant, 0, V), axis=1)
        return np.where(self.relevant, others[:, -1:] - others, below)

    def _back(self, V: Double) -> Double:
        result = np.empty_like(V)
        np.put_along_axis(result, self.order, V, axis=1)
        return result


def _some(signs: Double, columns: _Indices, rows: _Indices | None) -> Double:
    return np.asarray(signs[:, columns] if rows is None else signs[np.ix_(rows, columns)])
