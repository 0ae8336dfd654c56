"""Meta-level features: a pair described by the distances of the row to a label's nearest rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from labelrank._parallel import over_tasks
from labelrank._rows import known_rows
from labelrank.errors import InputError
from labelrank.features.base import Features
from labelrank.features.nearness import Nearness, nearness
from labelrank.ranking import Ranking
from labelrank.store import Field, Matrix, Number, Sparse

__all__ = ["MetaLevel", "Neighbours"]

_SHORT = {"l2": "l2", "l1": "l1", "cosine": "cos"}
_BLOCK_BYTES = 1 << 22  # of F, so that what a block adds to it stays small


class Neighbours(NamedTuple):
    """The nearest training rows of each pair: `MetaLevel.neighbours`.

    Attributes
    ----------
    rows : int32 (n_entries, k)
        Numbers of training rows that have the label, nearest first; -1 where there are no more.
    distances : float32 (n_entries, k)
        How far they are; infinite where there are no more.
    """

    rows: NDArray[np.int32]
    distances: NDArray[np.float32]


class MetaLevel(Features):
    r"""Describe a pair by distances to the label's k nearest training rows and to its centroid.

    .. math::
        \phi(x, c) = [\phi_{L_2}(x, c), \phi_{L_1}(x, c), \phi_{\cos}(x, c), \phi_{mod}(x, c)]

    Formula (1) of Yang & Gopal 2012, 3k + 2 numbers: each of the first three parts has, rising,
    the distances of x to its k nearest among the training rows of label c, and the last one the
    L2 and the cosine distance to the centroid, the mean of those rows. A label with fewer than k
    rows repeats its largest distance (footnote 1).

    `describe_training` leaves each row out of its neighbours and of the centroids of its own
    labels; equal rows stay. So a label of n rows has n - 1 for its own rows. The number and spread
    of those would tell which labels are a row's own, above all where n is not much larger than k,
    and a ranker would learn it. Therefore one row of each other label is left out of the
    neighbours, too: row i and label c (numbers from 0) do without the (i + c mod n)-th row of c.

    Parameters
    ----------
    k : int
        Neighbours for each distance, 1 to 200; the paper's range is 10 to 100.
    distances : sequence of {"l2", "l1", "cosine"}
        Which neighbours to look for, in the order of the columns. The cosine distance is one less
        the cosine; of a row of zeros it is 1 to every row.
    centroid : bool
        Whether the two distances to the centroid are columns too.
    n_jobs : int, optional
        Blocks of rows at a time; results do not depend on it.

    Attributes
    ----------
    rows_ : float32 (n_rows, n_features)
        The training rows, dense or CSR as in fit.
    members_ : float32 CSR (n_labels, n_rows)
        The rows of each label.

    Notes
    -----
    A label that has no row (or none but the one described) is described as if it had a single one
    that is as long as the longest training row and has nothing in common with x: for L1 the sum of
    both lengths, for L2 the root of the sum of their squares, for the cosine 1.

    Dense rows are compared in float32, by difference; sparse ones by the features they share, in
    double, and are never made dense. Only rows of labels that the ranking lists are looked at.
    Each thread takes, beside what it returns, 64 bytes for each such row and distance (and 128 for
    the centroids of sparse rows). A model that was loaded still has its rows, so it describes
    them too.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.features import MetaLevel
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> Y = np.array([[1, 0], [1, 0], [0, 1]])
    >>> features = MetaLevel(k=2, distances=["l2", "l1"], centroid=False).fit(X, Y)
    >>> features.names
    ['l2_1', 'l2_2', 'l1_1', 'l1_2']
    >>> both = Ranking.from_lists([[0, 1]])
    >>> features.describe(np.array([[0.0, 0.0]]), both)
    array([[ 0.,  5.,  0.,  7.],
           [10., 10., 14., 14.]], dtype=float32)
    >>> features.neighbours(np.array([[0.0, 0.0]]), both).rows
    array([[ 0,  1],
           [ 2, -1]], dtype=int32)
    """

    fitted: ClassVar[dict[str, Field]] = {
        "rows_": Matrix(),
        "members_": Sparse(),
        "n_features_in_": Number(),
        "n_labels_": Number(),
        "n_rows_": Number(),
    }
    rows_: Any
    members_: sp.csr_array
    _nearness: Nearness

    def __init__(
        self,
        k: int = 10,
        distances: Any = ("l2", "l1", "cosine"),
        centroid: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.distances = distances
        self.centroid = centroid
        self.n_jobs = n_jobs

    @property
    def names(self) -> list[str]:
        """``l2_1 … l2_k, l1_1 …, cos_1 …, centroid_l2, centroid_cos``."""
        near = [f"{_SHORT[name]}_{j}" for name in self.distances for j in range(1, self.k + 1)]
        return near + ["centroid_l2", "centroid_cos"] * bool(self.centroid)

    def neighbours(self, X: Any, ranking: Ranking, distance: str | None = None) -> Neighbours:
        """The k nearest training rows that have the label, for each pair of new rows.

        Parameters
        ----------
        X : sparse or dense array (n_rows, n_features)
        ranking : Ranking
            The pairs.
        distance : {"l2", "l1", "cosine"}, optional
            By default the first of `distances`, or "l2". Of equally near rows the first one counts.

        Returns
        -------
        Neighbours
        """
        rows = known_rows(self, X)
        self._check(ranking, rows.shape[0])
        return self._neighbours(rows, ranking, None, distance)

    def neighbours_training(self, ranking: Ranking, distance: str | None = None) -> Neighbours:
        """The same for pairs of the training rows, each left out of its own neighbours."""
        check_is_fitted(self)
        self._check(ranking, self.n_rows_)
        return self._neighbours(self.rows_, ranking, np.arange(self.n_rows_), distance)

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self._check_params()
        self.rows_ = X if sp.issparse(X) else np.ascontiguousarray(X)
        members = sp.csr_array(Y.T)
        ones = np.ones(members.nnz, dtype=np.float32)
        self.members_ = sp.csr_array((ones, members.indices, members.indptr), shape=members.shape)
        self._nearness = nearness(self.rows_, self.members_, bool(self.centroid))

    def _describe(self, X: Any, ranking: Ranking) -> NDArray[np.float32]:
        return self._described_pairs(X, ranking, None)

    def _describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        return self._described_pairs(self.rows_, ranking, np.arange(self.n_rows_))

    def _described_pairs(self, X: Any, ranking: Ranking, own: Any) -> NDArray[np.float32]:
        starts = {name: at * self.k for at, name in enumerate(self.distances)}
        width = len(starts) * self.k
        if self.centroid:
            starts["centroid"] = width
            width += 2

        def described(part: slice) -> tuple[slice, NDArray[np.float32]]:
            pairs = ranking if part == slice(0, len(ranking)) else ranking[part]
            mine = None if own is None else own[part]
            values, _ = self._nearness.describe(X[part], pairs, mine, self.k, starts, width, False)
            self._nearness.fill(values, X[part], pairs, mine, self.k, starts)
            return slice(ranking.indptr[part.start], ranking.indptr[part.stop]), values

        parts = self._parts(ranking, width)
        if len(parts) == 1:
            return described(parts[0])[1]
        F = np.empty((ranking.n_entries, width), dtype=np.float32)
        for entries, values in over_tasks(described, parts, self.n_jobs):
            F[entries] = values
            del values  # before the next block is made
        return F

    def _neighbours(self, X: Any, ranking: Ranking, own: Any, distance: str | None) -> Neighbours:
        name = distance or next(iter(self.distances), "l2")
        if name not in _SHORT:
            raise InputError(f"distance must be one of {', '.join(_SHORT)}, found {name!r}.")

        def found(part: slice) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
            mine = None if own is None else own[part]
            return self._nearness.describe(
                X[part], ranking[part], mine, self.k, {name: 0}, self.k, True
            )

        blocks = list(over_tasks(found, self._parts(ranking, 2 * self.k), self.n_jobs))
        empty = np.empty((0, self.k), dtype=np.float32)
        return Neighbours(
            np.concatenate([empty.astype(np.int32), *(rows for _, rows in blocks)]),
            np.concatenate([empty, *(distances for distances, _ in blocks)]),
        )

    @staticmethod
    def _parts(ranking: Ranking, width: int) -> list[slice]:
        """Consecutive blocks of rows, which depend on the ranking alone."""
        n = ranking.n_rows
        row_bytes = 4 * width * ranking.n_entries / max(n, 1)
        block = max(1, min(64, int(_BLOCK_BYTES / max(row_bytes, 1)) // 16)) * 16
        return [slice(at, min(at + block, n)) for at in range(0, n, block)]

    def _check_params(self) -> None:
        k, names = self.k, self.distances
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= 200:
            raise InputError(f"k must be a whole number from 1 to 200, found {k!r}.")
        listed = isinstance(names, Sequence) and not isinstance(names, str)
        if not listed or not all(isinstance(n, str) and n in _SHORT for n in names):
            raise InputError(f"distances must be some of {', '.join(_SHORT)}, found {names!r}.")
        if len(set(names)) < len(names):
            raise InputError(f"distances names one twice: {names!r}.")
        if not len(names) and not self.centroid:
            raise InputError("without distances and without centroid there is nothing to describe.")
        if self.n_jobs is not None and (not isinstance(self.n_jobs, int) or self.n_jobs == 0):
            raise InputError(f"n_jobs must be a whole number other than 0, found {self.n_jobs!r}.")

    def _check_fitted(self) -> None:
        self._check_params()
        if self.rows_.shape != (self.n_rows_, self.n_features_in_):
            raise ValueError(f"{self.rows_.shape} numbers of {self.n_rows_} rows")
        if self.members_.shape != (self.n_labels_, self.n_rows_):
            raise ValueError(f"members of shape {self.members_.shape} for {self.n_labels_} labels")
        for matrix in (self.rows_, self.members_):
            if sp.issparse(matrix) and not matrix.has_canonical_format:
                raise ValueError("the columns of a row are not in order")
        self._nearness = nearness(self.rows_, self.members_, bool(self.centroid))
