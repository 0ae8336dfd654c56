"""Nearest neighbours: labels of the most similar training rows, exact, sparse or dense."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from labelrank import _native
from labelrank._parallel import over_blocks
from labelrank._rows import known_rows
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers.base import Scorer, whole
from labelrank.store import Field, Matrix, Number, Sparse

__all__ = ["NearestNeighbours"]


class NearestNeighbours(Scorer):
    r"""Rank labels by the votes of the k nearest training rows, weighted by cosine similarity.

    .. math::
        s_l(x) = \frac{\sum_{i \in N_k(x)} \cos(x, x_i)\, y_{il}}{\sum_{i \in N_k(x)} \cos(x, x_i)}

    Only rows with a similarity above zero are neighbours; a row without any gets an empty list.

    Parameters
    ----------
    k : int or sequence of int
        Neighbours that vote. Of equally similar ones the earlier training row comes first. Of
        several numbers the largest ranks, and each is a stage of its own for `StageScores`, for
        one search.
    top : int, optional
        How many labels to list for a row; all that have a vote by default.
    n_jobs : int, optional
        Blocks of rows at a time; results do not depend on it.

    Attributes
    ----------
    rows_ : float32
        The training rows scaled to length one; turned (feature by row) when they are sparse.
    labels_ : float32 CSR (n_rows, n_labels)
        Their labels.

    Notes
    -----
    Sparse queries walk the posting lists of their features, so that the cost is the number of
    training entries they meet; dense ones are multiplied block by block.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import NearestNeighbours
    >>> X = np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    >>> Y = np.array([[1, 0], [1, 1], [0, 1]])
    >>> NearestNeighbours(k=2).fit(X, Y).rank(np.array([[1.0, 0.0]]))
    Ranking(1 rows, 2 labels, 2 entries)
      0: 0 (1), 1 (0.498)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "rows_": Matrix(),
        "labels_": Sparse(),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    rows_: Any
    labels_: sp.csr_array

    def __init__(
        self, k: int | Sequence[int] = 50, top: int | None = None, n_jobs: int | None = None
    ) -> None:
        self.k = k
        self.top = top
        self.n_jobs = n_jobs

    def neighbours(self, X: Any) -> Ranking:
        """The k nearest training rows of each row: a Ranking whose labels are row numbers."""
        return self._neighbours(known_rows(self, X))

    @property
    def stages(self) -> list[str]:
        """One for each number of neighbours, the largest first."""
        ks = self._ks
        return super().stages if len(ks) == 1 else [f"{type(self).__name__} {k}" for k in ks]

    @property
    def _ks(self) -> list[int]:
        if isinstance(self.k, Sequence | np.ndarray) and not isinstance(self.k, str):
            return sorted(self.k, reverse=True)
        return [self.k]

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        unit = _unit_length(X)
        self.rows_ = sp.csr_array(unit.T) if sp.issparse(unit) else unit
        self.labels_ = Y

    def _rank(self, X: Any, k: int | None) -> Ranking:
        return self._voted(self._neighbours(X), k or self.top)

    def _rank_stages(self, X: Any) -> list[Ranking]:
        near = self._neighbours(X)
        return [self._voted(near.top(k), self.top) for k in self._ks]

    def _voted(self, near: Ranking, top: int | None) -> Ranking:
        totals = np.add.reduceat(np.append(near.scores, 0), near.indptr[:-1])
        shares = near.scores / np.repeat(totals, near.lengths)
        weights = sp.csr_array(
            (shares.astype(np.float32), near.labels, near.indptr), shape=near.shape
        )
        return Ranking.from_csr(weights @ self.labels_, top)

    def _neighbours(self, X: Any) -> Ranking:
        sparse = sp.issparse(self.rows_)
        queries = _unit_length(sp.csr_array(X) if sparse else X)
        if sp.issparse(queries) and not sparse:
            queries = queries.toarray()
        n_train, most = self.labels_.shape[0], int(self._ks[0])
        block = 1024 if sparse else max(1, (1 << 26) // max(n_train, 1))  # 256 MB of similarities

        def near(part: slice) -> Ranking:
            if not sparse:
                similar = Ranking.from_dense(queries[part] @ self.rows_.T, most)
                return similar.filtered(similar.scores > 0)
            q, p = queries[part], self.rows_
            arrays = _native.nearest_sparse(
                *(q.indptr.astype(np.int64), q.indices.astype(np.int32), q.data),
                *(p.indptr.astype(np.int64), p.indices.astype(np.int32, copy=False), p.data),
                *(n_train, most),
            )
            return Ranking(*arrays, n_train)

        blocks = over_blocks(near, queries.shape[0], self.n_jobs, block)
        return Ranking.stack(blocks) if blocks else Ranking([0], [], [], n_train)

    def _check_params(self) -> None:
        for k in self._ks:
            whole("k", k)
        if not self._ks:
            raise InputError("k must be a whole number from 1 or several, found none.")
        if self.top is not None:
            whole("top", self.top)
        if self.n_jobs is not None and (not isinstance(self.n_jobs, int) or self.n_jobs == 0):
            raise InputError(f"n_jobs must be a whole number other than 0, found {self.n_jobs!r}.")

    def _check_fitted(self) -> None:
        super()._check_fitted()
        rows, features = self.rows_.shape[::-1] if sp.issparse(self.rows_) else self.rows_.shape
        if rows != self.labels_.shape[0] or features != self.n_features_in_:
            raise ValueError("rows, labels and features do not have the same numbers")
        if self.labels_.shape[1] != self.n_labels_:
            raise ValueError(f"{self.labels_.shape[1]} columns for {self.n_labels_} labels")


def _unit_length(X: Any) -> Any:
    """Rows divided by their length, which is taken in float64: squares of float32 may overflow."""
    if sp.issparse(X):
        squares = np.append(np.square(X.data, dtype=np.float64), 0)
        sums = np.where(np.diff(X.indptr) > 0, np.add.reduceat(squares, X.indptr[:-1]), 0)
        lengths = np.where(sums > 0, np.sqrt(sums), 1)
        unit = (X.data / np.repeat(lengths, np.diff(X.indptr))).astype(np.float32)
        return sp.csr_array((unit, X.indices, X.indptr), shape=X.shape)
    sums = np.einsum("ij,ij->i", X, X, dtype=np.float64)
    lengths = np.where(sums > 0, np.sqrt(sums), 1)
    return np.ascontiguousarray(X / lengths[:, None], dtype=np.float32)
