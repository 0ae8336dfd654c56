"""trec_eval's measures, through ir_measures.

trec_eval breaks ties of scores by document number in falling order and ignores the given order, so
the scores here are distinct. A query without a relevant document counts 0.
"""

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, P, Qrel, R, ScoredDoc, nDCG

from labelrank import Ranking, measure

N, M = 80, 25
RNG = np.random.default_rng(1)
GRADES = RNG.integers(0, 4, size=(N, M)) * (RNG.random((N, M)) < 0.12)  # some rows are empty
SCORES = RNG.permuted(np.tile(np.arange(M), (N, 1)), axis=1).astype(float)
FULL = Ranking.from_dense(SCORES)
SHORT = FULL.top(RNG.integers(1, 9, size=N))


def trec(oracle, ranking, Y):
    """The value of each row, 0 where it has no relevant label."""
    qrels = [Qrel(str(i), str(c), int(Y[i, c])) for i, c in np.ndindex(Y.shape)]
    run = [
        ScoredDoc(str(i), str(c), float(s))
        for i, row in enumerate(ranking)
        for c, s in zip(*row, strict=True)
    ]
    found = ir_measures.pytrec_eval.iter_calc([oracle], qrels, run)
    values = {int(metric.query_id): metric.value for metric in found}
    return np.array([values[i] for i in range(len(Y))])


AGREE = {
    "P@1": P @ 1,
    "P@5": P @ 5,
    "P@20": P @ 20,
    "R(empty=zero)@1": R @ 1,
    "R(empty=zero)@5": R @ 5,
    "MAP(empty=zero)": AP,
    "MAP(empty=zero)@5": AP @ 5,
    "RR(empty=zero)": RR,
    "nDCG(empty=zero)": nDCG,
    "nDCG(empty=zero)@3": nDCG @ 3,
    "nDCG(empty=zero,gain=exp)": nDCG(gains={1: 1, 2: 3, 3: 7}),
    "nDCG(empty=zero,gain=exp)@5": nDCG(gains={1: 1, 2: 3, 3: 7}) @ 5,
}


@pytest.mark.parametrize("ranking", [FULL, SHORT], ids=["full", "short"])
@pytest.mark.parametrize("notation", AGREE)
def test_row_by_row(notation, ranking):
    wanted = trec(AGREE[notation], ranking, GRADES)
    score = measure(notation)(ranking, GRADES)
    np.testing.assert_allclose(score.values, wanted, rtol=0, atol=1e-9)
    assert score.value == pytest.approx(wanted.mean(), abs=1e-9)
    assert 0 < wanted.mean() < 1
    assert score.n_empty == (GRADES == 0).all(axis=1).sum() > 0


@pytest.mark.parametrize("k", [1, 3])
def test_reciprocal_rank_at_k(k):
    """trec_eval has no RR@k: the whole list, cut before."""
    wanted = trec(RR, SHORT.top(k), GRADES)
    found = measure(f"RR(empty=zero)@{k}")(SHORT, GRADES).values
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9)
