"""ThresholdNetwork: a threshold for each label of each row, from what a network saw in it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelrank.cutoffs.learned import LearnedCutoff, Truth, real
from labelrank.deep import need_torch
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.store import Field, Number, Tensors

__all__ = ["ThresholdNetwork"]


class ThresholdNetwork(LearnedCutoff):
    r"""Keep the labels whose score is above a threshold that a small network gives them.

    .. math::
        \delta_{ij} = \sigma(f(x_i)_j - g(f_{feat}(x_i))_j) > \tfrac12

    with g of two layers, trained to make the truth likeliest (paper 002, section 3.4, formula 4;
    Li et al. 2017). `OrderedLabelNet` has one of its own; this one goes with any scorer and any
    features of its rows.

    Parameters
    ----------
    hidden : int
        Units of the first layer.
    epochs : int
        At most.
    batch : int
    rate, decay : float
        Of AdamW.
    patience : int
        Epochs without a better value on a tenth of the rows, which is held back.
    random_state : int, RandomState or None

    Attributes
    ----------
    weights_ : dict of arrays
    n_features_in_, n_labels_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.cutoffs import ThresholdNetwork
    >>> X = np.repeat([[0.0], [1.0]], 50, axis=0)
    >>> scores = np.tile([[3.0, 2.0, 1.0]], (100, 1))
    >>> Y = np.where(X > 0, [[1, 1, 0]], [[1, 0, 0]])
    >>> ranking = Ranking.from_dense(scores)
    >>> cutoff = ThresholdNetwork(rate=0.05, random_state=0).fit(ranking, Y, X)
    >>> cutoff.keep(ranking, X).lengths[[0, 99]].tolist()
    [1, 2]
    """

    fitted: ClassVar[dict[str, Field]] = {
        "weights_": Tensors(),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }
    weights_: dict[str, NDArray[Any]]
    n_features_in_: int

    def __init__(
        self,
        hidden: int = 128,
        epochs: int = 100,
        batch: int = 64,
        rate: float = 1e-3,
        decay: float = 1e-5,
        patience: int = 20,
        random_state: Any = 0,
    ) -> None:
        self.hidden = hidden
        self.epochs = epochs
        self.batch = batch
        self.rate = rate
        self.decay = decay
        self.patience = patience
        self.random_state = random_state

    def _learn(self, ranking: Ranking, Y: sp.csr_array, X: Any) -> None:
        need_torch("ThresholdNetwork")
        from labelrank.deep.thresholds import learned_thresholds

        features = self._features(X, ranking.n_rows)
        at = ranking.rows, ranking.labels
        scores, listed, relevant = (np.zeros(ranking.shape, kind) for kind in ("f4", bool, bool))
        scores[at], listed[at] = ranking.scores, True
        relevant[at] = Truth.of(ranking, Y).hits
        self.n_features_in_ = features.shape[1]
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        self.weights_ = learned_thresholds(
            features, scores, relevant, listed, hidden=self.hidden, epochs=self.epochs,
            batch=self.batch, rate=self.rate, decay=self.decay, patience=self.patience, seed=seed,
        )  # fmt: skip

    def _cut(self, ranking: Ranking, X: Any) -> Ranking:
        from labelrank.deep.thresholds import thresholds_of

        features = self._features(X, ranking.n_rows)
        if features.shape[1] != self.n_features_in_:
            raise InputError(
                f"X has {features.shape[1]} features, but ThresholdNetwork was fitted with "
                f"{self.n_features_in_}."
            )
        thresholds = thresholds_of(self.weights_, features)
        return ranking.filtered(ranking.scores > thresholds[ranking.rows, ranking.labels])

    @staticmethod
    def _features(X: Any, n_rows: int) -> NDArray[np.float32]:
        if X is None:
            raise InputError(
                "ThresholdNetwork needs the rows: fit(ranking, Y, X), keep(ranking, X)."
            )
        rows = np.asarray(X.toarray() if sp.issparse(X) else X)
        if rows.ndim != 2 or rows.dtype.kind not in "fiub" or len(rows) != n_rows:
            raise InputError(
                f"X must be {n_rows} rows of features, one for each row of the ranking; found "
                f"{rows.dtype} of shape {rows.shape}."
            )
        features = np.ascontiguousarray(rows, dtype=np.float32)
        if not np.isfinite(features).all():
            raise InputError("X has a value that is NaN or infinite (or too large for float32).")
        return features

    def _check_params(self) -> None:
        for name in ("hidden", "epochs", "batch", "patience"):
            real(self, name, getattr(self, name), 1)
            if getattr(self, name) != int(getattr(self, name)):
                raise InputError(f"ThresholdNetwork: {name} must be whole.")
        for name in ("rate", "decay"):
            real(self, name, getattr(self, name), 0)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        need_torch("ThresholdNetwork")
        from labelrank.deep.thresholds import checked

        network = checked(self.weights_)
        if network.centre.shape != (self.n_features_in_,):
            raise ValueError("its network is for other features")
        if network.out.bias.shape != (self.n_labels_,):
            raise ValueError("its network is for other labels")
