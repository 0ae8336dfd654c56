"""Rows in blocks: the same as all at once, with the same errors."""

import gzip
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from labelrank import InputError, Ranking
from labelrank.data import (
    Dataset,
    load,
    ranking_writer,
    read_ranking,
    stream,
    write_npz,
    write_ranking,
    write_xmc,
)


def problem(n, seed=0):
    rng = np.random.default_rng(seed)
    X = sp.random_array((n, 30), density=0.3, format="csr", dtype=np.float32, rng=rng)
    Y = sp.random_array((n, 20), density=0.1, format="csr", rng=rng)
    Y.data[:] = 1
    return Dataset(X, Y)


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.npz"])
@pytest.mark.parametrize("n", [1, 9_000])
def test_blocks_are_the_rows_in_order(tmp_path, name, n):
    data, file = problem(n), tmp_path / name
    (write_npz if name == "a.npz" else write_xmc)(data, file)
    rows = stream(file)
    assert rows.n_rows == n
    blocks = list(rows)
    assert len(blocks) > 1 or n == 1
    whole = load(file)
    assert (sp.vstack([b.X for b in blocks]) != whole.X).nnz == 0
    assert (sp.vstack([b.Y for b in blocks]) != whole.Y).nnz == 0


def test_blank_lines_at_the_end_are_no_rows(tmp_path):
    (tmp_path / "a.txt").write_text("2 1 1\n0 0:1\n0:2\n\n\n")
    assert sum(len(block) for block in stream(tmp_path / "a.txt")) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3 1 1\n0 0:1\n", "the header says 3 rows, but 1 follow"),
        ("1 1 1\n0 0:1\n0 0:1\n", "the header says 1 rows, but more than 1 follow"),
        ("1 1 1\n0 7:1\n", "line 2"),
        ("", "a.txt is empty"),
    ],
)
def test_a_broken_file_is_named(tmp_path, text, said):
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(InputError, match=said):
        list(stream(tmp_path / "a.txt"))


def test_a_named_set_and_an_unknown_name():
    assert stream("python-docs").n_rows > 100
    with pytest.raises(InputError, match="did you mean 'scene'"):
        stream("scenes")


def test_memory_does_not_grow_with_the_file(tmp_path):
    line = b"1,2 " + b" ".join(b"%d:0.5" % j for j in range(40)) + b"\n"
    file = tmp_path / "big.txt.gz"
    with gzip.open(file, "wb", compresslevel=1) as out:
        out.write(b"60000 40 3\n")
        for _ in range(60):
            out.write(line * 1000)
    tracemalloc.start()
    entries = sum(block.X.nnz for block in stream(file))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert entries == 60_000 * 40
    assert peak < 12e6 < 8 * entries


@pytest.mark.parametrize("name", ["r.txt", "r.txt.gz", "r.npz", "r.jsonl"])
def test_a_ranking_written_in_parts_is_the_ranking(tmp_path, name):
    rng = np.random.default_rng(0)
    ranking = Ranking.from_dense(rng.random((10, 6)).astype(np.float32), 4)
    names = list("abcdef")
    with ranking_writer(tmp_path / name, 10, 6, names) as write:
        for at in range(0, 10, 3):
            write(ranking[at : at + 3])
    write_ranking(ranking, tmp_path / f"whole.{name}", names)
    assert (tmp_path / name).read_bytes() == (tmp_path / f"whole.{name}").read_bytes()
    assert read_ranking(tmp_path / name, names) == ranking


def test_a_writer_that_gets_too_few_rows_leaves_no_file(tmp_path):
    with (
        pytest.raises(InputError, match="should get 3 rows, but 1 were written"),
        ranking_writer(tmp_path / "r.txt", 3, 2) as write,
    ):
        write(Ranking.from_lists([[0, 1]]))
    assert not list(tmp_path.iterdir())
