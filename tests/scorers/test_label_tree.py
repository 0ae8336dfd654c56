"""LabelTree: its clusters, its classifiers, its beam, and data that is odd."""

import numpy as np
import pytest
import scipy.sparse as sp
from reference import linear as twin
from sklearn.svm import LinearSVC

from labelrank import InputError, evaluate, load_model
from labelrank.scorers import LabelTree, OneVsAll, Popularity
from labelrank.scorers._label_clusters import Clusters, grow_trees, label_means
from labelrank.scorers._sparse_linear import SparseRows

RNG = np.random.default_rng(0)
TOPICS = RNG.random((8, 30)) * (RNG.random((8, 30)) < 0.2)  # eight groups of five labels
GROUP = RNG.integers(0, 8, 200)
X = TOPICS[GROUP] + 0.3 * RNG.random((200, 30)) * (RNG.random((200, 30)) < 0.1)
Y = np.zeros((200, 40), dtype=int)
Y[np.arange(200), 5 * GROUP + RNG.integers(0, 5, 200)] = 1
Y[np.arange(200), 5 * GROUP] = 2
SMALL = {"n_trees": 3, "arity": 3, "max_leaf": 4, "random_state": 0}


def nested(model):
    """The learned trees as lists of (weights, bias, node or label)."""
    made = {}
    for node in reversed(range(len(model.starts_) - 1)):
        first, last = model.starts_[node : node + 2]
        W = np.zeros((last - first, model.n_features_in_))
        for f in range(*model.feature_starts_[node : node + 2]):
            at = slice(*model.weight_starts_[f : f + 2])
            W[model.slots_[at], model.features_[f]] = model.weights_[at]
        below = [made[c] if c >= 0 else ~c for c in model.children_[first:last].tolist()]
        made[node] = list(zip(W, model.intercept_[first:last], below, strict=True))
    return [made[root] for root in model.roots_.tolist()]


def dense(ranking):
    return ranking.to_csr().toarray()


@pytest.mark.parametrize("balanced", [True, False])
@pytest.mark.parametrize("beam", [1, 2, 5, 100])
def test_the_beam_is_that_of_the_plain_search(balanced, beam):
    model = LabelTree(balanced=balanced, beam=beam, top=None, **SMALL).fit(sp.csr_array(X), Y)
    trees, found = nested(model), model.rank(X)
    for i in range(0, 200, 10):
        want = twin.beam_search(trees, X[i] / np.linalg.norm(X[i]), beam)
        labels, scores = found.row(i)
        assert set(labels.tolist()) == want.keys()
        np.testing.assert_allclose(scores, [want[label] for label in labels], rtol=1e-4)


def test_a_beam_as_wide_as_the_tree_misses_nothing():
    model = LabelTree(beam=100, top=None, **SMALL).fit(X, Y)
    assert (model.rank(X).lengths == 40).all()
    narrow = LabelTree(beam=2, top=None, **SMALL).fit(X, Y)
    assert (narrow.rank(X).lengths < 40).all()
    np.testing.assert_array_equal(model.weights_, narrow.weights_)


def test_one_leaf_is_one_vs_all():
    """A tree that is a single leaf orders labels as their own classifiers do."""
    exact = {"tol": 1e-4, "max_iter": 10**4, "threshold": 0.0, "random_state": 0, "top": None}
    tree = LabelTree(n_trees=1, max_leaf=40, **exact).fit(X, Y)
    margins = dense(OneVsAll("squared_hinge", **exact).fit(X, Y).rank(X))
    want = np.exp(-(np.maximum(1 - margins, 0) ** 2))
    np.testing.assert_allclose(dense(tree.rank(X)), want, atol=2e-3)


def test_each_child_learns_from_the_rows_of_its_parent():
    exact = {"tol": 1e-4, "max_iter": 10**4, "threshold": 0.0}
    model = LabelTree(C=0.5, relevant_cost=2.0, **exact, **SMALL | {"n_trees": 1}).fit(X, Y)
    rows = X / np.linalg.norm(X, axis=1, keepdims=True)
    (root,) = nested(model)

    def labels(node):
        return labels_of(node) if isinstance(node, list) else [node]

    def labels_of(node):
        return [label for _, _, child in node for label in labels(child)]

    def check(node):
        here = (Y[:, labels_of(node)] > 0).any(axis=1)
        for w, b, child in node:
            has = (Y[:, labels(child)] > 0).any(axis=1)
            theirs = LinearSVC(C=0.5, class_weight={True: 2.0}, tol=1e-9, max_iter=10**6)
            theirs.fit(rows[here], has[here])
            np.testing.assert_allclose(w, theirs.coef_[0], atol=5e-3)
            assert b == pytest.approx(theirs.intercept_[0], abs=5e-3)

    check(root)
    check(root[0][2])
    check(root[-1][2])


