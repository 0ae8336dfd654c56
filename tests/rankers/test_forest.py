"""Forest against its plain twin and LightGBM: scores, contributions, and what is no forest."""

import pickle

import lightgbm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import forest as twin

from labelrank import InputError, ModelError, load_model
from labelrank.rankers.forest import Forest

VALUES = np.array(
    [0, -0.0, 1e-36, -1e-38, 2e-35, -2e-35, 0.5, -0.5, 1, np.nan, np.inf, -np.inf, 3e38], np.float32
)
THRESHOLDS = np.array([0, 1e-36, -1e-36, 1e-35, -1e-35, 0.5, 0.1, -0.5, 1e300, -1e300, 1 + 1e-12])


def grown(rng, sizes, n_features):
    """A forest of random trees with so many splits each."""
    forest = Forest()
    left, right = [], []
    for size in sizes:
        a, b = np.full(size, 0), np.full(size, 0)
        for i in range(size):  # split i takes the place of one of the leaves, as LightGBM does
            if i:
                leaf = rng.integers(i + 1)
                for side in (a, b):
                    side[:i][side[:i] == ~leaf] = i
                a[i], b[i] = ~leaf, ~(i + 1)
            else:
                a[i], b[i] = ~0, ~1
        left.append(a)
        right.append(b)
    n, leaves = sum(sizes), sum(sizes) + len(sizes)
    forest.starts_ = np.cumsum([0, *sizes]).astype(np.int64)
    forest.features_ = rng.integers(0, n_features, n).astype(np.int32)
    forest.thresholds_ = rng.choice(THRESHOLDS, n)
    forest.decisions_ = (rng.integers(0, 3, n) * 4 + rng.integers(0, 2, n) * 2).astype(np.uint8)
    forest.left_ = np.concatenate([np.empty(0), *left]).astype(np.int32)
    forest.right_ = np.concatenate([np.empty(0), *right]).astype(np.int32)
    forest.values_ = rng.normal(size=leaves)
    forest.covers_ = rng.integers(1, 9, leaves).astype(float)
    forest.n_features_in_ = n_features
    return forest


def booster(n=400, d=4, rounds=20, **params):
    """A LightGBM model on data with zeros, and the data."""
    rng = np.random.default_rng(n + rounds)
    F = (rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7)).astype(np.float32)
    y = F[:, 0] * F[:, 1] + np.sin(3 * F[:, 2]) + rng.normal(size=n) / 9
    quiet = {"verbosity": -1, "num_threads": 1, "min_data_in_leaf": 2, "objective": "regression"}
    return lightgbm.train(quiet | params, lightgbm.Dataset(F, y), rounds), F


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    sizes=st.lists(st.integers(0, 40), max_size=18),
    rows=st.sampled_from([0, 1, 3, 15, 16, 17, 40]),
    n_features=st.integers(1, 5),
)
def test_scores_are_the_sum_of_the_leaves(seed, sizes, rows, n_features):
    rng = np.random.default_rng(seed)
    forest = grown(rng, sizes, n_features)
    F = rng.choice(VALUES, (rows, n_features))
    want = [twin.score(forest, row) for row in F]
    np.testing.assert_allclose(forest.scores(F), want, atol=1e-12)


@settings(deadline=None, max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    sizes=st.lists(st.integers(0, 7), max_size=3),
    n_features=st.integers(1, 4),
)
def test_contributions_are_shapley_values(seed, sizes, n_features):
    rng = np.random.default_rng(seed)
    forest = grown(rng, sizes, n_features)
    F = rng.choice(VALUES, (3, n_features))
    parts, base = forest.contributions(F)
    want = np.array([twin.contributions(forest, row, n_features) for row in F])
    np.testing.assert_allclose(np.c_[parts, base], want, atol=1e-9)
    np.testing.assert_allclose(parts.sum(axis=1) + base, forest.scores(F), atol=1e-9)


@pytest.mark.parametrize("n_trees", [0, 1, 2, 16, 40])
@pytest.mark.parametrize("rows", [0, 1, 20])
def test_trees_of_a_single_leaf(n_trees, rows):
    forest = grown(np.random.default_rng(0), [0] * n_trees, 2)
    F = np.ones((rows, 2), np.float32)
    np.testing.assert_allclose(forest.scores(F), np.full(rows, forest.values_.sum()))
    parts, base = forest.contributions(F)
    assert not parts.any()
    np.testing.assert_allclose(base, forest.scores(F))


