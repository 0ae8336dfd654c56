"""LLSF: the paper's regression against its plain twin, and what keeps it from breaking down."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import cutoffs as twin
from strategies import cases

from labelrank import InputError, Ranking
from labelrank._labels import check_labels
from labelrank.cutoffs import LLSF, Threshold
from labelrank.cutoffs.learned import Truth
from labelrank.cutoffs.row_thresholds import cross_fitted
from labelrank.cutoffs.scales import fitted_temperature, on_scale
from labelrank.measures import evaluate

SCALES = ["softmax", "log-softmax", "scores"]


def problem(n=120, m=5, seed=0, spread=1.0):
    """Scores with a meaning that differs from row to row, and noise."""
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, m)) < 0.3).astype(int)
    Y[:, 0] |= Y.sum(axis=1) == 0
    scores = rng.normal(size=(n, 1)) * 3 + 2 * Y + rng.normal(size=(n, m)) * 0.7
    return Ranking.from_dense(scores * spread), Y


def paper(criterion="errors", scale="softmax", temperature=1.0):
    return LLSF(
        criterion, scale=scale, inputs="labels", temperature=temperature, ridge=0.0, corrected=False
    )


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("criterion", ["f1", "errors"])
@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_the_papers_form_is_minimum_norm_least_squares(scale, criterion, temperature):
    ranking, Y = problem()
    model = paper(criterion, scale, temperature).fit(ranking, Y)
    scores, thresholds = twin.llsf(ranking, Y, criterion, scale, temperature)
    np.testing.assert_allclose(model.thresholds(ranking), thresholds, rtol=1e-7, atol=1e-9)
    kept = model.keep(ranking)
    for i, (labels, _) in enumerate(kept):
        assert sorted(labels) == np.flatnonzero(scores[i] >= thresholds[i]).tolist()
    assert (model.form_, model.shift_) == ([scale, "labels"], 0.0)


@settings(max_examples=25)
@given(cases(min_rows=2, max_rows=6, min_labels=2, full=True), st.sampled_from(SCALES))
def test_the_papers_form_on_ties_and_few_rows(case, scale):
    model = paper("f1", scale).fit(case.ranking, case.Y)
    _, thresholds = twin.llsf(case.ranking, case.Y, "f1", scale, 1.0)
    np.testing.assert_allclose(model.thresholds(case.ranking), thresholds, rtol=1e-5, atol=1e-7)


def test_a_softmax_sums_to_one_and_so_its_weights_are_the_shortest():
    ranking, Y = problem()
    assert paper().fit(ranking, Y).weights_.sum() == pytest.approx(0, abs=1e-8)


@given(cases(), st.sampled_from(SCALES), st.sampled_from([0.25, 1.0, 8.0]))
def test_scales(case, scale, temperature):
    values = on_scale(case.ranking, scale, temperature)
    at = case.ranking.indptr
    for i, (_, scores) in enumerate(case.ranking):
        own = values[at[i] : at[i + 1]]
        assert (np.diff(own) <= 0).all()
        assert (np.diff(own) == 0).tolist() == (np.diff(scores) == 0).tolist()
        if len(own):
            plain = twin.softmax(scores.astype(float), temperature)
            want = {"softmax": plain, "log-softmax": np.log(plain), "scores": scores / temperature}
            np.testing.assert_allclose(own, want[scale], rtol=1e-12, atol=1e-12)


def likelihood(ranking, Y, temperature):
    values = on_scale(ranking, "log-softmax", temperature)
    hits = Y[ranking.rows, ranking.labels] > 0
    counts = np.bincount(ranking.rows[hits], minlength=ranking.n_rows)
    return (values[hits] / counts[ranking.rows[hits]]).sum()


def test_the_temperature_is_the_most_likely_one():
    ranking, Y = problem(300)
    found = fitted_temperature(ranking, Truth.of(ranking, check_labels(Y)))
    best = likelihood(ranking, Y, found)
    for factor in (0.5, 0.9, 0.99, 1.01, 1.1, 2):
        assert likelihood(ranking, Y, found * factor) < best


def truth_of(ranking, Y):
    return Truth.of(ranking, check_labels(Y))


def test_temperatures_of_scores_that_say_nothing_or_everything():
    ranking, Y = problem()
    spread = fitted_temperature(ranking, truth_of(ranking, Y * 0))
    assert 0 < spread < np.inf
    upside_down = Ranking.from_dense(np.tile([1.0, 0], (4, 1)))
    assert fitted_temperature(upside_down, truth_of(upside_down, [[0, 1]] * 4)) == 0.5
    right = fitted_temperature(upside_down, truth_of(upside_down, [[1, 0]] * 4))
    assert right == pytest.approx(0.005)  # the smallest that is looked at
    constant = Ranking.from_dense(np.ones((2, 3)))
    assert fitted_temperature(constant, truth_of(constant, np.eye(3)[:2])) == 1.0


@pytest.mark.parametrize("factor", [1e-6, 0.01, 10.0, 1e6])
def test_the_unit_of_the_scores_does_not_matter(factor):
    ranking, Y = problem()
    scaled, _ = problem(spread=factor)
    one, other = LLSF().fit(ranking, Y), LLSF().fit(scaled, Y)
    assert one.form_ == other.form_
    kept, other_kept = one.keep(ranking), other.keep(scaled)
    assert np.array_equal(kept.indptr, other_kept.indptr)
    assert np.array_equal(kept.labels, other_kept.labels)


def f1(cutoff, train, test, Y_train, Y_test):
    kept = cutoff.fit(train, Y_train).keep(test)
    return evaluate(kept, Y_test, "micro-F1")["micro-F1"].value


def test_rows_with_levels_of_their_own_need_thresholds_of_their_own():
    ranking, Y = problem(400)
    parts = ranking[:200], ranking[200:], Y[:200], Y[200:]
    assert f1(Threshold(), *parts) < 0.7
    for cutoff in (LLSF(), LLSF("errors"), LLSF(inputs="sorted"), LLSF(ties="widest")):
        assert f1(cutoff, *parts) > 0.8


def collapse(n=900, m=60, seed=3):
    """One or two labels of sixty, with peaked scores, some rows unsure: as Reuters by ListNet."""
    rng = np.random.default_rng(seed)
    Y = np.zeros((n, m), int)
    Y[np.arange(n), rng.integers(0, m, n) ** 2 // m] = 1
    Y[np.arange(0, n, 5), rng.integers(0, m, n)[::5]] = 1
    sure = rng.choice([0.5, 3.0, 8.0], size=(n, 1), p=[0.15, 0.35, 0.5])
    return Ranking.from_dense(sure * Y + rng.normal(size=(n, m)) * 0.8), Y


def test_what_breaks_the_papers_form_down_is_mended():
    ranking, Y = collapse()
    parts = ranking[:600], ranking[600:], Y[:600], Y[600:]
    kept = paper("f1").fit(ranking[:600], Y[:600]).keep(ranking[600:])
    assert kept.lengths.max() > 30  # some rows let nearly all labels in
    default = LLSF().fit(ranking[:600], Y[:600]).keep(ranking[600:])
    assert default.lengths.max() < 10
    assert f1(LLSF(), *parts) > f1(paper("f1"), *parts) + 0.1
    assert f1(LLSF(corrected=False, scale="log-softmax"), *parts) > f1(paper("f1"), *parts)


def test_thresholds_stay_in_the_range_seen_in_training():
    ranking, Y = problem()
    model = LLSF(scale="scores", inputs="labels", temperature=1.0).fit(ranking, Y)
    low, high = model.limits_
    far = Ranking.from_dense(np.array([[1e4, 1, 1, 1, 1], [-1e4, -1, -1, -1, -1]]))
    raw = paper("f1", "scores").fit(ranking, Y).thresholds(far)
    assert min(raw) < low < high < max(raw)  # where the line alone would be
    assert set(model.thresholds(far) - model.shift_) == {low, high}
    kept = model.keep(far)
    for row, threshold in enumerate(model.thresholds(far)):
        labels, scores = far.row(row)
        assert kept.row(row)[0].tolist() == labels[scores >= threshold].tolist()


@pytest.mark.parametrize("criterion", ["f1", "errors"])
def test_no_other_shift_is_better_on_rows_that_the_line_did_not_see(criterion):
    ranking, Y = problem(60)
    form = {"scale": "scores", "inputs": "sorted", "temperature": 1.0, "ridge": 0.1}
    model = LLSF(criterion, **form).fit(ranking, Y)
    hits = Y[ranking.rows, ranking.labels] > 0
    targets = model._targets(ranking, truth_of(ranking, Y), ranking.scores)
    lines = cross_fitted(ranking, ranking.scores, targets, "sorted", (0.1,))[0]
    above = ranking.scores - np.clip(lines, *model.limits_)[ranking.rows]

    def worth(shift):
        kept = above >= shift
        right, said = (hits & kept).sum(), kept.sum()
        return 2 * right / (said + hits.sum()) if criterion == "f1" else 2 * right - said

    assert worth(model.shift_) == pytest.approx(max(worth(a) for a in above))
    assert model.shift_ != 0
    assert worth(model.shift_) >= worth(0.0)


def test_short_lists_over_many_labels():
    rng = np.random.default_rng(0)
    n, m = 300, 5000
    labels = np.array([rng.permutation(m)[:12] for _ in range(n)])
    hits = rng.random(labels.shape) < 0.25
    scores = 2.5 * hits + rng.normal(size=labels.shape) + rng.normal(size=(n, 1)) * 3
    lengths = rng.integers(0, 13, n)
    ranking = Ranking.from_lists(
        [row[:k] for row, k in zip(labels, lengths, strict=True)],
        [row[:k] for row, k in zip(scores, lengths, strict=True)],
        n_labels=m,
    )
    Y = np.zeros((n, m))
    Y[np.arange(n)[:, None], labels] = hits
    model = LLSF().fit(ranking, Y)
    assert model.form_[1] == "sorted"
    assert model.weights_.shape == (10,)
    one = evaluate(Threshold().fit(ranking, Y).keep(ranking), Y, "micro-F1")["micro-F1"].value
    assert evaluate(model.keep(ranking), Y, "micro-F1")["micro-F1"].value > one
    with pytest.raises(InputError, match="inputs='labels' is for at most 4096 labels, found 5000"):
        LLSF(inputs="labels").fit(ranking, Y)


def test_labels_that_are_not_listed_have_the_rows_lowest_score():
    full = Ranking.from_dense(np.array([[3.0, 1, 1], [0, 0, 2], [4, 5, 1], [2, 0, 0]]))
    short = Ranking.from_lists(
        [[0, 1], [2, 0], [1, 0, 2], [0, 2]], [[3, 1], [2, 0], [5, 4, 1], [2, 0]], 3
    )
    Y = np.array([[1, 0, 0], [0, 0, 1], [1, 1, 0], [1, 0, 0]])
    form = {"scale": "scores", "inputs": "labels", "temperature": 1.0, "corrected": False}
    whole, part = (LLSF(**form).fit(r, Y).thresholds(r) for r in (full, short))
    np.testing.assert_allclose(whole, part)


def test_auto_tries_labels_only_where_all_are_listed():
    ranking, Y = problem()
    assert LLSF(inputs="auto").fit(ranking.top(3), Y).form_[1] == "sorted"
    for form in (("softmax", "labels"), ("scores", "sorted")):
        assert LLSF(scale=form[0], inputs=form[1]).fit(ranking, Y).form_ == [*form]
    assert LLSF(ridge=0.5, temperature=2.0).fit(ranking, Y).ridge_ == 0.5


def test_rows_in_blocks_are_as_rows_alone():
    ranking, Y = problem(4500)
    model = LLSF().fit(ranking, Y)
    some = np.array([0, 4095, 4096, 4499])
    np.testing.assert_allclose(model.thresholds(ranking)[some], model.thresholds(ranking[some]))


def test_cross_fitted_thresholds_are_of_lines_that_did_not_see_the_row():
    rng = np.random.default_rng(5)
    ranking = Ranking.from_dense(rng.normal(size=(23, 4)))
    values, targets = ranking.scores.astype(float), rng.normal(size=23)
    found = cross_fitted(ranking, values, targets, "sorted", (0.0,))[0]
    F = np.stack([scores for _, scores in ranking])
    for i in range(23):
        others = np.arange(23) % 5 != i % 5
        A = np.column_stack([F[others], np.ones(others.sum())])
        line = np.linalg.lstsq(A, targets[others])[0]
        assert found[i] == pytest.approx(F[i] @ line[:-1] + line[-1])


def test_many_entries_are_judged_on_a_part(monkeypatch):
    ranking, Y = problem(400)
    monkeypatch.setattr("labelrank.cutoffs.llsf._ENTRIES", 500)
    model = LLSF().fit(ranking, Y)
    assert evaluate(model.keep(ranking), Y, "micro-F1")["micro-F1"].value > 0.8


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"criterion": "recall"}, "criterion must be f1 or errors, found 'recall'"),
        ({"ties": None}, "ties must be fewest, most or widest, found None"),
        ({"scale": "sum"}, "scale must be auto, softmax, log-softmax or scores, found 'sum'"),
        ({"inputs": "all"}, "inputs must be auto, labels or sorted, found 'all'"),
        ({"temperature": 0}, "temperature must be a finite number from 1e-06 to 1e"),
        ({"temperature": "auto"}, "temperature must be a finite number"),
        ({"ridge": -1.0}, "ridge must be a finite number from 0, found -1.0"),
        ({"corrected": 1}, "corrected must be true or false, found 1"),
    ],
)
def test_parameters_that_cannot_be(parameters, says):
    ranking, Y = problem(10)
    with pytest.raises(InputError, match=f"LLSF: {says}"):
        LLSF(**parameters).fit(ranking, Y)


def test_a_ranking_without_labels_teaches_nothing():
    with pytest.raises(InputError, match="lists no label"):
        LLSF().fit(Ranking([0, 0], [], [], 3), np.ones((1, 3)))
