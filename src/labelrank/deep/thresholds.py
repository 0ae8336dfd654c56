"""Thresholds: a network that says for each input how high each label's score must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from labelrank.deep.checkpoint import arrays_of, load_arrays
from labelrank.errors import InputError

__all__ = ["learned_thresholds", "thresholds_of"]

_HELD = 0.1  # of the rows say when to stop


class _Thresholds(nn.Module):
    """g(features): two layers (paper 002, section 5.2), over features of mean 0 and variance 1."""

    centre: Tensor
    factor: Tensor

    def __init__(self, n_features: int, hidden: int, n_labels: int) -> None:
        super().__init__()
        self.register_buffer("centre", torch.zeros(n_features))
        self.register_buffer("factor", torch.ones(n_features))
        self.hidden = nn.Linear(n_features, hidden)
        self.out = nn.Linear(hidden, n_labels)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.out(torch.relu(self.hidden((x - self.centre) * self.factor)))
        return found


def learned_thresholds(
    features: NDArray[np.float32],
    scores: NDArray[np.float32],
    relevant: NDArray[np.bool_],
    listed: NDArray[np.bool_] | None = None,
    *,
    hidden: int = 128,
    epochs: int = 100,
    batch: int = 64,
    rate: float = 1e-3,
    decay: float = 1e-5,
    patience: int = 20,
    seed: int = 0,
) -> dict[str, NDArray[Any]]:
    r"""Weights of g that make σ(f - g) likeliest (paper 002, formula 4).

    .. math::
        \max_\gamma \sum_{i,j} Y_{ij} \log \delta_{ij} + (1 - Y_{ij}) \log(1 - \delta_{ij}),
        \qquad \delta_{ij} = \sigma(f(x_i)_j - g(f_{feat}(x_i); \gamma)_j)

    A tenth of the rows is held back and says which epoch was the best.

    Parameters
    ----------
    features : float32 array (n_rows, q)
        The last layer before the scores.
    scores : float32 array (n_rows, n_labels)
    relevant, listed : bool arrays (n_rows, n_labels)
        The truth, and which scores there are; all by default.
    """
    n, q = features.shape
    rng = np.random.RandomState(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = _Thresholds(q, hidden, scores.shape[1])
    spread = features.std(axis=0)
    network.centre.copy_(torch.from_numpy(features.mean(axis=0)))
    network.factor.copy_(torch.from_numpy(np.where(spread > 1e-6, 1 / np.maximum(spread, 1e-6), 0)))
    with torch.no_grad():
        network.out.bias.copy_(torch.from_numpy(scores.mean(axis=0)))  # half of the labels stay
    arrays = (features, scores, relevant, np.ones_like(relevant) if listed is None else listed)
    data = [torch.from_numpy(np.ascontiguousarray(a, dtype=np.float32)) for a in arrays]
    order = rng.permutation(n)
    held, rest = order[: int(_HELD * n)], order[int(_HELD * n) :]

    def cost(at: NDArray[np.int64]) -> Tensor:
        x, f, y, mask = (t[at] for t in data)
        each = nn.functional.binary_cross_entropy_with_logits(f - network(x), y, reduction="none")
        return (each * mask).sum() / mask.sum().clamp(min=1)

    optimizer = torch.optim.AdamW(network.parameters(), rate, weight_decay=decay)
    best, state, waited = float("inf"), arrays_of(network), 0
    for _ in range(epochs):
        for at in np.array_split(rng.permutation(rest), -(-len(rest) // batch)):
            optimizer.zero_grad()
            cost(at).backward()
            optimizer.step()
        with torch.no_grad():
            value = float(cost(held if len(held) else rest))
        if value < best:
            best, state, waited = value, arrays_of(network), 0
        else:
            waited += 1
        if waited >= patience:
            break
    return state


def thresholds_of(
    weights: Mapping[str, NDArray[Any]], features: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The thresholds g of rows of features (n_rows, n_labels)."""
    network = checked(weights)
    with torch.inference_mode():
        found: NDArray[np.float32] = network(torch.from_numpy(features)).numpy()
    return found


def checked(weights: Mapping[str, NDArray[Any]]) -> nn.Module:
    """The network of some weights, which must fit each other."""
    try:
        hidden, n_features = weights["hidden.weight"].shape
        network = _Thresholds(n_features, hidden, len(weights["out.bias"]))
    except (KeyError, ValueError, TypeError):
        raise InputError("the weights are not those of a threshold network.") from None
    load_arrays(network, weights, "the threshold network")
    return network
