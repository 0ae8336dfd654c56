"""TopK: the same number of labels for every row."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelrank.cutoffs.base import Cutoff
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["TopK"]


class TopK(Cutoff):
    """Keep the first k labels of each row.

    Parameters
    ----------
    k : int

    Examples
    --------
    >>> from labelrank import Ranking
    >>> from labelrank.cutoffs import TopK
    >>> TopK(k=1).keep(Ranking.from_lists([[2, 0, 1]]))
    Ranking(1 rows, 3 labels, 1 entries)
      0: 2 (1)
    """

    def __init__(self, k: int = 5) -> None:
        self.k = k

    def _keep(self, ranking: Ranking, X: Any) -> Ranking:
        self._check_fitted()
        return ranking.top(self.k)

    def _check_fitted(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int | np.integer) or self.k < 0:
            raise InputError(f"TopK: k must be a whole number, 0 or more, found {self.k!r}.")
