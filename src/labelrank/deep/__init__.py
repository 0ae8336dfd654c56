"""What needs PyTorch (the extra ``deep``): losses, networks, and how they are trained."""

from __future__ import annotations

from importlib.util import find_spec

from labelrank.errors import MissingExtraError

__all__ = ["need_torch"]


def need_torch(what: str) -> None:
    """Say what to install where PyTorch is missing."""
    if find_spec("torch") is None:
        raise MissingExtraError(what, "torch", "deep")
