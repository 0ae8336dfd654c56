"""LinearMix: a convex combination of features whose weights are given, not learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelrank.errors import InputError
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.linear import LinearRanker
from labelrank.rankers.watch import Watch

__all__ = ["LinearMix"]


class LinearMix(LinearRanker):
    r"""The sum of some features, each with a fixed weight.

    .. math:: s = \sum_j \omega_j x_j, \qquad \omega_j \ge 0, \quad \sum_j \omega_j = 1

    The form of LATRE+wTS (paper 001, (13)) and of PfastreXML's last step (paper 003, (8)); what
    learned rankers are compared with. `tune` chooses weights from a list.

    Parameters
    ----------
    weights : mapping of names, or sequence of one number a feature, optional
        Divided by their sum. Features that a mapping does not name count nothing; names are those
        that fit is given. All features alike by default.
    n_jobs : int, optional

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers import LinearMix
    >>> ranking = Ranking.from_dense(np.zeros((1, 2)))
    >>> F, names = np.array([[0.5, 3.0], [1.0, 1.0]]), ["Sum", "wTS"]
    >>> mix = LinearMix({"Sum": 0.9, "wTS": 0.1}).fit(ranking, F, np.array([[0, 1]]), names=names)
    >>> mix.rerank(ranking, F)
    Ranking(1 rows, 2 labels, 2 entries)
      0: 1 (1), 0 (0.75)
    """

    def __init__(
        self,
        weights: Mapping[str, float] | Sequence[float] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.weights = weights
        self.n_jobs = n_jobs

    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        given = self._given()
        total = given.sum()
        if not np.isfinite(given).all() or (given < 0).any() or not 0 < total < np.inf:
            raise InputError(
                "LinearMix: weights must be finite numbers from 0, one of them above 0; found "
                f"{given.tolist()}."
            )
        self.weights_ = given / total
        self.means_ = np.zeros(self.n_features_in_)

    def _given(self) -> NDArray[np.float64]:
        """The weight of each column before the division."""
        if self.weights is None:
            return np.ones(self.n_features_in_)
        if isinstance(self.weights, Mapping):
            names = self.feature_names
            unknown = [name for name in self.weights if name not in names]
            if unknown:
                raise InputError(
                    f"LinearMix: there is no feature {unknown[0]!r}; there are {', '.join(names)}."
                )
            numbers: Any = [self.weights.get(name, 0.0) for name in names]
        else:
            numbers = self.weights
        try:
            given = np.asarray(numbers, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"LinearMix: weights must be numbers, found {numbers!r}.") from None
        if given.shape != (self.n_features_in_,):
            raise InputError(
                f"LinearMix: {given.size} weights were given for {self.n_features_in_} features."
            )
        return given
