"""Stored: what every model inherits to be saved to a folder and loaded from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from labelrank.errors import InputError, ModelError
from labelrank.store.fields import Field, Names, Part, Parts
from labelrank.store.folder import read_folder, write_folder
from labelrank.store.tensors import map_tensors, pack_tensors

__all__ = ["Stored", "load_model", "register"]

_ARRAYS = "arrays.safetensors"
_PACKAGES = ("scorers", "features", "rankers", "cutoffs", "recipes")
# What code that trusts a file may stumble on when the file was forged.
_BROKEN = (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, OSError)
_OTHERS: dict[str, type[Stored]] = {}


class Stored:
    """A scikit-learn estimator that can be saved.

    A subclass lists its learned attributes in `fitted`, and may check in `_check_fitted` what no
    single field can (sizes that must agree).
    """

    fitted: ClassVar[dict[str, Field]] = {}

    label_names_: list[str] | None = None

    def save(self, path: str | Path, label_names: Sequence[str] | None = None) -> None:
        """Write the fitted model to a folder, whole or not at all.

        Parameters
        ----------
        path : path
            A new folder, or a model folder to replace.
        label_names : sequence of str, optional
            One a label; a model that was loaded with names keeps them.
        """
        arrays: dict[str, Any] = {}
        description: dict[str, Any] = {"model": _describe(self, "", arrays)}
        names = self.label_names_ if label_names is None else list(map(str, label_names))
        _check_names(self, names, InputError)
        description["label_names"] = names
        write_folder(path, description, {_ARRAYS: pack_tensors(arrays)})

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model of this class from its folder; see `labelrank.load_model`."""
        model = load_model(path)
        if not isinstance(model, cls):
            raise ModelError(f"{path} holds a {type(model).__name__}, not a {cls.__name__}.")
        return model

    def _check_fitted(self) -> None:
        """Raise ValueError when the learned attributes do not fit together."""


def load_model(path: str | Path) -> Any:
    """Read a model of any class from its folder.

    Every checksum is verified first; arrays are mapped into memory and read-only.

    Parameters
    ----------
    path : path

    Examples
    --------
    >>> import numpy as np, tempfile, pathlib
    >>> from labelrank import load_model
    >>> from labelrank.scorers import Popularity
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "popular.model"
    >>> Popularity().fit(np.zeros((2, 1)), np.array([[0, 1], [1, 1]])).save(folder)
    >>> load_model(folder).rank(np.zeros((1, 1)))
    Ranking(1 rows, 2 labels, 2 entries)
      0: 1 (1), 0 (0.5)
    """
    folder = Path(path)
    manifest = read_folder(folder)
    try:
        if _ARRAYS not in manifest["files"]:
            raise ModelError(f"{_ARRAYS} is not among its files.")
        arrays = map_tensors(folder / _ARRAYS)
        model = _restore(manifest["model"], "", arrays)
        if arrays:
            raise ModelError(f"it has an array that nothing asks for, {sorted(arrays)[0]!r}.")
        names = manifest.get("label_names")
        _check_names(model, names, ModelError)
    except ModelError as error:
        raise ModelError(f"{folder}: {error}") from None
    except _BROKEN as error:
        raise ModelError(f"{folder} does not hold together: {error}.") from None
    model.label_names_ = names
    return model


def register(cls: type[Stored]) -> type[Stored]:
    """Let models of a class from outside this library be loaded (a class decorator)."""
    _OTHERS[_name(cls)] = cls
    return cls


def _check_names(model: Stored, names: Any, error: type[InputError]) -> None:
    """Label names fit the model: one a label, none twice."""
    if names is None:
        return
    n = getattr(model, "n_labels_", None)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise error("label names must be a list of texts.")
    if n is not None and len(names) != n:
        raise error(f"{len(names)} label names do not match the model's {n} labels.")
    if len(set(names)) < len(names):
        raise error("a label name stands twice.")


def _name(cls: type) -> str:
    """``scorers.Popularity`` for a class of ours, ``module.Class`` for others."""
    parts = cls.__module__.split(".")
    if parts[0] == "labelrank" and len(parts) > 1:
        return f"{parts[1]}.{cls.__name__}"
    return f"{cls.__module__}.{cls.__qualname__}"


