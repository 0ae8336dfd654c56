"""Label coverage: how many different labels a system ever shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from labelrank.measures.base import Measure, Rows
from labelrank.measures.judged import Judged
from labelrank.ranking import Ranking

__all__ = ["LabelCoverage"]


@dataclass(frozen=True, kw_only=True)
class LabelCoverage(Measure):
    r"""C@k: distinct labels in all top-k lists over those in the oracle's top-k lists.

    .. math:: C@k = \frac{|\bigcup_i \mathrm{top}_k(\hat y_i)|}{|\bigcup_i \mathrm{top}_k(y_i)|}

    Paper 003, section 7. The oracle lists the relevant labels by grade, then by smaller label id.
    A system may show labels that no oracle shows: C@k can pass 1, and says nothing about being
    right.

    Parameters
    ----------
    k : int

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> ranking = Ranking.from_lists([[0, 1], [0, 2]])
    >>> LabelCoverage(k=1)(ranking, np.array([[1, 0, 0], [0, 1, 0]])).value
    0.5
    """

    k: int
    name: ClassVar[str] = "C"
    unit: ClassVar[str] = "label"
    tie_policies: ClassVar[tuple[str, ...]] = ("order",)

    def _rows(self, judged: Judged) -> Rows:
        n = judged.ranking.n_labels
        oracle = Ranking.from_entries(judged.indptr, judged.labels, judged.grades, n, self.k)
        shown = np.zeros(n)
        shown[judged.ranking.top(self.k).labels] = 1
        wanted = np.zeros(n)
        wanted[oracle.labels] = 1
        return Rows(shown, wanted)
