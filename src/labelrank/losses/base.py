"""Loss: what each row costs, with its derivatives, and scores beside their grades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank import _native
from labelrank._labels import check_labels
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["Graded", "Loss"]


class Loss(NamedTuple):
    """A loss by rows and its derivatives by scores.

    Attributes
    ----------
    values : float64 array (n_rows,)
    slope, bend : float64 arrays
        First derivative of a row's value by each of its scores, and second by the same score
        twice: one an entry of the ranking, or of the shape (n_rows, n_labels) of dense scores.
    """

    values: NDArray[np.float64]
    slope: NDArray[np.float64]
    bend: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The mean over rows."""
        return float(self.values.mean()) if len(self.values) else 0.0


@dataclass(frozen=True, eq=False)
class Graded:
    """Scores beside the truth.

    Attributes
    ----------
    scores : float array (n_entries,), or (n_rows, n_labels)
    indptr : int64 array (n_rows + 1,), or None for dense scores
    truth : CSR array (n_rows, n_labels)
    ranking : Ranking, or None for dense scores
    """

    scores: NDArray[Any]
    truth: sp.csr_array
    ranking: Ranking | None

    @classmethod
    def of(cls, scores: Ranking | Any, Y: Any) -> Graded:
        """Check scores, a Ranking or a dense array, and their grades."""
        truth = check_labels(Y)
        ranking = scores if isinstance(scores, Ranking) else None
        values = scores.scores if isinstance(scores, Ranking) else _dense(scores)
        shape = values.shape if ranking is None else ranking.shape
        if truth.shape != shape:
            raise InputError(f"the scores are {shape} but Y is {truth.shape}: they must agree.")
        return cls(values, truth, ranking)

    @property
    def rows(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Row pointer, labels and grades of the truth."""
        return (
            self.truth.indptr.astype(np.int64),
            self.truth.indices.astype(np.int32),
            self.truth.data,
        )

    @property
    def entries(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Row pointer of the scores, and the grade of each."""
        if self.ranking is None:
            n, m = self.scores.shape
            return np.arange(n + 1, dtype=np.int64) * m, self.truth.toarray().ravel()
        r = self.ranking
        return r.indptr, _native.look_up(r.indptr, r.labels, *self.rows)


def _dense(scores: Any) -> NDArray[Any]:
    values = np.asarray(scores)
    if values.ndim != 2 or values.dtype.kind not in "fiub":
        raise InputError(
            "scores must be a Ranking or numbers of shape (n_rows, n_labels), found "
            f"{values.dtype} of shape {values.shape}."
        )
    if not np.isfinite(values).all():
        raise InputError("scores have a value that is NaN or infinite.")
    kept = values if values.dtype == np.float32 else values.astype(np.float64, copy=False)
    return np.ascontiguousarray(kept)
