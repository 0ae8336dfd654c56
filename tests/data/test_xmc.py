"""Extreme-classification text: every spelling that is allowed reads as its plain twin reads it."""

import gzip
from functools import partial
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from reference import sparse_text as twin

from labelrank import _native, load
from labelrank.data import files, read_matrix, read_names, read_xmc
from labelrank.data.formats import sparse_text

NUMBER = st.one_of(
    st.builds(
        "{}{}{}{}{}".format,
        st.sampled_from(["", "+", "-"]),
        st.integers(0, 10**22),
        st.sampled_from(["", ".", ".0", ".000000001", ".12345678901234567890123"]),
        st.sampled_from(["", "", "e", "E+", "e-"]),
        st.integers(0, 38),
    ),
    st.floats(width=32, allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(
        [".5", "1.", "-.5", "+3", "1e5", "-0", "1E-3", "007.50", "3.4028235e38", "0e9"]
    ),
)
BLANK = st.sampled_from([" ", "  ", "\t", " \t"])
END = st.sampled_from(["\n", "\n", "\r\n", " \n", "\t\r\n"])


@st.composite
def bodies(draw, labels="list", counted=True, n_features=7, n_labels=5):
    """Lines of rows without a header, in odd spellings."""
    lines = []
    for _ in range(draw(st.integers(0, 5))):
        if draw(st.integers(0, 5)) == 0:
            lines.append("#" + draw(st.sampled_from(["", " 3:4 note", "1,2 1:1"])) + draw(END))
        ids = draw(st.permutations(range(n_features)))[: draw(st.integers(0, 4))]
        words = [f"{i}:{draw(NUMBER)}" for i in ids]
        if labels == "list" and draw(st.booleans()):
            chosen = draw(st.permutations(range(n_labels)))[: draw(st.integers(1, 3))]
            words.insert(0, ",".join(map(str, chosen)))
        elif labels == "target":
            words.insert(0, draw(NUMBER))
            words.insert(1, f"qid:{draw(st.integers(0, 3))}")
        elif words and draw(st.booleans()):
            words[0] = draw(BLANK) + words[0]
        if words and draw(st.integers(0, 3)) == 0:
            words.append("# note 1:2")
        if words or counted:
            lines.append("".join(w + draw(BLANK) for w in words[:-1]) + "".join(words[-1:]))
            lines[-1] += draw(END)
    text = "".join(lines)
    if text and text.splitlines()[-1].strip() and draw(st.booleans()):
        text = text.rstrip()
    return text


def parse(text, labels, counted=True):
    with np.errstate(over="ignore"):
        rows = twin.parse(text, labels, counted)
    assume(all(np.isfinite(value) for row in rows for _, value in row.features))
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("xmc")


@given(bodies(), st.integers(1, 40), st.booleans())
@example("1,0 0:1\r\n", 1, False)
def test_read_xmc_agrees_with_its_twin_whatever_the_blocks(folder, body, size, packed):
    rows = parse(body, "list")
    text = f"{len(rows)} 7 5\n{body}".encode()
    file = folder / "train.txt"
    file.write_bytes(gzip.compress(text) if packed else text)
    with patch.object(sparse_text, "blocks", partial(files.blocks, size=size)):
        data = read_xmc(file)
    X, Y = twin.dense(rows, 7, 5)
    assert data.X.dtype == data.Y.dtype == np.float32
    assert data.X.nnz == sum(len(row.features) for row in rows)
    np.testing.assert_array_equal(data.X.toarray(), X)
    np.testing.assert_array_equal(data.Y.toarray(), Y)
    assert data.name == "train"


@given(bodies(labels="none"), st.integers(1, 40))
def test_read_matrix_agrees_with_its_twin(folder, body, size):
    rows = parse(body, "none")
    file = folder / "matrix.txt"
    file.write_text(f"{len(rows)} 7\n{body}", newline="")
    with patch.object(sparse_text, "blocks", partial(files.blocks, size=size)):
        found = read_matrix(file)
    np.testing.assert_array_equal(found.toarray(), twin.dense(rows, 7, 1)[0])


@given(bodies(labels="target", counted=False), st.booleans())
def test_the_kernel_agrees_with_its_twin_on_targets_and_queries(body, final):
    rows = parse(body if final else body[: body.rfind("\n") + 1], "target", counted=False)
    assume(all(np.isfinite(row.target) for row in rows))
    text = np.frombuffer(body.encode(), np.uint8)
    used, line, _, _, counts, features, values, targets, queries = _native.parse_sparse_text(
        text, final, 2, -1, -1, 10
    )
    assert used == (len(body) if final else body.rfind("\n") + 1)
    assert line == 10 + len(body[:used].splitlines())
    assert targets.tolist() == [row.target for row in rows]
    assert queries.tolist() == [row.query for row in rows]
    assert counts.tolist() == [len(row.features) for row in rows]
    pairs = [pair for row in rows for pair in row.features]
    assert features.tolist() == [i for i, _ in pairs]
    np.testing.assert_array_equal(values, np.array([v for _, v in pairs], np.float32))


@pytest.mark.parametrize(
    "text",
    [
        "0.1234567890123456789",  # more digits than 64 bits hold
        "1.00000005960464477539062500000000000001",  # a hair above half-way between two float32
        "123456789012345678901234567890e-25",
        "1e-45",  # the smallest float32 above zero is 1.4e-45
        "1e-400",
        "0." + "0" * 400 + "1e400",
        "-0",
        "3.40282356e38",  # rounds down to the largest float32
        "9007199254740993",  # 2**53 + 1
    ],
)
def test_numbers_are_the_float32_of_pythons_float(tmp_path, text):
    file = tmp_path / "one.txt"
    file.write_text(f"1 1 1\n0 0:{text}\n")
    found = read_xmc(file).X.data
    np.testing.assert_array_equal(found.view(np.uint32), np.float32(float(text)).view(np.uint32))


def test_rows_may_lack_labels_features_or_both_and_blank_lines_may_follow(tmp_path):
    file = tmp_path / "rows.txt"
    file.write_bytes(b"5 4 3\r\n2,0 3:1 1:2\r\n 0:1\r\n0:5\r\n1\r\n\r\n\r\n \r\n")
    data = read_xmc(file)
    assert data.Y.toarray().tolist() == [[1, 0, 1], [0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert data.X.toarray()[:, :2].tolist() == [[0, 2], [1, 0], [5, 0], [0, 0], [0, 0]]
    assert data.X.has_sorted_indices


def test_a_mark_of_utf8_before_the_first_line_is_no_part_of_it(tmp_path):
    file = tmp_path / "marked.txt"
    file.write_bytes(b"\xef\xbb\xbf1 4 3\n2 0:1\n")
    assert read_xmc(file).Y.toarray().tolist() == [[0, 0, 1]]
    file.write_bytes(b"\xef\xbb\xbf2 1:1\n")
    assert load(file).Y.toarray().tolist() == [[0, 0, 1]]


@pytest.mark.parametrize("text", ["0 4 3\n", "0 4 3", "0 4 3\n\n\n"])
def test_a_file_of_no_rows_keeps_its_sizes(tmp_path, text):
    (tmp_path / "none.txt").write_text(text)
    data = read_xmc(tmp_path / "none.txt")
    assert (len(data), data.n_features, data.n_labels) == (0, 4, 3)


def test_a_value_of_zero_stays_stored(tmp_path):
    (tmp_path / "zero.txt").write_text("1 3 1\n0 0:0 2:0.0\n")
    assert read_xmc(tmp_path / "zero.txt").X.indices.tolist() == [0, 2]


def test_gzip_is_known_by_its_bytes_and_may_have_several_members(tmp_path):
    file = tmp_path / "plain-name.txt"
    file.write_bytes(gzip.compress(b"2 3 1\n0 1") + gzip.compress(b":5\n0 2:6\n"))
    assert read_xmc(file).X.toarray().tolist() == [[0, 5, 0], [0, 0, 6]]


def test_label_names(tmp_path):
    (tmp_path / "a.txt").write_text("1 1 2\n0 0:1\n")
    (tmp_path / "names.txt").write_bytes("caf\u00e9 \r\n\u05e9\u05dc\u05d5\u05dd".encode())
    assert read_names(tmp_path / "names.txt") == ["caf\u00e9", "\u05e9\u05dc\u05d5\u05dd"]
    data = read_xmc(tmp_path / "a.txt", tmp_path / "names.txt")
    assert data.label_names == ["caf\u00e9", "\u05e9\u05dc\u05d5\u05dd"]
