"""Device: where networks live."""

from __future__ import annotations

import torch

from labelrank.errors import InputError

__all__ = ["device"]


def device(name: str) -> torch.device:
    """A device by name; "auto" is the GPU when there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        found = torch.device(name)
        torch.empty(1, device=found)
    except (RuntimeError, AssertionError) as error:
        said = str(error).partition("\n")[0]
        raise InputError(f"device={name!r} cannot be used: {said}") from None
    return found
