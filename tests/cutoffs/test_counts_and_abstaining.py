"""LabelCount and Abstain: how many labels, and whether any."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases

from labelrank import InputError, Ranking
from labelrank.cutoffs import LLSF, Abstain, LabelCount, Threshold, TopK


def counted(n=200, m=15, seed=0):
    """Rows whose first scores tell how many labels are relevant, on levels of their own."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 4, n)
    scores = np.sort(rng.random((n, m)), axis=1)[:, ::-1] + rng.normal(size=(n, 1))
    scores[np.arange(m) < sizes[:, None]] += 5
    Y = (np.arange(m) < sizes[:, None]).astype(int)
    order = rng.permutation(m)
    return Ranking.from_dense(scores[:, order]), Y[:, order], sizes


@pytest.mark.parametrize("method", ["classify", "regress"])
@pytest.mark.parametrize("criterion", ["f1", "errors", "count"])
def test_counts_that_the_scores_tell(method, criterion):
    ranking, Y, sizes = counted()
    cutoff = LabelCount(method, criterion).fit(ranking[:150], Y[:150])
    kept = cutoff.keep(ranking[150:])
    right = {"classify": 0.9, "regress": 0.5}[method]  # a square root would be no line
    assert (kept.lengths == sizes[150:]).mean() >= right
    assert np.array_equal(kept.labels, ranking[150:].top(kept.lengths).labels)


def test_a_regression_stays_within_what_it_saw():
    ranking, Y, _ = counted()
    cutoff = LabelCount("regress", "count").fit(ranking, Y)
    assert cutoff.counts_.tolist() == [0, 3]
    far = Ranking.from_dense(np.array([[1e6] * 7 + [-1e6] * 8, [-1e6] * 7 + [1e6] * 8]))
    assert set(cutoff.keep(far).lengths) <= {0, 1, 2, 3}


def test_one_count_is_always_taken():
    ranking = Ranking.from_dense(np.random.default_rng(0).random((10, 4)))
    Y = np.eye(4)[np.arange(10) % 4]
    for method in ("classify", "regress"):
        kept = LabelCount(method, "count").fit(ranking, Y).keep(ranking)
        assert kept.lengths.tolist() == [1] * 10


def test_scores_that_do_not_vary_give_the_commonest_count():
    ranking = Ranking.from_dense(np.ones((5, 3)))
    Y = np.array([[1, 1, 0]] * 3 + [[1, 0, 0]] * 2)
    assert LabelCount(criterion="count").fit(ranking, Y).keep(ranking).lengths.tolist() == [2] * 5
    assert LabelCount("regress", "count").fit(ranking, Y).keep(ranking).n_entries == 10  # 1.6


def test_counts_beyond_the_last_class():
    ranking, _, _ = counted(60, 40)
    Y = np.ones((60, 40))
    cutoff = LabelCount(criterion="count").fit(ranking, Y)
    assert cutoff.counts_.tolist() == [12]


@given(
    cases(min_rows=0),
    st.sampled_from([0.0, 0.3, 0.5, 0.75, 1.0]),
    st.sampled_from(["share", "score", "margin"]),
)
def test_abstaining_keeps_the_precision_and_all_rows_it_can(case, precision, confidence):
    inner = TopK(k=2)
    cutoff = Abstain(inner, precision, confidence).fit(case.ranking, case.Y)
    kept, whole = cutoff.keep(case.ranking), inner.keep(case.ranking)
    assert set(kept.lengths - whole.lengths) <= {0} | set(-whole.lengths)
    hits = case.Y[kept.rows, kept.labels] > 0
    answered = (kept.lengths > 0).sum()
    if kept.n_entries:
        assert hits.mean() == pytest.approx(cutoff.precision_)
        assert hits.mean() >= precision - 1e-12
    assert answered == pytest.approx(cutoff.answered_ * case.ranking.n_rows)
    # no lower confidence would do
    sure = cutoff._confidences(case.ranking)
    for c in set(sure[(whole.lengths > 0) & (sure < cutoff.least_)]):
        more = whole.filtered(np.repeat(sure >= c, whole.lengths))
        assert (case.Y[more.rows, more.labels] > 0).mean() < precision


def test_abstaining_by_hand():
    ranking = Ranking.from_dense(np.array([[9.0, 8.5], [4, 1], [3, 1], [2, 0]]))
    Y = np.array([[0, 1], [1, 0], [0, 1], [1, 0]])
    # margins .5 3 2 2: of the first labels that of row 1 is right, of rows 2 and 3 one
    for precision, least, rows in [(1.0, 3, 1), (0.6, 2, 3), (0.5, 0.5, 4)]:
        cutoff = Abstain(TopK(k=1), precision, "margin").fit(ranking, Y)
        assert (cutoff.least_, cutoff.answered_) == (least, rows / 4)
    # scores 9 4 3 2: wrong right wrong right
    cutoff = Abstain(TopK(k=1), 0.9, "score").fit(ranking, Y)
    assert cutoff.least_ == np.nextafter(9, 10)
    assert cutoff.keep(ranking).n_entries == 0
    assert (cutoff.answered_, cutoff.precision_) == (0.0, 1.0)
    assert Abstain(precision=0).fit(ranking, Y).keep(ranking) == ranking  # all that is listed


def test_a_row_with_one_label_has_the_widest_margin():
    ranking = Ranking.from_lists([[0], [0, 1], []], [[-5], [500, -500], []], 2)
    cutoff = Abstain(precision=1.0, confidence="margin").fit(ranking, np.eye(3)[:, :2] * 0)
    assert cutoff.keep(ranking).n_entries == 0
    cutoff = Abstain(precision=1.0, confidence="margin").fit(ranking, [[1, 0], [1, 0], [0, 0]])
    assert cutoff.keep(ranking).lengths.tolist() == [1, 0, 0]


def test_the_inner_cutoff_is_fitted_and_the_one_given_is_not():
    ranking, Y, _ = counted()
    given_one = LLSF()
    cutoff = Abstain(given_one, 0.99).fit(ranking, Y)
    assert vars(given_one) == vars(LLSF())
    assert cutoff.cutoff_.keep(ranking) == LLSF().fit(ranking, Y).keep(ranking)
    inner = Abstain(Threshold(), 0.5).fit(ranking, Y)
    assert isinstance(inner.cutoff_, Threshold)


@pytest.mark.parametrize(
    ("cutoff", "says"),
    [
        (LabelCount("guess"), "method must be classify or regress, found 'guess'"),
        (LabelCount(criterion=1), "criterion must be f1, errors or count, found 1"),
        (LabelCount(ridge=np.nan), "ridge must be a finite number from 0"),
        (Abstain(3), "cutoff must be a cutoff, found 3"),
        (Abstain(precision=1.5), "precision must be a finite number from 0 to 1, found 1.5"),
        (Abstain(confidence="p"), "confidence must be share, score or margin, found 'p'"),
        (Abstain(TopK(k=-1)), "k must be a whole number"),
    ],
)
def test_parameters_that_cannot_be(cutoff, says):
    with pytest.raises(InputError, match=says):
        cutoff.fit(Ranking.from_dense(np.ones((2, 2))), np.eye(2))


def test_a_ranking_without_labels_tells_no_count():
    with pytest.raises(InputError, match="LabelCount: the ranking of fit lists no label"):
        LabelCount().fit(Ranking([0, 0], [], [], 3), np.ones((1, 3)))
