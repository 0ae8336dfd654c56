"""MetaLevel against its plain twin: distances, footnote 1, centroids, and nobody finds itself."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import meta_level as twin

from labelrank import InputError, Ranking
from labelrank.features import MetaLevel

FORMS = {"dense": np.asarray, "sparse": sp.csr_array}
NAMES = ("l2", "l1", "cosine")
SMALL = st.sampled_from([0.0, 0.0, 0.0, 1.0, 2.0, -1.0, 3.0, 0.5])


@st.composite
def problems(draw):
    """(rows, labels, queries): zero rows, duplicates, labels with no or one row."""
    n, q, d = draw(st.integers(1, 9)), draw(st.integers(1, 19)), draw(st.integers(1, 4))
    X = draw(arrays(np.float32, (n, d), elements=SMALL))
    Y = draw(arrays(np.float32, (n, 3), elements=st.sampled_from([0.0, 0.0, 1.0, 2.5])))
    return X, Y, draw(arrays(np.float32, (q, d), elements=SMALL))


PARAMETERS = {
    "k": st.integers(1, 12),
    "distances": st.lists(st.sampled_from(NAMES), unique=True, min_size=1),
    "centroid": st.booleans(),
}


@st.composite
def some_pairs(draw, n, m=3):
    """A ranking of some labels of each row, in any order."""
    lists = [draw(st.lists(st.integers(0, m - 1), unique=True)) for _ in range(n)]
    return Ranking.from_lists(lists, n_labels=m)


def every_pair(n, m):
    return Ranking.from_dense(np.zeros((n, m), np.float32))


def pairs_of(ranking):
    return list(zip(ranking.rows.tolist(), ranking.labels.tolist(), strict=True))


@pytest.mark.parametrize("form", FORMS)
@given(data=st.data(), problem=problems(), parameters=st.fixed_dictionaries(PARAMETERS))
def test_formula_1(form, data, problem, parameters):
    X, Y, queries = problem
    ranking = data.draw(some_pairs(len(queries)))
    features = MetaLevel(**parameters).fit(FORMS[form](X), FORMS[form](Y))
    F = features.describe(FORMS[form](queries), ranking)
    want = twin.describe(X, Y, queries, pairs_of(ranking), **parameters)
    assert F.dtype == np.float32
    assert F.shape == (ranking.n_entries, len(features.names))
    np.testing.assert_allclose(F, want, rtol=1e-5, atol=3e-6)


@pytest.mark.parametrize("form", FORMS)
@given(data=st.data(), problem=problems(), parameters=st.fixed_dictionaries(PARAMETERS))
def test_training_rows_are_left_out_of_what_they_are_compared_with(form, data, problem, parameters):
    X, Y, _ = problem
    ranking = data.draw(some_pairs(len(X)))
    features = MetaLevel(**parameters).fit(FORMS[form](X), FORMS[form](Y))
    F = features.describe_training(ranking)
    want = twin.describe(X, Y, X, pairs_of(ranking), **parameters, left_out=True)
    np.testing.assert_allclose(F, want, rtol=1e-5, atol=3e-6)


def text_like(n, d, m, seed=0):
    """Rows of length one with few words, as tf-idf has them; some twice, one of zeros."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, d)) * (rng.random((n, d)) < rng.random(d) ** 2 / 2)
    X /= np.maximum(np.sqrt((X**2).sum(axis=1, keepdims=True)), 1e-12)
    X[n // 2] = X[0]
    X[1] = 0
    return X.astype(np.float32), (rng.random((n, m)) < rng.random(m)).astype(int)


def song_like(n, d, m, seed=0):
    """Dense rows of one sign and of several scales, far from the origin."""
    rng = np.random.default_rng(seed)
    X = (rng.standard_normal((n, d)) + 5) * 10.0 ** rng.integers(-3, 4, d)
    X[n // 2] = X[0]
    return X.astype(np.float32), (rng.random((n, m)) < rng.random(m)).astype(int)


KINDS = {"text": text_like, "songs": song_like}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "d", "k"), [(40, 7, 3), (150, 40, 20), (260, 300, 200)])
def test_no_leak(form, kind, n, d, k):
    """A training row is described as a new row is by a model that saw one row less of each label.

    That is the row itself for its own labels, and a row that is told by numbers for the others.
    """
    X, Y = KINDS[kind](n, d, 5)
    Y[:, 4] = np.arange(n) == 3  # a label whose only row is row 3
    everything = every_pair(n, 5)
    F = MetaLevel(k=k).fit(FORMS[form](X), Y).describe_training(everything)
    one = every_pair(1, 5)
    for i in (0, 1, 3, n // 2, n - 1):
        others, fewer = np.arange(n) != i, Y.copy()
        for label in np.flatnonzero(Y[i] == 0):
            members = np.flatnonzero(Y[:, label])
            fewer[members[(i + label) % len(members)], label] = 0
        found = F[everything.entries_of([i])]
        for truth, columns in ((fewer, slice(0, 3 * k)), (Y, slice(3 * k, None))):
            without = MetaLevel(k=k).fit(FORMS[form](X[others]), truth[others])
            want = without.describe(FORMS[form](X[i : i + 1]), one)[:, columns]
            told = (one.labels != 4) | (columns.start == 0)  # no centroid where no row is left
            if columns.start == 0:
                np.testing.assert_array_equal(found[:, columns], want)
            else:
                close = {"rtol": 1e-6, "atol": 1e-7 if kind == "text" else 1e-9}
                np.testing.assert_allclose(found[told, columns], want[told], **close)


def test_nothing_but_distances_tells_a_row_its_labels():
    """Labels that have nothing to do with X: a ranker of the training pairs learns no order."""
    rng = np.random.default_rng(0)
    X, Y = rng.standard_cauchy((200, 3)), (rng.random((200, 6)) < 0.15).astype(int)  # outliers
    pairs = every_pair(200, 6)
    F = MetaLevel(k=40).fit(X, Y).describe_training(pairs)
    truth = Y[pairs.rows, pairs.labels] > 0
    half = pairs.rows < 100
    z = (F - F[half].mean(0)) / F[half].std(0)
    slope = np.linalg.lstsq(z[half], truth[half] - truth[half].mean(), rcond=1e-6)[0]
    guess = z[~half] @ slope
    better = (guess[truth[~half]][:, None] > guess[~truth[~half]]).mean()
    assert 0.42 < better < 0.58  # of pairs of a true and a wrong label, a half by chance


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_large_numbers_of_rows_and_features(form, kind):
    X, Y = KINDS[kind](500, 700, 4)
    queries = KINDS[kind](35, 700, 1, seed=1)[0]
    ranking = every_pair(35, 4)
    F = MetaLevel(k=150).fit(FORMS[form](X), Y).describe(FORMS[form](queries), ranking)
    want = twin.describe(X, Y, queries, pairs_of(ranking), 150, NAMES, True)
    np.testing.assert_allclose(F, want, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_dense_is_sparse(kind):
    X, Y = KINDS[kind](200, 60, 6)
    ranking = every_pair(200, 6)
    dense, sparse = (MetaLevel(k=9).fit(form(X), Y) for form in FORMS.values())
    np.testing.assert_allclose(
        dense.describe_training(ranking), sparse.describe_training(ranking), rtol=2e-5, atol=1e-6
    )
    for model in (dense, sparse):  # either takes both
        a, b = (model.describe(form(X), ranking) for form in FORMS.values())
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("k", [1, 17, 64])
def test_some_candidates_are_described_as_all_are(form, training, k):
    """Whoever else is in the block, and whatever way its neighbours are found."""
    X, Y = text_like(300, 50, 8)
    rng = np.random.default_rng(0)
    features = MetaLevel(k=k).fit(FORMS[form](X), Y)

    def described(ranking):
        if training:
            return features.describe_training(ranking)
        return features.describe(FORMS[form](X), ranking)

    everything = every_pair(300, 8)
    F = described(everything)
    for share in (0.01, 0.1, 0.6):
        keep = rng.random(everything.n_entries) < share
        np.testing.assert_array_equal(described(everything.filtered(keep)), F[keep])
    if not training:
        for i in (0, 17, 299):
            row = features.describe(FORMS[form](X[i : i + 1]), everything[i : i + 1])
            np.testing.assert_array_equal(row, F[everything.entries_of([i])])


@pytest.mark.parametrize("form", FORMS)
def test_results_do_not_depend_on_n_jobs_or_on_blocks(form, monkeypatch):
    X, Y = text_like(700, 30, 5)
    ranking = every_pair(700, 5)
    found = []
    for n_jobs, size in ((1, 1 << 24), (2, 1 << 24), (2, 1 << 13), (None, 1)):
        monkeypatch.setattr("labelrank.features.meta_level._BLOCK_BYTES", size)
        features = MetaLevel(k=20, n_jobs=n_jobs).fit(FORMS[form](X), Y)
        near = features.neighbours_training(ranking)
        found.append([features.describe_training(ranking), features.describe(X, ranking), *near])
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
@given(problem=problems(), k=st.integers(1, 12))
def test_neighbours_are_the_nearest_rows_of_the_label(form, name, problem, k):
    X, Y, queries = problem
    ranking = every_pair(len(queries), 3)
    near = MetaLevel(k=k).fit(FORMS[form](X), Y).neighbours(FORMS[form](queries), ranking, name)
    assert near.rows.shape == near.distances.shape == (ranking.n_entries, k)
    for e, (i, label) in enumerate(pairs_of(ranking)):
        want = twin.nearest_rows(name, X.astype(float), Y, queries[i].astype(float), label, k)
        n = len(want)
        assert (near.rows[e, n:] == -1).all()
        assert np.isinf(near.distances[e, n:]).all()
        np.testing.assert_allclose(near.distances[e, :n], [d for d, _ in want], atol=3e-6)
        own = [twin.distance(name, queries[i].astype(float), X[row]) for row in near.rows[e, :n]]
        np.testing.assert_allclose(near.distances[e, :n], own, atol=3e-6)
        assert (Y[near.rows[e, :n], label] > 0).all()
        assert len(set(near.rows[e, :n].tolist())) == n


def test_of_equally_near_rows_the_first_come_first():
    X = np.tile([[0.0], [1.0]], (40, 1))
    for form in FORMS.values():
        features = MetaLevel(k=50).fit(form(X), np.ones((80, 1)))
        rows = features.neighbours(form([[0.0]]), every_pair(1, 1)).rows[0]
        assert rows.tolist() == [*range(0, 80, 2), *range(1, 20, 2)]
        own = features.neighbours_training(every_pair(80, 1), "l1").rows
        assert own[2, :3].tolist() == [0, 4, 6]


@pytest.mark.parametrize("form", FORMS)
def test_by_hand(form):
    X = np.array([[3.0, 4.0], [0.0, 1.0], [6.0, 8.0], [1.0, 0.0]])
    Y = np.array([[1, 0], [1, 0], [0, 1], [1, 0]])
    features = MetaLevel(k=2).fit(FORMS[form](X), Y)
    assert features.names == [
        "l2_1", "l2_2", "l1_1", "l1_2", "cos_1", "cos_2", "centroid_l2", "centroid_cos",
    ]  # fmt: skip
    F = features.describe(FORMS[form](np.array([[0.0, 1.0]])), Ranking.from_lists([[0, 1]]))
    mean = np.array([4, 5]) / 3
    centroid = [np.hypot(mean[0], mean[1] - 1), 1 - 5 / np.hypot(4, 5)]
    np.testing.assert_allclose(F[0], [0, 2**0.5, 0, 2, 0, 0.2, *centroid], atol=1e-6)
    to_last = np.hypot(6, 7)
    np.testing.assert_allclose(F[1], [to_last, to_last, 13, 13, 0.2, 0.2, to_last, 0.2], rtol=1e-6)
    own = features.describe_training(Ranking.from_lists([[0], [], [1], []], n_labels=2))
    np.testing.assert_allclose(own[0, :4], [18**0.5, 20**0.5, 6, 6], rtol=1e-6)
    # label 1 has no other row: as one of length 5 (L1: 7), the longest of the others, at a right
    # angle to (6, 8)
    away = (100 + 25) ** 0.5
    np.testing.assert_allclose(own[1], [away, away, 21, 21, 1, 1, away, 1], rtol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_equal_rows_are_at_distance_zero(form):
    X, _ = song_like(60, 33, 1)
    X = np.vstack([X, X])
    F = MetaLevel(k=1).fit(FORMS[form](X), np.ones((120, 1))).describe_training(every_pair(120, 1))
    np.testing.assert_array_equal(F[:, :2], 0)
    np.testing.assert_allclose(F[:, 2], 0, atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scale", [1e-30, 1e-12, 1e12, 1e30])
def test_numbers_that_are_no_float32_when_squared(form, scale):
    X, Y = text_like(40, 9, 3)
    small, large = (
        MetaLevel(k=4).fit(FORMS[form](rows), Y).describe_training(every_pair(40, 3))
        for rows in (X, X * np.float32(scale))
    )
    factor = np.array([scale] * 8 + [1] * 4 + [scale, 1])
    np.testing.assert_allclose(large / factor, small, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_too_far_for_float32_is_finite(form):
    X = np.array([[1e38, 1e38], [-1e38, 1e38], [-1e38, -1e38], [0, 0]], np.float32)
    F = MetaLevel(k=2).fit(FORMS[form](X), np.eye(4)).describe(FORMS[form](X), every_pair(4, 4))
    assert np.isfinite(F).all()
    assert F.max() == np.finfo(np.float32).max


@pytest.mark.parametrize("form", FORMS)
def test_rows_of_zeros(form):
    features = MetaLevel(k=2).fit(FORMS[form](np.zeros((3, 2))), np.ones((3, 2)))
    for F in (
        features.describe(FORMS[form](np.zeros((3, 2))), every_pair(3, 2)),
        features.describe_training(every_pair(3, 2)),
    ):
        assert F.tolist() == [[0, 0, 0, 0, 1, 1, 0, 1]] * 6


@pytest.mark.parametrize("form", FORMS)
def test_nothing_to_describe(form):
    X, Y = text_like(20, 5, 3)
    features = MetaLevel(k=2).fit(FORMS[form](X), Y)
    none = Ranking.from_lists([[]] * 20, n_labels=3)
    assert features.describe_training(none).shape == (0, 8)
    assert features.neighbours(FORMS[form](X), none).rows.shape == (0, 2)


@pytest.mark.parametrize("form", FORMS)
def test_one_training_row(form):
    features = MetaLevel(k=3).fit(FORMS[form](np.array([[3.0, 4.0]])), np.array([[1, 0]]))
    F = features.describe_training(every_pair(1, 2))
    np.testing.assert_allclose(F, [[5] * 3 + [7] * 3 + [1] * 3 + [5, 1]] * 2)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"k": 0}, "k must be a whole number from 1 to 200, found 0"),
        ({"k": 201}, "k must be a whole number from 1 to 200, found 201"),
        ({"k": 2.0}, "k must be a whole number from 1 to 200, found 2.0"),
        ({"k": True}, "found True"),
        ({"distances": ["l3"]}, "distances must be some of l2, l1, cosine, found"),
        ({"distances": "l2"}, "distances must be some of l2, l1, cosine, found 'l2'"),
        ({"distances": 3}, "distances must be some of l2, l1, cosine, found 3"),
        ({"distances": ["l1", "l1"]}, "names one twice"),
        ({"distances": [], "centroid": False}, "nothing to describe"),
        ({"n_jobs": 0}, "n_jobs must be a whole number other than 0, found 0"),
    ],
)
def test_parameters_that_cannot_be(parameters, says):
    with pytest.raises(InputError, match=says):
        MetaLevel(**parameters).fit(np.eye(2), np.eye(2))


@pytest.mark.parametrize("form", FORMS)
def test_input_that_cannot_be(form):
    features = MetaLevel(k=2).fit(FORMS[form](np.eye(3)), np.eye(3))
    one = every_pair(1, 3)
    with pytest.raises(ValueError, match="X has 2 features, but MetaLevel is expecting 3"):
        features.describe(FORMS[form](np.ones((1, 2))), one)
    with pytest.raises(ValueError, match="NaN"):
        features.describe(FORMS[form](np.full((1, 3), np.nan)), one)
    with pytest.raises(ValueError, match="NaN"):
        MetaLevel().fit(FORMS[form](np.full((1, 3), np.nan)), np.ones((1, 1)))
    with pytest.raises(InputError, match="the ranking has shape"):
        features.neighbours(FORMS[form](np.eye(3)), one)
    with pytest.raises(InputError, match="the ranking has shape"):
        features.neighbours_training(one)
    with pytest.raises(InputError, match="distance must be one of l2, l1, cosine, found 'l3'"):
        features.neighbours(FORMS[form](np.eye(3)), every_pair(3, 3), "l3")


@pytest.mark.parametrize("form", FORMS)
def test_input_is_not_changed(form):
    X, Y = text_like(30, 8, 3)
    rows, labels = FORMS[form](X), FORMS[form](Y)
    for array in (rows, labels) if form == "dense" else (rows.data, labels.data):
        array.flags.writeable = False
    features = MetaLevel(k=3).fit(rows, labels)
    features.describe_training(every_pair(30, 3))
    np.testing.assert_array_equal(rows.toarray() if form == "sparse" else rows, X)
