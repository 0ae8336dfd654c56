"""Model folders: written whole or not at all, checked before anything in them is used.

``model.json`` says what the model is and lists every other file with its size and SHA-256;
``arrays.safetensors`` holds the arrays; docs/model-folder.md describes both byte by byte.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from labelrank import _native
from labelrank.errors import InputError, ModelError

__all__ = ["FORMAT", "VERSION", "check_target", "read_folder", "write_folder"]

FORMAT = "labelrank-model"
VERSION = 1
_MANIFEST = "model.json"
_AGAIN = "copy the whole folder again, or save the model anew"


def write_folder(
    path: str | Path, description: Mapping[str, Any], files: Mapping[str, bytes]
) -> None:
    """Write a model folder.

    Everything is written to a folder beside `path` and moved into its place in one step; an older
    model at `path` is there until that moment. A folder that is no model is never replaced.

    Parameters
    ----------
    path : path
    description : mapping
        What ``model.json`` says besides format, version and files; JSON values.
    files : mapping
        The bytes of every other file.
    """
    target = check_target(path)
    stage = target.parent / f".{target.name}.{secrets.token_hex(4)}"
    stage.mkdir()
    try:
        listed = {}
        for name, content in files.items():
            _write(stage / name, content)
            listed[name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        manifest = {"format": FORMAT, "version": VERSION, **description, "files": listed}
        manifest["sha256"] = _digest(manifest)
        text = json.dumps(manifest, indent=2, ensure_ascii=False, allow_nan=False)
        _write(stage / _MANIFEST, text.encode())
        _put(stage, target)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def check_target(path: str | Path) -> Path:
    """Where a model folder would be written; InputError when none can be, before any work is done.

    An older model may be there, but nothing else.
    """
    target = Path(path).resolve()  # a link keeps pointing to what is replaced
    if target.exists() and not _is_ours(target):
        raise InputError(f"{target} exists and is no model; choose another path or remove it.")
    if not target.parent.is_dir():
        raise InputError(f"the folder {target.parent} does not exist.")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"the folder {target.parent} cannot be written to.")
    return target


def read_folder(path: str | Path) -> dict[str, Any]:
    """What ``model.json`` says, after every file was found whole and unaltered."""
    folder = Path(path)
    if not folder.is_dir():
        raise ModelError(f"there is no model folder {folder}.")
    file = folder / _MANIFEST
    if not file.is_file():
        raise ModelError(f"{folder} is no model: it has no {_MANIFEST}.")
    try:
        manifest = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{file} is cut short or damaged ({error}); {_AGAIN}.") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ModelError(f"{file} does not describe a labelrank model.")
    version = manifest.get("version")
    if not isinstance(version, int) or version < 1:
        raise ModelError(f"{file} has the format version {version!r}, which is no version.")
    if version > VERSION:
        raise ModelError(
            f"{folder} has format version {version}, but this labelrank reads up to {VERSION}: "
            "upgrade labelrank."
        )
    claimed = manifest.pop("sha256", None)
    if claimed != _digest(manifest):
        raise ModelError(f"{file} was altered: its checksum does not fit; {_AGAIN}.")
    try:
        for name, facts in manifest["files"].items():
            if Path(name).name != name:
                raise ModelError(f"{file} names a file outside the folder: {name!r}.")
            _check(folder / name, facts)
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        raise _unlisted(file, error) from None
    return manifest


def _unlisted(file: Path, error: Exception) -> ModelError:
    if isinstance(error, ModelError):
        return error
    return ModelError(f"{file} does not list its files as it should.")


def _is_ours(target: Path) -> bool:
    """A folder whose model.json, whole or damaged, says that it is one of these models."""
    file = target / _MANIFEST
    return file.is_file() and f'"format": "{FORMAT}"'.encode() in file.read_bytes()


def _check(file: Path, facts: Mapping[str, Any]) -> None:
    if not file.is_file():
        raise ModelError(f"the model lacks the file {file}; {_AGAIN}.")
    size = file.stat().st_size
    if size != facts["bytes"]:
        raise ModelError(f"{file} has {size} bytes where {facts['bytes']} were written; {_AGAIN}.")
    with file.open("rb") as stream:
        if hashlib.file_digest(stream, "sha256").hexdigest() != facts["sha256"]:
            raise ModelError(f"{file} was altered: its checksum does not fit; {_AGAIN}.")


def _digest(manifest: Mapping[str, Any]) -> str:
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _write(file: Path, content: bytes) -> None:
    with file.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _put(stage: Path, target: Path) -> None:
    """Move the finished folder into place; an old model ends up where the stage was."""
    if not target.exists():
        stage.rename(target)
    elif not _native.exchange(str(stage), str(target)):
        # No exchange on this system: for a moment neither name exists, but both folders do.
        old = stage.with_name(stage.name + ".old")
        target.rename(old)
        try:
            stage.rename(target)
        except OSError:
            old.rename(target)
            raise
        shutil.rmtree(old, ignore_errors=True)
