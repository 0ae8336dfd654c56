"""ML-kNN on scene, learned and ranked, against scikit-multilearn's, with equal rankings.

scikit-multilearn is no dependency: without ``pip install --no-deps scikit-multilearn`` nothing is
measured. Its 0.2.0 passes the number of neighbours by position, which scikit-learn no longer takes;
here it is passed by name. Nothing else of it is changed.
"""

from __future__ import annotations

from common import ratio_row, save, take_turns, timing_rows

import sys
from functools import partial

import numpy as np
from sklearn.neighbors import NearestNeighbors

from labelrank import Ranking
from labelrank.data import CATALOG
from labelrank.scorers import MLkNN

try:
    from skmultilearn.adapt import mlknn as theirs
except ImportError:
    print("bench_mlknn is left out: pip install --no-deps scikit-multilearn")
    sys.exit()

K, SMOOTHING = 10, 1.0


def by_name(n_neighbors: int) -> NearestNeighbors:
    return NearestNeighbors(n_neighbors=n_neighbors)


def main() -> None:
    entry = CATALOG["scene"]
    if not entry.available():
        sys.exit("bench_mlknn needs scene: set LABELRANK_DATA")
    theirs.NearestNeighbors = by_name
    train, test = entry.load("train"), entry.load("test")
    X, queries = (np.asarray(_dense(part.X), dtype=np.float32) for part in (train, test))
    Y = (train.Y.toarray() > 0).astype(int)
    wide, wide_queries = X.astype(np.float64), queries.astype(np.float64)

    def peer(leave_out: bool) -> np.ndarray:
        """Theirs leaves a row out by skipping its nearest one, which then must not be skipped."""
        model = theirs.MLkNN(K, SMOOTHING, ignore_first_neighbours=int(leave_out)).fit(wide, Y)
        model.ignore_first_neighbours = 0
        return model.predict_proba(wide_queries).toarray()

    def ours(leave_out: bool) -> Ranking:
        model = MLkNN(K, SMOOTHING, ranks_by="joint", leave_out=leave_out)
        return model.fit(X, Y).rank(queries)

    for leave_out in (True, False):
        want, found = peer(leave_out), ours(leave_out)
        scores = found.to_csr().toarray()
        np.testing.assert_allclose(scores, want, rtol=1e-12)
        # The same labels in the same order; what rounding tells apart, theirs or ours, is a tie.
        tied = Ranking.from_dense(want.round(14)), Ranking.from_dense(scores.round(14))
        np.testing.assert_array_equal(tied[0].labels, tied[1].labels)
    seconds = take_turns(
        {"labelrank": partial(ours, True), "scikit-multilearn": partial(peer, True)}
    )
    data = "ML-kNN on scene, learned and ranked"
    rows = [ratio_row(data, seconds, "labelrank", "scikit-multilearn", "≥ 5")]
    save("mlknn", rows, timing_rows(data, seconds, "fit and rank"))


def _dense(X: object) -> object:
    return X.toarray() if hasattr(X, "toarray") else X


if __name__ == "__main__":
    main()
