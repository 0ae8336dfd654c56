"""load: the reader follows from the name and the first line; the catalog explains itself."""

import gzip
import os

import numpy as np
import pytest

from labelrank import Dataset, InputError, load
from labelrank.data import CATALOG, write_npz


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """An empty folder to work in, and no data folder in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LABELRANK_DATA", raising=False)


def write(tmp_path, name, text):
    content = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return tmp_path / name


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("a.jsonl", '{"title": "t", "tags": ["x"]}\n', "'a', 1 rows, texts title, 1 labels"),
        ("a.csv", "title,tags\nt,x\n", "'a', 1 rows, texts title, 1 labels"),
        ("a.TSV", "title\ttags\nt\tx\n", "'a', 1 rows, texts title, 1 labels"),
        ("a.txt", "2 5 3\n0,2 4:1\n1 0:1\n", "'a', 2 rows, 5 features, 3 labels"),
        ("a.dat", "2 5 3\n0,2 4:1\n1 0:1\n", "'a', 2 rows, 5 features, 3 labels"),
        ("a", "2 5 3\n0,2 4:1\n1 0:1", "'a', 2 rows, 5 features, 3 labels"),
        ("a.txt", "2 3\n0:1 2:4\n1:1\n", "'a', 2 rows, 3 labels"),
        ("a.txt", "0,2 4:1\n1 1:1\n", "'a', 2 rows, 4 features, 3 labels"),
        ("a.svm", "# note\n0,2 4:1\n1 1:1\n", "'a', 2 rows, 4 features, 3 labels"),
        ("a.libsvm", "2\n1 1:1\n", "'a', 2 rows, 1 features, 3 labels"),
    ],
)
def test_the_reader_follows_from_the_file(tmp_path, name, text, shown, packed):
    file = write(tmp_path, name + packed, text)
    assert repr(load(file)) == repr(load(str(file))) == f"Dataset({shown})"


def test_a_matrix_of_labels_alone_keeps_its_grades(tmp_path):
    data = load(write(tmp_path, "y.txt", "2 3\n2:4 0:1\n\n"))
    assert data.Y.toarray().tolist() == [[1, 0, 4], [0, 0, 0]]
    assert data.X is None


def test_arff_and_npz(tmp_path):
    write(tmp_path, "a.xml", '<labels><label name="L"/></labels>')
    arff = "@attribute f real\n@attribute L {0,1}\n@data\n5,1\n"
    assert load(write(tmp_path, "a.arff.gz", arff)).X.tolist() == [[5]]
    write_npz(Dataset([[5]], [[1]]), tmp_path / "a.npz")
    assert load(tmp_path / "a.npz").X.tolist() == [[5]]


def test_a_file_comes_before_a_name_of_the_catalog(tmp_path):
    write(tmp_path, "scene", "1 5 3\n0 4:1\n")
    assert load("scene").n_features == 5


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("emotion", "neither a file nor a name of the catalog; did you mean 'emotions'?"),
        ("Scene", "neither a file nor a name of the catalog; did you mean 'scene'?"),
        ("no/such/file.csv", "no/such/file.csv is neither a file nor a name of the catalog."),
        (".", ". is a folder; name a file in it."),
    ],
)
def test_what_is_not_there(source, says):
    with pytest.raises(InputError) as caught:
        load(source)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.json", "{}", "no reader for '.json'; known are .jsonl"),
        ("a.xlsx", "", "no reader for '.xlsx'; known are"),
        ("a.txt", "2 qid:1 1:.5\n", "learning-to-rank data; read it with labelrank.data.read_qid"),
        ("a.txt", "", "is empty"),
        ("a.txt", "1 3\n0:-1\n", "Y has the value -1 in row 0, column 0"),
        ("a.txt", "hello world\n", "line 1: expected label numbers, found 'hello'"),
    ],
)
def test_files_that_cannot_be_loaded(tmp_path, name, text, says):
    with pytest.raises(InputError) as caught:
        load(write(tmp_path, name, text))
    assert says in str(caught.value)
    assert name in str(caught.value)


def test_a_part_goes_with_a_name(tmp_path):
    with pytest.raises(InputError, match="part='train' goes with a name of the catalog"):
        load(write(tmp_path, "a.txt", "1 5 3\n0 4:1\n"), part="train")


@pytest.mark.parametrize("name", [name for name in CATALOG if not CATALOG[name].bundled])
def test_a_set_that_is_not_there_says_where_it_comes_from(tmp_path, name):
    entry = CATALOG[name]
    first = next(iter(entry.parts.values()))
    assert not entry.available()
    assert not entry.available(tmp_path)
    assert entry.what
    assert entry.licence
    with pytest.raises(InputError, match="is not downloaded by this library") as caught:
        load(name)
    for word in (name, "LABELRANK_DATA", first, entry.source):
        assert word in str(caught.value)
    with pytest.raises(InputError, match=f"{name} is not in") as caught:
        load(name, data=tmp_path)
    for word in (str(tmp_path), first, entry.source):
        assert word in str(caught.value)


def test_the_data_folder_must_be_there_and_the_part_known(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"the data folder .*none does not exist"):
        load("scene", data=tmp_path / "none")
    monkeypatch.setenv("LABELRANK_DATA", os.fspath(tmp_path / "none"))
    with pytest.raises(InputError, match=r"the data folder .*none does not exist"):
        load("scene")
    with pytest.raises(InputError, match="scene has the parts train, test, not 'valid'"):
        load("scene", part="valid")


def test_the_data_folder_of_the_environment_is_read(tmp_path, monkeypatch):
    folder = tmp_path / "xmc" / "delicious"
    folder.mkdir(parents=True)
    write(folder, "train.txt.gz", "1 2 2\n1 0:1\n")
    write(folder, "test.txt.gz", "1 2 2\n0 1:1\n")
    monkeypatch.setenv("LABELRANK_DATA", os.fspath(tmp_path))
    assert CATALOG["delicious"].available()
    assert repr(load("delicious")) == "Dataset('delicious (train)', 1 rows, 2 features, 2 labels)"
    assert load("delicious", part="test").Y.toarray().tolist() == [[1, 0]]
    write(folder, "labels.txt.gz", "a\nb\n")
    assert load("delicious").label_names == ["a", "b"]


@pytest.mark.parametrize("name", CATALOG)
def test_every_set_loads(data_dir, name, monkeypatch):
    entry = CATALOG[name]
    fewer = dict.fromkeys(("train", "validation", "test"), 120)  # pictures, which are composed
    monkeypatch.setattr("labelrank.data.catalog._PICTURES", fewer)
    if not entry.available(data_dir):
        pytest.skip(f"{name} is not among the data sets that are there")
    parts = [load(name, part=part, data=data_dir) for part in entry.parts or [None]]
    for part, data in zip(entry.parts or ["all"], parts, strict=True):
        assert data.name == (name if part == "all" else f"{name} ({part})")
        assert len(data) > 100
        assert data.Y.nnz > len(data) / 4
        assert (data.X is None) == bool(data.texts)
    widths = {(data.n_features, data.n_labels) for data in parts}
    assert len(widths) == 1
    assert len({tuple(data.label_names or ()) for data in parts}) == 1
    assert np.diff(parts[0].Y.indptr).max() > 0