def _class(name: str) -> type[Stored]:
    """A class by the name in a file: one of ours that is public, or one that was registered."""
    if name in _OTHERS:
        return _OTHERS[name]
    package, _, short = name.partition(".")
    if package in _PACKAGES:
        module = import_module(f"labelrank.{package}")
        found = getattr(module, short, None) if short in module.__all__ else None
        if isinstance(found, type) and issubclass(found, Stored):
            return found
    raise ModelError(
        f"the class {name!r} is not known: upgrade labelrank, or register the class with "
        "labelrank.store.register"
    )


def _describe(model: Stored, prefix: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """The JSON of one fitted model; its arrays are added to `arrays` under their full names."""
    description = _blueprint(model)
    parts: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for name, field in model.fitted.items():
        if not hasattr(model, name):
            raise InputError(f"this {type(model).__name__} is not fitted; fit it before saving.")
        learned = getattr(model, name)
        if isinstance(field, Part):
            absent = field.optional and learned is None
            parts[name] = None if absent else _describe(learned, f"{prefix}{name}.", arrays)
            continue
        if isinstance(field, Parts):
            parts[name] = [
                _describe(part, f"{prefix}{name}.{i}.", arrays) for i, part in enumerate(learned)
            ]
            continue
        packed, value = field.pack(learned)
        arrays |= {f"{prefix}{name}{suffix}": array for suffix, array in packed.items()}
        if value is not None:
            values[name] = value
    if hasattr(model, "feature_names_in_"):  # scikit-learn's, when X was a data frame
        values["feature_names_in_"] = [str(name) for name in model.feature_names_in_]
    return {**description, "values": values, "parts": parts}


def _blueprint(model: Stored) -> dict[str, Any]:
    """Class and parameters; parameters that are estimators have a blueprint of their own."""
    params: dict[str, Any] = {}
    estimators: dict[str, Any] = {}
    for name, value in model.get_params(deep=False).items():  # type: ignore[attr-defined]
        if isinstance(value, Stored):
            estimators[name] = _blueprint(value)
        else:
            params[name] = _plain(value, f"{type(model).__name__}.{name}")
    return {"class": _name(type(model)), "params": params, "estimators": estimators}


def _built(blueprint: dict[str, Any]) -> Stored:
    """An unfitted model from its blueprint."""
    cls = _class(blueprint["class"])
    estimators = {name: _built(inner) for name, inner in blueprint["estimators"].items()}
    return cls(**blueprint["params"], **estimators)


def _restore(description: dict[str, Any], prefix: str, arrays: dict[str, Any]) -> Stored:
    """One model from its JSON; the arrays it takes are removed from `arrays`."""
    model = _built(description)
    cls = type(model)
    values, parts = dict(description["values"]), dict(description["parts"])
    for name, field in cls.fitted.items():
        if isinstance(field, Part):
            part = parts.pop(name)
            absent = field.optional and part is None
            setattr(model, name, None if absent else _restore(part, f"{prefix}{name}.", arrays))
            continue
        if isinstance(field, Parts):
            listed = parts.pop(name)
            if not isinstance(listed, list):
                raise ModelError(f"{cls.__name__}.{name} is no list of models.")
            restored = [
                _restore(part, f"{prefix}{name}.{i}.", arrays) for i, part in enumerate(listed)
            ]
            setattr(model, name, restored)
            continue
        full = f"{prefix}{name}"
        mine = [key for key in arrays if key == full or key.startswith(f"{full}.")]
        taken = {key[len(full) :]: arrays.pop(key) for key in mine}
        try:
            setattr(model, name, field.unpack(taken, values.pop(name, None)))
        except _BROKEN as error:
            what = f"lacks {error}" if isinstance(error, KeyError) else str(error)
            raise ModelError(f"{cls.__name__}.{name}: {what}.") from None
    columns = values.pop("feature_names_in_", None)
    if columns is not None:
        if len(Names().unpack({}, columns)) != getattr(model, "n_features_in_", None):
            raise ModelError(f"{cls.__name__} has {len(columns)} names of features, not one each.")
        model.feature_names_in_ = np.array(columns, dtype=object)  # type: ignore[attr-defined]
    if values or parts:
        raise ModelError(f"{cls.__name__} keeps no {sorted(values | parts)[0]!r}.")
    try:
        model._check_fitted()
    except ValueError as error:
        raise ModelError(f"{cls.__name__}: {error}.") from None
    return model


def _plain(value: Any, name: str) -> Any:
    """A parameter as JSON; numpy numbers become Python's."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, PathLike):
        value = fspath(value)
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise InputError(
            f"{name} = {value!r:.60} cannot be saved: parameters must be numbers, texts, lists, "
            "None or models of labelrank."
        ) from None
    return value
