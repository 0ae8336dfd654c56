"""Every cutoff that learns: odd inputs, checks, what is stored, and forged models."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from store.forging import forge, put, with_arrays
from strategies import cases

from labelrank import InputError, Ranking, load_model
from labelrank.cutoffs import LLSF, Abstain, LabelCount, PerLabelThreshold, Threshold, TopK
from labelrank.store.folder import ModelError

CUTOFFS = {
    "llsf": LLSF(),
    "llsf errors": LLSF("errors", ties="widest"),
    "paper": LLSF(scale="softmax", inputs="labels", temperature=1.0, ridge=0, corrected=False),
    "threshold": Threshold(),
    "count threshold": Threshold(criterion="count"),
    "per label": PerLabelThreshold(fbr=0.2),
    "count": LabelCount(),
    "regressed": LabelCount("regress"),
    "abstain": Abstain(LLSF(), 0.7),
    "margin": Abstain(PerLabelThreshold(), 0.7, "margin"),
}
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, (30, 4)) * (RNG.random((30, 4)) < 0.5)
RANKING = Ranking.from_dense(RNG.normal(size=(30, 4)) + Y)


@pytest.fixture(params=CUTOFFS)
def cutoff(request):
    return clone(CUTOFFS[request.param])


@settings(max_examples=15)
@given(case=cases(min_rows=2, max_rows=6), data=st.data())
@pytest.mark.parametrize("name", CUTOFFS)
def test_what_is_kept_is_the_beginning_of_the_list_or_reaches_the_threshold(name, case, data):
    if not case.ranking.n_entries:
        return
    kept = clone(CUTOFFS[name]).fit(case.ranking, case.Y).keep(case.ranking)
    assert kept.shape == case.ranking.shape
    for (labels, scores), (old, old_scores) in zip(kept, case.ranking, strict=True):
        if name not in ("per label", "margin"):
            assert labels.tolist() == old[: len(labels)].tolist()
        assert set(zip(labels, scores, strict=True)) <= set(zip(old, old_scores, strict=True))
        cut_in_a_tie = 0 < len(scores) < len(old_scores) and scores[-1] == old_scores[len(scores)]
        assert not cut_in_a_tie or name in ("count", "regressed", "per label", "margin")


ODD = {
    "one row": (Ranking.from_dense(np.array([[1.0, 2, 3]])), [[0, 0, 1]]),
    "one label": (Ranking.from_dense(np.array([[1.0], [2], [3]])), [[0], [1], [1]]),
    "one entry a row": (Ranking.from_lists([[0], [1], [0]], [[1], [2], [3]]), np.eye(3)[:, :2]),
    "nothing relevant": (RANKING, Y * 0),
    "all relevant": (RANKING, Y * 0 + 1),
    "constant": (Ranking.from_dense(np.full((30, 4), 0.3)), Y),
    "far apart": (Ranking.from_dense(np.where(Y > 0, 500.0, -500.0)), Y),
    "near": (Ranking.from_dense(np.where(Y > 0, 1 + 1e-15, 1.0)), Y),
    "huge": (Ranking.from_dense(np.where(Y > 0, 1e300, -1e300)), Y),
    "tiny": (Ranking.from_dense(np.where(Y > 0, 1e-300, -1e-300)), Y),
    "a float32's end": (Ranking.from_dense(np.where(Y > 0, 3e38, -3e38).astype(np.float32)), Y),
    "rows that list nothing": (
        RANKING.top(np.arange(30) % 3), Y,
    ),
    "none listed is relevant": (RANKING.filtered(Y[RANKING.rows, RANKING.labels] == 0), Y),
}  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_odd_rankings(cutoff, odd):
    ranking, truth = ODD[odd]
    kept = cutoff.fit(ranking, truth).keep(ranking)
    assert kept.shape == ranking.shape
    paper = isinstance(cutoff, LLSF) and not cutoff.corrected
    if odd == "nothing relevant" and not paper:
        assert kept.n_entries == 0
    if odd == "all relevant" and not isinstance(cutoff, Abstain):
        assert kept.n_entries >= 0.95 * ranking.n_entries
    if odd in ("far apart", "huge", "tiny", "a float32's end") and not isinstance(
        cutoff, Abstain | LabelCount
    ):
        assert paper or kept.n_entries == (np.asarray(truth) > 0).sum()
    longer = Ranking([0, 0], [], [], ranking.n_labels)
    assert cutoff.keep(longer) == longer
    none = Ranking([0], [], [], ranking.n_labels)
    assert cutoff.keep(none) == none


def test_nothing_passed_is_changed(cutoff):
    ranking, truth = RANKING[:], sp.csr_matrix(Y)
    copies = [a.copy() for a in (ranking.indptr, ranking.labels, ranking.scores)]
    old = truth.copy()
    cutoff.fit(ranking, truth).keep(ranking)
    for copy, array in zip(copies, (ranking.indptr, ranking.labels, ranking.scores), strict=True):
        np.testing.assert_array_equal(copy, array)
    assert (old != truth).nnz == 0


def test_the_same_twice_and_for_every_form_of_the_truth(cutoff):
    kept = cutoff.fit(RANKING, Y).keep(RANKING)
    for truth in (sp.csr_array(Y), sp.coo_matrix(Y), Y.astype(float) * 3, Y > 0):
        assert clone(cutoff).fit(RANKING, truth).keep(RANKING) == kept
    assert clone(cutoff).get_params(deep=False).keys() == cutoff.get_params(deep=False).keys()


def test_what_is_learned_is_what_is_stored(cutoff, tmp_path):
    params = set(cutoff.get_params(deep=False))
    cutoff.fit(RANKING, Y)
    assert set(vars(cutoff)) == params | set(cutoff.fitted)
    cutoff.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert loaded.keep(RANKING) == cutoff.keep(RANKING)
    assert loaded.fit(RANKING[:20], Y[:20]).keep(RANKING) == clone(cutoff).fit(
        RANKING[:20], Y[:20]
    ).keep(RANKING)


def test_other_labels_than_in_fit(cutoff):
    cutoff.fit(RANKING, Y)
    with pytest.raises(InputError, match=r"the ranking has 3 labels but \w+ was fitted with 4"):
        cutoff.keep(Ranking.from_dense(np.ones((2, 3))))
    with pytest.raises(InputError, match="they must agree"):
        cutoff.fit(RANKING, Y[:, :3])


def test_not_fitted(cutoff):
    with pytest.raises(NotFittedError):
        cutoff.keep(RANKING)
    with pytest.raises(InputError, match="not fitted"):
        cutoff.save("never.model")


def test_names_of_other_labels_are_forgotten(cutoff, tmp_path):
    cutoff.fit(RANKING, Y).save(tmp_path / "a.model", label_names=list("abcd"))
    loaded = load_model(tmp_path / "a.model")
    assert loaded.label_names_ == list("abcd")
    assert loaded.fit(RANKING.top(2), Y).label_names_ is None


FORGED = [
    ("llsf", {"weights_": np.ones(5)}, "weights"),
    ("llsf", {"weights_": np.ones((2, 2))}, "dimensions"),
    ("llsf", {"weights_": np.full(4, np.nan)}, "NaN"),
    ("llsf", {"limits_": np.ones(3)}, "weights"),
    ("llsf", {"limits_": np.array([2.0, 1.0])}, "wrong way round"),
    ("per label", {"thresholds_": np.ones(3)}, "3 thresholds for 4 labels"),
    ("count", {"weights_": np.ones((1, 8))}, "do not fit"),
    ("count", {"counts_": np.array([-1])}, "do not fit"),
    ("count", {"counts_": lambda a: a["counts_"][::-1]}, "do not rise"),
    ("count", {"counts_": lambda a: a["counts_"] - 9}, "do not rise"),
    ("regressed", {"counts_": np.array([1])}, "do not rise"),
    ("regressed", {"counts_": np.array([1, 2, 3])}, "a least and a most"),
    ("regressed", {"intercepts_": np.ones(2)}, "do not fit"),
    ("abstain", {"cutoff_.weights_": np.ones(9)}, "weights"),
]


@pytest.mark.parametrize(("name", "arrays", "says"), FORGED)
def test_arrays_that_do_not_fit_are_refused(name, arrays, says, tmp_path):
    clone(CUTOFFS[name]).fit(RANKING, Y).save(tmp_path / "a.model")
    forge(tmp_path / "a.model", arrays=with_arrays(tmp_path / "a.model", arrays))
    with pytest.raises(ModelError, match=says):
        load_model(tmp_path / "a.model")


VALUES = [
    ("llsf", "form_", ["softmax"]),
    ("llsf", "form_", ["softmax", "nothing"]),
    ("llsf", "form_", None),
    ("llsf", "temperature_", 0.0),
    ("llsf", "shift_", "1"),
    ("llsf", "n_labels_", 3),
    ("llsf", "n_labels_", -4),
    ("llsf", "ridge_", float("inf")),
    ("threshold", "threshold_", float("nan")),
    ("threshold", "n_labels_", -1),
    ("per label", "n_labels_", 5),
    ("count", "temperature_", -1.0),
    ("count", "n_labels_", 3),
    ("abstain", "least_", None),
    ("abstain", "n_labels_", 5),
    ("abstain", "temperature_", 0.0),
    ("abstain", "precision_", float("inf")),
]


@pytest.mark.parametrize(("name", "field", "value"), VALUES)
def test_values_that_cannot_be_are_refused(name, field, value, tmp_path):
    clone(CUTOFFS[name]).fit(RANKING, Y).save(tmp_path / "a.model")
    forge(tmp_path / "a.model", put("model", "values", field, value=value))
    with pytest.raises(ModelError):
        load_model(tmp_path / "a.model")


@pytest.mark.parametrize(
    ("name", "param", "value"),
    [("llsf", "scale", "cubes"), ("count", "method", 3), ("abstain", "precision", 7)],
)
def test_parameters_that_cannot_be_are_refused(name, param, value, tmp_path):
    clone(CUTOFFS[name]).fit(RANKING, Y).save(tmp_path / "a.model")
    forge(tmp_path / "a.model", put("model", "params", param, value=value))
    with pytest.raises(ModelError):
        load_model(tmp_path / "a.model")


def test_a_part_that_is_no_cutoff_is_refused(tmp_path):
    Abstain(TopK(k=1)).fit(RANKING, Y).save(tmp_path / "a.model")
    popular = {"class": "scorers.Popularity", "params": {"top": None}, "estimators": {}}

    def change(manifest):
        manifest["model"]["parts"]["cutoff_"] |= popular

    forge(tmp_path / "a.model", change)
    with pytest.raises(ModelError):
        load_model(tmp_path / "a.model")
