"""NearestNeighbours against its plain twin: cosine, ties, votes, and who is no neighbour."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import nearest as twin

from labelrank import Ranking, _native
from labelrank.scorers import NearestNeighbours

FORMS = {"dense": np.asarray, "sparse": sp.csr_array}
SMALL = st.sampled_from([0.0, 0.0, 0.0, 1.0, 2.0, -1.0, 3.0])


@st.composite
def problems(draw):
    """(training rows, labels, queries) full of zero rows, duplicates and opposite rows."""
    n, q, d = draw(st.integers(1, 9)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    X = draw(arrays(np.float32, (n, d), elements=SMALL))
    Y = draw(arrays(np.float32, (n, 3), elements=st.sampled_from([0.0, 0.0, 1.0, 2.5])))
    return X, Y, draw(arrays(np.float32, (q, d), elements=SMALL))


def by_row(ranking):
    return [(labels.tolist(), scores) for labels, scores in ranking]


@given(problems(), st.integers(1, 12))
def test_the_kernel_is_exact_where_arithmetic_is(problem, k):
    X, _, queries = problem
    q, p = sp.csr_array(queries), sp.csr_array(X.T)
    indptr, rows, similar = _native.nearest_sparse(
        q.indptr.astype(np.int64), q.indices.astype(np.int32), q.data,
        p.indptr.astype(np.int64), p.indices.astype(np.int32), p.data, len(X), k,
    )  # fmt: skip
    want = twin.nearest(queries, X, k)
    assert indptr.tolist() == np.cumsum([0, *(len(order) for order, _ in want)]).tolist()
    assert rows.tolist() == [row for order, _ in want for row in order]
    np.testing.assert_array_equal(similar, np.concatenate([s for _, s in want]))


@pytest.mark.parametrize("n", [63, 64, 65, 127, 128, 129, 1000])
@pytest.mark.parametrize("k", [1, 10, 64, 2000])
def test_the_kernel_over_many_blocks_of_rows(n, k):
    """Few rows are met, sums of an earlier query must be gone, ties are everywhere."""
    rng = np.random.default_rng(n + k)
    X = rng.integers(-2, 4, (n, 12)) * (rng.random((n, 12)) < 0.15)
    queries = rng.integers(0, 3, (9, 12)) * (rng.random((9, 12)) < 0.4)
    q, p = sp.csr_array(queries.astype(np.float32)), sp.csr_array(X.T.astype(np.float32))
    indptr, rows, similar = _native.nearest_sparse(
        q.indptr.astype(np.int64), q.indices.astype(np.int32), q.data,
        p.indptr.astype(np.int64), p.indices.astype(np.int32), p.data, n, k,
    )  # fmt: skip
    for i, (order, values) in enumerate(twin.nearest(queries, X, k)):
        assert rows[indptr[i] : indptr[i + 1]].tolist() == order
        np.testing.assert_array_equal(similar[indptr[i] : indptr[i + 1]], values)


@pytest.mark.parametrize("form", FORMS)
@given(problem=problems(), k=st.integers(1, 12))
def test_neighbours_are_the_most_similar_rows(form, problem, k):
    X, Y, queries = problem
    model = NearestNeighbours(k=k).fit(FORMS[form](X), Y)
    cosines = twin.unit(queries) @ twin.unit(X).T
    ranking = model.neighbours(FORMS[form](queries))
    assert ranking.shape == (len(queries), len(X))
    for cosine, (rows, similar) in zip(cosines, by_row(ranking), strict=True):
        np.testing.assert_allclose(similar, cosine[rows], atol=1e-6)
        # What float32 cannot tell from zero or from the last one kept may go either way.
        sure = int((cosine > 1e-6).sum())
        assert min(k, sure) <= len(rows) <= min(k, int((cosine > -1e-6).sum()))
        others = np.delete(cosine, rows)
        if len(rows) == k:
            assert others.max(initial=-1) <= similar[-1] + 1e-6
        assert (similar > 0).all()


@pytest.mark.parametrize("form", FORMS)
@given(problem=problems(), k=st.integers(1, 12))
def test_scores_are_the_weighted_votes_of_the_neighbours(form, problem, k):
    X, Y, queries = problem
    model = NearestNeighbours(k=k).fit(FORMS[form](X), Y)
    near = list(model.neighbours(FORMS[form](queries)))
    ranking = model.rank(FORMS[form](queries))
    np.testing.assert_allclose(ranking.to_csr().toarray(), twin.votes(near, Y), rtol=1e-5)
    assert (ranking.scores > 0).all()


@pytest.mark.parametrize("form", FORMS)
def test_votes_by_hand(form):
    X = np.array([[1, 0], [3, 4], [0, 1], [-1, 0]], float)
    Y = np.array([[1, 0, 0], [0, 2, 0], [0, 0, 5], [9, 9, 9]])
    model = NearestNeighbours(k=2).fit(FORMS[form](X), Y)
    queries = FORMS[form](np.array([[2.0, 0.0], [0.0, 0.5], [0.0, 0.0]]))
    # cosines: (1, .6, 0, -1) and (0, .8, 1, 0); a row of zeros has no neighbour
    near = model.neighbours(queries)
    assert [rows for rows, _ in by_row(near)] == [[0, 1], [2, 1], []]
    np.testing.assert_allclose(near.scores, [1, 0.6, 1, 0.8], rtol=1e-6)
    ranking = model.rank(queries)
    assert [labels for labels, _ in by_row(ranking)] == [[1, 0], [2, 1], []]
    np.testing.assert_allclose(
        ranking.scores, [0.6 * 2 / 1.6, 1 / 1.6, 5 / 1.8, 0.8 * 2 / 1.8], rtol=1e-6
    )


@pytest.mark.parametrize("form", FORMS)
def test_of_equally_similar_rows_the_earlier_one_comes_first(form):
    X = np.tile([[0.0, 2.0], [1.0, 1.0]], (4, 1))
    Y = np.eye(8)
    near = NearestNeighbours(k=6).fit(FORMS[form](X), Y).neighbours(FORMS[form]([[0.0, 5.0]]))
    assert near.labels.tolist() == [0, 2, 4, 6, 1, 3]


@pytest.mark.parametrize("form", FORMS)
def test_equal_votes_are_listed_by_label(form):
    X, Y = np.ones((4, 2)), np.eye(4)[::-1]
    ranking = NearestNeighbours(k=4).fit(FORMS[form](X), Y).rank(FORMS[form](X[:1]))
    assert ranking.labels.tolist() == [0, 1, 2, 3]
    assert len(set(ranking.scores.tolist())) == 1


@pytest.mark.parametrize("scale", [1e-30, 1e-12, 1e12, 1e30])
@pytest.mark.parametrize("form", FORMS)
def test_the_length_of_a_row_does_not_matter(form, scale):
    """Also where its square is no float32 any more."""
    X = np.array([[1, 0, 2], [0, 3, 1], [1, 1, 1]], np.float32)
    scaled = FORMS[form](X * np.float32(scale))
    model = NearestNeighbours(k=2).fit(FORMS[form](X), np.eye(3))
    near, far = model.neighbours(FORMS[form](X)), model.neighbours(scaled)
    assert far.labels.tolist() == near.labels.tolist()
    np.testing.assert_allclose(far.scores, near.scores, rtol=1e-5)
    refitted = NearestNeighbours(k=2).fit(scaled, np.eye(3)).neighbours(FORMS[form](X))
    np.testing.assert_allclose(refitted.scores, near.scores, rtol=1e-5)


@pytest.mark.parametrize("form", FORMS)
def test_lists_are_cut_by_top_and_by_k(form):
    X, Y = FORMS[form](np.ones((3, 2))), np.array([[3, 2, 1, 0]] * 3)
    model = NearestNeighbours(top=2).fit(X, Y)
    assert model.rank(X).lengths.tolist() == [2, 2, 2]
    assert model.rank(X, k=1).labels.tolist() == [0, 0, 0]
    assert model.rank(X, k=9).lengths.tolist() == [3, 3, 3]  # k has the last word; 0 has no vote
    assert NearestNeighbours().fit(X, Y).rank(X[:1]).labels.tolist() == [0, 1, 2]


@pytest.mark.parametrize("form", FORMS)
def test_neighbours_without_labels_give_empty_lists(form):
    X = FORMS[form](np.ones((3, 2)))
    model = NearestNeighbours().fit(X, np.zeros((3, 4)))
    assert model.rank(X) == Ranking([0, 0, 0, 0], [], np.empty(0, np.float32), 4)
    zeros = NearestNeighbours().fit(X * 0, np.ones((3, 4)))
    assert zeros.rank(X).lengths.tolist() == [0, 0, 0]


def test_what_is_learned_is_what_is_documented():
    X, Y = np.array([[3.0, 4.0], [0.0, 0.0]]), np.eye(2)
    dense, sparse = (NearestNeighbours().fit(form(X), Y) for form in FORMS.values())
    names = {"k", "top", "n_jobs", "rows_", "labels_", "n_features_in_", "n_labels_"}
    for model in (dense, sparse):
        assert set(vars(model)) == names
        assert model.rows_.dtype == model.labels_.dtype == np.float32
        assert (model.n_features_in_, model.n_labels_) == (2, 2)
    np.testing.assert_allclose(dense.rows_, [[0.6, 0.8], [0, 0]], rtol=1e-6)
    np.testing.assert_allclose(sparse.rows_.toarray(), dense.rows_.T, rtol=1e-6)


@pytest.mark.parametrize("bad", ["q_indptr", "q_indices", "p_indptr", "p_rows", "k", "n_train"])
def test_the_kernel_refuses_arrays_that_do_not_fit(bad):
    one, zero = np.ones(1, np.float32), np.zeros(1, np.int32)
    arguments = {
        "q_indptr": np.array([0, 1]), "q_indices": zero, "q_data": one,
        "p_indptr": np.array([0, 1]), "p_rows": zero, "p_data": one, "n_train": 1, "k": 1,
    }  # fmt: skip
    assert _native.nearest_sparse(**arguments)[1].tolist() == [0]
    wrong = {"q_indptr": np.array([0, 2]), "p_indptr": np.array([1, 1]), "k": 0, "n_train": -1}
    with pytest.raises(ValueError, match="p_rows" if bad == "n_train" else bad):
        _native.nearest_sparse(**arguments | {bad: wrong.get(bad, zero + 1)})
