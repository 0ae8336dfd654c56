"""FastXML's kernels against their twins, and the forest against its definition."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import fast_xml as twin

from labelrank import InputError, _native, load_model
from labelrank.measures.propensity_model import model
from labelrank.scorers import FastXML, PfastXML
from labelrank.scorers.trees.gains import split_gains

EXACT = {"tolerance": 1e-5, "steps": 200, "sweeps": 50, "screen": 0.0}


def csr(matrix, dtype):
    m = sp.csr_array(matrix)
    return m.indptr.astype(np.int64), m.indices.astype(np.int32), m.data.astype(dtype)


@st.composite
def nodes(draw):
    """(whole gains, sides) of a small node."""
    n, m = draw(st.integers(1, 9)), draw(st.integers(1, 8))
    gains = draw(arrays(np.int64, (n, m), elements=st.sampled_from([0, 0, 1, 5, 900, 65535])))
    return gains, draw(arrays(np.uint8, n, elements=st.integers(0, 1)))


@given(nodes(), st.integers(1, 6), st.integers(0, 2))
def test_sides_are_those_of_the_closed_forms(node, rounds, still):
    gains, side = node
    found, taken = _native.ndcg_partition(
        *csr(gains, np.uint16), side, gains.shape[1], rounds, still
    )
    want, turns = twin.partition(gains, side, rounds, still)
    assert found.tolist() == want.tolist()
    assert taken == turns


def test_sides_where_lists_are_long():
    """Long lists are sorted byte by byte."""
    rng = np.random.default_rng(0)
    gains = rng.integers(1, 65536, (40, 700)) * (rng.random((40, 700)) < rng.beta(0.3, 2, 700))
    side = rng.integers(0, 2, 40).astype(np.uint8)
    found, _ = _native.ndcg_partition(*csr(gains, np.uint16), side, 700, 5, 0)
    assert found.tolist() == twin.partition(gains, side, 5, 0)[0].tolist()
    assert twin.ndcg(gains, found) > twin.ndcg(gains, side)


@given(nodes())
def test_sides_are_never_worse_than_before(node):
    gains, side = node
    gains = np.minimum(gains, 900)  # no sum loses bits
    found, _ = _native.ndcg_partition(*csr(gains, np.uint16), side, gains.shape[1], 30, 0)
    assert twin.ndcg(gains, found) >= twin.ndcg(gains, side) * (1 - 1e-9)


def test_gains_that_no_side_can_hold_are_in_units_that_it_can():
    Y = sp.csr_array(np.ones((70_000, 1)))
    gains = split_gains(Y)
    assert 0.999 * 2**32 < gains.astype(np.int64).sum() < 2**32
    uneven = sp.csr_array(np.array([[1.0, 1e9]]))
    assert split_gains(uneven).tolist() == [1, 65535]
    assert split_gains(sp.csr_array((3, 2))).tolist() == []


@st.composite
def separations(draw):
    """(X, sides) with a row on both sides."""
    n, d = draw(st.integers(2, 12)), draw(st.integers(1, 5))
    X = draw(arrays(np.float32, (n, d), elements=st.sampled_from([0, 0, 0, 1, 0.5, 2, -1])))
    side = draw(arrays(np.uint8, n, elements=st.integers(0, 1)))
    side[:2] = 0, 1
    return X, side


def solved(X, side, cost, bias, **settings):
    indptr, rows, values = csr(X.T, np.float32)
    columns, weights, intercept, margins = _native.l1_logistic(
        indptr, rows, values, side, cost, bias, **(EXACT | settings)
    )
    w = np.zeros(X.shape[1])
    w[columns] = weights
    np.testing.assert_allclose(margins, X @ w + intercept, atol=1e-3)
    return w, intercept


@given(separations(), st.sampled_from([0.3, 1.0, 5.0]), st.sampled_from([0.5, 1.0]))
def test_the_hyperplane_meets_its_conditions(problem, cost, bias):
    """The slope is -sign(w) where w is not 0, and within 1 where it is; for the bias too."""
    X, side = problem
    w, intercept = solved(X, side, cost, bias)
    b = intercept / bias
    wide = np.column_stack([X, np.full(len(X), bias)]).astype(float)
    slope = twin.slopes(wide, side, np.append(w, b), 0.0, cost)
    all_ = np.append(w, b)
    inside = np.abs(slope) <= 1 + 2e-2
    assert np.where(all_ == 0, inside, np.abs(slope + np.sign(all_)) < 2e-2).all()


def test_the_slopes_are_those_of_the_objective():
    rng = np.random.default_rng(1)
    X, side = rng.normal(size=(9, 3)), np.array([0, 1, 0, 1, 1, 0, 0, 0, 1], dtype=np.uint8)
    w, step = rng.normal(size=3), 1e-6

    def loss(w):
        return twin.objective(X, side, w, 0.2, 1.5, 1.0) - np.abs(w).sum()

    rise = [(loss(w + step * e) - loss(w - step * e)) / (2 * step) for e in np.eye(3)]
    np.testing.assert_allclose(twin.slopes(X, side, w, 0.2, 1.5), rise, atol=1e-5)


def test_few_steps_end_near_the_optimum():
    rng = np.random.default_rng(2)
    X = (rng.random((300, 40)) < 0.2).astype(np.float32)
    side = (X[:, :5].sum(axis=1) + 0.5 * rng.normal(size=300) > 1).astype(np.uint8)
    best = twin.objective(X, side, *solved(X, side, 1.0, 1.0), 1.0, 1.0)
    quick = solved(X, side, 1.0, 1.0, tolerance=0.03, steps=10, sweeps=5, screen=0.6)
    assert twin.objective(X, side, *quick, 1.0, 1.0) < 1.01 * best
    assert best < twin.objective(X, side, np.zeros(40), 0.0, 1.0, 1.0) / 1.5


# ------------------------------------------------------------------ the forest

RNG = np.random.default_rng(0)
TOPICS = RNG.integers(0, 6, 300)
X = ((RNG.random((300, 30)) < 0.1) + (TOPICS[:, None] == np.arange(30) % 6) * 0.8).astype(
    np.float32
) * (RNG.random((300, 30)) < 0.7)
Y = (RNG.random((300, 12)) < 0.05) | (TOPICS[:, None] == np.arange(12) % 6)
FORESTS = {"fast": FastXML, "pfast": PfastXML}


@pytest.fixture(params=FORESTS)
def forest(request):
    return FORESTS[request.param](n_trees=6, random_state=0)


def test_rows_go_down_as_the_arrays_say(forest):
    forest.fit(X, Y)
    rows = X[[twin.is_clear(forest, x) for x in X]]
    assert len(rows) > len(X) / 2
    want = [[twin.leaf_of(forest, x, t) for t in range(6)] for x in rows]
    assert forest.leaves(rows).tolist() == want
    assert forest.leaves(rows[7:8]).tolist() == want[7:8]  # alone, it is spread itself


def test_scores_are_means_of_leaves(forest):
    forest.fit(X, Y)
    rows = X[[twin.is_clear(forest, x) for x in X]]
    scores = forest.rank(rows).to_csr().toarray()
    want = [twin.probabilities(forest, x, 12) for x in rows]
    np.testing.assert_allclose(scores, want, rtol=1e-5)


@pytest.mark.parametrize("most", [3, 100])
def test_leaves_are_means_of_their_rows(most):
    forest = FastXML(n_trees=2, leaf_labels=most, random_state=1).fit(X, Y)
    for t, column in enumerate(forest.leaves(X).T):
        for leaf in np.unique(column):
            own = slice(forest.leaf_starts_[leaf], forest.leaf_starts_[leaf + 1])
            found = np.zeros(12)
            found[forest.leaf_labels_[own]] = forest.leaf_values_[own] * forest.leaf_scale_
            want = twin.leaf_values(Y.astype(float), column == leaf, most)
            np.testing.assert_allclose(found, want, atol=1e-4, err_msg=f"tree {t}, leaf {leaf}")


def test_leaves_have_at_most_so_many_rows():
    forest = FastXML(n_trees=3, leaf_size=20, random_state=0).fit(X, Y)
    sizes = np.concatenate([np.bincount(column) for column in forest.leaves(X).T])
    assert sizes.max() <= 20
    assert len(forest.roots_) == 3


def test_the_forest_has_learned(forest):
    shuffled = Y[RNG.permutation(300)]
    assert forest.fit(X, Y).score(X, Y) > 0.9 > forest.score(X, shuffled)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_results_do_not_depend_on_n_jobs(forest, form):
    one = forest.fit(form(X), Y).rank(form(X))
    for jobs in (2, -1):
        forest.set_params(n_jobs=jobs)
        assert forest.fit(form(X), Y).rank(form(X)) == one
    forest.set_params(random_state=5)
    assert forest.fit(form(X), Y).rank(form(X)) != one


def test_a_row_alone_is_ranked_as_among_others(forest):
    together = forest.fit(X, Y).rank(X, k=3)
    for i in (0, 50, 299):
        assert forest.rank(X[i : i + 1], k=3) == together[i : i + 1]


def test_trees_do_not_depend_on_how_many_there_are():
    few, many = (FastXML(n_trees=n, random_state=0).fit(X, Y).leaves(X) for n in (2, 5))
    assert few.tolist() == many[:, :2].tolist()


def test_a_model_that_is_loaded_is_mapped_and_ranks_alike(forest, tmp_path):
    forest.fit(X, Y).save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert loaded.rank(X) == forest.rank(X)
    assert not loaded.leaf_values_.flags.owndata
    assert loaded.leaf_labels_.dtype == np.uint16


def test_labels_and_features_beyond_two_bytes(tmp_path):
    wide_x = sp.csr_array((np.ones(40, np.float32), (np.arange(40), np.tile([3, 70_000], 20))))
    wide_y = sp.csr_array((np.ones(40), (np.arange(40), np.tile([90_000, 5], 20))))
    forest = FastXML(n_trees=3, random_state=0).fit(wide_x, wide_y)
    assert forest.leaf_labels_.dtype == forest.weight_features_.dtype == np.int32
    assert forest.rank(wide_x[:2], k=1).labels.tolist() == [90_000, 5]
    forest.save(tmp_path / "a.model")
    assert load_model(tmp_path / "a.model").rank(wide_x) == forest.rank(wide_x)


def test_training_data_may_be_mapped_from_files(forest, tmp_path):
    parts = []
    for k, array in enumerate(csr(X, np.float32)[::-1]):
        np.save(tmp_path / f"{k}.npy", array)
        parts.append(np.load(tmp_path / f"{k}.npy", mmap_mode="r"))
    mapped = sp.csr_array((parts[0], parts[1], parts[2]), shape=X.shape)
    assert forest.fit(mapped, Y).rank(mapped) == forest.fit(X, Y).rank(X)


# ------------------------------------------------------------------ propensities and grades


def test_propensities_of_labels_and_of_entries_agree():
    p = np.linspace(0.2, 1, 12)
    grid = np.tile(p, (300, 1))
    forest = PfastXML(n_trees=3, random_state=0)
    one = forest.fit(X, Y, propensities=p).rank(X)
    assert forest.fit(X, Y, propensities=grid).rank(X) == one
    assert forest.fit(X, Y, propensities=sp.csr_array(np.where(Y, grid, 0))).rank(X) == one
    assert forest.fit(X, Y).rank(X) != one


def test_equal_propensities_change_only_the_scale():
    fast = FastXML(n_trees=3, random_state=0).fit(X, Y).rank(X)
    pfast = PfastXML(n_trees=3, random_state=0).fit(X, Y, propensities=np.full(12, 0.5)).rank(X)
    assert pfast.labels.tolist() == fast.labels.tolist()
    np.testing.assert_allclose(pfast.scores, 2 * fast.scores, rtol=1e-6)  # 1 / 0.5


def test_grades_count_where_nodes_are_split_and_in_leaves():
    graded = Y * np.arange(1, 13)
    forest = FastXML(n_trees=3, random_state=0)
    assert forest.fit(X, 2 * Y).rank(X).labels.tolist() == forest.fit(X, Y).rank(X).labels.tolist()
    assert forest.fit(X, graded).rank(X) != forest.fit(X, Y).rank(X)


@pytest.mark.parametrize(
    ("given_p", "says"),
    [
        (np.full(11, 0.5), r"propensities has shape \(11,\), but Y has 300 rows and 12 labels"),
        (np.full(12, 0.0), r"propensities must lie in \(0, 1\]"),
        (np.full(12, 1.5), r"propensities must lie in \(0, 1\]"),
        (np.full(12, np.nan), r"propensities must lie in \(0, 1\]"),
        (sp.csr_array((300, 12)), r"propensities must lie in \(0, 1\] wherever Y has a label"),
        (np.full(12, "a"), r"propensities must lie in"),
    ],
)
def test_propensities_that_cannot_be(given_p, says):
    with pytest.raises(InputError, match=says):
        PfastXML(n_trees=1).fit(X, Y, propensities=given_p)


@pytest.mark.parametrize(("a", "b"), [(-1, 1.5), (0.55, 0), (0.55, -3), (np.nan, 1), (5000, 1.5)])
def test_a_and_b_that_give_no_propensity(a, b):
    with pytest.raises(InputError, match=r"give no propensity|give a propensity of 0"):
        PfastXML(n_trees=1, A=a, B=b).fit(X, np.pad(Y, ((0, 0), (0, 1))))


# ------------------------------------------------------------------ odd data


def odd(name):
    x, y = X.copy(), Y.astype(float)
    if name == "labels without an instance":
        y = np.pad(y, ((0, 0), (0, 5)))
    elif name == "rows without features":
        x[::3] = 0
    elif name == "rows without labels":
        y[::3] = 0
    elif name == "no labels at all":
        y[:] = 0
    elif name == "no features at all":
        x[:] = 0
    elif name == "one label":
        y = y[:, :1]
    elif name == "one label that all have":
        y = np.ones((300, 1))
    elif name == "all rows alike":
        x[:], y[:] = x[5], y[5]
    elif name == "one row":
        x, y = x[:1], y[:1]
    elif name == "huge values":
        x *= 1e30
    elif name == "tiny values":
        x *= 1e-30
    return x, y


ODD = [
    "labels without an instance", "rows without features", "rows without labels",
    "no labels at all", "no features at all", "one label", "one label that all have",
    "all rows alike", "one row", "huge values", "tiny values",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_data(forest, name, tmp_path):
    x, y = odd(name)
    ranking = forest.fit(x, y).rank(x)
    assert ranking.shape == y.shape
    means = ranking.to_csr().toarray()
    if isinstance(forest, PfastXML):
        p = model(y.sum(axis=0), max(len(y), 3), 0.55, 1.5)
        means = means * p
    np.testing.assert_allclose(means.mean(axis=0), y.mean(axis=0), atol=0.02)
    assert (means[:, y.sum(axis=0) == 0] == 0).all()
    forest.save(tmp_path / "a.model")
    assert load_model(tmp_path / "a.model").rank(x) == ranking


def test_features_that_training_rows_lack(forest):
    x = X.copy()
    x[:, 20:] = 0
    plain = forest.fit(x, Y).rank(x)
    queries = x.copy()
    queries[:, 20:] = RNG.random((300, 10))
    assert forest.rank(queries) == plain


@pytest.mark.parametrize(
    "params",
    [
        {"n_trees": 0}, {"leaf_size": 0}, {"leaf_labels": 2.5}, {"C": 0}, {"C": np.inf},
        {"bias": -1}, {"top": 0}, {"n_jobs": 0},
    ],
)  # fmt: skip
def test_parameters_that_cannot_be(forest, params):
    (name,) = params
    with pytest.raises(InputError, match=name):
        forest.set_params(**params).fit(X, Y)


# ------------------------------------------------------------------ what kernels refuse


def test_kernels_refuse_what_is_not_sound():
    indptr, ids, gains = csr(np.eye(3, dtype=np.int64), np.uint16)
    side = np.zeros(3, np.uint8)
    for wrong in (
        (indptr + 1, ids, gains, side, 3, 1, 0),
        (indptr, ids, gains, side, 2, 1, 0),
        (indptr, ids, gains[:2], side, 3, 1, 0),
        (indptr, ids, gains, side[:2], 3, 1, 0),
        (indptr, ids, gains, side, 3, -1, 0),
    ):
        with pytest.raises(ValueError, match=r"must|has"):
            _native.ndcg_partition(*wrong)
    values = gains.astype(np.float32)
    with pytest.raises(ValueError, match="both sides"):
        _native.l1_logistic(indptr, ids, values, side, 1.0, 1.0, **EXACT)
    with pytest.raises(ValueError, match="rows must lie"):
        _native.l1_logistic(indptr, ids + 1, values, side, 1.0, 1.0, **EXACT)
