"""MATLAB files with features and a degree for each label, as label-distribution sets have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import scipy.sparse as sp

from labelrank.data.dataset import Dataset
from labelrank.data.files import naming
from labelrank.errors import InputError

__all__ = ["read_mat"]


def read_mat(path: str | Path, features: str = "features", labels: str = "labels") -> Dataset:
    """Read a ``.mat`` file (up to version 7.2) of two matrices.

    Parameters
    ----------
    path : path
    features, labels : str
        What the matrices are called: X, and Y with a degree for each label, 0 where it is absent.

    Returns
    -------
    Dataset
        Degrees are the grades: equal ones are tied.
    """
    from scipy.io import loadmat

    file = Path(path)
    if not file.is_file():
        raise InputError(f"{file} {'is a folder' if file.is_dir() else 'does not exist'}.")
    try:
        stored: dict[str, Any] = loadmat(file)
    except Exception as error:  # damage makes scipy stumble in every way there is
        raise InputError(f"{file} is no MATLAB file that can be read: {error}.") from None
    found = [name for name in stored if not name.startswith("__")]
    for name in (features, labels):
        if name not in found:
            raise InputError(f"{file} has no matrix {name!r}, only {', '.join(found) or 'none'}.")
    Y = stored[labels]
    with naming(file):
        return Dataset(stored[features], sp.csr_array(Y) if sp.issparse(Y) else Y, name=file.stem)
