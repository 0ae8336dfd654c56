"""How many tries to average: as many as are best on rows that had no say in which are best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.model_selection import RepeatedKFold

from labelrank.measures import Measure
from labelrank.ranking import Ranking

__all__ = ["how_many"]

_MOST = 8  # tries that are averaged at most: each is fitted, saved and run
_FOLDS, _REPEATS = 5, 4


def how_many(
    scores: Sequence[NDArray[Any]], ranking: Ranking, Y: sp.csr_array, judge: Measure, given: Any
) -> int:
    """The size of the best mean, when the best tries are those of other rows.

    On the rows that chose it, the try that came out best looks better than it is, and so better
    than a mean of several. So the rows are split, several times: four fifths put the tries in
    order, the last fifth judges the means of the first 1, 2, 4, 8, …

    Parameters
    ----------
    scores : list of arrays (n_entries,)
        Cross-validated scores of each try, on scales that can be added.
    ranking : Ranking
        The candidates.
    Y : CSR (n_rows, n_labels)
    judge : Measure
    given : dict
        What the measure has to be told beside rankings and truth.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from labelrank import Ranking, measure
    >>> from labelrank.recipes.averaging import how_many
    >>> rng = np.random.default_rng(0)
    >>> ranking = Ranking.from_dense(np.zeros((200, 5)))
    >>> Y = sp.csr_array(rng.random((200, 5)) < 0.3)
    >>> truth = Y.toarray().ravel()
    >>> noisy = [truth + rng.normal(size=1000) for _ in range(4)]
    >>> how_many(noisy, ranking, Y, measure("MAP"), {})  # each makes mistakes of its own
    4
    >>> how_many([truth, *noisy], ranking, Y, measure("MAP"), {})
    1
    """
    sizes = _sizes(min(len(scores), _MOST))
    if len(sizes) == 1 or len(ranking) < _FOLDS:
        return 1
    sign = 1 if judge.higher_is_better else -1
    orders = [ranking.reordered(s) for s in scores]

    def worth(found: Ranking, rows: NDArray[np.int64]) -> float:
        value = judge(found[rows], Y[rows], **given).value
        return -np.inf if np.isnan(value) else sign * value

    split = RepeatedKFold(n_splits=_FOLDS, n_repeats=_REPEATS, random_state=0)
    worths = []
    for rows, others in split.split(np.arange(len(ranking))):
        best = np.argsort([-worth(order, rows) for order in orders], kind="stable")
        means = np.cumsum([scores[t] for t in best[: sizes[-1]]], axis=0)
        worths.append([worth(ranking.reordered(means[n - 1]), others) for n in sizes])
    return sizes[int(np.argmax(np.mean(worths, axis=0)))]


def _sizes(most: int) -> list[int]:
    """1, 2, 4, 8, … and all of them."""
    return sorted({*(2**i for i in range(most.bit_length())), most})
