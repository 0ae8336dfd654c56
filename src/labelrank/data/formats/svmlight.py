"""SVMlight text: ``1,7 1:.5 3:1`` with several labels, or ``2 qid:9 1:.5`` for learning to rank."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from labelrank.data.dataset import Dataset
from labelrank.data.files import stem_and_suffix
from labelrank.data.formats.sparse_text import LABEL_LIST, TARGET, read_rows
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["Groups", "read_qid", "read_svmlight"]


def read_svmlight(
    path: str | Path,
    *,
    n_features: int | None = None,
    n_labels: int | None = None,
    zero_based: bool | Literal["auto"] = "auto",
) -> Dataset:
    """Read an SVMlight file whose rows start with label numbers, ``3,7``.

    Parameters
    ----------
    path : path
    n_features, n_labels : int, optional
        Sizes of X and Y; give those of the training file to read a test file that lacks the last
        feature or label.
    zero_based : bool or "auto"
        Whether the first feature is number 0; "auto" takes it to be 1 when no 0 occurs. Label
        numbers are kept as they are.
    """
    rows = read_rows(path, LABEL_LIST)
    X = _columns(path, rows.X, n_features, zero_based)
    Y = rows.Y
    assert Y is not None
    return Dataset(X, _resized(path, Y, n_labels, "label"), name=stem_and_suffix(path)[0])


class Groups:
    """Learning-to-rank data: groups of candidates, each described by numbers and graded.

    Attributes
    ----------
    F : float32 array (n_pairs, n_features)
        One row a candidate, the groups one after another.
    grades : array (n_pairs,)
    indptr : array (n_groups + 1,)
        Group g is the rows ``indptr[g]:indptr[g + 1]``.
    queries : array (n_groups,)
        The qid of each group.
    lines : array (n_pairs,)
        Which row of the file each candidate was, from 0.
    """

    def __init__(
        self,
        F: NDArray[np.float32],
        grades: NDArray[np.float64],
        indptr: NDArray[np.int64],
        queries: NDArray[np.int64],
        lines: NDArray[np.int64] | None = None,
    ) -> None:
        self.F, self.grades, self.indptr, self.queries = F, grades, indptr, queries
        self.lines = np.arange(len(F)) if lines is None else lines

    @property
    def candidates(self) -> Ranking:
        """The groups as rows; the labels of a row are its candidates' numbers, all scored 0."""
        sizes = np.diff(self.indptr)
        labels = np.arange(len(self.F)) - np.repeat(self.indptr[:-1], sizes)
        return Ranking(self.indptr, labels, np.zeros(len(self.F)), int(sizes.max(initial=0)))

    @property
    def Y(self) -> sp.csr_array:
        """The grades, one row a group, aligned with `candidates`."""
        ranking = self.candidates
        entries = (self.grades, ranking.labels, self.indptr)
        matrix = sp.csr_array(entries, shape=ranking.shape, copy=True)  # zeros leave in place
        matrix.eliminate_zeros()
        return matrix

    def __getitem__(self, groups: slice | ArrayLike) -> Groups:
        """Some of the groups: a slice, group numbers, or one boolean a group."""
        rows = self.candidates.entries_of(groups)
        chosen = np.arange(len(self))[groups if isinstance(groups, slice) else np.asarray(groups)]
        indptr = np.concatenate([[0], np.cumsum(np.diff(self.indptr)[chosen])])
        parts = (self.F[rows], self.grades[rows], indptr, self.queries[chosen])
        return Groups(*parts, self.lines[rows])

    def of_width(self, n_features: int) -> Groups:
        """The same groups with zeros for features that are lacking, and none beyond the width."""
        F = np.zeros((len(self.F), n_features), dtype=np.float32)
        width = min(n_features, self.F.shape[1])
        F[:, :width] = self.F[:, :width]
        return Groups(F, self.grades, self.indptr, self.queries, self.lines)

    def __len__(self) -> int:
        return len(self.queries)

    def __repr__(self) -> str:
        n, d = self.F.shape
        return f"Groups({len(self)} groups, {n} candidates, {d} features)"


def read_qid(
    path: str | Path,
    *,
    n_features: int | None = None,
    zero_based: bool | Literal["auto"] = "auto",
) -> Groups:
    """Read a learning-to-rank file: ``grade qid:N f:v … # note`` a line (LETOR, SVMrank).

    Lines of one query need not stand together; their order is kept. See `read_svmlight` for the
    parameters.
    """
    rows = read_rows(path, TARGET)
    grades = rows.targets
    assert grades is not None
    for what, bad in (("names no qid", rows.queries < 0), ("has a grade below 0", grades < 0)):
        if bad.any():
            raise InputError(f"{path}: row {int(np.argmax(bad)) + 1} {what}.")
    X = _columns(path, rows.X, n_features, zero_based)
    queries, first, inverse = np.unique(rows.queries, return_index=True, return_inverse=True)
    seen = np.argsort(first, kind="stable")  # groups in the order of the file
    place = np.empty_like(seen)
    place[seen] = np.arange(len(seen))
    group = place[inverse]
    order = np.argsort(group, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(seen)))])
    return Groups(X[order].toarray(), grades[order], indptr, queries[seen], order)


def _columns(
    path: str | Path, X: sp.csr_array, wanted: int | None, zero_based: bool | Literal["auto"]
) -> sp.csr_array:
    """X with its first feature in column 0 and the wanted width."""
    first = int(X.indices.min()) if X.nnz else 1
    if X.shape[1] and (first > 0 if zero_based == "auto" else not zero_based):
        if first == 0:
            raise InputError(f"{path}: feature 0 occurs, so features do not count from 1.")
        X = sp.csr_array((X.data, X.indices - 1, X.indptr), shape=(X.shape[0], X.shape[1] - 1))
    return _resized(path, X, wanted, "feature")


def _resized(path: str | Path, matrix: sp.csr_array, wanted: int | None, what: str) -> sp.csr_array:
    if wanted is None or wanted == matrix.shape[1]:
        return matrix
    if wanted < matrix.shape[1]:
        raise InputError(
            f"{path}: {what} {matrix.shape[1] - 1} occurs, but only {wanted} {what}s are asked for."
        )
    return sp.csr_array(
        (matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], wanted)
    )
