"""AdaRank against its plain twin, and by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rankers.boosting_cases import described
from reference import boosting as twin
from reference.group_values import group_values
from sklearn.base import clone
from store.forging import forge, put, with_arrays

from labelrank import InputError, ModelError, Ranking, _native, load_model, measure
from labelrank.measures import Judged
from labelrank.rankers import tune
from labelrank.rankers.ada_rank import AdaRank
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.scaling import Scaling

RNG = np.random.default_rng(0)
N, M, D = 40, 8, 4
RANKING = Ranking.from_dense(np.zeros((N, M)))
F = RNG.normal(size=(N * M, D)).astype(np.float32)
Y = np.digitize(F[:, 1] - 0.7 * F[:, 2] + 0.3 * RNG.normal(size=N * M), [0.5, 1.5])
Y = Y.reshape(N, M).astype(float)
MEASURES = st.sampled_from(["nDCG", "MAP", "RR"])


@given(described(), MEASURES, st.integers(0, 3))
def test_what_each_feature_is_worth_on_each_group(case, name, k):
    indptr, columns = case.ranking.indptr, np.ascontiguousarray(case.F.T)
    found = _native.feature_values(indptr, columns, case.grades, name, k)
    want = [
        group_values(indptr, sign * column, case.grades, name, k)
        for sign in (1, -1)
        for column in columns
    ]
    np.testing.assert_allclose(found, want, atol=1e-12)


@given(described(), MEASURES, st.integers(0, 3), st.data())
def test_what_scores_are_worth_with_one_more_feature(case, name, k, data):
    indptr, columns = case.ranking.indptr, np.ascontiguousarray(case.F.T)
    scores = case.weights - 1
    on = data.draw(st.lists(st.integers(0, len(columns) - 1), max_size=3))
    steps = np.array([data.draw(st.sampled_from([-2.0, 0.5, 1])) for _ in on])
    found = _native.stepped_values(
        indptr, columns, case.grades, name, k, scores, np.array(on, np.int32), steps
    )
    assert found.shape == (len(on), case.ranking.n_rows)
    for row, j, step in zip(found, on, steps, strict=True):
        want = group_values(indptr, scores + step * columns[j], case.grades, name, k)
        np.testing.assert_allclose(row, want, atol=1e-12)


@given(described(), MEASURES, st.integers(0, 3), st.integers(1, 6), st.integers(1, 6),
       st.booleans())  # fmt: skip
def test_the_model_is_its_twin(case, name, k, rounds, tried, average):
    share = min(1, (tried - 0.5) / (2 * case.F.shape[1]))
    model = AdaRank(rounds, name, k, share, average, gain="grade")
    model.fit(case.ranking, case.F, case.Y, pair_weights=case.weights)
    gains = case.weights * case.grades
    want = twin.ada_rank(case.ranking.indptr, case.F, gains, name, k, rounds, tried)
    want = np.mean(want, axis=0) if average else want[-1]
    judged = Judged(case.ranking, case.Y)
    groups = Candidates.of(judged, case.F, pair_weights=case.weights).comparable("gains")
    factor = Scaling(groups.F).factor
    np.testing.assert_allclose(model.weights_, want * factor, rtol=1e-6, atol=1e-9)


def test_one_round_by_hand():
    """Group 0 has reciprocal rank 1 by the feature, group 1 has 1/2: E = 3/4 with P = 1/2."""
    ranking = Ranking.from_lists([[0, 1], [0, 1]])
    model = AdaRank(rounds=1, objective="RR", k=0).fit(
        ranking, [[2.0], [1], [2], [1]], [[1, 0], [0, 1]]
    )
    # turned around it is as good; of equally good ones the first is taken
    alpha = 0.5 * np.log((1 + 0.75) / (1 - 0.75))
    assert model.weights_[0] == pytest.approx(2 * alpha, rel=1e-5)  # the deviation is 1/2
    assert model.means_[0] == 1.5
    np.testing.assert_allclose(model._scores(np.float32([[2], [1]])), [alpha, -alpha], rtol=1e-5)


def test_the_published_choice_takes_the_same_feature_for_ever_and_the_shortlist_does_not():
    published = AdaRank(rounds=10, shortlist=0).fit(RANKING, F, Y)
    assert np.flatnonzero(published.weights_).tolist() == [1]
    found = AdaRank(rounds=10).fit(RANKING, F, Y)
    assert found.weights_[1] > 0 > found.weights_[2]
    by = measure("nDCG(gain=exp)@10")
    assert by(found.rerank(RANKING, F), Y).value > by(published.rerank(RANKING, F), Y).value + 0.05


def test_the_training_loss_is_that_of_the_kept_model():
    """exp(-E) after more rounds is not larger than after one, which is the best feature alone."""
    losses = []
    for rounds in (1, 5, 20):
        scores = AdaRank(rounds=rounds).fit(RANKING, F, Y)._scores(F)
        values = _native.group_values(RANKING.indptr, scores, np.exp2(Y.ravel()) - 1, "nDCG", 10)
        losses.append(np.exp(-values).sum())
    assert losses[0] > losses[1]
    assert losses[0] > losses[2]


def test_it_learns_and_stops():
    rows = (RANKING[:30], F[: 30 * M], Y[:30]), (RANKING[30:], F[30 * M :], Y[30:])
    model = AdaRank(patience=5, measure="MAP").fit(*rows[0], validation=rows[1])
    assert model.rounds_ == int(np.argmax(model.watched_)) + 10  # warm_up: it is the first watched
    assert len(model.watched_) == model.rounds_ - 9 + 5
    value = measure("MAP")(model.rerank(*rows[1][:2]), rows[1][2]).value
    assert value == max(model.watched_)
    same = AdaRank(rounds=model.rounds_).fit(*rows[0])
    np.testing.assert_array_equal(same._scores(F), model._scores(F))
    assert value > 0.8


@pytest.mark.parametrize(("rounds", "warm_up", "watched"), [(20, 1, 20), (20, 15, 6), (5, 10, 1)])
def test_the_validation_ranking_is_looked_at_from_the_end_of_the_warm_up(rounds, warm_up, watched):
    held = RANKING, F, Y
    model = AdaRank(rounds=rounds, warm_up=warm_up).fit(RANKING, F, Y, validation=held)
    assert len(model.watched_) == watched
    assert min(rounds, warm_up) <= model.rounds_ <= rounds


def test_contributions_add_up_to_the_score():
    model = AdaRank(rounds=10).fit(RANKING, F, Y, names=list("abcd"))
    found = model.explain(F)
    np.testing.assert_allclose(found.scores, model._scores(F))
    slopes = np.diff(model.explain([[0.0] * D, [1.0] * D]).contributions, axis=0)
    np.testing.assert_allclose(slopes[0], model.weights_)
    assert found.strongest(int(F[:, 1].argmax()), 1)[0][0] in "bc"


def test_a_perfect_feature_ends_it():
    model = AdaRank(rounds=1000).fit(RANKING, np.column_stack([F, Y.ravel()]), Y)
    assert model.rounds_ == 1
    assert np.flatnonzero(model.weights_).tolist() == [D]
    assert np.isfinite(model.weights_).all()


@pytest.mark.parametrize("grades", [[[0, 0, 0]], [[1, 1, 1]]])
def test_nothing_to_learn_from(grades):
    ranking = Ranking.from_lists([[0, 1, 2]])
    with pytest.raises(InputError, match="no group has two candidates of different gain"):
        AdaRank().fit(ranking, np.eye(3), grades)


def test_groups_of_which_every_order_is_as_good_change_nothing():
    lists = [labels.tolist() for labels, _ in RANKING]
    odd = Ranking.from_lists([[], *lists, [3], [], [1, 2], [4, 5], []], n_labels=M)
    grades = np.zeros((odd.n_rows, M))
    grades[1 : N + 1] = Y
    grades[N + 1, 3] = grades[N + 4, 4] = grades[N + 4, 5] = 2  # alone; all relevant
    more = np.concatenate([F, RNG.normal(size=(5, D)) * 1e6]).astype(np.float32)
    model, plain = AdaRank().fit(odd, more, grades), AdaRank().fit(RANKING, F, Y)
    np.testing.assert_array_equal(model._scores(F), plain._scores(F))


def test_constant_features_give_a_constant_model():
    model = AdaRank().fit(RANKING, np.full((N * M, 2), 0.1), Y)
    assert model.rounds_ == 0
    assert model._scores(np.float32([[1, 1], [5, -5]])).tolist() == [0, 0]


def test_a_constant_feature_beside_others_never_counts():
    model = AdaRank(rounds=20, shortlist=1.0).fit(RANKING, np.column_stack([F, F[:, 0] * 0]), Y)
    assert model.weights_[D] == 0


@pytest.mark.parametrize("scale", [1e-38, 1e37])
def test_the_scale_of_a_feature_does_not_matter(scale):
    model = AdaRank(rounds=20).fit(RANKING, F * np.float32(scale), Y)
    plain = AdaRank(rounds=20).fit(RANKING, F, Y)
    found = model.rerank(RANKING, F * np.float32(scale))
    by = measure("nDCG")
    assert by(found, Y).value == pytest.approx(by(plain.rerank(RANKING, F), Y).value, abs=0.02)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_only_the_ratios_of_weights_count(scale):
    weights = RNG.integers(1, 5, N * M).astype(float)
    one, two = (AdaRank().fit(RANKING, F, Y, pair_weights=weights * s) for s in (1, scale))
    np.testing.assert_allclose(two.weights_, one.weights_, rtol=1e-9)


def test_rare_labels_count_for_more():
    """Two relevant candidates want different features: the rarer label has its way."""
    ranking = Ranking.from_lists([[0, 1, 2]])
    x, grades = np.array([[1.0, 0], [0, 1], [0.5, 0.5]]), np.array([[1, 1, 0]])
    for p, winner in (([0.1, 1, 1], 0), ([1, 0.1, 1], 1)):
        model = AdaRank(k=1, gain="propensity").fit(ranking, x, grades, propensities=p)
        assert model.rerank(ranking, x).row(0)[0][0] == winner


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"rounds": 0}, "rounds must be a whole number from 1, found 0"),
        ({"warm_up": 0}, "warm_up must be a whole number from 1, found 0"),
        ({"k": -1}, "k must be a whole number from 0, found -1"),
        ({"shortlist": 40}, "shortlist must be a number from 0 to 1, found 40"),
        ({"average": 1}, "average must be True or False, found 1"),
        ({"objective": "P"}, "objective must be one of nDCG, MAP, RR, found 'P'"),
        ({"objective": "MAP", "gain": "propensity"}, "gain='propensity' needs objective='nDCG'"),
        ({"gain": "log"}, "gain must be one of grade, exp, propensity, not 'log'"),
        ({"patience": 0}, "patience must be a whole number"),
    ],
)
def test_parameters_that_cannot_be(params, says):
    with pytest.raises(InputError, match=says):
        AdaRank(**params).fit(RANKING, F, Y)


def test_it_is_a_scikit_learn_estimator_and_changes_nothing_it_is_given():
    before = F.copy()
    model = AdaRank(rounds=5, n_jobs=2)
    again = clone(model).set_params(n_jobs=None).fit(RANKING, F, Y)
    np.testing.assert_array_equal(again.weights_, model.fit(RANKING, F, Y).weights_)
    np.testing.assert_array_equal(F, before)
    found = tune(AdaRank(), RANKING, F, Y, {"shortlist": [0, 0.4]}, folds=2, random_state=0)
    assert found.best_params == {"shortlist": 0.4}


def test_candidates_score_alike_wherever_they_stand():
    large = RNG.normal(size=(70_000, D)).astype(np.float32)
    model = AdaRank(rounds=20).fit(RANKING, F, Y)
    alone = model._scored(large)
    np.testing.assert_array_equal(model.set_params(n_jobs=2)._scored(large), alone)
    np.testing.assert_array_equal(model._scored(large[40_000:40_003]), alone[40_000:40_003])


@pytest.fixture
def folder(tmp_path):
    AdaRank(rounds=10).fit(RANKING, F, Y, names=list("abcd")).save(tmp_path / "a.model")
    return tmp_path / "a.model"


def test_saved_and_loaded(folder):
    model, loaded = AdaRank(rounds=10).fit(RANKING, F, Y), load_model(folder)
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded._scores(F), model._scores(F))
    assert loaded.feature_names == list("abcd")
    assert loaded.rounds_ == 10


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("weights_", np.ones(3), "the weights and means are not one a feature"),
        ("means_", np.ones(5), "the weights and means are not one a feature"),
        ("weights_", np.full(4, np.nan), "NaN or infinite"),
    ],
)
def test_forged_arrays_are_refused(folder, name, value, says):
    forge(folder, arrays=with_arrays(folder, {name: value}))
    with pytest.raises(ModelError, match=says):
        load_model(folder)


def test_forged_numbers_are_refused(folder):
    for path, value in ((("params", "k"), -7), (("values", "n_features_in_"), 3)):
        with pytest.raises(ModelError):
            load_model(forge(folder, put("model", *path, value=value)))


def test_kernels_refuse_what_does_not_fit():
    indptr, two, columns = np.array([0, 2]), np.ones(2), np.ones((1, 2), np.float32)
    on, step = np.zeros(1, np.int32), np.ones(1)
    for work, args in (
        (_native.feature_values, (np.array([0, 3]), columns, two, "nDCG", 0)),
        (_native.feature_values, (indptr, np.ones((1, 3), np.float32), two, "nDCG", 0)),
        (_native.feature_values, (indptr, columns, two, "P", 0)),
        (_native.feature_values, (indptr, columns, two, "nDCG", -1)),
        (_native.stepped_values, (indptr, columns, two, "nDCG", 0, np.ones(3), on, step)),
        (_native.stepped_values, (indptr, columns, two, "nDCG", 0, two, on + 1, step)),
        (_native.stepped_values, (indptr, columns, two, "nDCG", 0, two, on - 1, step)),
        (_native.stepped_values, (indptr, columns, two, "nDCG", 0, two, on, two)),
    ):
        with pytest.raises(ValueError, match=r"must|has"):
            work(*args)
