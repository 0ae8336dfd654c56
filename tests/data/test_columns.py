"""Columns of rows on disk: the same numbers, on disk too; trees grown from them are the same."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelrank.data import SyntheticExtreme, columns, read_mapped, write_mapped
from labelrank.data.columns import columns_of, on_disk, spill_folder
from labelrank.scorers import FastXML, OneVsAll

DATA = SyntheticExtreme(6000, n_labels=60)


@pytest.fixture(scope="module")
def mapped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mapped") / "data"
    write_mapped(DATA.blocks(), folder)
    return read_mapped(folder)


@pytest.mark.parametrize("block", [700, 50_000, 10**6])
def test_columns_are_those_in_memory(mapped, block, monkeypatch):
    monkeypatch.setattr(columns, "_BLOCK", block)
    found, expected = columns_of(mapped.X), sp.csc_array(DATA.dataset().X)
    assert on_disk(found.data)
    assert on_disk(found.indices)
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(found, part), getattr(expected, part)), part


def test_rows_in_memory_have_columns_in_memory():
    rows = sp.csr_array(np.eye(3, dtype=np.float32))
    assert not on_disk(columns_of(rows).data)
    assert spill_folder(rows) == ""
    assert (columns_of(np.eye(3)) != sp.csc_array(np.eye(3))).nnz == 0


def test_no_row_and_no_value(tmp_path):
    write_mapped([DATA.dataset()[:1]], tmp_path / "data")
    one = read_mapped(tmp_path / "data").X
    empty = sp.csr_array((one.data[:0], one.indices[:0], np.zeros(2, np.int32)), shape=one.shape)
    assert columns_of(empty).nnz == 0
    assert (columns_of(one) != sp.csc_array(one)).nnz == 0


def test_trees_grown_from_disk_are_those_grown_in_memory(mapped, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert spill_folder(mapped.X) == str(tmp_path)
    assert mapped.X.nnz * 4 > 2 * 256 * 1024  # nodes at the top are large enough to be spilled
    whole = DATA.dataset()
    one = FastXML(n_trees=2, random_state=0).fit(mapped.X, mapped.Y)
    two = FastXML(n_trees=2, random_state=0).fit(whole.X, whole.Y)
    for name in FastXML.fitted:
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
    assert not list(tmp_path.iterdir())  # nothing is left behind


def test_linear_weights_learned_from_disk_are_those_learned_in_memory(mapped):
    whole = DATA.dataset()
    one, two = (OneVsAll(max_iter=2, random_state=0).fit(d.X, d.Y) for d in (mapped, whole))
    assert (one.weights_ != two.weights_).nnz == 0


def test_a_folder_that_cannot_be_written_to_is_an_error(mapped, monkeypatch):
    monkeypatch.setattr(
        "labelrank.scorers.trees.fast_xml.spill_folder", lambda X: "/nowhere/at/all"
    )
    with pytest.raises(MemoryError):
        FastXML(n_trees=1, random_state=0).fit(mapped.X, mapped.Y)
