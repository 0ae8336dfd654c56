"""Backbones: what turns a row or a picture into features, before scores are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import scipy.sparse as sp
import torch
from sklearn.preprocessing import StandardScaler
from torch import Tensor, nn

from labelrank.deep.mobilenet import MobileNetV3Small
from labelrank.errors import InputError

__all__ = ["BACKBONES", "ConvNet", "Scored", "backbone"]

BACKBONES = ("auto", "linear", "mlp", "conv", "mobilenet")


def backbone(name: Any, shape: Sequence[int]) -> nn.Module:
    """The network that a name stands for, for inputs of a shape; it has `n_features`.

    Parameters
    ----------
    name : {"auto", "linear", "mlp", "conv", "mobilenet"} or nn.Module
        "auto" is "mlp" for rows and "conv" for pictures.
    shape : sequence of int
        (features,), or (channels, rows, columns).
    """
    if isinstance(name, nn.Module):
        return Flat(name, shape)
    kind = ("mlp" if len(shape) == 1 else "conv") if name == "auto" else name
    size = int(torch.Size(shape).numel())
    if kind == "linear":
        return Flat(nn.Flatten(), shape)
    if kind == "mlp":
        return Flat(nn.Sequential(nn.Flatten(), nn.Linear(size, 128), nn.ReLU()), shape)
    if len(shape) != 3:
        raise InputError(
            f"backbone={kind!r} takes pictures (n, channels, rows, columns), and X has rows of "
            f"{size} features; take mlp or linear."
        )
    if min(shape[1:]) < 16:
        raise InputError(f"backbone={kind!r} takes pictures from 16 × 16, found {shape[1:]}.")
    return MobileNetV3Small(shape[0]) if kind == "mobilenet" else ConvNet(shape[0])


class Flat(nn.Module):
    """Any module, its output flattened to features; their number is found by one try."""

    def __init__(self, inner: nn.Module, shape: Sequence[int]) -> None:
        super().__init__()
        self.inner = inner
        training = inner.training
        inner.eval()
        with torch.no_grad():
            try:
                found = self(torch.zeros(1, *shape))
            except Exception as error:
                said = str(error).partition("\n")[0]
                raise InputError(
                    f"the backbone cannot take inputs of shape {tuple(shape)}: {said}."
                ) from None
        inner.train(training)
        self.n_features = int(found.shape[1])

    def forward(self, x: Tensor) -> Tensor:
        """Features (n, n_features)."""
        found: Tensor = self.inner(x).flatten(1)
        return found


class ConvNet(nn.Module):
    r"""A small convolutional network whose features say how large things are.

    Pictures are halved three times. The last map says what there is and the one before it, twice as
    fine, where: together they share out each place among parts, and a part's features are how much
    of the picture it has.

    .. math::
        p_{cxy} = \frac{e^{z_{cxy}}}{\sum_k e^{z_{kxy}}}, \qquad
        a_c = \frac{1}{n} \sum_{xy} p_{cxy}, \qquad
        \text{features} = (\log a_c, \sqrt{a_c})_c

    Other networks end in means or maxima, which say whether a thing is there. An area multiplies
    when a thing grows: its logarithm rises evenly with the logarithm of the size, its root with the
    side.

    Parameters
    ----------
    channels : int
    widths : sequence of int
        Channels of each stage.
    parts : int
        Half of the features.
    """

    def __init__(
        self, channels: int, widths: Sequence[int] = (16, 32, 64, 128), parts: int = 64
    ) -> None:
        super().__init__()
        fine: list[nn.Module] = [_block(channels, widths[0])]
        for before, after in pairwise(widths[:-1]):
            fine += [nn.MaxPool2d(2), _block(before, after), _block(after, after)]
        before, after = widths[-2:]
        self.fine = nn.Sequential(*fine)
        self.coarse = nn.Sequential(nn.MaxPool2d(2), _block(before, after), _block(after, after))
        self.where = nn.Conv2d(before, parts, 1)
        self.what = nn.Conv2d(after, parts, 1)
        self.norm = nn.BatchNorm1d(2 * parts)
        self.n_features = 2 * parts

    def forward(self, x: Tensor) -> Tensor:
        """Features (n, n_features)."""
        fine = self.fine(x)
        where, what = self.where(fine), self.what(self.coarse(fine))
        what = nn.functional.interpolate(what, size=where.shape[2:])  # the nearest place
        areas = (where + what).flatten(2).softmax(dim=1).mean(dim=2) + 1e-4
        features: Tensor = self.norm(torch.cat([areas.log(), areas.sqrt()], dim=1))
        return features


class Scored(nn.Module):
    """A backbone and the layer that makes scores of its features.

    Rows of numbers are first brought to mean 0 and variance 1 by `centre` and `factor`.
    """

    centre: Tensor
    factor: Tensor

    def __init__(self, inner: nn.Module, n_labels: int, shape: Sequence[int]) -> None:
        super().__init__()
        self.backbone = inner
        self.head = nn.Linear(int(inner.n_features), n_labels)
        size = shape[0] if len(shape) == 1 else 1
        self.register_buffer("centre", torch.zeros(size))
        self.register_buffer("factor", torch.ones(size))
        if len(shape) == 3:  # a quarter faster on processors
            self.to(memory_format=torch.channels_last)

    def standardise(self, rows: Any) -> None:
        """Learn the columns' means and deviations; sparse rows keep their zeros.

        Pictures, and rows that are read one by one (None), stay as they are.
        """
        if rows is None or rows.ndim != 2:
            return
        sparse = sp.issparse(rows)
        scaler = StandardScaler(with_mean=not sparse).fit(rows)
        if not sparse:
            self.centre.copy_(torch.from_numpy(scaler.mean_))
        self.factor.copy_(torch.from_numpy(1 / scaler.scale_))

    def features(self, x: Tensor) -> Tensor:
        """What the last layer sees."""
        if x.ndim == 4:
            found: Tensor = self.backbone(x.contiguous(memory_format=torch.channels_last))
            return found
        found = self.backbone((x - self.centre) * self.factor)
        return found

    def forward(self, x: Tensor) -> Tensor:
        """Scores (n, n_labels)."""
        scores: Tensor = self.head(self.features(x))
        return scores


def _block(before: int, after: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()
    )
