"""Data folders: rows that stay on disk, read as they are needed; broken ones are refused."""

import json

import numpy as np
import pytest
import scipy.sparse as sp

from labelrank import InputError, load
from labelrank.data import Dataset, SyntheticExtreme, read_mapped, stream, write_mapped, write_xmc
from labelrank.scorers import NearestNeighbours, Popularity

DATA = SyntheticExtreme(9000, n_labels=100)


@pytest.fixture(scope="module")
def whole():
    return DATA.dataset()


@pytest.fixture
def folder(tmp_path):
    write_mapped(SyntheticExtreme(300, n_labels=20).blocks(), tmp_path / "data")
    return tmp_path / "data"


def on_disk(array):
    while array is not None:
        if isinstance(array, np.memmap):
            return True
        array = array.base
    return False


def test_what_is_written_in_blocks_is_read_whole(tmp_path, whole):
    write_mapped(DATA.blocks(), tmp_path / "data")
    found = load(tmp_path / "data")
    assert found.X.shape == whole.X.shape
    assert (found.X != whole.X).nnz == 0
    assert (found.Y != whole.Y).nnz == 0
    assert found.Y.dtype == np.float32


def test_rows_stay_on_disk_in_the_dataset_and_in_a_scorer(folder):
    data = read_mapped(folder)
    for part in ("data", "indices", "indptr"):
        assert on_disk(getattr(data.X, part)), part
        assert not getattr(data.X, part).flags.writeable
    kept = NearestNeighbours(k=3).fit(data.X, data.Y)
    assert kept.rank(data.X[:50]) == NearestNeighbours(k=3).fit(data.X.copy(), data.Y).rank(
        data.X[:50]
    )


def test_a_scorer_is_given_the_rows_on_disk(folder):
    seen = {}

    class Looks(Popularity):
        def _fit(self, X, Y):
            seen["X"] = X
            super()._fit(X, Y)

    data = read_mapped(folder)
    Looks().fit(data.X, data.Y)
    assert all(on_disk(getattr(seen["X"], part)) for part in ("data", "indices", "indptr"))


def test_a_file_is_converted_as_a_stream_with_names(tmp_path, whole):
    write_xmc(whole, tmp_path / "a.txt.gz")
    names = [f"label {i}" for i in range(100)]
    write_mapped(stream(tmp_path / "a.txt.gz"), tmp_path / "data", names)
    found = read_mapped(tmp_path / "data")
    assert found.label_names == names
    assert (found.X != whole.X).nnz == 0


def test_an_older_folder_is_replaced_and_nothing_else(tmp_path, folder):
    write_mapped([DATA.dataset()[:5]], folder)
    assert len(read_mapped(folder)) == 5
    (tmp_path / "mine").mkdir()
    with pytest.raises(InputError, match="is no folder of data"):
        write_mapped(DATA.blocks(), tmp_path / "mine")


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ([], "there are no rows"),
        ([Dataset(np.eye(2), np.eye(2))], "only sparse rows"),
        ([Dataset(Y=np.eye(2))], "only sparse rows"),
        ([Dataset(sp.eye_array(2), np.eye(2)), Dataset(sp.eye_array(3), np.eye(3))], "the same"),
    ],
)
def test_what_cannot_be_written_leaves_nothing(tmp_path, blocks, said):
    with pytest.raises(InputError, match=said):
        write_mapped(blocks, tmp_path / "data")
    assert not list(tmp_path.iterdir())


def test_names_must_fit(tmp_path):
    with pytest.raises(InputError, match="1 label names for 2 labels"):
        write_mapped([Dataset(sp.eye_array(2), np.eye(2))], tmp_path / "data", ["a"])


def _array(name, change):
    def broken(folder):
        file = folder / name
        array = np.load(file)
        change(array)
        np.save(file, array)

    return broken


def _set(at, value):
    def change(array):
        array[at] = value

    return change


def _about(**values):
    def broken(folder):
        about = json.loads((folder / "data.json").read_text())
        (folder / "data.json").write_text(json.dumps(about | values))

    return broken


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (_array("X.indices.npy", _set(7, 10**6)), "a column of X lies outside 0..999"),
        (_array("Y.indices.npy", _set(0, -1)), "a column of Y lies outside 0..19"),
        (_array("X.indptr.npy", _set(0, 1)), "the row pointers of X do not fit"),
        (_array("X.indptr.npy", _set(3, 10**6)), "the row pointers of X do not fit"),
        (_array("X.indptr.npy", _set(-1, 10**9)), "the row pointers of X do not fit"),
        (_array("X.data.npy", _set(0, np.nan)), "NaN or infinite"),
        (_about(rows=299), "do not fit together"),
        (_about(version=2), "upgrade labelrank"),
        (_about(features="many"), "cut short or damaged"),
        (lambda f: (f / "data.json").write_text('{"format": "labelrank-data"'), "cut short or"),
        (lambda f: (f / "X.data.npy").unlink(), "lacks the file"),
        (lambda f: (f / "X.data.npy").write_bytes(b""), "cut short or damaged"),
        (lambda f: (f / "X.data.npy").write_bytes((f / "X.data.npy").read_bytes()[:999]), "damage"),
        (lambda f: np.save(f / "X.data.npy", np.zeros(9)), "holds float64 of shape"),
        (lambda f: np.save(f / "X.data.npy", np.zeros(9, np.float32)), "do not fit together"),
        (lambda f: (f / "label_names.txt").write_text("a\nb\n"), "label_names has 2 entries"),
    ],
)
def test_a_broken_folder_is_refused(folder, broken, said):
    broken(folder)
    with pytest.raises(InputError, match=said):
        load(folder)


def test_a_folder_that_is_no_data(tmp_path):
    with pytest.raises(InputError, match=r"it has no data\.json"):
        read_mapped(tmp_path)
