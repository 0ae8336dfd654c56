"""Rankings as files: text, .npz and JSON lines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import entries

from labelrank import InputError, Ranking
from labelrank.data import read_ranking, write_ranking

NAMES = ["caf\u00e9", "b", "\U0001f600"]
EXAMPLE = Ranking.from_lists([[2, 0], [], [1]], [[0.5, 0.25], [], [-3]], 3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rankings")


@given(entries(), st.sampled_from(["r.txt", "r.txt.gz", "r.npz"]))
def test_round_trip(folder, rows, name):
    ranking = Ranking.from_entries(rows.indptr, rows.labels, rows.scores, rows.n_labels)
    write_ranking(ranking, folder / name)
    assert read_ranking(folder / name) == ranking


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["r.txt", "r.txt.gz", "r.npz", "r.jsonl", "r.jsonl.gz"])
def test_scores_come_back_to_the_last_bit(tmp_path, name, dtype):
    scores = np.array([[1 / 3, 1 / 3 + 1e-7, 1e-30, -2e9, 0]], dtype)
    ranking = Ranking.from_dense(scores)
    write_ranking(ranking, tmp_path / name)
    assert read_ranking(tmp_path / name) == ranking


def test_text_makes_no_ties_of_scores_that_float32_cannot_tell_apart(tmp_path):
    (tmp_path / "r.txt").write_text("1 4\n0:0.1 3:0.10000000001\n")
    assert read_ranking(tmp_path / "r.txt").row(0)[0].tolist() == [3, 0]


def test_names(tmp_path):
    write_ranking(EXAMPLE, tmp_path / "r.jsonl", NAMES)
    text = (tmp_path / "r.jsonl").read_text(encoding="utf-8")
    assert text.splitlines()[0] == '{"labels": ["\U0001f600", "caf\u00e9"], "scores": [0.5, 0.25]}'
    assert read_ranking(tmp_path / "r.jsonl", NAMES) == EXAMPLE


def test_without_scores_the_order_counts(tmp_path):
    (tmp_path / "r.jsonl").write_text('{"labels": [2, 0, 1]}\n\n{"labels": []}\n')
    assert read_ranking(tmp_path / "r.jsonl") == Ranking.from_lists([[2, 0, 1], []])


def test_ids_in_json_lines_are_of_as_many_labels_as_the_reader_is_told(tmp_path):
    (tmp_path / "r.jsonl").write_text('{"labels": [2, 0]}\n')
    assert read_ranking(tmp_path / "r.jsonl").n_labels == 3
    assert read_ranking(tmp_path / "r.jsonl", n_labels=5).n_labels == 5
    with pytest.raises(InputError, match="line 1 has the label 2, outside"):
        read_ranking(tmp_path / "r.jsonl", n_labels=2)


def test_text_in_any_order_with_unlisted_rows(tmp_path):
    (tmp_path / "r.txt").write_text("3 4\n0:1 3:9\n\n2:-1\n")
    assert read_ranking(tmp_path / "r.txt") == Ranking.from_lists(
        [[3, 0], [], [2]], [[9, 1], [], [-1]], 4
    )


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"labels": [0, 0]}', "line 1 has a label twice"),
        ('{"labels": [-1]}', "line 1 has the label -1, outside 0..2"),
        ('{"labels": [7]}', "line 1 has the label 7, outside 0..2"),
        ('{"labels": ["x"]}', "line 1 has the unknown label 'x'"),
        ('{"labels": [0], "scores": [NaN]}', "line 1 has a score that is NaN or infinite"),
        ('{"labels": [0], "scores": [1, 2]}', "line 1 has 1 labels and 2 scores"),
        ('{"labels": [0], "scores": []}', "line 1 has 1 labels and 0 scores"),
        ('{"labels": [0], "scores": [null]}', "line 1 must be"),
        ('{"labels": [0], "scores": {"a": 1}}', "line 1 must be"),
        ('{"labels": 3}', "line 1 must be"),
        ('{"scores": [1]}', "line 1 must be"),
        ("[0, 1]", "line 1 must be"),
        ('{"labels": [0', "line 1 must be"),
        ('{"labels": [null]}', "line 1"),
        ('{"labels": [[1]]}', "line 1"),
        ('{"labels": [1.7]}', "line 1"),
        ('{"labels": [true]}', "line 1"),
        ('{"labels": [1e999]}', "line 1"),
        ('{"labels": [100000000000000000000000]}', "r.jsonl"),
        ("[" * 100_000, "line 1"),
        ("", "r.jsonl is empty"),
    ],
)
def test_bad_json_lines(tmp_path, line, says):
    (tmp_path / "r.jsonl").write_text(line)
    with pytest.raises(InputError, match=says) as caught:
        read_ranking(tmp_path / "r.jsonl", NAMES)
    assert "r.jsonl" in str(caught.value)


def test_bad_text(tmp_path):
    for text, says in [
        ("1 3\n0:1 0:2\n", "line 2: label 0 stands twice"),
        ("1 3\n3:1\n", "line 2: label 3 is out of range: the header says 3 labels"),
        ("1 3\n0:nan\n", "line 2: label 0 has a value that is not a finite number"),
        ("2 3\n0:1\n", "the header says 2 rows, but 1 follow"),
        ("0:1\n", "line 1 must be the header 'rows labels'"),
    ]:
        (tmp_path / "r.txt").write_text(text)
        with pytest.raises(InputError, match=says) as caught:
            read_ranking(tmp_path / "r.txt")
        assert "r.txt" in str(caught.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"labels": [0, 0]},
        {"labels": [0, 9]},
        {"labels": [0.5, 1.5]},
        {"scores": [1.0, 2.0]},  # not best first
        {"scores": [np.nan, 1.0]},
        {"scores": ["a", "b"]},
        {"scores": [1.0]},
        {"indptr": [0, 3]},
        {"indptr": [[0, 2]]},
        {"n_labels": -1},
        {"n_labels": [1, 2]},
        {"n_labels": "many"},
    ],
)
def test_bad_npz(tmp_path, changes):
    arrays = {"indptr": [0, 2], "labels": [0, 1], "scores": [2.0, 1.0], "n_labels": 3} | changes
    np.savez(tmp_path / "r.npz", **{k: np.array(v) for k, v in arrays.items()})
    with pytest.raises(InputError, match=r"r\.npz"):
        read_ranking(tmp_path / "r.npz")


def test_a_pickle_in_npz_is_refused(tmp_path):
    np.savez(tmp_path / "r.npz", indptr=np.array([0, {}], dtype=object))
    with pytest.raises(InputError, match="Object arrays"):
        read_ranking(tmp_path / "r.npz")


def test_names_that_do_not_fit_are_refused_before_anything_is_written(tmp_path):
    with pytest.raises(InputError, match="2 label names for 3 labels"):
        write_ranking(EXAMPLE, tmp_path / "r.jsonl", ["a", "b"])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match=r"nowhere.txt does not exist"):
        read_ranking(tmp_path / "nowhere.txt")


def test_a_damaged_npz_is_refused(tmp_path):
    write_ranking(EXAMPLE, tmp_path / "r.npz")
    good = (tmp_path / "r.npz").read_bytes()
    rng = np.random.default_rng(1)
    refusals = []
    for _ in range(200):
        damaged = bytearray(good)
        damaged[rng.integers(len(good))] ^= rng.integers(1, 256)
        (tmp_path / "r.npz").write_bytes(damaged)
        try:
            assert read_ranking(tmp_path / "r.npz").n_rows >= 0
        except InputError as error:
            refusals.append(str(error))
    assert len(refusals) > 50
    assert all("r.npz" in message for message in refusals)
