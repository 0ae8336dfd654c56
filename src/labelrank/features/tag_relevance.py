"""TagRelevance: how relevant a tag is to a thing, by the metrics of paper 001, Table I."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelrank.data.relevance import METRICS, Tuning, relevance
from labelrank.data.tag_settings import Settings
from labelrank.data.things import Rows
from labelrank.features.things import ThingFeatures
from labelrank.ranking import Ranking

__all__ = ["TagRelevance"]


class TagRelevance(ThingFeatures):
    r"""Describe a tag c for a thing o with tags I_o and text fields F_o^i (paper 001, Table I).

    ========= ==== ================================================================================
    Sum(l=1)  (1)  :math:`\sum_{x \in I_o} \theta(x \to c)` over the rules R
    Sum(l=3)  (1)  the same over all :math:`X \subseteq I_o` of at most ``length`` tags
    Sum+      (2)  :math:`\sum_x \theta(x \to c)\, Stab(x, k_x)\, Stab(c, k_c)\, Rank(c, x, k_r)`
    Vote      (3)  for how many :math:`x \in I_o` there is a rule :math:`x \to c`
    Vote+     (4)  as Sum+, without :math:`\theta`
    TS        (5)  in how many fields c stands
    TF        (6)  how often it stands there
    wTS       (7)  as TS, each field counted by its average spread AFS
    wTF       (8)  as TF, likewise
    IFF       (9)  :math:`\log ((|D| + 1) / (f_c^{tag} + 1))`
    Stab      (10) :math:`k_s / (k_s + |k_s - \log f_c^{tag}|)`
    H         (11) :math:`-\sum_{c \to i} \theta(c \to i) \log \theta(c \to i)`
    Pred      (12) :math:`f_c^{tag,F} / f_c^F`
    ========= ==== ================================================================================

    with :math:`Rank(c, x, k_r) = k_r / (k_r + p(c, x))`, where p counts from 1 the candidates that
    x implies with more confidence than c, so that equal confidences have equal places. Logarithms
    are natural. A tag stands in a text where its words do, in their order, by their stems.

    Parameters
    ----------
    length : int
        Tags in X, 1 to 3.
    k_x, k_c, k_r, k_s : float
        Tuning parameters. The k of Stab is the logarithm of an ideal number of uses.
    wide : int
        Of a thing with more tags, only so many, the rarest, are put together in X of two or three.
    settings : Settings, optional
        Of the `Things` that fit makes.

    Examples
    --------
    >>> from labelrank import Ranking
    >>> from labelrank.data import Dataset
    >>> from labelrank.features import TagRelevance
    >>> data = Dataset(Y=[[1, 1, 0], [1, 1, 0], [1, 0, 1]], label_names=["python", "test", "c"])
    >>> relevance = TagRelevance().fit(data)
    >>> new = Dataset(Y=[[1]], label_names=["python"], texts={"title": ["Testing tests"]})
    >>> F = relevance.describe(new, Ranking.from_lists([[1]], n_labels=3))
    >>> [round(float(value), 3) for value in F[0, :3]]  # Sum(l=1), Sum(l=3), Sum+
    [0.667, 0.667, 0.168]
    """

    names: ClassVar[list[str]] = list(METRICS)

    def __init__(
        self,
        length: int = 3,
        k_x: float = 5.0,
        k_c: float = 5.0,
        k_r: float = 5.0,
        k_s: float = 5.0,
        wide: int = 12,
        settings: Settings | None = None,
    ) -> None:
        self.length = length
        self.k_x = k_x
        self.k_c = k_c
        self.k_r = k_r
        self.k_s = k_s
        self.wide = wide
        self.settings = settings

    @property
    def tuning(self) -> Tuning:
        """The parameters as the kernel takes them."""
        return Tuning(self.length, self.wide, self.k_x, self.k_c, self.k_r, self.k_s)

    def _check_params(self) -> None:
        self.tuning.check()

    def _describe_rows(self, rows: Rows, ranking: Ranking) -> NDArray[np.float32]:
        return relevance(self.things_, rows, self.tuning, given=ranking).F
