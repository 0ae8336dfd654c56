"""Augment: the same pictures a little elsewhere and a little larger; orders of size stay."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

__all__ = ["moved"]


def moved(x: Tensor, shift: float, zoom: float, rng: np.random.RandomState) -> Tensor:
    """Each picture moved and zoomed by amounts of its own; what comes in from outside is 0.

    Everything in a picture is moved and zoomed alike, so that what was larger stays larger.

    Parameters
    ----------
    x : tensor (n, channels, rows, columns)
    shift : float
        The most, as a share of the side, in each direction.
    zoom : float
        Sides are multiplied by up to 1 + zoom, or divided by it.
    rng : RandomState
    """
    n = len(x)
    drawn = rng.uniform(-1, 1, (n, 3)).astype(np.float32)
    amounts = torch.from_numpy(drawn).to(x.device)
    factor = torch.exp(amounts[:, 0] * float(np.log1p(zoom)))
    way = torch.zeros(n, 2, 3, device=x.device)
    way[:, 0, 0] = way[:, 1, 1] = 1 / factor
    way[:, :, 2] = 2 * shift * amounts[:, 1:]  # the side runs from -1 to 1
    grid = nn.functional.affine_grid(way, list(x.shape), align_corners=False)
    return nn.functional.grid_sample(x, grid, align_corners=False)
