"""What a label of a row is worth when a node is split: whole numbers, so that sums are exact."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

__all__ = ["split_gains"]

_LARGEST = 2**16 - 1  # of a gain
_SUM = 2**32 - 1  # of the gains of a label over all rows


def split_gains(Y: sp.csr_array) -> NDArray[np.uint16]:
    """The grades of each entry of Y, in units that make the largest 65535.

    The unit is larger where a label is so frequent that its sum would not fit in 32 bits.

    Parameters
    ----------
    Y : CSR (n_rows, n_labels)
        Grades, or grades divided by propensities.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> split_gains(sp.csr_array(np.array([[1.0, 0.0], [1.0, 4.0]])))
    array([16384, 16384, 65535], dtype=uint16)
    """
    gains = Y.data
    if not len(gains):
        return np.empty(0, np.uint16)
    sums = np.bincount(Y.indices, weights=gains)
    # rounding may add 1 to each entry of a sum
    room = (_SUM - np.bincount(Y.indices).max()) / sums.max()
    units = np.minimum(gains * min(_LARGEST / gains.max(), room), _LARGEST)
    whole: NDArray[np.uint16] = np.maximum(np.round(units), 1).astype(np.uint16)
    return whole
