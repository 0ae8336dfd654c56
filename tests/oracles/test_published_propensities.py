"""The inverse propensities that the Extreme Classification Repository publishes for EUR-Lex."""

import gzip

import numpy as np
import pytest
import scipy.sparse as sp

from labelrank import propensities


@pytest.fixture(scope="module")
def eurlex(data_dir):
    """(Y of the training part, the published 1/p)."""
    folder = data_dir / "xmc" / "eurlex-4k-labels"
    if not folder.is_dir():
        pytest.skip(f"no EUR-Lex labels at {folder}")
    with gzip.open(folder / "trn_X_Y.txt.gz", "rt") as lines:
        shape = tuple(map(int, next(lines).split()))
        rows = [[int(entry.partition(":")[0]) for entry in line.split()] for line in lines]
    indptr = np.cumsum([0, *map(len, rows)])
    Y = sp.csr_array((np.ones(indptr[-1]), np.concatenate(rows), indptr), shape=shape)
    return Y, np.loadtxt(folder / "inv_prop.txt")


def test_they_are_those_of_the_default_model(eurlex):
    Y, published = eurlex
    assert Y.shape == (15_539, 3_993)
    np.testing.assert_allclose(1 / propensities(Y), published, rtol=0, atol=5e-4)


@pytest.mark.parametrize("preset", ["wikipedia", "amazon"])
def test_and_not_those_of_another(eurlex, preset):
    Y, published = eurlex
    assert np.abs(1 / propensities(Y, preset) - published).max() > 0.1
