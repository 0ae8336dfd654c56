"""RankBoost against explicit pairs, and by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rankers.boosting_cases import described
from reference import boosting as twin
from sklearn.base import clone
from store.forging import forge, put, with_arrays

from labelrank import InputError, ModelError, Ranking, _native, load_model, measure
from labelrank.rankers import tune
from labelrank.rankers.rank_boost import RankBoost, _cuts

RNG = np.random.default_rng(0)
N, M, D = 40, 8, 4
RANKING = Ranking.from_dense(np.zeros((N, M)))
F = RNG.normal(size=(N * M, D)).astype(np.float32)
Y = np.digitize(F[:, 1] + 0.5 * (F[:, 2] > 0) + 0.3 * RNG.normal(size=N * M), [0.5, 1.5])
Y = Y.reshape(N, M).astype(float)


def rising(indptr, grades):
    """An order of the entries in which grades rise within groups."""
    groups = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return np.lexsort((grades, groups))


@given(described(), st.sampled_from([0, 3, -3, 1e4]))
def test_forces_are_what_the_pairs_want(case, spread):
    scores = spread * case.F[:, 0].astype(float)
    order = rising(case.ranking.indptr, case.grades)
    force, total, farthest = _native.pair_forces(
        case.ranking.indptr, case.grades[order], case.weights[order], scores[order]
    )
    pairs = twin.pairs_of(case.ranking.indptr, case.grades, case.weights)
    assert farthest == max(scores[v] - scores[u] for u, v, _ in pairs)
    each = np.array([w * np.exp(scores[v] - scores[u] - farthest) for u, v, w in pairs])
    assert total == pytest.approx(each.sum())
    want = np.zeros(len(scores))
    for (u, v, _), D in zip(pairs, each / each.sum(), strict=True):
        want[u] += D
        want[v] -= D
    np.testing.assert_allclose(force, want[order], atol=1e-12)


@given(described(), st.sampled_from([0, 2, 1e4]), st.data())
def test_the_weight_that_a_step_moves(case, spread, data):
    size = len(case.grades)
    high = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), bool)
    scores = spread * case.F[:, 0].astype(float)
    order = rising(case.ranking.indptr, case.grades)
    arrays = case.ranking.indptr, *(x[order] for x in (case.grades, case.weights, scores, high))
    pairs = twin.pairs_of(case.ranking.indptr, case.grades, case.weights)
    far = max(scores[v] - scores[u] for u, v, _ in pairs)
    D = [(u, v, w * np.exp(scores[v] - scores[u] - far)) for u, v, w in pairs]
    right, wrong = _native.moved_weight(*arrays, far)
    assert right == pytest.approx(sum(w for u, v, w in D if high[u] > high[v]))
    assert wrong == pytest.approx(sum(w for u, v, w in D if high[u] < high[v]))


@given(st.integers(0, 6), st.integers(1, 3), st.integers(1, 256), st.integers(0, 9))
def test_r_of_every_step_by_one_pass(n, d, n_bins, seed):
    rng = np.random.default_rng(seed)
    bins = rng.integers(0, n_bins, (n, d)).astype(np.uint8)
    force = rng.normal(size=n)
    want = [[force[bins[:, j] > b].sum() for b in range(n_bins)] for j in range(d)]
    np.testing.assert_allclose(_native.step_forces(bins, force, n_bins), want, atol=1e-12)


@given(described(), st.sampled_from([1, 2, 7]), st.sampled_from([0.1, 1]),
       st.sampled_from([0, 0.5, 1]))  # fmt: skip
def test_the_model_is_its_twin(case, rounds, rate, balance):
    model = RankBoost(rounds=rounds, rate=rate, balance=balance)
    model.fit(case.ranking, case.F, case.Y, pair_weights=case.weights)
    want = twin.rank_boost(
        case.ranking.indptr, case.F, case.grades, case.weights, rounds, rate, balance
    )
    found = model._scores(case.F)
    np.testing.assert_allclose(found - found[-1], want - want[-1], atol=1e-9)


def test_one_step_by_hand():
    """Pairs (1 over 0, 1 over 2): x > 1.5 orders both; x > 2.5 only the first, ties the second."""
    ranking = Ranking.from_lists([[0, 1, 2]])
    model = RankBoost(rounds=1, rate=1).fit(ranking, [[1.0], [3], [2]], [[0, 1, 0]])
    assert model.thresholds_.tolist() == [2.5]
    alpha = 0.5 * np.log((1 + 1e-6) / 1e-6)  # one candidate of three is above
    np.testing.assert_allclose(model.values_, [-alpha / 3, alpha - alpha / 3])
    # one more candidate below, so that the step at 1.5 is right on 2 of 3 pairs and wrong on none
    model = RankBoost(rounds=1, rate=0.5, balance=0).fit(
        Ranking.from_lists([[0, 1, 2, 3]]), [[1.0], [1], [4], [4]], [[0, 1, 1, 0]]
    )
    # pairs 1>0 (tied), 1>3 (wrong), 2>0 (right), 2>3 (tied): r = 0, there is nothing to choose
    assert model.rounds_ == 0


def test_a_feature_may_be_turned_around():
    ranking = Ranking.from_lists([[0, 1, 2]])
    model = RankBoost(rounds=30).fit(ranking, [[-1.0], [-3], [-2]], [[0, 2, 1]])
    assert model.rerank(ranking, np.array([[-1.0], [-3], [-2]])).row(0)[0].tolist() == [1, 2, 0]
    assert (np.diff(model.values_) < 0).all()


def test_more_than_31_grades():
    ranking = Ranking.from_dense(np.zeros((1, 200)))
    x = RNG.permutation(200).astype(float)[:, None]
    model = RankBoost(rounds=2000, rate=1, thresholds=255).fit(ranking, x, 1000 + x.T)
    found = model.rerank(ranking, x)
    assert found.row(0)[0].tolist() == np.argsort(-x[:, 0]).tolist()


def test_it_learns_and_stops():
    rows = (RANKING[:30], F[: 30 * M], Y[:30]), (RANKING[30:], F[30 * M :], Y[30:])
    model = RankBoost(rounds=200, patience=20, measure="MAP").fit(*rows[0], validation=rows[1])
    assert model.rounds_ == int(np.argmax(model.watched_)) + 1
    assert len(model.watched_) in (model.rounds_ + 20, 200)
    value = measure("MAP")(model.rerank(*rows[1][:2]), rows[1][2]).value
    assert value == max(model.watched_)
    same = RankBoost(rounds=model.rounds_).fit(*rows[0])
    np.testing.assert_array_equal(same._scores(F), model._scores(F))
    assert value > 0.8


def test_contributions_add_up_to_the_score():
    model = RankBoost(rounds=50).fit(RANKING, F, Y, names=list("abcd"))
    found = model.explain(F)
    np.testing.assert_array_equal(found.scores, model._scores(F))
    assert found.base.tolist() == [0] * len(F)
    assert {name for name, _ in found.strongest(int(F[:, 1].argmax()), 1)} <= {"b", "c"}
    # a feature says nothing of the mean candidate, of groups in which there is something to order
    ordered = np.repeat(np.ptp(Y, axis=1) > 0, M)
    np.testing.assert_allclose(found.contributions[ordered].mean(axis=0), 0, atol=1e-12)
    # each column is a function of its feature alone
    moved = F.copy()
    moved[:, [0, 2, 3]] = 0
    np.testing.assert_array_equal(model.explain(moved).contributions[:, 1],
                                  found.contributions[:, 1])  # fmt: skip


@given(st.lists(st.sampled_from([0, 1, 1, 2, 3.5, -1e38, 3e38, 1e-45, 7]), min_size=1),
       st.integers(1, 5))  # fmt: skip
def test_thresholds_part_the_values(values, most):
    column = np.array(values, np.float32)
    cuts = _cuts(column, most)
    assert cuts.dtype == np.float32
    assert np.isfinite(cuts).all()
    assert (np.diff(cuts) > 0).all()
    distinct = np.unique(column)
    parts = {int((cuts < x).sum()) for x in distinct}
    assert len(parts) == len(cuts) + 1  # none is idle
    if len(distinct) - 1 <= most:
        assert len(cuts) == len(distinct) - 1
    else:
        assert 1 <= len(cuts) <= most


def test_many_values_are_parted_evenly():
    column = RNG.exponential(size=10_000).astype(np.float32)
    cuts = _cuts(column, 99)
    assert len(cuts) == 99
    sizes = np.bincount(np.searchsorted(cuts, column))
    assert sizes.min() >= 98
    assert sizes.max() <= 102


@pytest.mark.parametrize("grades", [[[0, 0, 0]], [[1, 1, 1]]])
def test_nothing_to_learn_from(grades):
    ranking = Ranking.from_lists([[0, 1, 2]])
    with pytest.raises(InputError, match="no group has two candidates of different grades"):
        RankBoost().fit(ranking, np.eye(3), grades)


def test_pairs_that_all_weigh_nothing():
    ranking = Ranking.from_lists([[0, 1, 2]])
    with pytest.raises(InputError, match="the better one with a weight above 0"):
        RankBoost().fit(ranking, np.eye(3), [[0, 1, 0]], pair_weights=[1, 0, 1])


def test_odd_groups_change_nothing():
    plain = RankBoost(rounds=20).fit(RANKING, F, Y)
    lists = [labels.tolist() for labels, _ in RANKING]
    odd = Ranking.from_lists([[], *lists, [3], [], [1, 2], [4, 5], []], n_labels=M)
    grades = np.zeros((odd.n_rows, M))
    grades[1 : N + 1] = Y
    grades[N + 1, 3] = grades[N + 4, 4] = grades[N + 4, 5] = 2  # alone; all relevant
    more = np.concatenate([F, RNG.normal(size=(5, D)) * 1e6]).astype(np.float32)
    model = RankBoost(rounds=20).fit(odd, more, grades)
    np.testing.assert_array_equal(model._scores(F), plain._scores(F))


def test_constant_features_give_a_constant_model():
    model = RankBoost().fit(RANKING, np.ones((N * M, 2)), Y)
    assert model.rounds_ == 0
    assert model._scores(np.float32([[1, 1], [5, -5]])).tolist() == [0, 0]


def test_candidates_with_the_same_numbers_tie():
    twice = np.concatenate([F, F])
    scores = RankBoost(rounds=50).fit(RANKING, F, Y)._scores(twice)
    np.testing.assert_array_equal(scores[: len(F)], scores[len(F) :])


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_only_the_ratios_of_weights_count(scale):
    weights = RNG.integers(1, 5, N * M).astype(float)
    one, two = (
        RankBoost(rounds=20).fit(RANKING, F, Y, pair_weights=weights * s) for s in (1, scale)
    )
    np.testing.assert_allclose(two._scores(F), one._scores(F), rtol=1e-9)


def test_rare_labels_count_for_more():
    """Two groups that want opposite orders: the one with the rarer label has its way."""
    ranking = Ranking.from_lists([[0, 1], [0, 1]])
    x, grades = np.array([[0.0], [1], [0], [1]]), np.array([[1, 0], [0, 1]])
    for p, winner in (([0.1, 1], 0), ([1, 0.1], 1)):
        model = RankBoost(gain="propensity").fit(ranking, x, grades, propensities=p)
        assert model.rerank(ranking, x).row(0)[0][0] == winner
    even = RankBoost().fit(ranking, x, grades)
    assert even.rounds_ == 0


def test_a_perfect_feature_for_a_long_time_does_not_overflow():
    model = RankBoost(rounds=5000, rate=1).fit(RANKING, Y.reshape(-1, 1) + 0.5, Y)
    assert np.isfinite(model.values_).all()
    assert model.rounds_ < 20
    assert measure("MAP")(model.rerank(RANKING, Y.reshape(-1, 1) + 0.5), Y).value == 1


@pytest.mark.parametrize("spread", [1e3, 1e6])
def test_scores_far_apart_do_not_overflow(spread):
    indptr, grades = np.array([0, 3, 6]), np.array([0.0, 1, 2, 0, 1, 1])
    scores = np.array([1.0, 0, -1, -1, 0, 1]) * spread
    force, total, farthest = _native.pair_forces(indptr, grades, np.ones(6), scores)
    assert (total, farthest) == (1, 2 * spread)
    assert force.tolist() == [-1, 0, 1, 0, 0, 0]
    # in good order, what weighs most is between neighbours
    force, total, farthest = _native.pair_forces(
        np.array([0, 4]), np.arange(4.0), np.ones(4), np.arange(4) * spread
    )
    assert farthest == -spread
    np.testing.assert_allclose(force * 3, [-1, 0, 0, 1], atol=1e-12)


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"rounds": 0}, "rounds must be a whole number from 1, found 0"),
        ({"thresholds": 256}, "thresholds must be a whole number from 1 to 255, found 256"),
        ({"rate": 0}, "rate must be a number above 0 and at most 1, found 0"),
        ({"balance": -0.1}, "balance must be a number from 0 to 1"),
        ({"gain": "exp"}, "gain must be one of grade, propensity, not 'exp'"),
        ({"patience": 0}, "patience must be a whole number"),
    ],
)
def test_parameters_that_cannot_be(params, says):
    with pytest.raises(InputError, match=says):
        RankBoost(**params).fit(RANKING, F, Y)


def test_it_is_a_scikit_learn_estimator_and_changes_nothing_it_is_given():
    before = F.copy()
    model = RankBoost(rounds=5, n_jobs=2)
    again = clone(model).fit(RANKING, F, Y)
    np.testing.assert_array_equal(again._scores(F), model.fit(RANKING, F, Y)._scores(F))
    np.testing.assert_array_equal(F, before)
    found = tune(RankBoost(), RANKING, F, Y, {"rounds": [1, 20]}, folds=2, random_state=0)
    assert found.best_params == {"rounds": 20}


def test_many_candidates_are_scored_alike_for_every_number_of_jobs():
    large = RNG.normal(size=(70_000, D)).astype(np.float32)
    model = RankBoost(rounds=20).fit(RANKING, F, Y)
    alone = model._scored(large)
    np.testing.assert_array_equal(model.set_params(n_jobs=2)._scored(large), alone)
    np.testing.assert_array_equal(model._scored(large[40_000:40_010]), alone[40_000:40_010])


@pytest.fixture
def folder(tmp_path):
    RankBoost(rounds=30).fit(RANKING, F, Y, names=list("abcd")).save(tmp_path / "a.model")
    return tmp_path / "a.model"


def test_saved_and_loaded(folder):
    model, loaded = RankBoost(rounds=30).fit(RANKING, F, Y), load_model(folder)
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded._scores(F), model._scores(F))
    assert loaded.feature_names == list("abcd")
    assert loaded.rounds_ == 30


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("indptr_", np.array([0, 1, 2, 3]), "do not fit the features"),
        ("indptr_", np.array([0, 2, 1, 3, 4]), "do not fit the features"),
        ("indptr_", np.array([1, 2, 3, 4, 5]), "do not fit the features"),
        ("indptr_", lambda a: a["indptr_"] + np.array([0, 0, 0, 0, 9]), "do not fit the features"),
        ("values_", lambda a: a["values_"][1:], "do not fit the thresholds"),
        ("values_", lambda a: a["values_"] + np.inf, "NaN or infinite"),
        ("thresholds_", lambda a: a["thresholds_"][::-1], "must rise"),
        ("thresholds_", lambda a: a["thresholds_"] * 0, "must rise"),
        ("thresholds_", lambda a: a["thresholds_"].astype(float), "float32"),
    ],
)
def test_forged_arrays_are_refused(folder, name, value, says):
    forge(folder, arrays=with_arrays(folder, {name: value}))
    with pytest.raises(ModelError, match=says):
        load_model(folder)


def test_forged_numbers_are_refused(folder):
    for path, value in ((("params", "rate"), 7), (("values", "n_features_in_"), 3)):
        with pytest.raises(ModelError):
            load_model(forge(folder, put("model", *path, value=value)))


def test_kernels_refuse_what_does_not_fit():
    indptr, two = np.array([0, 2]), np.ones(2)
    F2 = np.ones((2, 1), np.float32)
    for work, args in (
        (_native.pair_forces, (np.array([0, 3]), two, two, two)),
        (_native.pair_forces, (indptr, np.array([2.0, 1]), two, two)),
        (_native.pair_forces, (indptr, two, np.ones(3), two)),
        (_native.pair_forces, (indptr, two, two, np.ones(3))),
        (_native.moved_weight, (indptr, two, two, two, np.ones(3, bool), 0.0)),
        (_native.moved_weight, (indptr, two, np.ones(1), two, np.ones(2, bool), 0.0)),
        (_native.moved_weight, (indptr, two, two, np.ones(1), np.ones(2, bool), 0.0)),
        (_native.moved_weight, (indptr, np.array([2.0, 1]), two, two, np.ones(2, bool), 0.0)),
        (_native.step_forces, (np.full((2, 1), 4, np.uint8), two, 4)),
        (_native.step_forces, (np.zeros((2, 1), np.uint8), two, 257)),
        (_native.step_forces, (np.zeros((2, 1), np.uint8), two, 0)),
        (_native.step_forces, (np.zeros((2, 1), np.uint8), np.ones(3), 4)),
        (_native.step_values, (F2, np.array([0, 1]), np.ones(2, np.float32), two)),
        (_native.step_values, (F2, np.array([0, 1, 1]), np.ones(1, np.float32), two)),
        (_native.step_values, (F2, np.array([0, 1]), np.ones(1, np.float32), np.ones(3))),
    ):
        with pytest.raises(ValueError, match=r"must|has|lies"):
            work(*args)
