"""SVMlight text with several labels, and learning-to-rank text with queries."""

import numpy as np
import pytest

from labelrank import InputError
from labelrank.data import read_qid, read_svmlight


@pytest.fixture
def write(tmp_path):
    def write(text):
        file = tmp_path / "data.svm"
        file.write_text(text, newline="")
        return file

    return write


def test_several_labels_a_row(write):
    data = read_svmlight(write("# a note\n3,1 1:.5 4:2\n\n 2:1 # no label\n0\n2:7\r\n"))
    assert data.X.toarray().tolist() == [[0.5, 0, 0, 2], [0, 1, 0, 0], [0] * 4, [0, 7, 0, 0]]
    assert data.Y.toarray().tolist() == [[0, 1, 0, 1], [0] * 4, [1, 0, 0, 0], [0] * 4]
    assert data.X.dtype == data.Y.dtype == np.float32
    assert data.name == "data"


@pytest.mark.parametrize(
    ("text", "zero_based", "columns"),
    [
        ("0 1:5 3:6\n", "auto", [5, 0, 6]),  # no 0 occurs: features count from 1
        ("0 0:4 1:5\n", "auto", [4, 5]),
        ("0 1:5 3:6\n", True, [0, 5, 0, 6]),
        ("0 1:5 3:6\n", False, [5, 0, 6]),
        ("0 2:5\n", False, [0, 5]),
        ("0 1:5 3:6\n", np.False_, [5, 0, 6]),
    ],
)
def test_where_features_count_from(write, text, zero_based, columns):
    assert read_svmlight(write(text), zero_based=zero_based).X.toarray().tolist() == [columns]


@pytest.mark.parametrize("zero_based", ["auto", True, False])
def test_rows_without_any_feature(write, zero_based):
    data = read_svmlight(write("1\n0,2\n"), zero_based=zero_based)
    assert data.X.shape == (2, 0)
    assert data.Y.toarray().tolist() == [[0, 1, 0], [1, 0, 1]]


def test_sizes_that_are_asked_for(write):
    data = read_svmlight(write("1 1:5\n"), n_features=4, n_labels=3)
    assert data.X.toarray().tolist() == [[5, 0, 0, 0]]
    assert data.Y.toarray().tolist() == [[0, 1, 0]]
    assert read_svmlight(write("1 0:5\n"), n_features=1, n_labels=2).X.shape == (1, 1)


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        ("1 2:5\n", {"n_features": 1}, "feature 1 occurs, but only 1 features"),
        ("1 2:5\n", {"n_labels": 1}, "label 1 occurs, but only 1 labels"),
        ("1 0:5\n", {"zero_based": False}, "feature 0 occurs, so features do not count from 1"),
        ("1 -1:5\n", {}, "line 1: feature -1 is out of range"),
        ("1 1:1\n-1 1:5\n", {}, "line 2: label -1 is out of range"),
        ("1 1:1\n1 2147483647:5\n", {}, "line 2: feature 2147483647 is out of range"),
        ("1 1:1\n1 1:inf\n", {}, "line 2: feature 1 has a value that is not a finite number"),
        ("1.5 1:1\n", {}, "line 1: expected label numbers, found '1.5'"),
        ("1 1:1 1:1\n", {}, "line 1: feature 1 stands twice"),
        ("# nothing\n\n  \n", {}, "has no rows"),
        ("", {}, "is empty"),
    ],
)
def test_bad_svmlight(write, text, arguments, says):
    with pytest.raises(InputError, match=says) as caught:
        read_svmlight(write(text), **arguments)
    assert "data.svm" in str(caught.value)


QUERIES = (
    "2 qid:7 1:.5 2:1 #docid = GX1\r\n"
    "0 qid:9 2:4\n"
    "# a line of comment\n"
    "\n"
    "1 qid:7 1:3\n"
    "0.5 qid:1 # nothing but a grade\n"
    "0 qid:9 1:8 3:1"
)


def test_queries_keep_the_order_of_the_file_also_when_they_interleave(write):
    groups = read_qid(write(QUERIES))
    assert groups.queries.tolist() == [7, 9, 1]
    assert groups.indptr.tolist() == [0, 2, 4, 5]
    assert groups.grades.tolist() == [2, 1, 0, 0, 0.5]
    assert groups.F.tolist() == [[0.5, 1, 0], [3, 0, 0], [0, 4, 0], [8, 0, 1], [0, 0, 0]]
    assert groups.F.dtype == np.float32
    assert len(groups) == 3
    assert repr(groups) == "Groups(3 groups, 5 candidates, 3 features)"


def test_groups_as_a_ranking_and_its_truth(write):
    groups = read_qid(write(QUERIES))
    ranking = groups.candidates
    assert [labels.tolist() for labels, _ in ranking] == [[0, 1], [0, 1], [0]]
    assert not ranking.scores.any()
    assert ranking.n_labels == 2
    assert groups.Y.toarray().tolist() == [[2, 1], [0, 0], [0.5, 0]]
    assert groups.Y.nnz == 3
    assert groups.grades.tolist() == [2, 1, 0, 0, 0.5]  # making Y changes nothing


def test_the_qid_may_stand_anywhere_before_the_note(write):
    groups = read_qid(write("1 1:2 qid:4\n0 qid:4 2:3\n"))
    assert groups.queries.tolist() == [4]
    assert groups.F.tolist() == [[2, 0], [0, 3]]


def test_sizes_of_queries(write):
    assert read_qid(write("1 qid:0 1:2\n"), n_features=3).F.tolist() == [[2, 0, 0]]
    assert read_qid(write("1 qid:0 1:2\n"), zero_based=True).F.tolist() == [[0, 2]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 qid:1 1:1\n1 1:1\n", "row 2 names no qid"),
        ("1 qid:1 1:1\n-1 qid:1 1:1\n", "row 2 has a grade below 0"),
        ("1 qid:1 1:1\nnan qid:1 1:1\n", "line 2: expected a number for the target, found 'nan'"),
        ("1 qid:1 1:1\ninf qid:1 1:1\n", "line 2: expected a number for the target, found 'inf'"),
        ("1 qid:1 1:1\nqid:1 1:1\n", "line 2: expected a number for the target, found 'qid:1'"),
        ("1 qid:one 1:1\n", "line 1: expected qid:NUMBER, found 'qid:one'"),
        ("1 qid: 1:1\n", "line 1: expected"),
        ("1 qid:1.5 1:1\n", "line 1: expected"),
        ("1 qid:99999999999999999999 1:1\n", "line 1: expected qid:NUMBER"),
        ("1 qid:1 1\n", "line 1: expected feature:value, found '1'"),
        ("# only a note\n", "has no rows"),
        ("", "is empty"),
    ],
)
def test_bad_queries(write, text, says):
    with pytest.raises(InputError, match=says) as caught:
        read_qid(write(text))
    assert "data.svm" in str(caught.value)


def test_a_grade_of_many_digits_is_read_in_double(write):
    assert read_qid(write("0.1234567890123456789 qid:1 1:1\n")).grades[0] == 0.12345678901234568
