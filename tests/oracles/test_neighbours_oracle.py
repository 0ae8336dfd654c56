"""Nearest neighbours against scikit-learn's brute force, on random and on real rows."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors

from labelrank import load
from labelrank.scorers import NearestNeighbours

FORMS = {"dense": np.asarray, "sparse": sp.csr_array}


def compare(train, queries, k):
    """The same similarities in the same order; the same rows wherever they differ clearly."""
    brute = NearestNeighbors(n_neighbors=k, algorithm="brute", metric="cosine")
    distances, rows = brute.fit(train).kneighbors(queries)
    found = NearestNeighbours(k=k).fit(train, np.ones((train.shape[0], 1))).neighbours(queries)
    for i, (ours, similar) in enumerate(found):
        theirs = 1 - distances[i]
        n = len(ours)
        np.testing.assert_allclose(similar, theirs[:n], atol=1e-5)
        assert (theirs[n:] < 1e-5).all()  # what we leave out has nothing in common
        for end in np.flatnonzero(np.diff(theirs[:n]) < -3e-5) + 1:
            assert set(ours[:end]) == set(rows[i, :end])
    return found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("n", "d", "k"), [(200, 5, 1), (500, 30, 17), (300, 8, 300)])
def test_random_rows(form, n, d, k):
    rng = np.random.default_rng(n)
    train = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.7)
    queries = rng.standard_normal((40, d)) * (rng.random((40, d)) < 0.7)
    found = compare(FORMS[form](train), FORMS[form](queries), k)
    assert found.n_entries > 0


@pytest.mark.parametrize("form", FORMS)
def test_random_rows_without_negative_values(form):
    rng = np.random.default_rng(0)
    found = compare(FORMS[form](rng.random((400, 6))), FORMS[form](rng.random((50, 6))), 25)
    assert (found.lengths == 25).all()


@pytest.mark.parametrize("name", ["bibtex", "citeseer17", "emotions"])
def test_real_rows(data_dir, name):
    train, test = (load(name, part=part, data=data_dir) for part in ("train", "test"))
    found = compare(train.X, test.X[:300], 30)
    assert found.n_entries > 0.9 * 30 * found.n_rows


def test_sparse_and_dense_find_the_same_on_real_rows(data_dir):
    train, test = (load("enron", part=part, data=data_dir) for part in ("train", "test"))
    sparse = NearestNeighbours(k=20).fit(train.X, train.Y)
    dense = NearestNeighbours(k=20).fit(train.X.toarray(), train.Y)
    a, b = sparse.neighbours(test.X), dense.neighbours(test.X.toarray())
    np.testing.assert_allclose(a.scores, b.scores, atol=2e-5)
    whole = NearestNeighbours(k=len(train))
    found = [
        whole.fit(form(train.X), train.Y).rank(form(test.X)).to_csr().toarray()
        for form in (sp.csr_array, lambda X: X.toarray())
    ]
    np.testing.assert_allclose(*found, atol=1e-4)
