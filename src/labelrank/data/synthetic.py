"""Synthetic extreme data: labels by a power law, each told by words of its own, of any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.data.dataset import Dataset
from labelrank.errors import InputError

__all__ = ["SyntheticExtreme"]

_OWN, _SHARED = 8, 4  # words of a label alone, and words of its topic
_BLOCK = 4096
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class SyntheticExtreme:
    r"""Rows with labels whose frequencies follow a power law, as in Figure 1 of paper 003.

    The l-th most frequent label occurs with probability

    .. math:: P(l) \propto l^{-s}

    Each row has one label or more; half of those after the first belong to the first one's topic,
    of which there are about the square root of the number of labels. A label has eight words of
    its own and four of its topic; a row has each word of its labels with probability `clarity`,
    and `noise` words that say nothing, frequent ones more often. Rows are of length one.

    Nothing is kept: words follow from the label by a hash, and rows are made in blocks, each from a
    random state of its own, so that memory is that of a block and the first rows of a larger set
    are those of a smaller one with as many labels and features.

    Parameters
    ----------
    n_rows : int
    n_labels : int, optional
        As many as rows by default.
    n_features : int, optional
        As many as labels by default, and at least 1,000.
    exponent : float
        s; 0.8 gives 300,000 rows a most frequent label of 9 % and a last one of five rows.
    labels_per_row : float
        On average; each row has one at least.
    clarity : float
        Between 0 and 1.
    noise : int
    random_state : int

    Examples
    --------
    >>> data = SyntheticExtreme(2000, n_labels=500).dataset()
    >>> data
    Dataset('synthetic', 2000 rows, 1000 features, 500 labels)
    >>> counts = np.bincount(data.Y.indices)
    >>> bool(counts[0] > 4 * counts[9] > 0)  # 10 to the power of 0.8 is 6.3
    True
    """

    n_rows: int
    n_labels: int | None = None
    n_features: int | None = None
    exponent: float = 0.8
    labels_per_row: float = 5.0
    clarity: float = 0.5
    noise: int = 15
    random_state: int = 0

    def __post_init__(self) -> None:
        for name in ("n_rows", "n_labels", "n_features"):
            size = getattr(self, name)
            if size is not None and not 1 <= size < 2**31:
                raise InputError(f"{name} must be from 1 to 2^31 - 1, found {size!r}.")
        if self.exponent < 0 or self.labels_per_row < 1 or self.noise < 0:
            raise InputError("exponent and noise must be 0 or more, labels_per_row 1 or more.")
        if not 0 < self.clarity <= 1:
            raise InputError(f"clarity must be above 0 and at most 1, found {self.clarity}.")

    @property
    def shape(self) -> tuple[int, int, int]:
        """(rows, features, labels)."""
        labels = self.n_labels or self.n_rows
        return self.n_rows, self.n_features or max(labels, 1000), labels

    def blocks(self) -> Iterator[Dataset]:
        """The rows, 4,096 at a time."""
        n, _, _ = self.shape
        for number, at in enumerate(range(0, n, _BLOCK)):
            rng = np.random.default_rng([self.random_state, number])
            whole = self._block(rng)  # whole, so that rows do not depend on how many there are
            yield whole[: min(_BLOCK, n - at)]

    def dataset(self) -> Dataset:
        """All rows at once."""
        X, Y = zip(*((block.X, block.Y) for block in self.blocks()), strict=True)
        return Dataset(sp.vstack(X, format="csr"), sp.vstack(Y, format="csr"), name="synthetic")

    def _block(self, rng: np.random.Generator) -> Dataset:
        _, n_features, n_labels = self.shape
        more = rng.poisson(self.labels_per_row - 1, _BLOCK)
        first = _power_law(rng, _BLOCK, n_labels, self.exponent)
        rows = np.repeat(np.arange(_BLOCK), more)
        topics = max(int(n_labels**0.5), 1)
        topic = first[rows] % topics
        within = _power_law(rng, len(rows), -(-n_labels // topics), self.exponent) * topics + topic
        anywhere = _power_law(rng, len(rows), n_labels, self.exponent)
        others = np.where(rng.random(len(rows)) < 0.5, within % n_labels, anywhere)
        Y = _ones(np.concatenate([np.arange(_BLOCK), rows]), np.concatenate([first, others]),
                  (_BLOCK, n_labels))  # fmt: skip
        X = _ones(*self._words(rng, Y, topics), (_BLOCK, n_features))
        lengths = np.sqrt(np.maximum(np.diff(X.indptr), 1)).astype(np.float32)
        X.data = 1 / np.repeat(lengths, np.diff(X.indptr))
        return Dataset(X, Y, name="synthetic")

    def _words(
        self, rng: np.random.Generator, Y: sp.csr_array, topics: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(rows, words) of a block; some stand twice."""
        _, n_features, _ = self.shape
        labels = Y.indices.astype(np.uint64)
        slots = np.arange(_OWN + _SHARED, dtype=np.uint64)
        # own words hash the label, shared ones its topic; both the slot and the random state
        keys = np.where(
            slots < _OWN,
            labels[:, None] << np.uint64(1),
            ((labels % np.uint64(topics)) << np.uint64(1))[:, None] | np.uint64(1),
        )
        words = _hashed(keys * np.uint64(64) + slots, self.random_state) % np.uint64(n_features)
        told = rng.random(words.shape) < self.clarity
        rows = np.repeat(np.repeat(np.arange(_BLOCK), np.diff(Y.indptr)), told.sum(axis=1))
        noise = _power_law(rng, _BLOCK * self.noise, n_features, 1.0)
        return (
            np.concatenate([rows, np.repeat(np.arange(_BLOCK), self.noise)]),
            np.concatenate([words[told].astype(np.int64), noise]),
        )  # fmt: skip


def _power_law(rng: np.random.Generator, n: int, size: int, s: float) -> NDArray[np.int64]:
    """Numbers from 0 below `size`, l with probability about (l + 1)^-s: no table of them is made.

    The inverse of the continuous law from 1/2 to size + 1/2, rounded to whole numbers.
    """
    u, low, high = rng.random(n), 0.5, size + 0.5
    if abs(s - 1) < 1e-9:
        x = low * (high / low) ** u
    else:
        x = (u * (high ** (1 - s) - low ** (1 - s)) + low ** (1 - s)) ** (1 / (1 - s))
    return np.clip((x - 0.5).astype(np.int64), 0, size - 1)


def _hashed(keys: Words, seed: int) -> Words:
    """SplitMix64: well-mixed 64 bits of each key."""
    with np.errstate(over="ignore"):
        z = (keys + np.uint64(seed % 2**32 + 1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def _ones(
    rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, int]
) -> sp.csr_array:
    """A matrix of ones at these places, each once."""
    ones = np.ones(len(rows), np.float32)
    matrix = sp.csr_array((ones, (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix
