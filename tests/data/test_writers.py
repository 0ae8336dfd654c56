"""What is written reads back as it was, in the same bytes each time, whole or not at all."""

import gzip
import os
import stat

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from labelrank import Dataset, InputError
from labelrank.data import read_items, read_xmc, write_jsonl, write_npz, write_xmc
from labelrank.data.files import atomic_writer
from labelrank.data.formats.tables import tag_lists

FLOAT32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("written")


@st.composite
def datasets(draw):
    n, d, m = (draw(st.integers(low, 4)) for low in (0, 1, 1))
    X = draw(arrays(np.float32, (n, d), elements=FLOAT32))
    Y = draw(arrays(np.int8, (n, m), elements=st.integers(0, 1)))
    return Dataset(sp.csr_array(X) if draw(st.booleans()) else X, Y)


@given(datasets(), st.sampled_from(["out.txt", "out.txt.gz"]))
def test_xmc_round_trip_is_exact(folder, data, name):
    write_xmc(data, folder / name)
    back = read_xmc(folder / name)
    X = data.X.toarray() if sp.issparse(data.X) else data.X
    assert back.X.dtype == np.float32
    assert back.X.shape == X.shape
    np.testing.assert_array_equal(back.X.toarray(), X)
    np.testing.assert_array_equal(back.Y.toarray(), data.Y.toarray())


def test_xmc_keeps_the_extremes_of_float32_and_stored_zeros(tmp_path):
    info = np.finfo(np.float32)
    values = np.array([info.max, -info.max, info.tiny, info.smallest_subnormal, 1 / 3, 0], "f4")
    data = Dataset(sp.csr_array((values, np.arange(6), [0, 6]), shape=(1, 6)), [[1]])
    write_xmc(data, tmp_path / "x.txt")
    back = read_xmc(tmp_path / "x.txt").X
    assert back.nnz == 6
    np.testing.assert_array_equal(back.data.view(np.uint32), values.view(np.uint32))


def test_xmc_of_columns_out_of_order_and_twice(tmp_path):
    values = np.array([3, 1, 2], np.float32)
    X = sp.csr_array((values, np.array([2, 0, 0]), np.array([0, 3])), shape=(1, 3))
    write_xmc(Dataset(X, [[1]]), tmp_path / "x.txt")
    assert read_xmc(tmp_path / "x.txt").X.toarray().tolist() == [[3, 0, 3]]


def test_xmc_refuses_what_it_cannot_hold(tmp_path):
    with pytest.raises(InputError, match="needs features X"):
        write_xmc(Dataset(None, [[1]]), tmp_path / "x.txt")
    with pytest.raises(InputError, match="has no grades"):
        write_xmc(Dataset([[1]], [[2]]), tmp_path / "x.txt")
    with pytest.raises(InputError, match=r"the folder .*no does not exist"):
        write_xmc(Dataset([[1]], [[1]]), tmp_path / "no" / "x.txt")
    assert list(tmp_path.iterdir()) == []


@given(
    st.lists(st.tuples(WORDS, st.lists(WORDS.map(str.strip).filter(bool), unique=True))),
    st.booleans(),
)
def test_jsonl_round_trip(folder, rows, packed):
    names = list(dict.fromkeys(tag for _, tags in rows for tag in tags))
    Y = np.zeros((len(rows), len(names)))
    for i, (_, tags) in enumerate(rows):
        Y[i, [names.index(tag) for tag in tags]] = 1
    texts = {"title": [title for title, _ in rows], "description": ["x"] * len(rows)}
    ids = [f"n°{i}" for i in range(len(rows))]
    data = Dataset(None, Y, label_names=names, ids=ids, texts=texts)
    file = folder / ("items.jsonl.gz" if packed else "items.jsonl")
    write_jsonl(data, file)
    if rows:
        back = read_items(file)
        assert back.texts == texts
        assert back.ids == ids
        assert [set(tags) for tags in tag_lists(back)] == [set(tags) for _, tags in rows]
    else:
        content = file.read_bytes()
        assert (gzip.decompress(content) if packed else content) == b""


def test_jsonl_refuses_what_it_cannot_hold(tmp_path):
    with pytest.raises(InputError, match="no features X"):
        write_jsonl(Dataset([[1]], [[1]]), tmp_path / "x.jsonl")
    with pytest.raises(InputError, match="tags without grades"):
        write_jsonl(Dataset(None, [[2]]), tmp_path / "x.jsonl")
    for field in ("id", "tags"):  # would take the place of the ids and of the labels
        data = Dataset(None, [[1]], ids=["a"], texts={field: ["some text"]})
        with pytest.raises(InputError, match=field):
            write_jsonl(data, tmp_path / "x.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_the_bytes_are_the_same_each_time(tmp_path, monkeypatch):
    data = Dataset(np.eye(3), np.eye(3), label_names=["a", "b", "c"], texts={"title": ["x"] * 3})
    for name in ("x.txt.gz", "x.npz"):
        write = write_npz if name == "x.npz" else write_xmc
        write(data, tmp_path / name)
        first = (tmp_path / name).read_bytes()
        monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
        write(data, tmp_path / name)
        assert (tmp_path / name).read_bytes() == first
        (tmp_path / "sub").mkdir(exist_ok=True)
        write(data, tmp_path / "sub" / name)
        assert (tmp_path / "sub" / name).read_bytes() == first
    assert (tmp_path / "x.txt.gz").read_bytes()[3] & 0x08 == 0  # no file name inside


class Interrupted(BaseException):
    pass


@pytest.mark.parametrize("name", ["x.txt", "x.txt.gz"])
@pytest.mark.parametrize("what", [RuntimeError, KeyboardInterrupt, Interrupted])
def test_a_failure_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path, name, what):
    (tmp_path / name).write_bytes(b"old")

    def interrupted():
        with atomic_writer(tmp_path / name) as out:
            out.write(b"new" * 100_000)
            raise what

    with pytest.raises(what):
        interrupted()
    assert (tmp_path / name).read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_the_old_file_is_there_until_the_new_one_is_whole(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"old")
    with atomic_writer(tmp_path / "x.txt") as out:
        out.write(b"new")
        out.flush()
        assert (tmp_path / "x.txt").read_bytes() == b"old"
    assert (tmp_path / "x.txt").read_bytes() == b"new"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permission bits")
def test_the_file_has_the_permissions_that_any_new_file_has(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    write_xmc(Dataset([[1]], [[1]]), tmp_path / "x.txt")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "x.txt")}
    assert len(modes) == 1
