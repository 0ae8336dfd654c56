r"""Networks with one hidden layer, as ListNet, LambdaRank and RLSEP learn them.

.. math:: s(x) = \sum_h v_h \tanh(w_h \cdot x + b_h)

over scaled columns x; without hidden units :math:`s(x) = w \cdot x`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelrank import _native
from labelrank.rankers.base import FIELDS, Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.descent import adam, lbfgs
from labelrank.rankers.parameters import between, whole
from labelrank.rankers.scaling import Scaling
from labelrank.rankers.watch import Watch
from labelrank.store import Array, Field

__all__ = ["NetworkRanker"]

Floats: TypeAlias = NDArray[Any]
Pull: TypeAlias = Callable[[Candidates, NDArray[np.float64]], NDArray[np.float64]]
Cost: TypeAlias = Callable[[Floats], tuple[float, NDArray[np.float64]]]


class NetworkRanker(Ranker):
    """A score is a network of the columns, or a weighted sum without hidden units.

    A subclass gives `_learn` the slope of its loss by each score, or `_descend` the loss itself.

    Attributes
    ----------
    layer_ : float64 array (n_features_in_, max(hidden, 1))
        Weights of the columns as they are, not scaled.
    bias_, output_ : float64 arrays (max(hidden, 1),)
    means_ : float64 array (n_features_in_,)
    """

    fitted: ClassVar[dict[str, Field]] = FIELDS | {
        "layer_": Array("f8", 2),
        "bias_": Array("f8"),
        "output_": Array("f8"),
        "means_": Array("f8"),
    }
    layer_: NDArray[np.float64]
    bias_: NDArray[np.float64]
    output_: NDArray[np.float64]
    means_: NDArray[np.float64]

    hidden: int
    rounds: int
    batch: int
    rate: float
    alpha: float
    scale: bool
    random_state: Any
    verbose: int

    def _descend(
        self, candidates: Candidates, watch: Watch, cost: Callable[[Candidates], Cost]
    ) -> None:
        """Fit the network by Adam, or without hidden units a convex loss by L-BFGS.

        `cost` makes of some groups a function from scores to (summed loss, slope by each score).
        """
        if self.hidden:
            self._learn(candidates, watch, lambda part, scores: cost(part)(scores)[1])
            return
        scaling = Scaling(candidates.F, self.scale)
        X, of_all, n = scaling.apply(candidates.F), cost(candidates), candidates.n_groups

        def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            value, slope = of_all(X @ w.astype(np.float32))
            ridge = self.alpha * w
            return value / n + 0.5 * float(ridge @ w), (slope / n).astype(np.float32) @ X + ridge

        def scorer(w: NDArray[np.float64]) -> Callable[[NDArray[np.float32]], NDArray[Any]]:
            return lambda F: self._with([w], scaling)._scores(F)

        found = lbfgs(loss, np.zeros(X.shape[1]), self.rounds, watch, scorer)
        self._with([found], scaling)

    def _learn(self, candidates: Candidates, watch: Watch, pull: Pull) -> None:
        """Fit the network by Adam; `pull` gives the slope of the loss by each score."""
        scaling = Scaling(candidates.F, self.scale)
        scaled = replace(candidates, F=scaling.apply(candidates.F))
        rng = check_random_state(self.random_state)

        def slopes(parameters: list[Floats], groups: NDArray[np.int64]) -> list[Floats]:
            part = scaled.some(groups)
            if not self.hidden:
                pulled = pull(part, (part.F @ parameters[0]).astype(np.float64))
                return [(pulled / len(groups)).astype(np.float32) @ part.F]
            units, scores = _native.network_scores(part.F, *parameters)
            pulled = pull(part, scores) / len(groups)
            return list(_native.network_slopes(part.F, units, parameters[2], pulled))

        def scorer(parameters: list[Floats]) -> Callable[[NDArray[np.float32]], NDArray[Any]]:
            return lambda F: self._with(parameters, scaling)._scores(F)

        found = adam(
            slopes, self._start(self.n_features_in_, rng), candidates.n_groups, rounds=self.rounds,
            batch=self.batch, rate=self.rate, alpha=self.alpha, watch=watch, scorer=scorer,
            rng=rng, verbose=self.verbose, what=type(self).__name__,
        )  # fmt: skip
        self._with(found, scaling)

    def _start(self, n_features: int, rng: np.random.RandomState) -> list[Floats]:
        if not self.hidden:
            return [np.zeros(n_features, dtype=np.float32)]
        spread = np.sqrt(6 / (n_features + self.hidden))  # Glorot & Bengio 2010
        parts = (
            rng.uniform(-spread, spread, (n_features, self.hidden)),
            np.zeros(self.hidden),
            rng.uniform(-1, 1, self.hidden) / np.sqrt(self.hidden),
        )
        return [part.astype(np.float32) for part in parts]

    def _with(self, parameters: list[Floats], scaling: Scaling) -> NetworkRanker:
        """Take over learned parameters."""
        layer = parameters[0].astype(np.float64).reshape(self.n_features_in_, -1)
        self.layer_, self.means_ = layer * scaling.factor[:, None], scaling.mean
        bias, output = parameters[1:] if self.hidden else (np.zeros(1), np.ones(1))
        self.bias_, self.output_ = bias.astype(np.float64), output.astype(np.float64)
        return self

    def _scores(self, F: NDArray[np.float32]) -> NDArray[Any]:
        sums = F @ self.layer_ + (self.bias_ - self.means_ @ self.layer_)
        return np.asarray(np.tanh(sums) @ self.output_ if self.hidden else sums[:, 0])

    def _explain(self, F: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        r"""The integral of the slope on the way from the mean candidate (integrated gradients).

        With one hidden layer it has a closed form: column j adds
        :math:`x_j \sum_h v_h w_{hj} (\tanh(a_h + b_h) - \tanh b_h) / a_h` with
        :math:`a_h = w_h \cdot x`.
        """
        x = F - self.means_
        if not self.hidden:
            return x * self.layer_[:, 0], np.zeros(len(F))
        a = x @ self.layer_
        flat = np.abs(a) < 1e-9
        rise = np.where(
            flat,
            1 - np.tanh(self.bias_) ** 2,
            (np.tanh(a + self.bias_) - np.tanh(self.bias_)) / np.where(flat, 1, a),
        )
        base = np.full(len(F), np.tanh(self.bias_) @ self.output_)
        return x * ((rise * self.output_) @ self.layer_.T), base

    def _check_params(self) -> None:
        super()._check_params()
        between("rate", self.rate, 0, above=True)
        between("alpha", self.alpha, 0)
        whole("hidden", self.hidden, 0)
        whole("rounds", self.rounds)
        whole("batch", self.batch)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        units = max(self.hidden, 1)
        if self.layer_.shape != (self.n_features_in_, units):
            raise ValueError(f"the layer has shape {self.layer_.shape}")
        if self.bias_.shape != (units,) or self.output_.shape != (units,):
            raise ValueError("the bias or output is not one a hidden unit")
        if self.means_.shape != (self.n_features_in_,):
            raise ValueError("the means are not one a feature")
