"""Checkpoint: all that training needs to go on after a kill, written whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from labelrank.errors import InputError, ModelError
from labelrank.store import read_folder, write_folder
from labelrank.store.tensors import map_tensors, pack_tensors

__all__ = ["Checkpoint", "arrays_of", "load_arrays"]

_FILE = "arrays.safetensors"


class Checkpoint:
    """A folder in the form of model folders, replaced in one step after each epoch.

    Parameters
    ----------
    path : path
        Where it is, or will be.
    plan : mapping
        What must be the same for training to go on: JSON values.
    """

    def __init__(self, path: str | Path, plan: Mapping[str, Any]) -> None:
        self._path, self._plan = Path(path), dict(plan)

    def write(self, network: nn.Module, optimizer: Any, history: Any, best: Any) -> None:
        """Keep everything after an epoch."""
        arrays = {f"network.{name}": a for name, a in arrays_of(network).items()}
        for i, state in optimizer.state_dict()["state"].items():
            for name, value in state.items():
                if isinstance(value, torch.Tensor):
                    arrays[f"optimizer.{i}.{name}"] = value.detach().cpu().numpy()
        if best.state is not None:
            arrays |= {f"best.{name}": t.cpu().numpy() for name, t in best.state.items()}
        description = {
            "checkpoint": self._plan,
            "losses": history.losses,
            "watched": history.watched,
        }
        write_folder(self._path, description, {_FILE: pack_tensors(arrays)})

    def restore(self, network: nn.Module, optimizer: Any, history: Any, best: Any) -> int:
        """Bring everything back where there is a checkpoint; how many epochs are done."""
        if not self._path.exists():
            return 0
        manifest = read_folder(self._path)
        plan = manifest.get("checkpoint")
        if not isinstance(plan, dict):
            raise InputError(f"{self._path} is a model and no checkpoint: choose another path.")
        stored = {name: np.array(a) for name, a in map_tensors(self._path / _FILE).items()}
        load_arrays(network, _below(stored, "network."), str(self._path))
        different = [name for name in self._plan if plan.get(name) != self._plan[name]]
        if different:
            name = different[0]
            raise InputError(
                f"the checkpoint {self._path} was made with {name}={plan.get(name)!r}, and now it "
                f"is {self._plan[name]!r}: remove it, or choose another path."
            )
        self._restore_optimizer(optimizer, _below(stored, "optimizer."))
        kept = _below(stored, "best.")
        best.state = {n: torch.from_numpy(a) for n, a in kept.items()} if kept else None
        history.losses[:], history.watched[:] = manifest["losses"], manifest["watched"]
        return len(history.losses)

    @staticmethod
    def _restore_optimizer(optimizer: Any, arrays: dict[str, NDArray[Any]]) -> None:
        state: dict[int, dict[str, Any]] = {}
        for key, array in arrays.items():
            number, _, name = key.partition(".")
            state.setdefault(int(number), {})[name] = torch.from_numpy(array)
        optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


def arrays_of(network: nn.Module) -> dict[str, NDArray[Any]]:
    """The weights of a network by name."""
    return {name: t.detach().cpu().numpy().copy() for name, t in network.state_dict().items()}


def load_arrays(network: nn.Module, arrays: Mapping[str, NDArray[Any]], where: str) -> None:
    """Give a network weights that must fit it, name by name and shape by shape."""
    own = network.state_dict()
    for name in sorted(own.keys() | arrays.keys()):
        here = tuple(own[name].shape) if name in own else None
        there = arrays[name].shape if name in arrays else None
        if here != there:
            raise ModelError(
                f"{where} is of another architecture: {name} is {_size(there)} there and "
                f"{_size(here)} here."
            )
    network.load_state_dict({n: torch.from_numpy(np.array(a)) for n, a in arrays.items()})


def _size(shape: tuple[int, ...] | None) -> str:
    return "absent" if shape is None else str(shape)


def _below(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    return {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}
