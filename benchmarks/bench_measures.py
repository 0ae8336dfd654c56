"""Twelve measures of 200,000 lists of five labels out of 670,000, against napkinXC's metrics."""

from __future__ import annotations

from common import ratio_row, save, take_turns, timing_rows

import numpy as np
import scipy.sparse as sp
from napkinxc import metrics

from labelrank import Ranking, evaluate, propensities

N_ROWS, N_LABELS, K = 200_000, 670_000, 5
KS = (1, 3, 5)


def made_up() -> tuple[sp.csr_array, np.ndarray]:
    """A long-tailed truth, and five different labels a row of which some are right."""
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 9, N_ROWS)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    labels = (rng.random(indptr[-1]) ** 3 * N_LABELS).astype(np.int32)
    Y = sp.csr_array((np.ones(len(labels)), labels, indptr), shape=(N_ROWS, N_LABELS))
    Y.sum_duplicates()
    Y.data[:] = 1
    # one label from each fifth of the label range, so that none stands twice
    listed = rng.integers(N_LABELS // K, size=(N_ROWS, K)) + np.arange(K) * (N_LABELS // K)
    for row in rng.permutation(N_ROWS)[: N_ROWS // 2]:
        label = Y.indices[Y.indptr[row]]
        listed[row, label // (N_LABELS // K) % K] = label
    return Y, rng.permuted(listed, axis=1)


def main() -> None:
    Y, listed = made_up()
    p = propensities(Y)
    indptr = np.arange(N_ROWS + 1) * K
    scores = np.tile(np.arange(K, 0, -1.0), N_ROWS)
    names = [f"{stem}@{k}" for stem in ("P", "nDCG", "PSP", "PSnDCG(depth=labels)") for k in KS]
    # napkinXC is given what it is fastest with: plain lists.
    true_lists = [row.tolist() for row in np.split(Y.indices, Y.indptr[1:-1])]
    lists, inverse = listed.tolist(), 1 / p
    found: dict[str, list[float]] = {}

    def ours() -> None:
        ranking = Ranking(indptr, listed.ravel(), scores, N_LABELS)  # checks included
        evaluation = evaluate(ranking, Y, names, propensities=p)
        found["labelrank"] = [evaluation[name].value for name in names]

    def napkinxc() -> None:
        tables = [
            metrics.precision_at_k(true_lists, lists, K),
            metrics.ndcg_at_k(true_lists, lists, K),
            metrics.psprecision_at_k(true_lists, lists, inverse, K),
            metrics.psndcg_at_k(true_lists, lists, inverse, K),
        ]
        found["napkinXC"] = [table[k - 1] for table in tables for k in KS]

    seconds = take_turns({"labelrank": ours, "napkinXC": napkinxc})
    np.testing.assert_allclose(found["labelrank"], found["napkinXC"], rtol=1e-9)
    data = "12 measures of 200,000 lists of 5 over 670,000 labels"
    rows = [ratio_row(data, seconds, "labelrank", "napkinXC", "≥ 20")]
    save("measures", rows, timing_rows(data, seconds, "12 measures"))


if __name__ == "__main__":
    main()
