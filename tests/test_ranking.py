"""Ranking: made from anything, checked once, and turned into another without a surprise."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from reference.combining import as_dicts, best_first, union
from strategies import cases, entries

from labelrank import InputError, MissingExtraError, Ranking

DENSE = np.array([[0.1, 0.7, 0.2], [0.5, 0.0, 0.5], [-1.0, 0.0, 2.0]])
BEST_FIRST = [[1, 2, 0], [0, 2, 1], [2, 1, 0]]  # of equal scores the smaller label is first
SMALL = Ranking.from_lists([[2, 0], [], [1, 3, 0]], [[5, 3], [], [2, 2, 1]], n_labels=4)
NAMES = ["a", "b", "c", "d"]


def lists(ranking):
    return [labels.tolist() for labels, _ in ranking]


# ---------------------------------------------------------------- making one


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize(
    "form",
    [
        *(np.asarray, np.asfortranarray, np.matrix, np.ndarray.tolist, np.float32, np.float16),
        lambda a: np.repeat(a, 2, axis=1)[:, ::2],  # neither C nor Fortran order
        lambda a: (10 * a).astype(int),
    ],
)
def test_dense_scores_in_any_form(form):
    ranking = Ranking.from_dense(form(DENSE))
    assert lists(ranking) == BEST_FIRST
    assert ranking.shape == (3, 3)
    assert ranking.scores.dtype == (np.float32 if form is np.float32 else np.float64)
    assert lists(Ranking.from_dense(form(DENSE), k=2)) == [row[:2] for row in BEST_FIRST]
    assert lists(Ranking.from_dense(form(DENSE), k=9)) == BEST_FIRST


@given(cases(full=True, ties=True), st.integers(0, 7))
def test_every_constructor_gives_the_same_ranking(case, k):
    dense = case.ranking.to_csr().toarray()
    n, m = dense.shape
    wanted = Ranking.from_dense(dense, k)
    every = np.tile(np.arange(m), (n, 1))
    csr = sp.csr_array((dense.ravel(), every.ravel(), np.arange(0, n * m + 1, m)), shape=(n, m))
    assert Ranking.from_csr(csr, k) == wanted
    assert Ranking.from_entries(csr.indptr, csr.indices, csr.data, m, k) == wanted
    assert Ranking.from_lists(every[:, ::-1], dense[:, ::-1], m).top(k) == wanted
    columns = {"row": np.repeat(range(n), m)[::-1], "label": every.ravel()[::-1]}
    columns["score"] = dense.ravel()[::-1]
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        assert Ranking.from_frame(frame).top(k) == wanted
    assert Ranking(wanted.indptr, wanted.labels, wanted.scores, m) == wanted
    assert Ranking.stack([wanted[i : i + 1] for i in range(n)]) == wanted


def test_lists_without_scores_count_down_from_1():
    ranking = Ranking.from_lists([[2, 0], [], [1, 2, 0]])
    assert lists(ranking) == [[2, 0], [], [1, 2, 0]]
    np.testing.assert_allclose(ranking.scores, [1, 1 / 2, 1, 1 / 2, 1 / 3])
    assert ranking.n_labels == 3
    assert Ranking.from_lists([]).shape == (0, 0)
    assert Ranking.from_lists([[], []]).shape == (2, 0)


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_matrix])
def test_sparse_scores_in_any_form(kind):
    ranking = Ranking.from_csr(kind(np.array([[0, 3.0, 1], [0, 0, 0], [-1, 0, 0]])))
    assert as_dicts(ranking) == [{1: 3, 2: 1}, {}, {0: -1}]


def test_stored_zeros_stay_and_entries_stored_twice_are_added():
    columns, data = np.array([1, 0, 1, 2], np.int64), np.array([1.0, 2, 4, 0])
    matrix = sp.csr_array((data, columns, np.array([0, 3, 4], np.int64)), shape=(2, 3))
    assert as_dicts(Ranking.from_csr(matrix)) == [{1: 5, 0: 2}, {2: 0}]
    assert as_dicts(Ranking.from_csr(Ranking.from_csr(matrix).to_csr())) == [{1: 5, 0: 2}, {2: 0}]
    assert matrix.nnz == 4
    np.testing.assert_array_equal(columns, [1, 0, 1, 2])
    np.testing.assert_array_equal(data, [1, 2, 4, 0])


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_frames_with_names_and_rows_that_list_nothing(kind):
    frame = kind({"score": [1.0, 3.5, 2], "label": ["b", "d", "a"], "row": [2, 0, 0], "x": [0] * 3})
    ranking = Ranking.from_frame(frame, n_rows=4, label_names=NAMES)
    assert as_dicts(ranking) == [{3: 3.5, 0: 2}, {}, {1: 1}, {}]
    assert ranking.n_labels == 4


@pytest.mark.parametrize(
    "make",
    [
        lambda: Ranking.from_dense(np.zeros((0, 5))),
        lambda: Ranking.from_csr(sp.csr_array((0, 5))),
        lambda: Ranking.from_lists([], n_labels=5),
        lambda: Ranking.from_frame(SMALL[:0].to_frame(backend="polars"), n_labels=5),
        lambda: Ranking([0], [], [], 5),
        lambda: SMALL[:0].union(SMALL[:0]),
    ],
)
def test_no_rows(make):
    ranking = make()
    assert (ranking.n_rows, ranking.n_entries) == (0, 0)
    assert ranking.to_csr().shape == (0, ranking.n_labels)
    assert ranking.top(3) == ranking == ranking[::-1] == ranking.union(ranking)
    assert list(ranking) == []


def test_no_labels():
    ranking = Ranking.from_dense(np.zeros((3, 0)))
    assert ranking.shape == ranking.to_csr().shape == (3, 0)
    assert lists(ranking.top(2)) == lists(ranking.union(ranking)) == [[], [], []]


def test_float32_stays_all_the_way():
    ranking = Ranking.from_dense(DENSE.astype(np.float32))
    for made in (ranking.top(1), ranking[1:], ranking.to_csr(), ranking.filtered([True] * 9)):
        assert getattr(made, "scores", made).dtype == np.float32
    assert Ranking.stack([ranking, ranking]).scores.dtype == np.float32
    assert ranking.reordered(-ranking.scores).scores.dtype == np.float32


@given(entries(), st.data())
def test_inputs_are_never_changed_and_may_be_read_only(rows, data):
    before = [a.copy() for a in rows[:3]]
    for array in rows[:3]:
        array.flags.writeable = False
    ranking = Ranking.from_entries(*rows, k=data.draw(st.none() | st.integers(0, 4)))
    ranking.reordered(-ranking.scores).union(ranking, "sum").top(1)
    for array, old in zip(rows[:3], before, strict=True):
        np.testing.assert_array_equal(array, old)


def test_what_it_hands_out_is_read_only():
    for ranking in (SMALL, SMALL.top(2), SMALL[[0]], copy.deepcopy(SMALL)):
        parts = [ranking.indptr, ranking.labels, ranking.scores, *ranking.row(0)]
        assert not any(part.flags.writeable for part in parts)
    SMALL.to_csr().data[:] = -9  # a copy
    assert SMALL.scores[0] == 5


# ---------------------------------------------------------------- turning it into another


def test_rows_lengths_and_positions():
    assert len(SMALL) == SMALL.n_rows == 3
    assert (SMALL.n_entries, SMALL.shape) == (5, (3, 4))
    assert SMALL.lengths.tolist() == [2, 0, 3]
    assert SMALL.rows.tolist() == [0, 0, 2, 2, 2]
    assert SMALL.positions.tolist() == [0, 1, 0, 1, 2]
    labels, scores = SMALL.row(-1)
    assert (labels.tolist(), scores.tolist()) == ([1, 3, 0], [2, 2, 1])
    for i in (3, -4):
        with pytest.raises(IndexError, match=f"row {i} of a ranking with 3 rows"):
            SMALL.row(i)


@pytest.mark.parametrize(
    ("chosen", "rows"),
    [
        (slice(1, None), [1, 2]),
        (slice(None, None, -2), [2, 0]),
        (slice(5, 9), []),
        ([2, 0, 2], [2, 0, 2]),
        ([-1], [2]),
        ([True, False, True], [0, 2]),
        (np.array([1], np.uint8), [1]),
        (np.array([], int), []),
        ([], []),
    ],
)
def test_some_of_the_rows(chosen, rows):
    assert lists(SMALL[chosen]) == [lists(SMALL)[i] for i in rows]
    assert SMALL[chosen].n_labels == 4


@pytest.mark.parametrize("chosen", [0, np.int64(1), True, [True], [3], [0.5], [[0, 1]], None])
def test_what_does_not_choose_rows_is_refused(chosen):
    with pytest.raises((InputError, IndexError)):
        SMALL[chosen]


@given(cases(), st.data())
def test_top_filtered_and_reordered(case, data):
    r = case.ranking
    n = r.n_rows
    k = data.draw(st.lists(st.integers(0, 7), min_size=n, max_size=n))
    wanted = [dict(list(row.items())[:cut]) for row, cut in zip(as_dicts(r), k, strict=True)]
    assert as_dicts(r.top(k)) == wanted
    assert r.top(k[0]) == r.top([k[0]] * n) == Ranking.from_csr(r.to_csr(), k[0])
    assert r.filtered(r.positions < np.repeat(k, r.lengths)) == r.top(k)
    rising = r.reordered(-r.scores)
    wanted = [best_first({c: -s for c, s in row.items()}) for row in as_dicts(r)]
    assert [list(row.items()) for row in as_dicts(rising)] == [list(w.items()) for w in wanted]
    assert rising.reordered(-rising.scores) == r


@pytest.mark.parametrize("combine", ["reciprocal", "max", "sum", "first"])
@given(case=cases(max_rows=3), data=st.data())
def test_union(combine, case, data):
    first = case.ranking
    scores = st.integers(-3, 3).map(lambda i: i / 4)
    rows = st.dictionaries(st.integers(0, first.n_labels - 1), scores)
    others = data.draw(st.lists(rows, min_size=first.n_rows, max_size=first.n_rows))
    second = Ranking.from_lists(
        map(list, others), [[*row.values()] for row in others], first.n_labels
    )
    found = as_dicts(first.union(second, combine))
    for row, *both in zip(found, as_dicts(first), as_dicts(second), strict=True):
        wanted = union(*both, combine)
        assert list(row) == list(wanted)
        assert row == pytest.approx(wanted)


def test_to_csr_has_sorted_columns_and_keeps_zeros():
    ranking = Ranking.from_lists([[2, 0], [1]], [[5, 0], [-1]], n_labels=3)
    matrix = ranking.to_csr()
    assert (matrix.nnz, matrix.indices.tolist(), matrix.data.tolist()) == (3, [0, 2, 1], [0, 5, -1])
    assert Ranking.from_csr(matrix) == ranking


@pytest.mark.parametrize(("backend", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_to_frame_and_back(backend, kind):
    frame = SMALL.to_frame(NAMES, backend)
    assert isinstance(frame, kind)
    assert {c: list(frame[c]) for c in frame.columns} == {
        "row": [0, 0, 2, 2, 2],
        "rank": [1, 2, 1, 2, 3],
        "label": ["c", "a", "b", "d", "a"],
        "score": [5, 3, 2, 2, 1],
    }
    assert Ranking.from_frame(frame, label_names=NAMES) == SMALL
    assert Ranking.from_frame(SMALL.to_frame(backend=backend), n_labels=4) == SMALL


def test_equality_and_copies():
    same = Ranking.from_lists([[0, 2], [], [0, 1, 3]], [[3, 5], [], [1, 2, 2]], n_labels=4)
    assert same == SMALL == pickle.loads(pickle.dumps(SMALL)) == copy.deepcopy(SMALL)
    for other in (SMALL[:2], SMALL[[0, 2, 1]], SMALL.reordered(SMALL.scores + 1), "a ranking"):
        assert other != SMALL
    assert Ranking.from_lists([[2]], n_labels=4) != Ranking.from_lists([[2]], n_labels=5)
    with pytest.raises(TypeError, match="unhashable"):
        hash(SMALL)


def test_repr_shows_the_first_rows_and_labels():
    assert repr(SMALL).splitlines() == [
        "Ranking(3 rows, 4 labels, 5 entries)",
        "  0: 2 (5), 0 (3)",
        "  1: ",
        "  2: 1 (2), 3 (2), 0 (1)",
    ]
    assert repr(Ranking.from_dense(np.zeros((9, 9)))).splitlines()[-2:] == [
        "  2: 0 (0), 1 (0), 2 (0), 3 (0), 4 (0), …",
        "  …",
    ]


# ---------------------------------------------------------------- what is refused, and how

FRAME = {"row": [0], "label": [1], "score": [1.0]}
REFUSED = [
    (lambda: Ranking([0, 1], [0], [np.nan], 1), "row 0 has a score that is NaN or infinite"),
    (lambda: Ranking.from_dense([[0, 1], [np.inf, 0]]), "row 1 has a score that is NaN or"),
    (lambda: Ranking.from_lists([[0]], [[-np.inf]]), "row 0 has a score that is NaN or infinite"),
    (lambda: SMALL.reordered([1, 2, np.nan, 4, 5]), "row 2 has a score that is NaN or infinite"),
    (lambda: Ranking([0, 2], [1, 1], [2, 1], 3), "row 0 has a label twice"),
    (lambda: Ranking.from_lists([[], [*range(20), 7]]), "row 1 has a label twice"),
    (lambda: Ranking([0, 1], [3], [1], 3), r"row 0 has a label outside 0\.\.2"),
    (lambda: Ranking.from_lists([[0], [-1]]), r"row 1 has a label outside 0\.\.0"),
    (lambda: Ranking([0, 1], [2**31], [1], 2**31 + 1), "must fit in 32 bits"),
    (lambda: Ranking([0, 1], np.array([-(2**63)]), [1], 3), "label"),
    (lambda: Ranking([0, 1], [0], [1], 2**40), "n_labels"),
    (lambda: Ranking([0, 1], [0], [1], 2**70), "n_labels"),
    (lambda: Ranking([0, 1], [0], [1], 1.5), "n_labels"),
    (lambda: Ranking([0], [], [], -1), "n_labels must not be negative"),
    (lambda: Ranking([0, 2], [0, 1], [1, 2], 2), "row 0 is not best first"),
    (lambda: Ranking([0, 2], [1, 0], [1, 1], 2), "row 0 is not best first"),
    (lambda: Ranking([0, 1], [0], [[1.0]], 1), r"scores must have one dimension, .*\(1, 1\)"),
    (lambda: Ranking([0, 1], [0.0], [1], 1), "labels must be whole numbers, found float64"),
    (lambda: Ranking([0, 1], [0], ["a"], 1), "scores must be numbers"),
    (lambda: Ranking([0, 1], [0], [1j], 1), "scores must be numbers, found complex128"),
    (lambda: Ranking([0, 2], [0], [1], 1), "indptr must start at 0, never fall and end at 1"),
    (lambda: Ranking([], [], [], 1), "indptr must start at 0"),
    (lambda: Ranking([0, 1], [0], [1, 2], 1), "scores has 2 values where 1 are needed"),
    (lambda: Ranking.from_dense(np.zeros(3)), r"two dimensions, found shape \(3,\)"),
    (lambda: Ranking.from_dense([[1 + 2j, 3]]), "scores"),
    (lambda: Ranking.from_dense([["a", "b"]]), "scores"),
    (lambda: Ranking.from_csr(sp.coo_array(np.ones(3))), "dimension"),
    (lambda: Ranking.from_lists([[0.5, 1.7]]), "labels must be whole numbers"),
    (lambda: Ranking.from_lists([["a"]]), "labels must be whole numbers"),
    (lambda: Ranking.from_lists([[0, 1]], [[1.0]]), "the same number of entries in every row"),
    (lambda: Ranking.from_lists([[0], [1]], [[1.0]]), "the same number of entries in every row"),
    (lambda: Ranking.from_frame(pl.DataFrame({"row": [0]})), "no column 'label', only"),
    (lambda: Ranking.from_frame(pl.DataFrame(FRAME), label_names=["x"]), "not known: 1"),
    (lambda: Ranking.from_frame(pl.DataFrame(FRAME), n_rows=0), "must lie in 0..-1, found 0"),
    (lambda: Ranking.from_frame(pl.DataFrame(FRAME | {"row": [0.5]})), "row"),
    (lambda: Ranking.from_frame(pl.DataFrame(FRAME | {"label": [1.5]})), "label"),
    (lambda: Ranking.from_frame(pl.DataFrame(FRAME | {"score": [None]})), "NaN or infinite"),
    (lambda: Ranking.stack([]), "stack needs at least one ranking"),
    (lambda: Ranking.stack([SMALL, Ranking.from_dense(DENSE)]), r"have \[4, 3\] labels"),
    (lambda: SMALL.filtered([True]), r"keep has shape \(1,\), one value an entry is 5"),
    (lambda: SMALL.reordered([1.0]), r"scores has shape \(1,\), but the ranking has 5"),
    (lambda: SMALL.union(SMALL[:1]), r"shapes \(3, 4\) and \(1, 4\) must be equal"),
    (lambda: SMALL.union(SMALL, "mean"), "combine must be reciprocal, max, sum or first"),
    (lambda: SMALL.to_frame(["a"]), "1 label names for 4 labels"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED)
def test_bad_input_gets_a_sentence(make, message):
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize(
    "k", [1.0, -1, "1", True, [1.0, 2.0, 3.0], [1, -1, 1], [1, 2], [[1, 2, 3]]]
)
def test_k_is_a_whole_number_or_one_a_row(k):
    makers = [
        SMALL.top,
        lambda k: Ranking.from_dense(DENSE, k),
        lambda k: Ranking.from_csr(DENSE, k),
    ]
    for make in makers:
        with pytest.raises(InputError, match=r"k (must be a whole number, 0 or more|has 2 values)"):
            make(k)


def test_top_without_a_number_does_not_drop_everything():
    with pytest.raises((InputError, TypeError)):
        SMALL.top(None)


def test_a_frame_that_is_none_and_scores_that_are_no_numbers():
    with pytest.raises(InputError, match="a data frame is needed, found int"):
        Ranking.from_frame(5)
    frame = Ranking.from_lists([[0]]).to_frame(backend="pandas").assign(score=["high"])
    with pytest.raises(InputError, match="column 'score' must be numbers"):
        Ranking.from_frame(frame)


def test_a_data_frame_library_that_is_missing():
    with pytest.raises(MissingExtraError, match=r"needs pyarrow.*pip install pyarrow"):
        SMALL.to_frame(backend="pyarrow")
