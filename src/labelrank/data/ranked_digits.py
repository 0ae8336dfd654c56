"""Ranked digits: pictures of several digits of different sizes; the larger, the more important."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.data.dataset import Dataset
from labelrank.data.digit_images import bundled_digits, mnist_digits
from labelrank.errors import InputError

__all__ = ["Layout", "RankedDigits"]

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
_TRIES = 40  # places tried for a digit
_AGAIN = 15  # times that all digits are placed anew before their scales are drawn anew


class Layout(NamedTuple):
    """What stands where in a picture; one value a digit, the largest first.

    Attributes
    ----------
    digits : int64 array
        0 to 9, none twice.
    which : int64 array
        Which image of the digit.
    scales : float64 array
    top, left : float64 arrays
        Of the digit's ink, in pixels.
    """

    digits: NDArray[np.int64]
    which: NDArray[np.int64]
    scales: Floats
    top: Floats
    left: Floats


class RankedDigits:
    """Pictures with an order of labels: digits scaled by s ~ U(1, 4), ranked by s (002, §5.1).

    A picture of side c has distinct digits whose boxes have side s·c/8, brought to size by bilinear
    interpolation; their ink does not overlap. The label of the smallest digit has grade 1, the next
    2, and so on; digits that are not there have 0. Pictures are composed when they are asked for
    and not kept: picture i depends on `seed`, `part` and i alone, so that 60,000 of them need no
    more memory than one.

    Parameters
    ----------
    n : int
        How many pictures.
    digits : int or (int, int)
        So many in each picture, or from so many to so many.
    canvas : int
        Side of a picture in pixels; the paper has 224.
    part : {"train", "validation", "test"}
        Parts share no image of a digit.
    source : path, optional
        The folder with MNIST's four idx files; by default scikit-learn's bundled digits.
    scales : (float, float), or a sequence of as many as there are digits
        The range to draw from; or, with `fixed`, the scales themselves.
    fixed : bool
        Give every picture exactly these scales, as the calibration test of §5.5 does.
    seed : int

    Notes
    -----
    Scales are continuous and so are places: a digit's edge may fall within a pixel. Where digits
    find no place their scales are drawn anew, one picture of six digits in
    hundreds.

    Examples
    --------
    >>> from labelrank.data import RankedDigits
    >>> pictures = RankedDigits(100, digits=(3, 6), canvas=32)
    >>> image, grades = pictures[2]
    >>> image.shape, image.dtype, sorted(grades.tolist(), reverse=True)[:4]
    ((32, 32), dtype('uint8'), [3.0, 2.0, 1.0, 0.0])
    >>> pictures.dataset()
    Dataset('ranked digits (train)', 100 rows, 1024 features, 10 labels)
    """

    def __init__(
        self,
        n: int,
        *,
        digits: int | Sequence[int] = (3, 6),
        canvas: int = 64,
        part: str = "train",
        source: str | Path | None = None,
        scales: Sequence[float] = (1.0, 4.0),
        fixed: bool = False,
        seed: int = 0,
    ) -> None:
        span = [digits, digits] if isinstance(digits, int | np.integer) else list(digits)
        self.n, self.canvas, self.part, self.seed = n, canvas, part, seed
        self.scales, self.fixed = [float(s) for s in scales], fixed
        self.span = [len(self.scales)] * 2 if fixed else [int(d) for d in span]
        self._check()
        self._digits = bundled_digits(part) if source is None else mnist_digits(source, part)

    def _check(self) -> None:
        for name, value, least in (("n", self.n, 0), ("canvas", self.canvas, 16)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise InputError(f"{name} must be a whole number from {least}, found {value!r}.")
        if len(self.span) != 2 or not 1 <= self.span[0] <= self.span[1] <= 10:
            raise InputError(
                f"digits must be a number from 1 to 10 or two of them, rising; found {self.span}."
            )
        if not self.scales or not all(0.5 <= s <= 7 for s in self.scales):
            raise InputError(f"scales must lie in 0.5 to 7 (eighths of the side): {self.scales}.")
        if not self.fixed and (len(self.scales) != 2 or self.scales[0] > self.scales[1]):
            raise InputError(f"scales must be the two ends of a range, found {self.scales}.")

    def __len__(self) -> int:
        return int(self.n)

    def __getitem__(self, i: int) -> tuple[Bytes, NDArray[np.float32]]:
        """(picture, grades of the ten digits)."""
        layout = self.layout(i)
        return self._picture(layout), _grades(layout)

    def __iter__(self) -> Iterator[tuple[Bytes, NDArray[np.float32]]]:
        return (self[i] for i in range(len(self)))

    def layout(self, i: int) -> Layout:
        """What stands where in picture i."""
        if not -self.n <= i < self.n:
            raise IndexError(f"picture {i} of {self.n}")
        entropy = (self.seed, ("train", "validation", "test").index(self.part), i % self.n)
        rng = np.random.default_rng(entropy)
        for _ in range(1000):
            found = self._drawn(rng)
            if found is not None:
                return found
        raise InputError(
            f"{self.span[1]} digits of scales {self.scales} find no place beside each other: take "
            "fewer or smaller ones."
        )

    def images(self, rows: slice = slice(None)) -> Bytes:
        """Some pictures in one array (n, canvas, canvas)."""
        chosen = range(self.n)[rows]
        pictures = np.empty((len(chosen), self.canvas, self.canvas), np.uint8)
        for place, i in enumerate(chosen):
            pictures[place] = self._picture(self.layout(i))
        return pictures

    @cached_property
    def Y(self) -> sp.csr_array:
        """The grades of all pictures."""
        return sp.csr_array(np.array([_grades(self.layout(i)) for i in range(self.n)]))

    def dataset(self) -> Dataset:
        """All pictures at once as rows of numbers from 0 to 1."""
        X = self.images().reshape(self.n, -1) / np.float32(255)
        names = [str(d) for d in range(10)]
        return Dataset(X, self.Y, label_names=names, name=f"ranked digits ({self.part})")

    def _drawn(self, rng: np.random.Generator) -> Layout | None:
        count = int(rng.integers(self.span[0], self.span[1] + 1))
        digits = rng.permutation(10)[:count]
        which = np.array([rng.integers(len(self._digits.images[d])) for d in digits])
        given = np.array(self.scales)
        drawn = given if self.fixed else rng.uniform(given[0], given[1], count)
        scales = np.sort(drawn)[::-1]
        pixels = scales * self.canvas / 8 / self._digits.side  # of the canvas for one of the image
        ink = [self._digits.ink[d][w] for d, w in zip(digits, which, strict=True)]
        sizes = np.array([[(r1 - r0), (c1 - c0)] for r0, r1, c0, c1 in ink]) * pixels[:, None]
        for _ in range(_AGAIN):
            corners = _placed(sizes, self.canvas, rng)
            if corners is not None:
                return Layout(digits, which, scales, *corners.T)
        return None

    def _picture(self, layout: Layout) -> Bytes:
        picture = np.zeros((self.canvas, self.canvas))
        for digit, which, scale, top, left in zip(*layout, strict=True):
            image = self._digits.images[digit][which]
            r0, r1, c0, c1 = self._digits.ink[digit][which]
            pixels = scale * self.canvas / 8 / self._digits.side
            rows, down = _weights(top, pixels, r0, r1, image.shape[0])
            columns, across = _weights(left, pixels, c0, c1, image.shape[1])
            picture[rows, columns] = down @ image @ across.T
        return np.rint(picture).clip(0, 255).astype(np.uint8)


def _placed(sizes: Floats, canvas: int, rng: np.random.Generator) -> Floats | None:
    """Top left corners of boxes that share no pixel, the first box first; None without room."""
    taken = np.empty((0, 4))  # first pixel and end of each, down and across
    corners = np.empty_like(sizes)
    for i, size in enumerate(sizes):
        if (size > canvas).any():
            return None
        tried = rng.random((_TRIES, 2)) * (canvas - size)
        begin, end = np.floor(tried), np.ceil(tried + size)
        apart = (begin[:, None] >= taken[:, 2:]) | (end[:, None] <= taken[:, :2])
        free = np.flatnonzero(apart.any(axis=2).all(axis=1))
        if not len(free):
            return None
        corners[i] = tried[free[0]]
        taken = np.vstack([taken, [*begin[free[0]], *end[free[0]]]])
    return corners


def _weights(start: float, pixels: float, low: float, high: float, side: int) -> tuple[slice, Any]:
    """Which pixels of one axis a digit covers, and their weights of its image's rows or columns.

    Bilinear: a triangle around each pixel, as wide as a pixel of the image, or where that is larger
    as a pixel of the canvas, so that nothing is skipped when a digit shrinks.
    """
    first, last = int(np.floor(start)), int(np.ceil(start + (high - low) * pixels))
    centres = low + (np.arange(first, last) + 0.5 - start) / pixels
    width = max(1.0, 1 / pixels)
    far = np.abs(centres[:, None] - (np.arange(side) + 0.5)) / width
    return slice(first, last), np.maximum(0.0, 1 - far) / width


def _grades(layout: Layout) -> NDArray[np.float32]:
    grades = np.zeros(10, np.float32)
    grades[layout.digits[::-1]] = np.arange(1, len(layout.digits) + 1)
    return grades
