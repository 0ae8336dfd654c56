"""StageScores: what the stages that found the candidates say of them, as features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.errors import InputError
from labelrank.features.base import Features
from labelrank.features.told import told
from labelrank.ranking import Ranking
from labelrank.store import Field, Number

__all__ = ["StageScores"]


class StageScores(Features):
    """Describe a pair by what each stage of the scorer says of it.

    Three columns a stage: its score, the score less the best one of the row, and 1/place. A label
    that a stage does not list has the least score of the stage's list, and 1/place 0. Nothing is
    computed twice: `LabelRanker` hands on what the stages of its scorer listed.

    Parameters
    ----------
    stages : sequence of str
        The names of the stages, in order: `Scorer.stages` of the scorer.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.features import StageScores
    >>> features = StageScores(["tree"]).fit(np.eye(2), np.eye(2))
    >>> features.names
    ['tree', 'tree - best', '1/place of tree']
    >>> listed = Ranking.from_lists([[1]], [[0.8]], n_labels=2)
    >>> features.describe(np.eye(2)[:1], Ranking.from_lists([[0, 1]]), [listed])
    array([[0.8, 0. , 0. ],
           [0.8, 0. , 1. ]], dtype=float32)
    """

    fitted: ClassVar[dict[str, Field]] = {"n_features_in_": Number(), "n_labels_": Number()}

    def __init__(self, stages: Sequence[str]) -> None:
        self.stages = stages

    @property
    def names(self) -> list[str]:
        """Three for each stage."""
        return [c for s in self.stages for c in (s, f"{s} - best", f"1/place of {s}")]

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        if isinstance(self.stages, str) or not all(isinstance(s, str) for s in self.stages):
            raise InputError(f"StageScores: stages must be a list of names, found {self.stages!r}.")

    def _told(self, X: Any, ranking: Ranking, stages: Sequence[Ranking]) -> NDArray[np.float32]:
        if len(stages) != len(self.stages):
            raise InputError(
                f"StageScores has {len(self.stages)} stages, but {len(stages)} were handed on: "
                "describe(X, ranking, scorer.rank_stages(X))."
            )
        F = np.empty((ranking.n_entries, 3 * len(stages)), dtype=np.float32)
        for at, listed in enumerate(stages):
            best = np.zeros(listed.n_rows, dtype=np.float32)
            filled = listed.lengths > 0
            best[filled] = listed.scores[listed.indptr[:-1][filled]]
            F[:, 3 * at : 3 * at + 3 : 2] = told(listed, ranking)
            F[:, 3 * at + 1] = F[:, 3 * at] - best[ranking.rows]
        return F

    def _describe(self, X: Any, ranking: Ranking) -> NDArray[np.float32]:
        return self._told(X, ranking, ())

    def _describe_training(self, ranking: Ranking) -> NDArray[np.float32]:
        raise InputError(
            "StageScores cannot leave training rows out of what stages learned: use "
            "LabelRanker(holdout=5), which describes rows by stages that have not seen them."
        )
