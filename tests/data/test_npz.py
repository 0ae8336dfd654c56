"""A Dataset as .npz: everything comes back, nothing is executed, damage is told."""

import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

from labelrank import Dataset, InputError
from labelrank.data import load, read_npz, write_npz


def example(sparse=True):
    X = np.array([[0, 1.5], [2, 0], [0, 0]], np.float32)
    return Dataset(
        sp.csr_array(X) if sparse else X,
        [[1, 0], [0, 2.5], [0, 0]],
        label_names=["caf\u00e9", "\U0001f600 \u05d0"],
        ids=["a", "b", "c"],
        texts={"title": ["one", "", "a\nb"], "body": ["x", "y", "z"]},
        name="example",
    )


def stored(tmp_path, **arrays):
    np.savez(tmp_path / "x.npz", **arrays)
    return tmp_path / "x.npz"


def sparse(name="Y", **changes):
    """The parts of the matrix [[1, 0], [0, 1]] under `name`, some of them changed."""
    parts = {"data": [1.0, 1.0], "indices": [0, 1], "indptr": [0, 1, 2], "shape": [2, 2]} | changes
    return {f"{name}_{part}": np.array(value) for part, value in parts.items()}


@pytest.mark.parametrize("is_sparse", [True, False])
def test_everything_comes_back(tmp_path, is_sparse):
    data = example(is_sparse)
    write_npz(data, tmp_path / "x.npz")
    back = load(tmp_path / "x.npz")
    assert sp.issparse(back.X) == is_sparse
    assert back.X.dtype == back.Y.dtype == np.float32
    dense = (lambda X: X.toarray()) if is_sparse else np.asarray
    np.testing.assert_array_equal(dense(back.X), dense(data.X))
    np.testing.assert_array_equal(back.Y.toarray(), data.Y.toarray())
    for part in ("label_names", "ids", "texts"):
        assert getattr(back, part) == getattr(data, part)
    assert back.name == "x"


@pytest.mark.parametrize("rows", [0, 3])
def test_what_is_not_there_stays_away(tmp_path, rows):
    write_npz(Dataset(None, np.zeros((rows, 2))), tmp_path / "x.npz")
    back = read_npz(tmp_path / "x.npz")
    assert back.X is None
    assert back.label_names is None
    assert back.ids is None
    assert back.texts == {}
    assert back.Y.shape == (rows, 2)


def test_files_of_others_may_hold_dense_matrices(tmp_path):
    back = read_npz(stored(tmp_path, X=np.eye(2), Y=np.array([[1, 0], [1, 1]])))
    assert back.X.tolist() == [[1, 0], [0, 1]]
    assert back.Y.toarray().tolist() == [[1, 0], [1, 1]]


def test_a_pickle_is_refused(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (pytest.fail, ("a pickle was executed",))

    file = stored(tmp_path, Y=np.array([[Bomb()]], dtype=object))
    with pytest.raises(InputError, match=r"no \.npz file of plain arrays: Object arrays"):
        read_npz(file)


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({"X": np.eye(2)}, "has no Y, only X"),
        ({"Y_data": np.ones(1)}, "lacks a part of the sparse matrix Y"),
        (sparse(indices=[0, 7]), "the sparse matrix Y is damaged: indices must be < 2"),
        (sparse(indices=[0, -1]), "the sparse matrix Y is damaged: indices must be >= 0"),
        (sparse(indptr=[0, 2, 1]), "the sparse matrix Y is damaged"),
        (sparse(indptr=[0, 1]), "the sparse matrix Y is damaged"),
        (sparse(indptr=[1, 1, 2]), "the sparse matrix Y is damaged"),
        (sparse(indptr=[0, 1, 9]), "the sparse matrix Y is damaged"),
        (sparse(data=[1.0]), "the sparse matrix Y is damaged"),
        (sparse(shape=[2.0, 2.0]), "the sparse matrix Y is damaged"),
        (sparse(shape=[-2, 2]), "the sparse matrix Y is damaged"),
        (sparse(shape=2), "the sparse matrix Y is damaged"),
        (sparse(shape=[]), "the sparse matrix Y is damaged"),
        (sparse(data=["a", "b"]), "x.npz"),
        (sparse(data=[1.0, np.nan]), "Y has a value that is NaN"),
        (sparse(data=[1.0, -1.0]), r"Y has the value -1 in row 1, column 1"),
        ({"Y": np.ones(3)}, "Y must be a sparse or dense matrix"),
        ({"Y": np.array([["a"]])}, "Y must be a sparse or dense matrix"),
        ({"Y": np.eye(2), "X": np.eye(3)}, "X has 3 entries, but Y has shape"),
        ({"Y": np.eye(2), "X": np.full((2, 1), np.inf)}, "X has a value that is NaN or infinite"),
        ({"Y": np.eye(2), "label_names": np.array(["a"])}, "label_names has 1 entries"),
        ({"Y": np.eye(2), "label_names": np.array(["a", "a"])}, "'a' stands twice"),
        ({"Y": np.eye(2), "label_names": np.array("ab")}, "label_names"),
        ({"Y": np.eye(2), "label_names": np.array([["a", "b"], ["c", "d"]])}, "label_names"),
        ({"Y": np.eye(2), "label_names": np.arange(2)}, "label_names"),
        ({"Y": np.eye(2), "ids": np.array(3)}, "ids"),
        ({"Y": np.eye(2), "text_title": np.array(3)}, "title"),
        ({"Y": np.eye(2), "text_title": np.array([1, 2])}, "title"),
    ],
)
def test_arrays_that_do_not_fit(tmp_path, arrays, says):
    with pytest.raises(InputError, match=says) as caught:
        read_npz(stored(tmp_path, **arrays))
    assert "x.npz" in str(caught.value)


def test_other_files(tmp_path):
    np.save(tmp_path / "x.npy", np.eye(2))
    (tmp_path / "x.npy").rename(tmp_path / "array.npz")
    (tmp_path / "text.npz").write_text("2 3 4\n")
    (tmp_path / "empty.npz").write_bytes(b"")
    with zipfile.ZipFile(tmp_path / "zip.npz", "w") as archive:
        archive.writestr("Y", "no array")
    for name in ("array", "text", "empty", "zip"):
        with pytest.raises(InputError, match=f"{name}.npz"):
            read_npz(tmp_path / f"{name}.npz")
    with pytest.raises(InputError, match=r"empty.npz is empty"):
        read_npz(tmp_path / "empty.npz")
    with pytest.raises(InputError, match=r"nowhere.npz does not exist"):
        read_npz(tmp_path / "nowhere.npz")
    with pytest.raises(InputError, match=r"no \.npz file"):
        read_npz(tmp_path)


def test_every_altered_or_missing_byte_is_refused_or_harmless(tmp_path):
    write_npz(example(), tmp_path / "good.npz")
    good = (tmp_path / "good.npz").read_bytes()
    rng = np.random.default_rng(0)
    refusals = []
    for trial in range(300):
        damaged = bytearray(good[: rng.integers(len(good))] if trial % 3 == 0 else good)
        for at in rng.integers(len(damaged), size=2) if len(damaged) else ():
            damaged[at] ^= rng.integers(1, 256)
        (tmp_path / "bad.npz").write_bytes(damaged)
        try:
            read_npz(tmp_path / "bad.npz")
        except InputError as error:
            refusals.append(str(error))
    assert len(refusals) > 200
    assert all("bad.npz" in message for message in refusals)
