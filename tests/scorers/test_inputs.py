"""What every scorer takes and refuses: forms of X and Y, rows in any block, wrong arguments."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from labelrank import InputError, PfastreXML, Ranking, load_model
from labelrank._parallel import over_blocks
from labelrank.scorers import (
    IBLR,
    BinarySVM,
    FastXML,
    LabelTree,
    MLkNN,
    NearestNeighbours,
    OneVsAll,
    OneVsAllLogistic,
    PfastXML,
    Popularity,
    RankSVMLabels,
    TailLabels,
    Union,
    nearest_neighbours,
)

RNG = np.random.default_rng(0)
X = RNG.integers(-3, 6, (40, 6)) * (RNG.random((40, 6)) < 0.5)
Y = (RNG.random((40, 5)) < 0.4) * RNG.integers(1, 4, (40, 5))
SCORERS = {
    "popularity": lambda: Popularity(),
    "neighbours": lambda: NearestNeighbours(k=7),
    "union": lambda: Union(NearestNeighbours(k=7), Popularity(top=2), "max"),
    "svm": lambda: BinarySVM(C=0.1),
    "rank svm": lambda: RankSVMLabels(kernel="rbf", gamma=0.1),
    "ml-knn": lambda: MLkNN(k=5),
    "iblr": lambda: IBLR(k=5, plus=True),
    "logistic": lambda: OneVsAllLogistic(C=0.1),
    "one vs all": lambda: OneVsAll(random_state=0),
    "label tree": lambda: LabelTree(max_leaf=2, random_state=0),
    "fast-xml": lambda: FastXML(n_trees=5, random_state=0),
    "pfast-xml": lambda: PfastXML(n_trees=5, random_state=0),
    "pfastre-xml": lambda: PfastreXML(n_trees=5, random_state=0),
    "tail": lambda: TailLabels(),
}


@pytest.fixture(params=SCORERS)
def make(request):
    return SCORERS[request.param]


def close(one, other):
    np.testing.assert_allclose(one.to_csr().toarray(), other.to_csr().toarray(), atol=1e-6)
    assert one.shape == other.shape


SPARSE = [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.csc_matrix, sp.coo_array, sp.lil_array]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8])
@pytest.mark.parametrize("form", [np.ascontiguousarray, np.asfortranarray, pd.DataFrame, *SPARSE])
def test_forms_of_x(make, form, dtype):
    want = make().fit(X.astype(np.float32), Y).rank(X.astype(np.float32))
    given = form(X.astype(dtype))
    close(make().fit(given, Y).rank(given), want)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8])
@pytest.mark.parametrize("form", [np.ascontiguousarray, np.asfortranarray, pd.DataFrame, *SPARSE])
def test_forms_of_y(make, form, dtype):
    assert make().fit(X, form(Y.astype(dtype))).rank(X) == make().fit(X, Y).rank(X)


def test_booleans_are_grades_of_one(make):
    assert make().fit(X, Y > 0).rank(X) == make().fit(X, (Y > 0).astype(int)).rank(X)
    assert make().fit(X, sp.csr_array(Y > 0)).rank(X) == make().fit(X, Y > 0).rank(X)


@pytest.mark.parametrize("fitted_on", [np.asarray, sp.csr_array])
def test_sparse_and_dense_queries_agree(make, fitted_on):
    scorer = make().fit(fitted_on(X.astype(float)), Y)
    close(scorer.rank(X.astype(float)), scorer.rank(sp.csr_array(X.astype(float))))


def loose(matrix):
    """The same matrix with columns out of order, entries in two halves and stored zeros."""
    rows = []
    for row in matrix:
        at = np.flatnonzero(row)[::-1]
        columns, values = np.concatenate([at, at, [0]]), np.concatenate([row[at] / 2] * 2 + [[0]])
        rows.append((columns, values))
    indptr = np.cumsum([0] + [len(columns) for columns, _ in rows])
    columns, values = (np.concatenate(part) for part in zip(*rows, strict=True))
    parts = (values.astype(np.float32), columns.astype(np.int32), indptr.astype(np.int32))
    return sp.csr_array(parts, shape=matrix.shape)


def test_entries_out_of_order_and_twice(make):
    strict, free = sp.csr_array(X.astype(np.float32)), loose(X.astype(np.float32))
    assert not free.has_canonical_format
    close(make().fit(strict, Y).rank(free), make().fit(strict, Y).rank(strict))
    close(make().fit(free, loose(Y)).rank(strict), make().fit(strict, Y).rank(strict))


@pytest.mark.parametrize("fitted_on", [np.asarray, sp.csr_array])
def test_neighbours_of_entries_out_of_order_and_twice(fitted_on):
    model = NearestNeighbours(k=7).fit(fitted_on(X.astype(np.float32)), Y)
    strict, free = sp.csr_array(X.astype(np.float32)), loose(X.astype(np.float32))
    close(model.neighbours(free), model.neighbours(strict))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, loose])
def test_inputs_may_be_read_only_and_are_not_modified(make, form):
    given, truth = form(X.astype(np.float32)), form(Y.astype(np.float32))
    parts = []
    for matrix in (given, truth):
        parts += [matrix.data, matrix.indices, matrix.indptr] if sp.issparse(matrix) else [matrix]
    copies = [part.copy() for part in parts]
    for part in parts:
        part.flags.writeable = False
    scorer = make().fit(given, truth)
    scorer.rank(given)
    scorer.score(given, truth)
    for part, copy in zip(parts, copies, strict=True):
        np.testing.assert_array_equal(part, copy)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_results_do_not_depend_on_n_jobs(form, monkeypatch):
    def small_blocks(work, n_rows, n_jobs, block):
        return over_blocks(work, n_rows, n_jobs, block=100)

    monkeypatch.setattr(nearest_neighbours, "over_blocks", small_blocks)
    rng = np.random.default_rng(1)
    train, queries = (form(rng.random((n, 20)) * (rng.random((n, 20)) < 0.3)) for n in (300, 2500))
    truth = rng.random((300, 9)) < 0.3
    one, two, all_ = (NearestNeighbours(n_jobs=n).fit(train, truth) for n in (1, 2, -1))
    assert one.rank(queries) == two.rank(queries) == all_.rank(queries)
    assert one.neighbours(queries) == two.neighbours(queries)


def test_a_fit_forgets_the_one_before(make):
    scorer = make().fit(X[:, :2], Y[:, :3])
    assert scorer.rank(X[:, :2]).n_labels == 3
    assert scorer.fit(X, Y) is scorer
    assert scorer.rank(X) == make().fit(X, Y).rank(X)


def test_names_of_columns_are_compared(make, tmp_path):
    frame = pd.DataFrame(X, columns=list("abcdef"))
    scorer = make().fit(frame, Y)
    scorer.rank(frame)
    with pytest.raises(ValueError, match="feature names should match"):
        scorer.rank(frame[list("bacdef")])
    scorer.save(tmp_path / "a.model")
    assert load_model(tmp_path / "a.model").rank(frame) == scorer.rank(frame)


@pytest.mark.parametrize("k", [1, 2, np.int64(3), 100])
def test_at_most_k_labels(make, k):
    scorer = make().fit(X, Y)
    assert scorer.rank(X, k=k) == scorer.rank(X, k=100).top(k)


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "3"])
def test_k_that_cannot_be(make, k):
    with pytest.raises(InputError, match=f"k must be a whole number from 1, found {k!r}"):
        make().fit(X, Y).rank(X, k=k)


@pytest.mark.parametrize("top", [-1, 0, 2.5, "3", True])
@pytest.mark.parametrize("scorer", [Popularity, NearestNeighbours])
def test_top_that_cannot_be(scorer, top):
    with pytest.raises(InputError, match="top"):
        scorer(top=top).fit(X, Y).rank(X)


@pytest.mark.parametrize("k", [0, -1, 2.5, "3", None])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_numbers_of_neighbours_that_cannot_be(k, form):
    with pytest.raises(InputError, match="k must be a whole number from 1, found"):
        NearestNeighbours(k=k).fit(form(X.astype(float)), Y)


@pytest.mark.parametrize(
    ("rows", "truth", "says"),
    [
        (X, None, "is None"),
        (X, Y[:, 0], "Y must be a sparse or dense matrix"),
        (X, Y.astype(str), "Y must be a sparse or dense matrix"),
        (X, Y[:5], "X has 40 rows but Y has 5"),
        (X, Y[:, :0], "Y has no labels"),
        (X, -Y, r"Y has the value -\d in row"),
        (X, np.full(Y.shape, np.nan), "Y has a value that is NaN"),
        (X, sp.csr_array(np.where(Y > 0, np.inf, 0)), "Y has a value that is NaN or infinite"),
        (X, Y * 1e300, "Y has a value"),
        (np.full(X.shape, np.nan), Y, r"^X has a value that is NaN or infinite[^\n]*$"),
        (np.full(X.shape, 1e300), Y, "too large for float32"),
        (np.full(X.shape, np.inf), Y, "infinite"),
        (X[0], Y, "Expected 2D array"),
        (X[:, :0], Y, "0 feature"),
        (X[:0], Y[:0], "0 sample"),
    ],
)
def test_training_data_that_cannot_be(make, rows, truth, says):
    with pytest.raises(ValueError, match=says):
        make().fit(rows, truth)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (X[:, :5], "X has 5 features, but .* is expecting 6 features"),
        (sp.csr_array(np.ones((2, 7))), "X has 7 features, but .* is expecting 6 features"),
        (np.full((1, 6), np.nan), "NaN"),
        (sp.csr_array(np.full((1, 6), np.inf)), "infinite"),
        (X[0], "Expected 2D array"),
    ],
)
def test_rows_that_cannot_be_ranked(make, rows, says):
    with pytest.raises(ValueError, match=says):
        make().fit(X, Y).rank(rows)


def test_a_scorer_that_is_not_fitted(make):
    with pytest.raises(NotFittedError):
        make().rank(X)


def test_rankings_are_in_order_and_within_the_labels(make):
    ranking = make().fit(X, Y).rank(X)
    assert isinstance(ranking, Ranking)
    assert ranking.shape == (40, 5)
    assert Ranking(ranking.indptr, ranking.labels, ranking.scores, 5) == ranking