def test_a_tree_by_hand():
    """f1 <= 2 ? 10 : (f0 <= 0.5 ? 20 : 40), with 1, 1 and 2 training rows in the leaves."""
    forest = Forest()
    forest.starts_ = np.array([0, 2])
    forest.features_, forest.thresholds_ = np.array([1, 0], np.int32), np.array([2.0, 0.5])
    forest.decisions_ = np.zeros(2, np.uint8)
    forest.left_, forest.right_ = np.array([~0, ~1], np.int32), np.array([1, ~2], np.int32)
    forest.values_, forest.covers_ = np.array([10.0, 20, 40]), np.array([1.0, 1, 2])
    forest.n_features_in_ = 2
    F = np.array([[9, 2], [0.5, 2.1], [0.6, 3]], np.float32)
    assert forest.scores(F).tolist() == [10, 20, 40]
    parts, base = forest.contributions(F[1:2])
    # Nothing known: (10 + 20 + 80) / 4; f0 alone: (10 + 60) / 4; f1 alone: 100 / 3; both: 20.
    nothing, f0, f1, both = 27.5, 17.5, 100 / 3, 20
    np.testing.assert_allclose(base, [nothing])
    want = [(f0 - nothing + both - f1) / 2, (f1 - nothing + both - f0) / 2]
    np.testing.assert_allclose(parts[0], want)


@pytest.mark.parametrize("rows", [1, 10, 300])
def test_a_score_does_not_depend_on_the_company(rows):
    rng = np.random.default_rng(0)
    forest = grown(rng, [4] * 50 + [100, 3, 30, 31, 0, 200] * 3, 3)
    F = rng.normal(size=(700, 3)).astype(np.float32)
    parts = [forest.scores(F[a : a + rows]) for a in range(0, 700, rows)]
    np.testing.assert_array_equal(np.concatenate(parts), forest.scores(F))


