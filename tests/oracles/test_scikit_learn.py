"""scikit-learn's multilabel measures, and which policy on ties and empty rows each one has."""

import numpy as np
import pytest
from sklearn import metrics

from labelrank import Ranking, measure

N, M = 150, 9
RNG = np.random.default_rng(2)
TRUTH = (RNG.random((N, M)) < 0.25).astype(int)
TRUTH[0], TRUTH[1] = 0, 1  # an empty row and a full one
FULL = TRUTH[TRUTH.any(axis=1)]
SCORES = RNG.random((N, M))
TIED = RNG.integers(0, 4, size=(N, M)) / 4


def found(notation, scores, Y):
    return measure(notation)(Ranking.from_dense(scores), Y).value


def agree(value, wanted):
    assert value == pytest.approx(wanted, rel=0, abs=1e-9)
    assert np.isfinite(wanted)


# ---------------------------------------------------------------- ranked lists


def test_average_precision_where_an_empty_row_counts_1():
    wanted = metrics.label_ranking_average_precision_score(TRUTH, SCORES)
    agree(found("MAP(empty=one)", SCORES, TRUTH), wanted)


def test_average_precision_with_ties_takes_the_last_place_of_the_group():
    """Its precision at a tied label counts the whole group: between the worst and the best."""
    wanted = metrics.label_ranking_average_precision_score(TRUTH, TIED)
    assert found("MAP(empty=one,ties=worst)", TIED, TRUTH) < wanted
    assert wanted < found("MAP(empty=one,ties=best)", TIED, TRUTH)


@pytest.mark.parametrize("scores", [SCORES, TIED], ids=["distinct", "tied"])
def test_ranking_loss_where_a_tied_pair_is_wrong_and_a_row_without_pairs_counts_0(scores):
    wanted = metrics.label_ranking_loss(TRUTH, scores)
    agree(found("RankLoss(empty=zero,ties=worst)", scores, TRUTH), wanted)


@pytest.mark.parametrize("scores", [SCORES, TIED], ids=["distinct", "tied"])
def test_coverage_from_1_where_ties_take_the_last_place(scores):
    scores = scores[TRUTH.any(axis=1)]
    wanted = metrics.coverage_error(FULL, scores) - 1
    agree(found("Coverage(ties=worst)", scores, FULL), wanted)


def test_coverage_of_an_empty_row_is_0_from_1():
    """coverage_error counts it 0, which is -1 from 0: the sums differ by one for each such row."""
    empty = (~TRUTH.any(axis=1)).sum()
    wanted = metrics.coverage_error(TRUTH, SCORES) - 1
    agree(found("Coverage(empty=zero)", SCORES, TRUTH) - empty / N, wanted)
    assert empty > 0


ONE_LABEL = RNG.integers(0, M, size=N)  # the one relevant label of each row
GRADES = TRUTH * RNG.integers(1, 4, size=TRUTH.shape)


@pytest.mark.parametrize("k", [None, 1, 4, 20])
@pytest.mark.parametrize("scores", [SCORES, TIED], ids=["distinct", "tied"])
def test_ndcg_averages_over_ties(scores, k):
    wanted = metrics.ndcg_score(GRADES, scores, k=k)
    name = "nDCG(empty=zero,ties=expected)" + (f"@{k}" if k else "")
    agree(found(name, scores, GRADES), wanted)


@pytest.mark.parametrize("k", [None, 3])
def test_ndcg_with_an_exponential_gain(k):
    wanted = metrics.ndcg_score(2.0**GRADES - 1, TIED, k=k)
    name = "nDCG(empty=zero,ties=expected,gain=exp)" + (f"@{k}" if k else "")
    agree(found(name, TIED, GRADES), wanted)


def test_one_error_is_the_zero_one_loss_of_the_first_label():
    wanted = 1 - metrics.top_k_accuracy_score(ONE_LABEL, SCORES, k=1, labels=range(M))
    agree(found("OneError", SCORES, np.eye(M)[ONE_LABEL]), wanted)


def test_recall_of_one_label_is_top_k_accuracy():
    for k in (1, 3):
        wanted = metrics.top_k_accuracy_score(ONE_LABEL, SCORES, k=k, labels=range(M))
        agree(found(f"R@{k}", SCORES, np.eye(M)[ONE_LABEL]), wanted)


# ---------------------------------------------------------------- decisions

SAID = RNG.random((N, M)) < 0.3
SAID[0] = SAID[2] = False  # row 0 has nothing at all, row 2 nothing said
TRUTH[2, 0] = 1


@pytest.mark.parametrize(
    ("notation", "wanted"),
    [
        ("HLoss", metrics.hamming_loss),
        ("exact-match", metrics.accuracy_score),
        ("ex-Acc", lambda Y, said: 1 - metrics.hamming_loss(Y, said)),
        ("micro-F1", lambda Y, said: metrics.f1_score(Y, said, average="micro")),
    ],
)
def test_decisions(notation, wanted):
    score = measure(notation)(Ranking.from_csr(SAID), TRUTH)
    agree(score.value, wanted(TRUTH, SAID.astype(int)))


def test_exact_match_is_one_minus_the_zero_one_loss():
    wanted = 1 - metrics.zero_one_loss(TRUTH, SAID.astype(int))
    agree(measure("exact-match")(Ranking.from_csr(SAID), TRUTH).value, wanted)


@pytest.mark.parametrize(
    ("empty", "zero_division"), [("zero", 0.0), ("one", 1.0), ("skip", np.nan)]
)
@pytest.mark.parametrize(
    ("name", "average", "oracle"),
    [
        ("ex-F1", "samples", metrics.f1_score),
        ("ex-P", "samples", metrics.precision_score),
        ("ex-R", "samples", metrics.recall_score),
        ("macro-F1", "macro", metrics.f1_score),
    ],
)
def test_averages_of_rows_and_labels(name, average, oracle, empty, zero_division):
    Y, said = (np.pad(a, ((0, 0), (0, 2))).astype(int) for a in (TRUTH, SAID))  # two empty labels
    score = measure(f"{name}(empty={empty})")(Ranking.from_csr(said), Y)
    agree(score.value, oracle(Y, said, average=average, zero_division=zero_division))
    assert score.n_empty > 0
