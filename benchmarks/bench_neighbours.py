"""The 50 nearest neighbours (cosine) of citeulike-t's test rows, against scikit-learn's."""

from __future__ import annotations

from common import ratio_row, save, take_turns, timing_rows

import sys

import numpy as np
from sklearn.neighbors import NearestNeighbors

from labelrank.data import CATALOG
from labelrank.scorers import NearestNeighbours

K = 50


def main() -> None:
    entry = CATALOG["citeulike-t-xmc"]
    if not entry.available():
        sys.exit("bench_neighbours needs citeulike-t: set LABELRANK_DATA")
    train, test = entry.load("train"), entry.load("test")
    ours = NearestNeighbours(k=K).fit(train.X, train.Y)
    theirs = NearestNeighbors(n_neighbors=K, algorithm="brute", metric="cosine", n_jobs=1)
    theirs.fit(train.X)
    seconds = take_turns(
        {
            "labelrank": lambda: ours.neighbours(test.X),
            "scikit-learn": lambda: theirs.kneighbors(test.X),
        }
    )
    near, distances = ours.neighbours(test.X), theirs.kneighbors(test.X)[0]
    for i, (_, similarities) in enumerate(near):  # theirs fills up with rows that share nothing
        np.testing.assert_allclose(1 - distances[i, : len(similarities)], similarities, atol=1e-5)
    data = "50 neighbours of citeulike-t's test rows"
    rows = [ratio_row(data, seconds, "labelrank", "scikit-learn", "≥ 5")]
    save("neighbours", rows, timing_rows(data, seconds, "rank"))


if __name__ == "__main__":
    main()