@pytest.mark.parametrize(
    "params",
    [
        {"num_leaves": 5}, {"num_leaves": 31}, {"num_leaves": 33}, {"num_leaves": 150},
        {"zero_as_missing": True}, {"use_missing": False}, {"linear_tree": False, "max_bin": 7},
        {"boosting": "rf", "bagging_fraction": 0.6, "bagging_freq": 1}, {"boosting": "dart"},
        {"objective": "binary"}, {"extra_trees": True, "path_smooth": 1.0},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("missing", [False, True])
def test_scores_and_contributions_equal_lightgbm(params, missing):
    rng = np.random.default_rng(3)
    n, d = 400, 4
    F = (rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7)).astype(np.float32)
    y = F[:, 0] * F[:, 1] + np.sin(3 * F[:, 2]) + rng.normal(size=n) / 9
    if missing:
        F[rng.random((n, d)) < 0.2] = np.nan
    quiet = {"verbosity": -1, "num_threads": 1, "min_data_in_leaf": 2, "objective": "regression"}
    y = y > 0 if params.get("objective") == "binary" else y
    model = lightgbm.train(quiet | params, lightgbm.Dataset(F, y), 20)
    forest = Forest.of_lightgbm(model)
    F[0] = [0, -0.0, 1e-38, -1e-36]
    F[1], F[2], F[3] = 3e38, -3e38, np.nan
    averaged = params.get("boosting") == "rf"  # LightGBM adds the trees for raw scores and shares
    want = model.predict(F, raw_score=not averaged)
    np.testing.assert_allclose(forest.scores(F), want, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(forest.scores(F[:1]), forest.scores(F)[:1])
    parts, base = forest.contributions(F[:40])
    theirs = model.predict(F[:40], pred_contrib=True)
    theirs = theirs / 20 if averaged else theirs
    np.testing.assert_allclose(np.c_[parts, base], theirs, rtol=0, atol=1e-9)


def test_values_near_zero_are_zero_as_in_lightgbm():
    model, F = booster()
    text = model.model_to_string()
    for threshold in ("1e-36", "-1e-36", "1.0000000180025095e-35", "-1.0000000180025095e-35"):
        lines = [
            "threshold=" + " ".join([threshold] * len(line.split()))
            if line.startswith("threshold=") else line
            for line in text.splitlines()
        ]  # fmt: skip
        lines = [line for line in lines if not line.startswith("tree_sizes")]
        changed = lightgbm.Booster(model_str="\n".join(lines) + "\n")
        tiny = np.random.default_rng(0).choice(VALUES[:8], (200, F.shape[1]))
        np.testing.assert_allclose(
            Forest.of_lightgbm(changed).scores(tiny), changed.predict(tiny), atol=1e-12
        )


def test_every_form_of_a_model_is_read():
    model, F = booster(rounds=7)
    text = model.model_to_string()
    wrapped = lightgbm.LGBMRegressor(n_estimators=7, verbosity=-1, n_jobs=1).fit(F, F[:, 0])
    for given_, want in ((model, model), (text, model), (wrapped, wrapped.booster_)):
        found = Forest.of_lightgbm(given_)
        assert found.n_trees == 7
        np.testing.assert_allclose(found.scores(F), want.predict(F), atol=1e-12)


def test_parts_of_a_forest():
    model, F = booster(rounds=9, num_leaves=40)
    forest = Forest.of_lightgbm(model)
    for n in range(10):
        want = model.predict(F, num_iteration=n) if n else np.zeros(len(F))
        np.testing.assert_allclose(forest.first(n).scores(F), want, atol=1e-12)
        np.testing.assert_array_equal(
            Forest.joined([forest.tree(t) for t in range(n)] or [Forest.empty(4)]).scores(F),
            forest.first(n).scores(F),
        )
    first, second = forest.first(4), Forest.joined([forest.tree(t) for t in range(4, 9)])
    turns = Forest.by_turns([first, second])
    np.testing.assert_allclose(turns.scores(F), forest.scores(F), atol=1e-12)
    np.testing.assert_array_equal(
        turns.first(2).scores(F), (first.tree(0).scores(F) + second.tree(0).scores(F))
    )
    np.testing.assert_allclose(forest.scaled(2, plus=3).scores(F), 2 * forest.scores(F) + 3)
    assert Forest.empty(4).scaled(2, plus=3).scores(F).tolist() == [0] * len(F)


def test_models_that_are_no_forest_are_refused():
    model, F = booster()
    text = model.model_to_string()
    for bad in ("", "nonsense", text[:300], text.partition("end of trees")[0]):
        with pytest.raises(InputError, match="not the text of a whole LightGBM model"):
            Forest.of_lightgbm(bad)
    quiet = {"verbosity": -1, "num_threads": 1, "min_data_in_leaf": 2}
    groups = np.arange(len(F)) % 3
    three = lightgbm.train(
        quiet | {"objective": "multiclass", "num_class": 3}, lightgbm.Dataset(F, groups), 2
    )
    with pytest.raises(InputError, match="several"):
        Forest.of_lightgbm(three)
    data = lightgbm.Dataset(np.c_[groups, F], groups, categorical_feature=[0])
    with pytest.raises(InputError, match="categorical"):
        Forest.of_lightgbm(lightgbm.train(quiet | {"min_data_per_group": 2}, data, 2))
    with pytest.raises(InputError, match="linear"):
        Forest.of_lightgbm(booster(linear_tree=True)[0])


def forged(name, value, at=0):
    def change(forest):
        array = getattr(forest, name).copy()
        array[at] = value
        setattr(forest, name, array)

    return change


FORGERIES = {
    "a feature that is not there": forged("features_", 3),
    "a feature below 0": forged("features_", -1),
    "a child beyond the tree": forged("left_", 5),
    "a child that is its own parent": forged("left_", 0),
    "a child that comes earlier": forged("right_", 1, at=3),
    "a leaf beyond the tree": forged("left_", -9),
    "the furthest leaf": forged("left_", -(2**31)),
    "a leaf twice": lambda f: setattr(f, "left_", np.full_like(f.left_, -1)),
    "a categorical split": forged("decisions_", 1),
    "an unknown kind of missing": forged("decisions_", 12),
    "a threshold that is no number": forged("thresholds_", np.nan),
    "a value that is no number": forged("values_", np.nan),
    "an infinite value": forged("values_", np.inf),
    "an empty leaf": forged("covers_", 0),
    "starts that fall": lambda f: setattr(f, "starts_", np.array([0, 6, 5])),
    "starts from 1": lambda f: setattr(f, "starts_", np.array([1, 5])),
    "starts that end early": lambda f: setattr(f, "starts_", np.array([0, 4])),
    "starts of nothing": lambda f: setattr(f, "starts_", np.empty(0, np.int64)),
    "too few leaves": lambda f: setattr(f, "values_", f.values_[:-1]),
    "too few covers": lambda f: setattr(f, "covers_", f.covers_[:-1]),
    "too few thresholds": lambda f: setattr(f, "thresholds_", f.thresholds_[:-1]),
    "too few decisions": lambda f: setattr(f, "decisions_", f.decisions_[:-1]),
    "too few children": lambda f: setattr(f, "right_", f.right_[:-1]),
    "no feature at all": lambda f: setattr(f, "n_features_in_", 0),
    "features below none": lambda f: setattr(f, "n_features_in_", -1),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_trees_that_are_no_trees_are_refused(forgery, tmp_path):
    forest = grown(np.random.default_rng(1), [5], 3)
    forest.scores(np.zeros((1, 3), np.float32))
    altered = forest.first(1)
    FORGERIES[forgery](altered)
    with pytest.raises(ValueError, match=r"not sound|must|where"):
        altered.scores(np.zeros((1, 3), np.float32))
    altered.save(tmp_path / "bad.model")
    with pytest.raises(ModelError):
        load_model(tmp_path / "bad.model")


@pytest.mark.parametrize(
    "F", [np.zeros((2, 2), np.float32), np.zeros((2, 3)), np.zeros(3, np.float32)], ids=str
)
def test_rows_that_do_not_fit_are_refused(F):
    forest = grown(np.random.default_rng(1), [5], 3)
    for method in (forest.scores, forest.contributions):
        with pytest.raises((ValueError, TypeError)):
            method(F)


def test_a_forest_is_saved_and_pickled(tmp_path):
    model, F = booster(num_leaves=60)
    forest = Forest.of_lightgbm(model)
    forest.save(tmp_path / "forest.model")
    for other in (load_model(tmp_path / "forest.model"), pickle.loads(pickle.dumps(forest))):
        np.testing.assert_array_equal(other.scores(F), forest.scores(F))
