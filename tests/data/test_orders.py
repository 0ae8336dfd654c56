"""Tables whose labels have an order."""

import numpy as np
import pytest
import scipy.io

from labelrank import InputError, load
from labelrank.data import CATALOG, read_mat, read_orders


def file(tmp_path, text, name="a.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_orders_without_a_line_of_names(tmp_path):
    data = load(file(tmp_path, "1,0.5,L2>L10>L1\n2, -1,L1>L2=L10\n\n0,0,L1>L2\n"))
    assert data.label_names == ["L1", "L2", "L10"]
    assert data.Y.toarray().tolist() == [[1, 3, 2], [2, 1, 1], [2, 1, 0]]
    assert data.X.tolist() == [[1, 0.5], [2, -1], [0, 0]]
    assert data.name == "a"


def test_orders_in_a_named_column_and_rows_without_one(tmp_path):
    path = file(tmp_path, "who\torder\tx\nann\ta > b\t1\nbob\t\t2\n", "a.tsv")
    data = read_orders(path, order="order", ids="who")
    assert data.Y.toarray().tolist() == [[2, 1], [0, 0]]
    assert data.ids == ["ann", "bob"]
    assert data.X.tolist() == [[1], [2]]


def test_degrees_ranks_and_votes(tmp_path):
    path = file(tmp_path, "x,happy,sad,calm\n1,3,0,\n2,1,2,2\n3,0,0,5\n")
    labels = ["happy", "sad", "calm"]
    assert read_orders(path, labels=labels).Y.toarray().tolist() == [
        [3, 0, 0],
        [1, 2, 2],
        [0, 0, 5],
    ]
    ranks = read_orders(path, labels=labels, values="ranks")
    assert ranks.Y.toarray().tolist() == [[1, 0, 0], [2, 1, 1], [0, 0, 1]]
    votes = read_orders(path, labels=labels, values="votes", least=2)
    assert votes.Y.toarray().tolist() == [[3, 0, 0], [0, 2, 2], [0, 0, 5]]
    assert votes.label_names == labels
    assert votes.X.tolist() == [[1], [2], [3]]


def test_json_lines_and_labels_alone(tmp_path):
    path = file(tmp_path, '{"a": 2, "b": 0.5}\n{"a": null, "b": 1}\n', "a.jsonl")
    data = read_orders(path, labels=["a", "b"])
    assert data.X is None
    assert data.Y.toarray().tolist() == [[2, 0.5], [0, 1]]


@pytest.mark.parametrize(
    ("text", "given", "says"),
    [
        ("1,a>b\n1,a>>b\n", {}, r"line 2, column '1': 'a>>b' is no order"),
        ("1,a>b\n1,a>b>a\n", {}, "each label once"),
        ("1,a>b\n1,a<b\n", {}, "no order such as"),
        ("1,a>b\n1,2,a>b\n", {}, "line 2 has 3 cells, but the first has 2"),
        ("1,a>b\nx,a>b\n", {}, "line 2, column '0': 'x' is no finite number"),
        ("1,a>b\n,a>b\n", {}, "no finite number"),
        ("x,a\n1,nan\n", {"labels": ["a"]}, "'nan' is no finite number"),
        ("x,a\n1,-2\n", {"labels": ["a"]}, "has -2: degrees are 0 or more"),
        ("x,a\n1,2\n", {"labels": ["b"]}, "has no column 'b', only x, a"),
        ("x,a\n1,2\n", {"labels": ["a"], "order": "x"}, "not both"),
        ("x,a\n1,2\n", {"labels": ["a"], "values": "grades"}, "values must be degrees, ranks"),
        ("x,a\n", {"labels": ["a"]}, "has no records"),
        ("", {}, "is empty"),
    ],
)
def test_bad_tables_are_told(tmp_path, text, given, says):
    with pytest.raises(InputError, match=says):
        read_orders(file(tmp_path, text), **given)


def test_mat_files(tmp_path):
    path = tmp_path / "d.mat"
    scipy.io.savemat(
        path, {"features": np.eye(3), "labels": np.array([[0.2, 0.8], [1, 0], [0, 0]])}
    )
    data = load(path)
    np.testing.assert_allclose(data.Y.toarray(), [[0.2, 0.8], [1, 0], [0, 0]], rtol=1e-6)
    assert data.X.shape == (3, 3)
    with pytest.raises(InputError, match="has no matrix 'Y', only features, labels"):
        read_mat(path, labels="Y")
    scipy.io.savemat(path, {"features": np.eye(2), "labels": np.array([[0.2], [-1]])})
    with pytest.raises(InputError, match=r"d\.mat: Y has the value -1"):
        read_mat(path)
    path.write_bytes(path.read_bytes()[:150])
    with pytest.raises(InputError, match="no MATLAB file that can be read"):
        read_mat(path)
    with pytest.raises(InputError, match="does not exist"):
        read_mat(tmp_path / "none.mat")


SIZES = {"emotion6": (1980, 168, 7), "glass": (214, 9, 6), "segment": (2310, 18, 7),
         "vehicle": (846, 18, 4), "wine": (178, 13, 3)}  # fmt: skip


@pytest.mark.parametrize("name", SIZES)
def test_named_sets(name, data_dir):
    if not CATALOG[name].available(data_dir):
        pytest.skip(f"no {name} in the data folder")
    data = load(name, data=data_dir)
    assert (len(data), data.n_features, data.n_labels) == SIZES[name]
    if name == "emotion6":
        zeros = 1 - data.Y.nnz / (1980 * 7)
        assert zeros == pytest.approx(0.306, abs=1e-3)
    else:  # a full order: every row has the grades 1 to the number of labels
        grades = np.sort(data.Y.toarray(), axis=1)
        assert (grades == np.arange(1, data.n_labels + 1)).all()