def test_alike_labels_end_in_one_leaf():
    means = label_means(SparseRows.of(TOPICS[GROUP], True), sp.csr_array((Y > 0) * 1.0))
    np.testing.assert_allclose(means.multiply(means).sum(axis=1), 1, rtol=1e-6)
    (root,) = grow_trees(means, np.arange(40, dtype=np.int32), Clusters(8, 5, False), [3], None)
    leaves, level = [], [root]
    while level:
        leaves += [node.labels for node in level if not node.children]
        level = [child for node in level for child in node.children]
    assert sorted(np.concatenate(leaves).tolist()) == list(range(40))
    assert all(len(set((leaf // 5).tolist())) == 1 for leaf in leaves)


@pytest.mark.parametrize(
    ("n", "arity", "leaf"), [(41, 2, 1), (1000, 7, 10), (64, 8, 8), (9, 99, 2)]
)
def test_balanced_trees_are_as_deep_as_they_must(n, arity, leaf):
    means = sp.csr_array(np.random.default_rng(0).random((n, 6)).astype(np.float32))
    roots = grow_trees(means, np.arange(n, dtype=np.int32), Clusters(arity, leaf, True), [0], None)
    depth, level = 0, roots
    while level := [child for node in level for child in node.children]:
        sizes = [len(node.labels) for node in level]
        assert max(sizes) - min(sizes) <= max(2, 0.1 * max(sizes)) + depth
        depth += 1
    assert arity ** (depth - 1) * leaf < n <= arity ** (depth + 1) * leaf


@pytest.mark.parametrize("balanced", [True, False])
def test_results_do_not_depend_on_n_jobs(balanced):
    one, three = (LabelTree(balanced=balanced, n_jobs=n, **SMALL).fit(X, Y) for n in (None, 3))
    assert one.rank(X) == three.rank(X)
    for name in ("children_", "weights_", "features_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name))


def test_trees_differ_and_the_state_decides():
    again = [LabelTree(**SMALL | {"random_state": state}).fit(X, Y) for state in (0, 0, 1)]
    assert again[0].rank(X) == again[1].rank(X) != again[2].rank(X)
    first, second, third = np.split(again[0].children_, again[0].starts_[again[0].roots_[1:]])
    assert first.tolist() != (second - second.max() + first.max()).tolist()
    assert [sorted(tree[tree < 0].tolist()) for tree in (first, second, third)] == 3 * [
        list(range(-40, 0))
    ]


@pytest.mark.parametrize("balanced", [True, False])
@pytest.mark.parametrize("n_trees", [1, 3])
def test_it_finds_the_labels(balanced, n_trees):
    part = np.arange(200) % 4 > 0
    model = LabelTree(balanced=balanced, **SMALL | {"n_trees": n_trees}).fit(X[part], Y[part])
    value = evaluate(model.rank(X[~part]), Y[~part], "P@1")["P@1"].value
    assert value > 0.9
    popular = Popularity().fit(X[part], Y[part]).rank(X[~part])
    assert evaluate(popular, Y[~part], "P@1")["P@1"].value < 0.4


def test_labels_without_an_instance_are_not_listed():
    truth = Y.copy()
    truth[:, [3, 17]] = 0
    ranking = LabelTree(beam=100, top=None, **SMALL).fit(X, truth).rank(X)
    assert set(ranking.labels.tolist()) == set(range(40)) - {3, 17}
    empty = LabelTree(**SMALL).fit(X, np.zeros((200, 40)))
    assert empty.rank(X).lengths.tolist() == [0] * 200


def test_rows_without_features_or_labels(tmp_path):
    rows, truth = X.copy(), Y.copy()
    rows[:20] = 0
    truth[10:40] = 0
    rows[:, 29] = 0
    model = LabelTree(**SMALL).fit(sp.csr_array(rows), truth)
    unknown = np.zeros((2, 30))
    unknown[1, 29] = 5  # a feature that training does not have
    none, new = model.rank(unknown)
    assert none[0].tolist() == new[0].tolist()
    assert len(none[0]) > 0


def test_one_label_and_rows_that_are_all_alike():
    one = LabelTree(random_state=0).fit(X, Y[:, :1])
    assert one.rank(X).lengths.tolist() == [1] * 200
    alike = LabelTree(beam=100, top=None, **SMALL).fit(np.ones((200, 3)), Y)
    assert (alike.rank(np.ones((2, 3))).lengths == 40).all()
    loose = LabelTree(balanced=False, beam=100, top=None, **SMALL).fit(np.zeros((200, 3)), Y)
    assert (loose.rank(np.ones((2, 3))).lengths == 40).all()


def test_rows_that_are_mapped_from_files(tmp_path):
    parts = sp.csr_array(X.astype(np.float32))
    for name in ("data", "indices", "indptr"):
        np.save(tmp_path / f"{name}.npy", getattr(parts, name))
    mapped = sp.csr_array(
        tuple(np.load(tmp_path / f"{n}.npy", mmap_mode="r") for n in ("data", "indices", "indptr")),
        shape=X.shape,
    )
    assert LabelTree(**SMALL).fit(mapped, Y).rank(mapped) == (
        LabelTree(**SMALL).fit(parts, Y).rank(parts)
    )


def test_a_saved_model_is_mapped_and_ranks_the_same(tmp_path):
    model = LabelTree(**SMALL).fit(X, Y)
    want = model.rank(X)
    model.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert not loaded.weights_.flags.owndata
    assert loaded.rank(X) == want


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_trees", 0),
        ("arity", 1),
        ("arity", 2.0),
        ("arity", 10**6),
        ("max_leaf", 0),
        ("max_leaf", 10**6),
        ("balanced", "yes"),
        ("beam", 0),
        ("C", -1),
        ("relevant_cost", 0),
        ("threshold", -1),
        ("top", 0),
        ("n_jobs", 0),
    ],
)
def test_parameters_that_cannot_be(name, value):
    with pytest.raises(InputError, match=name):
        LabelTree(**{name: value}).fit(X, Y)
