"""Tuning: whole groups, honest folds, the table."""

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone

from labelrank import InputError, Ranking, measure
from labelrank.rankers import Ranker, tune
from labelrank.rankers.base import FIELDS
from labelrank.store import Array

N, M = 12, 5
RANKING = Ranking.from_dense(np.zeros((N, M)))
F = np.random.default_rng(0).normal(size=(N * M, 3)).astype(np.float32)
Y = (F[:, 1] > 0.3).reshape(N, M).astype(float)
Y[0] = 0


class OneColumn(Ranker):
    """Ranks by one column; remembers what it was given."""

    fitted = FIELDS | {"sign_": Array("f8")}
    grid = {"column": [0, 1, 2], "sign": [1, -1]}  # noqa: RUF012
    seen = []  # noqa: RUF012

    def __init__(self, column=0, sign=1, gain="grade", n_jobs=None):
        self.column = column
        self.sign = sign
        self.gain = gain
        self.n_jobs = n_jobs

    def _fit(self, candidates, watch):
        self.sign_ = np.array([float(self.sign)])
        OneColumn.seen.append((candidates, watch))

    def _scores(self, F):
        return F[:, self.column] * self.sign_[0]


@pytest.fixture(autouse=True)
def forget():
    OneColumn.seen.clear()


def test_the_best_parameters_win_and_the_table_says_by_how_much():
    found = tune(OneColumn(), RANKING, F, Y, measure="MAP", folds=4, random_state=0)
    assert found.best_params == {"column": 1, "sign": 1}
    assert found.best_value == 1.0
    assert len(found.rows) == 6
    assert sorted(row["rank"] for row in found.rows) == [1, 2, 3, 4, 5, 6]
    ordered = sorted(found.rows, key=lambda row: row["rank"])
    values = [row["value"] for row in ordered]
    assert values == sorted(values, reverse=True)
    assert found.ranker.column == 1
    lines = str(found).splitlines()
    assert lines[0].split() == ["rank", "MAP", "column", "sign"]
    assert lines[1].split() == ["1", "1.0000", "±", "0.0000", "1", "1"]
    assert list(found.to_frame("pandas")["rank"]) == [row["rank"] for row in found.rows]


def test_every_group_is_judged_once_and_never_by_a_model_that_saw_it():
    wanted = measure("MAP")
    found = tune(OneColumn(), RANKING, F, Y, {"column": [2]}, measure=wanted, folds=4)
    scores = wanted(OneColumn(2).fit(RANKING, F, Y).rerank(RANKING, F), Y).values
    assert found.best_value == pytest.approx(np.nanmean(scores))
    error = np.nanstd(scores, ddof=1) / np.sqrt((~np.isnan(scores)).sum())
    assert found.rows[0]["error"] == pytest.approx(error)
    sizes = [candidates.n_groups for candidates, _ in OneColumn.seen[:4]]
    assert sizes == [9] * 4
    assert OneColumn.seen[4][0].n_groups == N  # the last fit is to all groups
    for candidates, _ in OneColumn.seen[:4]:
        rows = {tuple(row) for row in candidates.F.tolist()}
        whole = {g for g in range(N) if tuple(F[g * M].tolist()) in rows}
        assert len(whole) == 9
        assert all(tuple(f) in rows for g in whole for f in F[g * M : (g + 1) * M].tolist())


def test_weights_and_propensities_follow_their_groups():
    weights = np.arange(N * M, dtype=float) + 1
    p = np.linspace(0.1, 1, M)
    tune(
        OneColumn(gain="propensity"), RANKING, F, Y, {"column": [1]}, folds=3,
        pair_weights=weights, label_weights=np.ones(M), propensities=p, names=["a", "b", "c"],
    )  # fmt: skip
    of_row = {tuple(row): w for row, w in zip(F.tolist(), weights, strict=True)}
    for candidates, _ in OneColumn.seen:
        labels = np.tile(np.arange(M), candidates.n_groups)
        given = np.array([of_row[tuple(row)] for row in candidates.F.tolist()])
        np.testing.assert_allclose(candidates.weights, given / p[labels])


def test_a_validation_part_judges_instead_of_folds():
    held = (RANKING[:4], F[: 4 * M], Y[:4])
    rest = (RANKING[4:], F[4 * M :], Y[4:])
    found = tune(OneColumn(), *rest, validation=held, measure="MAP")
    assert found.best_params["column"] == 1
    assert len(OneColumn.seen) == 6  # one fit a try, none afterwards
    assert all(watch.is_on for _, watch in OneColumn.seen)
    value = measure("MAP")(found.ranker.rerank(*held[:2]), Y[:4]).value
    assert found.best_value == value


def test_results_do_not_depend_on_the_number_of_jobs():
    one, two = (
        tune(OneColumn(), RANKING, F, Y, folds=3, random_state=5, n_jobs=n_jobs)
        for n_jobs in (1, 2)
    )
    assert one.rows == two.rows


def test_drawn_parameters():
    grid = {"column": [0, 1, 2], "sign": stats.uniform(-1, 2)}
    first, again = (
        tune(OneColumn(), RANKING, F, Y, grid, n_iter=5, folds=2, random_state=3) for _ in "ab"
    )
    assert first.rows == again.rows
    assert len(first.rows) == 5


def test_the_smallest_value_wins_where_smaller_is_better():
    found = tune(OneColumn(), RANKING, F, Y, measure="RankLoss", folds=2)
    assert found.best_params == {"column": 1, "sign": 1}
    assert found.best_value == 0


def test_the_ranker_that_was_given_is_not_changed():
    given = OneColumn(column=2)
    tune(given, RANKING, F, Y, folds=2)
    assert given.get_params() == clone(given).get_params()
    assert not hasattr(given, "n_features_in_")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"folds": 1}, "folds must lie between 2 and the 12 groups"),
        ({"folds": 13}, "folds must lie between 2 and the 12 groups"),
        ({"folds": 2.0}, "folds must lie between"),
        ({"grid": {"column": 3}}, "tune cannot use this grid"),
        ({"grid": []}, "at least one combination"),
        ({"weights": [1]}, "tune has no argument 'weights'"),
        ({"measure": "MPA"}, "did you mean MAP"),
    ],
)
def test_what_tune_refuses(arguments, says):
    with pytest.raises(InputError, match=says):
        tune(OneColumn(), RANKING, F, Y, **arguments)
