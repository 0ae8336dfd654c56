"""The bases of features and rankers, seen through the smallest subclasses."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from labelrank import InputError, Ranking, load_model
from labelrank.features import Features, Joined
from labelrank.rankers import Ranker
from labelrank.store import Array, Number, register

X = np.array([[1.0, 0, 2], [0, 3, 0], [1, 1, 1]])
Y = np.array([[1, 0], [0, 2], [1, 1]])
CANDIDATES = Ranking.from_lists([[1, 0], [], [1]], [[0.5, 0.25], [], [3]], 2)


@register
class Frequency(Features):
    """How often a label occurs, in all rows or in all others; and what X says of the row."""

    fitted = {  # noqa: RUF012
        "counts_": Array("f4"),
        "own_": Array("f4", 2),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }

    def __init__(self, scale=1.0):
        self.scale = scale

    @property
    def names(self):
        return ["frequency", "sum of the row"]

    def _fit(self, X, Y):
        assert isinstance(Y, sp.csr_array)
        self.counts_ = np.asarray(Y.sum(axis=0), np.float32)
        self.own_ = Y.toarray().astype(np.float32)
        self.sums_ = np.asarray(X.sum(axis=1), np.float32)

    def _describe(self, X, ranking):
        sums = np.asarray(X.sum(axis=1), np.float32)
        columns = [self.counts_[ranking.labels] * self.scale, sums[ranking.rows]]
        return np.stack(columns, axis=1).astype(np.float32)

    def _describe_training(self, ranking):
        others = self.counts_[ranking.labels] - self.own_[ranking.rows, ranking.labels]
        return np.stack([others * self.scale, self.sums_[ranking.rows]], axis=1)


def fitted():
    return Frequency().fit(X, Y)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_matrix])
def test_features_describe_pairs(form):
    features = Frequency().fit(form(X), form(Y))
    assert (features.n_features_in_, features.n_labels_) == (3, 2)
    F = features.describe(form(X), CANDIDATES)
    assert F.tolist() == [[3, 3], [2, 3], [3, 3]]
    assert F.dtype == np.float32
    assert features.describe_training(CANDIDATES).tolist() == [[3, 3], [1, 3], [2, 3]]


def test_features_that_are_not_fitted():
    for describe in (
        lambda: Frequency().describe(X, CANDIDATES),
        lambda: Frequency().describe_training(CANDIDATES),
        lambda: (Frequency() + Frequency()).describe(X, CANDIDATES),
        lambda: (Frequency() + Frequency()).names,
    ):
        with pytest.raises(NotFittedError):
            describe()


@pytest.mark.parametrize(
    ("rows", "truth", "says"),
    [
        (X, Y[:2], "X has 3 rows but Y has 2"),
        (X, -Y, "Y has the value"),
        (X, None, "Y must be"),
        (X * np.nan, Y, "NaN"),
        (X[0], Y, "Expected 2D array"),
    ],
)
def test_training_data_that_cannot_be(rows, truth, says):
    with pytest.raises(ValueError, match=says):
        Frequency().fit(rows, truth)


WIDE = Ranking.from_lists([[1], [0], [2]], n_labels=3)
LONG = Ranking.from_lists([[1], [0], [1], [0]], n_labels=2)


@pytest.mark.parametrize("ranking", [WIDE, LONG, CANDIDATES[:2]])
@pytest.mark.parametrize("joined", [False, True])
def test_rankings_that_do_not_fit_are_refused_before_they_are_described(ranking, joined):
    features = (Frequency() + Frequency()).fit(X, Y) if joined else fitted()
    with pytest.raises(InputError, match=r"the ranking has shape .* 2 labels"):
        features.describe(X, ranking)
    with pytest.raises(InputError, match=r"the ranking has shape .* 2 labels"):
        features.describe_training(ranking)


def test_rows_of_another_width():
    with pytest.raises(ValueError, match="X has 2 features, but Frequency is expecting 3"):
        fitted().describe(X[:, :2], CANDIDATES)


class Wrong(Frequency):
    def _describe(self, X, ranking):
        return {
            "rows": np.ones((1, 2), np.float32),
            "columns": np.ones((ranking.n_entries, 5), np.float32),
            "flat": np.ones(ranking.n_entries, np.float32),
        }[self.scale]


@pytest.mark.parametrize("fault", ["rows", "columns", "flat"])
def test_numbers_of_another_shape_than_promised_do_not_pass(fault):
    with pytest.raises((InputError, ValueError)):
        Wrong(fault).fit(X, Y).describe(X, CANDIDATES)


def test_joined_features():
    one, other = Frequency(), Frequency(scale=10.0)
    joined = one + other
    assert isinstance(joined, Joined)
    joined.fit(X, Y)
    assert not hasattr(one, "counts_")
    assert joined.names == ["frequency", "sum of the row"] * 2
    assert joined.describe(X, CANDIDATES).tolist() == [
        [3, 3, 30, 3], [2, 3, 20, 3], [3, 3, 30, 3],
    ]  # fmt: skip
    assert joined.describe_training(CANDIDATES)[:, 2].tolist() == [30, 10, 20]
    assert (joined + Frequency()).fit(X, Y).describe(X, CANDIDATES).shape == (3, 6)
    assert clone(joined).get_params()["second__scale"] == 10.0


def test_joined_features_are_saved_and_loaded(tmp_path):
    joined = (Frequency() + Frequency(scale=10.0)).fit(X, Y)
    joined.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert loaded.names == joined.names
    want = joined.describe(X, CANDIDATES)
    np.testing.assert_array_equal(loaded.describe(X, CANDIDATES), want)


@register
class Correlation(Ranker):
    """Weighs every column by how it goes with the grades."""

    fitted = {"weights_": Array("f8"), "n_features_in_": Number()}  # noqa: RUF012

    def _fit(self, candidates, watch):
        F, grades = candidates.F, candidates.grades
        self.seen_ = (F, grades)
        self.weights_ = (F * (grades - grades.mean())[:, None]).sum(axis=0).astype(float)

    def _scores(self, F):
        return F @ self.weights_


F = np.array([[0.0, 1], [1, 1], [1, 0]])


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_rankers_learn_from_entries_and_their_grades(form):
    ranker = Correlation()
    assert ranker.fit(CANDIDATES, F.tolist(), form(Y)) is ranker
    seen, grades = ranker.seen_
    assert seen.dtype == np.float32
    np.testing.assert_array_equal(seen, F)
    assert grades.tolist() == [0, 1, 1]  # (0, 1), (0, 0) and (2, 1)
    assert ranker.n_features_in_ == 2
    found = ranker.rerank(CANDIDATES, F)
    assert [labels.tolist() for labels, _ in found] == [[0, 1], [], [1]]
    np.testing.assert_allclose(found.scores, [1 / 3, -1 / 3, 2 / 3], rtol=1e-6)


def test_a_ranker_is_saved_and_loaded(tmp_path):
    ranker = Correlation().fit(CANDIDATES, F, Y)
    ranker.save(tmp_path / "a.model")
    assert load_model(tmp_path / "a.model").rerank(CANDIDATES, F) == ranker.rerank(CANDIDATES, F)


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        (F[:2], r"F has shape \(2, 2\), but the ranking has 3 entries: one row an entry"),
        (F[:, 0], r"F has shape \(3,\), but the ranking has 3 entries"),
        (F * np.nan, "F has a value that is NaN or infinite"),
        (np.full((3, 2), 1e300), "F has a value .* too large for float32"),
    ],
)
def test_numbers_that_cannot_be_learned_from(numbers, says):
    with pytest.raises(InputError, match=says):
        Correlation().fit(CANDIDATES, numbers, Y)
    with pytest.raises(InputError, match=says):
        Correlation().fit(CANDIDATES, F, Y).rerank(CANDIDATES, numbers)


def test_other_things_that_a_ranker_refuses():
    with pytest.raises(NotFittedError):
        Correlation().rerank(CANDIDATES, F)
    with pytest.raises(InputError, match="the ranking is empty"):
        Correlation().fit(CANDIDATES.top(0), F[:0], Y)
    with pytest.raises(InputError, match="Y"):
        Correlation().fit(CANDIDATES, F, Y[:2])
    ranker = Correlation().fit(CANDIDATES, F, Y)
    with pytest.raises(InputError, match="F has 3 columns, but 2 were seen in fit"):
        ranker.rerank(CANDIDATES, np.ones((3, 3)))
    ranker.weights_ = np.array([np.nan, 1])
    with pytest.raises(InputError, match="row 0 has a score that is NaN or infinite"):
        ranker.rerank(CANDIDATES, F)
    assert ranker.fit(CANDIDATES, F, Y).rerank(CANDIDATES.top(0), F[:0]).n_entries == 0
