"""Splits: stratified folds for several labels, half of the tags, portions."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelrank._labels import check_labels
from labelrank.errors import InputError

__all__ = ["MultilabelStratifiedKFold", "half_of_the_tags", "portions"]


class MultilabelStratifiedKFold:
    """Folds in which every label is spread as evenly as it can be.

    Iterative stratification (Sechidis, Tsoumakas & Vlahavas 2011): the rarest label that is left is
    dealt out first, each of its rows to the fold that wants that label most, then to the fold that
    wants rows most, then by chance.

    Parameters
    ----------
    n_splits : int
    random_state : int, RandomState or None

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[1, 0]] * 6 + [[0, 1]] * 3)
    >>> folds = MultilabelStratifiedKFold(3, random_state=0)
    >>> [Y[test].sum(axis=0).tolist() for _, test in folds.split(Y, Y)]
    [[2, 1], [2, 1], [2, 1]]
    """

    def __init__(self, n_splits: int = 5, *, random_state: Any = None) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many folds."""
        return self.n_splits

    def split(
        self, X: Any, y: Any, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """(training rows, test rows) of each fold, both rising; X is not looked at."""
        fold = self.folds(y)
        for i in range(self.n_splits):
            yield np.flatnonzero(fold != i), np.flatnonzero(fold == i)

    def folds(self, Y: Any) -> NDArray[np.int64]:
        """The fold of each row."""
        truth = check_labels(Y)
        n, k = truth.shape[0], self.n_splits
        if not isinstance(k, int | np.integer) or not 2 <= k <= n:
            raise InputError(f"n_splits must lie between 2 and the number of rows {n}, found {k}.")
        chance = check_random_state(self.random_state)
        luck = chance.random_sample((n, k))  # drawn at once: the order of the work does not matter
        columns = truth.tocsc()
        left = np.diff(columns.indptr).tolist()  # rows of each label still to be dealt
        label_wants = [[count / k] * k for count in left]
        row_wants = [n / k] * k
        fold = np.full(n, -1, dtype=np.int64)
        queue = [(count, label) for label, count in enumerate(left) if count]
        heapq.heapify(queue)
        while queue:
            count, label = heapq.heappop(queue)
            if count != left[label]:  # an old entry: a newer one stands in the queue
                continue
            wants = label_wants[label]
            for row in columns.indices[columns.indptr[label] : columns.indptr[label + 1]]:
                if fold[row] >= 0:
                    continue
                dice = luck[row]
                best = max(range(k), key=lambda j: (wants[j], row_wants[j], dice[j]))
                fold[row] = best
                row_wants[best] -= 1
                for other in truth.indices[truth.indptr[row] : truth.indptr[row + 1]]:
                    label_wants[other][best] -= 1
                    left[other] -= 1
                    if left[other] and other != label:
                        heapq.heappush(queue, (left[other], int(other)))
        for row in np.flatnonzero(fold < 0):  # rows without a label
            dice = luck[row]
            best = max(range(k), key=lambda j: (row_wants[j], dice[j]))
            fold[row] = best
            row_wants[best] -= 1
        return fold


def half_of_the_tags(Y: Any, random_state: Any = None) -> tuple[sp.csr_array, sp.csr_array]:
    """Split each row's labels into those given as input and those to be found.

    Paper 001, section 5.2: half of the tags, drawn by chance, are the input I_o, the other half the
    gold standard Y_o. Of an odd number the gold standard has one more.

    Parameters
    ----------
    Y : (n_rows, n_labels) grades
    random_state : int, RandomState or None

    Returns
    -------
    (given, gold), both of the shape of Y.

    Examples
    --------
    >>> import numpy as np
    >>> given, gold = half_of_the_tags(np.ones((1, 4)), random_state=0)
    >>> given.nnz, gold.nnz, (given + gold).toarray()
    (2, 2, array([[1., 1., 1., 1.]]))
    """
    truth = check_labels(Y)
    luck = check_random_state(random_state).random_sample(truth.nnz)
    counts = np.diff(truth.indptr)
    rows = np.repeat(np.arange(truth.shape[0]), counts)
    order = np.lexsort((luck, rows))
    place = np.arange(truth.nnz) - np.repeat(truth.indptr[:-1], counts)
    is_given = np.zeros(truth.nnz, dtype=bool)
    is_given[order] = place < np.repeat(counts // 2, counts)
    halves = []
    for chosen in (is_given, ~is_given):
        pointer = np.concatenate([[0], np.cumsum(chosen)])[truth.indptr]
        parts = (truth.data[chosen], truth.indices[chosen], pointer)
        halves.append(sp.csr_array(parts, shape=truth.shape))
    return halves[0], halves[1]


def portions(
    n_rows: int, n_portions: int = 5, random_state: Any = None
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """(training, validation, test) rows, each portion once the test and once the validation part.

    Paper 001, section 5.2: five equal portions, three for training (rules and metrics), one for
    validation (the ranking function), one for the test.

    Parameters
    ----------
    n_rows : int
    n_portions : int
        At least 3; all but two of them are for training.
    random_state : int, RandomState or None

    Examples
    --------
    >>> [(len(d), len(v), len(o)) for d, v, o in portions(10, random_state=0)][:2]
    [(6, 2, 2), (6, 2, 2)]
    """
    if not isinstance(n_portions, int | np.integer) or not 3 <= n_portions <= n_rows:
        raise InputError(f"n_portions must lie between 3 and {n_rows} rows, found {n_portions}.")
    order = check_random_state(random_state).permutation(n_rows)
    parts = [np.sort(part) for part in np.array_split(order, n_portions)]
    for i in range(n_portions):
        test, validation = parts[i], parts[(i - 1) % n_portions]
        rest = [p for j, p in enumerate(parts) if j not in (i, (i - 1) % n_portions)]
        yield np.sort(np.concatenate(rest)), validation, test
