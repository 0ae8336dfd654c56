"""MAP, ranking loss, one-error, coverage and reciprocal rank in closed form (paper 000, 3.3)."""

import numpy as np
import pytest

from labelrank import Ranking, measure

# The whole list is 2, 0, 1, 3; labels 0 and 3 are relevant: they stand at places 2 and 4.
RANKING = Ranking.from_lists([[2, 0, 1, 3]], n_labels=4)
TRUTH = np.array([[1, 0, 0, 1]])


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        ("MAP", (1 / 2 + 2 / 4) / 2),  # (4)
        ("MAP@3", (1 / 2) / 2),
        ("MAP@1", 0),
        ("MAP@9", (1 / 2 + 2 / 4) / 2),
        ("RankLoss", (1 + 2) / (2 * 2)),  # (6): 2 is above 0; 2 and 1 are above 3
        ("OneError", 1),  # (17)
        ("Coverage", 4 - 1),  # (18)
        ("RR", 1 / 2),
        ("RR@2", 1 / 2),
        ("RR@1", 0),
    ],
)
def test_one_row(notation, value):
    assert measure(notation)(RANKING, TRUTH).value == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("notation", "best", "worst"),
    [
        ("MAP", 1, (1 / 3 + 2 / 4) / 2),
        ("RankLoss", 0, 1),
        ("OneError", 0, 1),
        ("Coverage", 2 - 1, 4 - 1),
        ("RR", 1, 1 / 3),
    ],
)
def test_the_best_and_the_worst_order(notation, best, worst):
    m = measure(notation)
    assert m(Ranking.from_lists([[3, 0, 2, 1]]), TRUTH).value == pytest.approx(best)
    assert m(Ranking.from_lists([[2, 1, 3, 0]]), TRUTH).value == pytest.approx(worst)


@pytest.mark.parametrize("notation", ["MAP", "RankLoss", "OneError", "Coverage", "RR"])
def test_the_value_is_the_mean_of_the_rows(notation):
    both = Ranking.from_lists([[2, 0, 1, 3], [3, 0, 2, 1]])
    m, Y = measure(notation), np.repeat(TRUTH, 2, axis=0)
    parts = [m(both[i : i + 1], Y[:1]).value for i in range(2)]
    assert m(both, Y).value == pytest.approx(sum(parts) / 2)
    assert parts[0] != parts[1]


# ---------------------------------------------------------------- labels that are not listed


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        ("MAP", (1 / 2 + 0) / 2),  # 3 is not listed and adds nothing
        ("RankLoss", (1 + 2) / 4),  # below 0: none but 2; 3 stands below 1 and 2
        ("OneError", 1),
        ("Coverage", 4 - 1),  # 3 stands in the very last place
        ("RR", 1 / 2),
    ],
)
def test_a_relevant_label_that_is_not_listed(notation, value):
    score = measure(notation)(Ranking.from_lists([[2, 0]], n_labels=4), TRUTH)
    assert score.value == pytest.approx(value, rel=1e-14)
    assert score.n_short == (0 if notation == "OneError" else 1)


NOTHING_FOUND = {"MAP": 0, "RankLoss": 1, "OneError": 1, "Coverage": 3, "RR": 0}


@pytest.mark.parametrize(("notation", "value"), NOTHING_FOUND.items())
@pytest.mark.parametrize("ties", ["order", "expected", "worst", "best"])
def test_lists_without_a_relevant_label(notation, value, ties):
    m = measure(f"{notation}(ties={ties})")
    for order in ([], [2], [2, 1]):
        assert m(Ranking.from_lists([order], n_labels=4), TRUTH).value == value


def test_an_irrelevant_label_that_is_not_listed_stands_below_every_listed_one():
    assert measure("RankLoss")(Ranking.from_lists([[0, 3]], n_labels=4), TRUTH).value == 0
    assert measure("Coverage")(Ranking.from_lists([[0, 3]], n_labels=4), TRUTH).value == 2 - 1


def test_coverage_of_rows_with_and_without_hits_side_by_side():
    ranking = Ranking.from_lists([[2, 1], [3, 2, 0], [], [0, 1, 2]], n_labels=4)
    Y = np.repeat(TRUTH, 4, axis=0)
    np.testing.assert_array_equal(measure("Coverage")(ranking, Y).values, [3, 2, 3, 3])


# ---------------------------------------------------------------- ties of many labels


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
def test_one_relevant_label_among_n_tied_ones(n):
    ranking, Y = Ranking.from_dense(np.zeros((1, n))), np.eye(1, n, n // 2)
    places = np.arange(1, n + 1)
    for notation, value in {
        "RR(ties=expected)": (1 / places).mean(),
        "MAP(ties=expected)": (1 / places).mean(),
        "MRR(ties=expected)": (1 / places).mean(),
        "Coverage(ties=expected)": (places - 1).mean(),
        "RankLoss(ties=expected)": 1 / 2,
        "OneError(ties=expected)": 1 - 1 / n,
        "nDCG(ties=expected)": (1 / np.log2(1 + places)).mean(),
        "Coverage(ties=worst)": n - 1,
        "RR(ties=worst)": 1 / n,
        "Coverage(ties=best)": 0,
        "RR(ties=order)": 1 / (n // 2 + 1),
    }.items():
        assert measure(notation)(ranking, Y).value == pytest.approx(value, rel=1e-9), notation


def test_all_labels_relevant_leaves_ranking_loss_without_a_pair():
    score = measure("RankLoss")(RANKING, np.ones((1, 4)))
    assert (score.n_empty, score.n_units) == (1, 0)
    assert np.isnan(score.value)
    assert measure("RankLoss(empty=zero)")(RANKING, np.ones((1, 4))).value == 0
