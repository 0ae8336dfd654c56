"""Images of single digits: MNIST's from its files, or those that scikit-learn brings along."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelrank.data.formats.idx import read_idx
from labelrank.errors import InputError

__all__ = ["PARTS", "Digits", "bundled_digits", "mnist_digits"]

PARTS = ("train", "validation", "test")
_FILES = {"train": "train", "validation": "train", "test": "t10k"}
_HELD = 6  # every sixth part of MNIST's training images is for validation


class Digits(NamedTuple):
    """Images by digit.

    Attributes
    ----------
    images : list of uint8 arrays (n, rows, columns)
        Of the digits 0 to 9.
    ink : list of float64 arrays (n, 4)
        Where something is drawn: first row, end, first column, end, with half a pixel around it
        into which interpolation spreads.
    side : int
        Of the box that counts as the digit's size.
    """

    images: list[NDArray[np.uint8]]
    ink: list[NDArray[np.float64]]
    side: int


@lru_cache(maxsize=8)
def mnist_digits(source: str | Path, part: str) -> Digits:
    """MNIST's images: the first 50,000 of its training part, the other 10,000, or its test part.

    Parameters
    ----------
    source : path
        The folder with ``train-images-idx3-ubyte`` and the other three files, plain or gzip.
    part : {"train", "validation", "test"}
    """
    _known(part)
    folder = Path(source)
    images = read_idx(_file(folder, f"{_FILES[part]}-images-idx3-ubyte"))
    labels = read_idx(_file(folder, f"{_FILES[part]}-labels-idx1-ubyte"))
    if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels):
        raise InputError(
            f"{folder}: images of shape {images.shape} and labels of shape {labels.shape} do not "
            "belong together."
        )
    if labels.max(initial=0) > 9:
        raise InputError(f"{folder}: the labels reach {labels.max()}, and digits end at 9.")
    if part != "test":
        held = len(images) - len(images) // _HELD
        rows = slice(held) if part == "train" else slice(held, None)
        images, labels = images[rows], labels[rows]
    return _by_digit(images, labels, max(images.shape[1:]), str(folder))


@lru_cache(maxsize=3)
def bundled_digits(part: str) -> Digits:
    """scikit-learn's 1,797 images of 8 × 8: the first 1,100, the next 300, and the rest.

    Their ink fills the image, so a box of 11 × 11 counts as the digit's size, as wide around the
    ink as MNIST's.
    """
    from sklearn.datasets import load_digits

    _known(part)
    images, labels = load_digits(return_X_y=True)
    rows = {"train": slice(1100), "validation": slice(1100, 1400), "test": slice(1400, None)}[part]
    bytes_ = np.rint(images[rows].reshape(-1, 8, 8) * (255 / 16)).astype(np.uint8)
    return _by_digit(bytes_, labels[rows], 11, "the bundled digits")


def _by_digit(
    images: NDArray[np.uint8], labels: NDArray[np.uint8], side: int, source: str
) -> Digits:
    drawn = images.any(axis=(1, 2))
    found = [images[(labels == digit) & drawn] for digit in range(10)]
    absent = [digit for digit in range(10) if not len(found[digit])]
    if absent:
        raise InputError(f"{source} has no image of the digit {absent[0]}.")
    return Digits(found, [_ink(each) for each in found], side)


def _ink(images: NDArray[np.uint8]) -> NDArray[np.float64]:
    sides = []
    for axis in (2, 1):
        marked: NDArray[np.bool_] = np.asarray(images.any(axis=axis))
        sides += [marked.argmax(axis=1) - 0.5]
        sides += [marked.shape[1] - marked[:, ::-1].argmax(axis=1) + 0.5]
    return np.stack(sides, axis=1)


def _file(folder: Path, name: str) -> Path:
    for file in (folder / f"{name}.gz", folder / name, folder / name.replace("-idx", ".idx")):
        if file.exists():
            return file
    raise InputError(f"{folder} has no {name} or {name}.gz: name the folder with MNIST's files.")


def _known(part: str) -> None:
    if part not in PARTS:
        raise InputError(f"part must be {', '.join(PARTS[:-1])} or {PARTS[-1]}, not {part!r}.")
