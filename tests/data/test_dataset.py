"""Dataset: every argument checked, nothing of the caller's changed, rows chosen, facts counted."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelrank import Dataset, InputError

X = np.array([[0, 1.5], [2, 0], [0, 0]])
Y = np.array([[1, 0, 0], [0, 2, 1], [0, 0, 0]])


def full():
    return Dataset(
        X,
        Y,
        label_names=["a", "b", "c"],
        ids=["r0", "r1", "r2"],
        texts={"title": ["one two", "", "three"], "body": ["x", "y", "z"]},
        name="full",
    )


@pytest.mark.parametrize(
    "form",
    [np.asarray, np.asfortranarray, sp.csr_array, sp.csc_matrix, sp.coo_array, sp.lil_matrix, list],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8])
def test_every_form_of_x_and_y(form, dtype):
    data = Dataset(form((X * 2).astype(dtype)), form(Y.astype(dtype)))
    assert data.X.dtype == data.Y.dtype == np.float32
    dense = data.X.toarray() if sp.issparse(data.X) else data.X
    assert sp.issparse(data.X) == (form not in (np.asarray, np.asfortranarray, list))
    np.testing.assert_array_equal(dense, X * 2)
    assert isinstance(data.Y, sp.csr_array)
    np.testing.assert_array_equal(data.Y.toarray(), Y)
    assert data.Y.nnz == 3
    assert (len(data), data.n_features, data.n_labels) == (3, 2, 3)


def test_booleans_count_as_one():
    data = Dataset(X > 0, sp.csr_array(Y > 0))
    np.testing.assert_array_equal(data.X, X > 0)
    np.testing.assert_array_equal(data.Y.toarray(), Y > 0)


def test_entries_that_stand_twice_are_added_and_zeros_leave():
    parts = (np.array([1.0, 2.0, 0.0]), np.array([1, 1, 0]), np.array([0, 3]))
    data = Dataset(None, sp.csr_array(parts, shape=(1, 2)))
    assert data.Y.toarray().tolist() == [[0, 3]]
    assert data.Y.has_canonical_format
    assert data.Y.nnz == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "a Dataset needs Y"),
        ({"Y": [1, 0]}, r"Y must be a sparse or dense matrix .* found list"),
        ({"Y": "abc"}, "Y must be a sparse or dense matrix"),
        ({"Y": [["a"]]}, "Y must be a sparse or dense matrix"),
        ({"Y": [[1j]]}, "Y must be a sparse or dense matrix"),
        ({"Y": np.ones((1, 1, 1))}, r"found ndarray of shape \(1, 1, 1\) and type float64"),
        ({"Y": [[np.nan]]}, "Y has a value that is NaN or infinite"),
        ({"Y": sp.csr_array([[np.inf]])}, "Y has a value that is NaN or infinite"),
        (
            {"Y": [[0, 1], [0, -2]]},
            r"Y has the value -2 in row 1, column 1 \(from 0\): grades are 0 or more",
        ),
        ({"Y": [[1]], "X": [1]}, r"X must be a numeric matrix, found int64 of shape \(1,\)"),
        ({"Y": [[1]], "X": [["a"]]}, "X must be a numeric matrix, found <U1"),
        ({"Y": [[1]], "X": [[1j]]}, "X must be a numeric matrix, found complex128"),
        ({"Y": [[1]], "X": [[np.nan]]}, "X has a value that is NaN or infinite"),
        ({"Y": [[1]], "X": sp.csr_array([[np.inf]])}, "X has a value that is NaN or infinite"),
        ({"Y": [[1]], "X": [[1], [2]]}, r"X has 2 entries, but Y has shape \(1, 1\)"),
        ({"Y": [[1]], "ids": ["a", "b"]}, "ids has 2 entries"),
        ({"Y": [[1], [1]], "ids": ["a", "a"]}, "the id 'a' stands twice"),
        ({"Y": [[1]], "label_names": []}, "label_names has 0 entries"),
        ({"Y": [[1, 1]], "label_names": ["a", "a"]}, "the label name 'a' stands twice"),
        ({"Y": [[1]], "texts": {"title": []}}, "text field 'title' has 0 entries"),
        # what is too large for float32 is said, not warned of, and not kept as infinite
        ({"Y": [[1]], "X": [[1e300]]}, "X has a value .* too large for float32"),
        ({"Y": [[1]], "X": sp.csr_array([[-1e300]])}, "X has a value .* too large for float32"),
        ({"Y": [[1e300]]}, "Y has a value"),
        ({"Y": [[1, 2], [3]]}, "Y must be a sparse or dense matrix"),
        ({"Y": [[1], [1]], "X": [[1, 2], [3]]}, "X must be a numeric matrix"),
    ],
)
def test_bad_arguments(arguments, says):
    with pytest.raises(InputError, match=says):
        Dataset(**arguments)


def test_a_grade_too_small_for_float32_is_no_stored_zero():
    data = Dataset(None, [[1e-60, 1]])
    assert (data.Y.data > 0).all()
    assert data.statistics()["labels with a row"] == data.Y.nnz


def test_the_callers_arrays_are_not_written_to():
    parts = [np.array([3.0, 0.0, 1.0]), np.array([2, 0, 0]), np.array([0, 3])]
    for part in parts:
        part.flags.writeable = False
    matrix = sp.csr_array(tuple(parts), shape=(1, 3))
    names, ids, texts = ["a", "b", "c"], ["r"], {"title": ["t"]}
    data = Dataset(matrix, matrix, label_names=names, ids=ids, texts=texts)
    assert data.Y.toarray().tolist() == [[1, 0, 3]]
    assert parts[1].tolist() == [2, 0, 0]
    data.label_names.append("d")
    data.ids.append("s")
    data.texts["title"].append("u")
    assert (names, ids, texts) == (["a", "b", "c"], ["r"], {"title": ["t"]})


@pytest.mark.parametrize(
    "rows", [slice(1, None), [1, 2], np.array([1, 2]), [False, True, True], slice(-2, 3), [-2, -1]]
)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_some_rows(form, rows):
    data = full()
    data.X = form(data.X)
    part = data[rows]
    dense = part.X.toarray() if sp.issparse(part.X) else part.X
    np.testing.assert_array_equal(dense, X[1:])
    np.testing.assert_array_equal(part.Y.toarray(), Y[1:])
    assert part.ids == ["r1", "r2"]
    assert part.texts == {"title": ["", "three"], "body": ["y", "z"]}
    assert part.label_names == ["a", "b", "c"]
    assert part.name == "full"


def test_rows_in_any_order_and_none():
    assert full()[[2, 0]].ids == ["r2", "r0"]
    assert full()[::-1].Y.toarray().tolist() == Y[::-1].tolist()
    nothing = full()[:0]
    assert (len(nothing), nothing.n_labels, nothing.n_features) == (0, 3, 2)
    assert nothing.statistics()["rows"] == 0
    assert len(Dataset(None, Y)[[0, 0, 1]]) == 3


def test_rows_that_cannot_be():
    with pytest.raises(InputError):
        full()[1]
    for rows in ([3], [True, False], [0.5]):
        with pytest.raises(IndexError):
            full()[rows]


def test_label_name():
    assert full().label_name(1) == "b"
    assert Dataset(None, Y).label_name(2) == "2"


def test_joined_texts():
    assert full().joined_texts() == ["one two\nx", "\ny", "three\nz"]
    with pytest.raises(InputError, match="the data set has no text fields"):
        Dataset(None, Y).joined_texts()


def test_statistics():
    assert full().statistics() == {
        "rows": 3,
        "labels": 3,
        "labels with a row": 3,
        "labels per row": 1.0,
        "rows without a label": 1,
        "rows per used label": 1.0,
        "labels with at most 5 rows": 3,
        "most frequent label's rows": 1,
        "grades": 2,
        "features": 2,
        "features per row": 2.0,  # dense
        "words in title": 1.0,
        "words in body": 1.0,
    }
    tall = np.zeros((12, 3))
    tall[:6, 0] = tall[:5, 2] = 1
    facts = Dataset(sp.csr_array(np.eye(12)), tall).statistics()
    assert facts["labels with a row"] == 2
    assert facts["labels per row"] == pytest.approx(11 / 12)
    assert facts["rows without a label"] == 6
    assert facts["rows per used label"] == 5.5
    assert facts["labels with at most 5 rows"] == 1
    assert facts["most frequent label's rows"] == 6
    assert facts["features per row"] == 1


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_statistics_of_nothing(shape):
    facts = Dataset(None, np.zeros(shape)).statistics()
    assert (facts["rows"], facts["labels"]) == shape
    assert facts["labels per row"] == facts["rows per used label"] == 0
    assert facts["rows without a label"] == shape[0]


def test_as_text():
    assert repr(full()) == "Dataset('full', 3 rows, 2 features, texts title and body, 3 labels)"
    assert repr(Dataset(None, Y)) == "Dataset(3 rows, 3 labels)"
    lines = full().describe().splitlines()
    assert lines[0].split() == ["full"]
    assert ["rows", "without", "a", "label", "1"] in [line.split() for line in lines]
    assert ["labels", "per", "row", "1"] in [line.split() for line in lines]
