"""Meta-level features against scikit-learn's brute-force neighbours, class by class."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors

from labelrank import Ranking, load
from labelrank.features import MetaLevel

K = 12
METRICS = {"l2": "euclidean", "l1": "manhattan", "cosine": "cosine"}


def with_narrow_indices(X):
    """The Manhattan distance of scikit-learn takes no others."""
    if not sp.issparse(X):
        return X
    indices, indptr = (array.astype(np.int32) for array in (X.indices, X.indptr))
    return sp.csr_array((X.data, indices, indptr), shape=X.shape)


def per_class(X, Y, queries, metric):
    """Distances (n_queries, n_labels, K), the largest repeated."""
    found = []
    for label in range(Y.shape[1]):
        rows = np.flatnonzero(np.asarray(Y[:, [label]].todense()).ravel())
        brute = NearestNeighbors(n_neighbors=min(K, len(rows)), algorithm="brute", metric=metric)
        distances, _ = brute.fit(with_narrow_indices(X[rows])).kneighbors(
            with_narrow_indices(queries)
        )
        found.append(np.pad(distances, ((0, 0), (0, K - distances.shape[1])), mode="edge"))
    return np.stack(found, axis=1)


@pytest.mark.parametrize("name", ["emotions", "scene", "enron", "citeseer17"])
def test_neighbours_of_real_rows(data_dir, name):
    train, test = (load(name, part=part, data=data_dir) for part in ("train", "test"))
    Y = sp.csc_array(train.Y)
    kept = np.flatnonzero(np.diff(Y.indptr) > 0)
    X, Y, queries = train.X.astype(np.float64), Y[:, kept], test.X[:60].astype(np.float64)
    F = MetaLevel(k=K).fit(X, Y).describe(queries, Ranking.from_dense(np.zeros((60, len(kept)))))
    F = F.reshape(60, len(kept), 3 * K + 2)
    means = np.stack([X[Y[:, [c]].todense().ravel() > 0].mean(axis=0) for c in range(len(kept))])
    for at, metric in enumerate(METRICS.values()):
        want = per_class(X, Y, queries, metric)
        np.testing.assert_allclose(
            F[:, :, at * K : (at + 1) * K], want, rtol=1e-4, atol=2e-5, err_msg=metric
        )
    for at, metric in ((-2, "euclidean"), (-1, "cosine")):
        want = pairwise_distances(queries, np.asarray(means), metric=metric)
        np.testing.assert_allclose(F[:, :, at], want, rtol=1e-4, atol=2e-5, err_msg=metric)
