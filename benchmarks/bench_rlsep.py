"""RLSEP's loss and gradient at 2,000 labels, all of different grades, against the K² form."""

from __future__ import annotations

from common import ratio_row, save, take_turns, timing_rows

import numpy as np
import scipy.sparse as sp

from labelrank.losses import rlsep

LABELS, ROWS = 2_000, 8


def in_pairs(scores: np.ndarray, grades: np.ndarray) -> tuple[float, np.ndarray]:
    """One row, K² numbers at a time: how copies of the loss that count every pair do it."""
    gaps = np.where(grades[:, None] > grades, scores - scores[:, None], -np.inf)
    top = max(0.0, gaps.max())
    terms = np.exp(gaps - top)
    total = np.exp(-top) + terms.sum()
    return top + np.log(total), (terms.sum(axis=0) - terms.sum(axis=1)) / total


def main() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(ROWS, LABELS))
    truth = np.array([rng.permutation(LABELS) for _ in range(ROWS)], dtype=float)
    Y = sp.csr_array(truth)
    few = sp.random_array((ROWS, LABELS), density=0.005, rng=rng, format="csr")  # 10 graded labels
    rows, timings = [], []
    for what, y in (("all levels distinct", Y), ("10 graded labels a row", few)):
        grades = y.toarray()
        ours, theirs = (
            rlsep(scores, y),
            [in_pairs(*row) for row in zip(scores, grades, strict=True)],
        )
        np.testing.assert_allclose(ours.values, [value for value, _ in theirs], rtol=1e-9)
        np.testing.assert_allclose(ours.slope, [slope for _, slope in theirs], atol=1e-9)
        seconds = take_turns(
            {
                "factored": lambda y=y: [rlsep(scores, y) for _ in range(20)],
                "NumPy, K²": lambda g=grades: [
                    in_pairs(*row) for row in zip(scores, g, strict=True)
                ],
            }
        )
        seconds["factored"] = [s / 20 for s in seconds["factored"]]
        name = f"{ROWS} rows of {LABELS:,} labels, {what}"
        asked = "≥ 50" if y is Y else ""
        rows.append(ratio_row(name, seconds, "factored", "NumPy, K²", asked))
        timings += timing_rows(name, seconds, "loss and gradient")
    save("rlsep", rows, timings)


if __name__ == "__main__":
    main()
