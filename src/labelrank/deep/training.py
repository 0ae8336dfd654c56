"""Training: epochs of steps down a loss, stopped early, resumed after a kill."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from labelrank._progress import track
from labelrank.deep.augment import moved
from labelrank.deep.batches import Source
from labelrank.deep.checkpoint import Checkpoint
from labelrank.deep.losses import LOSSES
from labelrank.deep.plan import Plan
from labelrank.errors import InputError
from labelrank.measures import measure as named
from labelrank.ranking import Ranking

__all__ = ["History", "scores_of", "train"]


@dataclass
class History:
    """What was seen epoch by epoch.

    Attributes
    ----------
    losses : list of float
        The mean loss of each epoch.
    watched : list of float
        The measure on the validation part after each, where there is one.
    """

    losses: list[float] = field(default_factory=list)
    watched: list[float] = field(default_factory=list)


def train(
    network: nn.Module,
    source: Source,
    validation: Source | None,
    plan: Plan,
    device: torch.device,
    checkpoint: Checkpoint | None = None,
    verbose: int = 0,
    what: str = "",
) -> History:
    """Train in place; with a validation part the best epoch's weights stay.

    Order, augmentation and drawn pairs of an epoch depend on the seed and the epoch alone: training
    that was killed and resumed ends as one that was not.
    """
    network.to(device)
    optimizer = _optimizer(network, plan)
    history, best = History(), _Best(plan, validation is not None)
    start = 0
    if checkpoint is not None:
        start = checkpoint.restore(network, optimizer, history, best)
    for epoch in track(range(start, plan.epochs), plan.epochs - start, what, verbose):
        if best.over(history.watched):
            break
        history.losses.append(_epoch(network, source, plan, device, optimizer, epoch))
        if validation is not None:
            history.watched.append(_watched(network, validation, plan, device))
            best.look(network, history.watched)
        if checkpoint is not None:
            checkpoint.write(network, optimizer, history, best)
    best.restore(network)
    network.eval()
    return history


def _epoch(
    network: nn.Module,
    source: Source,
    plan: Plan,
    device: torch.device,
    optimizer: Any,
    epoch: int,
) -> float:
    """One pass over all samples; the mean loss."""
    rng = np.random.RandomState((plan.seed + 7919 * (epoch + 1)) % 2**32)
    steps = min(math.ceil(source.n / plan.batch), source.n // 2)  # one alone has no variance
    network.train()
    total, taught = 0.0, False
    for step, at in enumerate(np.array_split(rng.permutation(source.n), steps)):
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * _pace(plan, (epoch * steps + step) / (plan.epochs * steps))
        x, grades = (t.to(device) for t in source.both(np.sort(at)))
        if x.ndim == 4 and (plan.shift or plan.zoom):
            x = moved(x, plan.shift, plan.zoom, rng)
        least = 0 if plan.loss == "ce" else grades.amin(dim=1)
        taught |= bool((grades.amax(dim=1) > least).any())
        loss = _loss(plan, network(x), grades, rng)
        optimizer.zero_grad()
        loss.mean().backward()
        optimizer.step()
        total += float(loss.detach().sum())
    if not taught:
        raise InputError("there is no order to learn: every row has all its labels of one grade.")
    if not math.isfinite(total):
        raise InputError(
            f"training diverged in epoch {epoch + 1}: take a smaller rate than {plan.rate:g}."
        )
    return total / source.n


def scores_of(
    network: nn.Module, source: Source, device: torch.device, features: bool = False
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(scores, features) of all samples; features of no columns unless they are wanted."""
    network.eval()
    found, seen = [], []
    with torch.inference_mode():
        for begin in range(0, source.n, 256):
            x = source.inputs(np.arange(begin, min(begin + 256, source.n))).to(device)
            inner = network.features(x)
            found.append(network.head(inner).cpu().numpy())
            seen.append(inner.cpu().numpy() if features else np.empty((len(x), 0), np.float32))
    return np.concatenate(found), np.concatenate(seen)


class _Best:
    """The weights of the best epoch, and when there has been none for too long."""

    def __init__(self, plan: Plan, watches: bool) -> None:
        self._patience = plan.patience if watches else None
        self._sign = -1 if plan.measure == "loss" or not named(plan.measure).higher_is_better else 1
        self.state: dict[str, Tensor] | None = None

    def look(self, network: nn.Module, watched: list[float]) -> None:
        if self._first_best(watched) == len(watched) - 1:
            self.state = {name: t.detach().clone() for name, t in network.state_dict().items()}

    def over(self, watched: list[float]) -> bool:
        waited = len(watched) - 1 - self._first_best(watched) if watched else 0
        return self._patience is not None and waited >= self._patience

    def restore(self, network: nn.Module) -> None:
        if self.state is not None:
            network.load_state_dict(self.state)

    def _first_best(self, watched: list[float]) -> int:
        return int(np.argmax([self._sign * value for value in watched]))


def _watched(network: nn.Module, source: Source, plan: Plan, device: torch.device) -> float:
    scores = scores_of(network, source, device)[0]
    Y = source.grades()
    if plan.measure != "loss":
        return float(named(plan.measure)(Ranking.from_dense(scores), Y).value)
    grades = torch.from_numpy(Y.toarray())
    losses = LOSSES[plan.loss](torch.from_numpy(scores).double(), grades)
    return float(losses.mean())


def _loss(plan: Plan, scores: Tensor, grades: Tensor, rng: np.random.RandomState) -> Tensor:
    if plan.pairs is None or plan.loss == "ce":
        return LOSSES[plan.loss](scores, grades)
    return LOSSES[plan.loss](scores, grades, plan.pairs, rng)


def _optimizer(network: nn.Module, plan: Plan) -> Any:
    if plan.optimizer == "sgd":
        return torch.optim.SGD(
            network.parameters(), plan.rate, momentum=plan.momentum, weight_decay=plan.decay
        )
    kinds: dict[bool, list[Any]] = {True: [], False: []}
    for parameter in network.parameters():  # decay is for weights, not for biases and scales
        kinds[parameter.ndim > 1].append(parameter)
    groups = [
        {"params": kinds[True], "weight_decay": plan.decay},
        {"params": kinds[False], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, plan.rate)


def _pace(plan: Plan, done: float) -> float:
    """Share of the rate when a share of all steps is done: a cosine after a short rise, or 1."""
    if plan.schedule == "constant":
        return 1.0
    rise = 0.05
    if done < rise:
        return (done + 1e-3) / (rise + 1e-3)
    return 0.5 * (1 + math.cos(math.pi * (done - rise) / (1 - rise)))
