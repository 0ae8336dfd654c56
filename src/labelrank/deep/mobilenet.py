"""MobileNetV3-Small (Howard et al. 2019), the scoring network of paper 002, section 5.2."""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["MobileNetV3Small"]

# kernel, expanded, out, squeeze and excite, hard swish, stride: Table 2 of Howard et al.
_BLOCKS = (
    (3, 16, 16, True, False, 2),
    (3, 72, 24, False, False, 2),
    (3, 88, 24, False, False, 1),
    (5, 96, 40, True, True, 2),
    (5, 240, 40, True, True, 1),
    (5, 240, 40, True, True, 1),
    (5, 120, 48, True, True, 1),
    (5, 144, 48, True, True, 1),
    (5, 288, 96, True, True, 2),
    (5, 576, 96, True, True, 1),
    (5, 576, 96, True, True, 1),
)


class MobileNetV3Small(nn.Module):
    """The network up to its mean over places: 576 features, 927,008 parameters for colour.

    Parameters
    ----------
    channels : int
        Of the pictures.

    Examples
    --------
    >>> import torch
    >>> from labelrank.deep.mobilenet import MobileNetV3Small
    >>> network = MobileNetV3Small(3)
    >>> sum(p.numel() for p in network.parameters())
    927008
    >>> network(torch.zeros(2, 3, 64, 64)).shape
    torch.Size([2, 576])
    """

    n_features = 576

    def __init__(self, channels: int = 3) -> None:
        super().__init__()
        layers: list[nn.Module] = [_convolution(channels, 16, 3, 2, act=nn.Hardswish)]
        before = 16
        for kernel, expanded, after, squeeze, swish, stride in _BLOCKS:
            layers.append(_Inverted(before, kernel, expanded, after, squeeze, swish, stride))
            before = after
        layers.append(_convolution(before, self.n_features, 1, act=nn.Hardswish))
        self.layers = nn.Sequential(*layers)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out")
                if module.bias is not None:
                    nn.init.zeros_(module.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Features (n, 576)."""
        maps: Tensor = self.layers(x)
        return maps.mean(dim=(2, 3))


class _Inverted(nn.Module):
    """Wide in the middle and thin at its ends; what comes in is added where it fits."""

    def __init__(
        self,
        before: int,
        kernel: int,
        wide: int,
        after: int,
        squeeze: bool,
        swish: bool,
        stride: int,
    ) -> None:
        super().__init__()
        act = nn.Hardswish if swish else nn.ReLU
        steps: list[nn.Module] = []
        if wide != before:
            steps.append(_convolution(before, wide, 1, act=act))
        steps.append(_convolution(wide, wide, kernel, stride, groups=wide, act=act))
        if squeeze:
            steps.append(_Squeeze(wide))
        steps.append(_convolution(wide, after, 1))
        self.steps = nn.Sequential(*steps)
        self.adds = stride == 1 and before == after

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.steps(x)
        return x + out if self.adds else out


class _Squeeze(nn.Module):
    """Each channel times a factor that follows from the means of all (squeeze and excite)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        small = max(8, (channels // 4 + 4) // 8 * 8)  # a multiple of 8
        small += 8 * (small < 0.9 * channels / 4)
        self.down = nn.Conv2d(channels, small, 1)
        self.up = nn.Conv2d(small, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        means = x.mean(dim=(2, 3), keepdim=True)
        factor = nn.functional.hardsigmoid(self.up(torch.relu(self.down(means))))
        return x * factor


def _convolution(
    before: int, after: int, kernel: int, stride: int = 1, groups: int = 1, act: type | None = None
) -> nn.Module:
    steps: list[nn.Module] = [
        nn.Conv2d(before, after, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(after, eps=0.001, momentum=0.01),
    ]
    return nn.Sequential(*steps, *([act()] if act else []))
