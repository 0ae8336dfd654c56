"""Extreme-classification text that cannot be read: one sentence with the file and the line."""

import gzip

import numpy as np
import pytest

from labelrank import InputError, _native
from labelrank.data import files, read_matrix, read_xmc
from labelrank.data.formats import sparse_text

HEADER = b"2 3 4\n"
LONG = b"9" * 5000


def refusal(tmp_path, content, reader=read_xmc):
    """The sentence with which `content` is refused, without the name of the file."""
    file = tmp_path / "bad.txt"
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        reader(file)
    message = str(caught.value)
    assert message.startswith(str(file))
    assert message.endswith(".")
    assert "\n" not in message
    return message.removeprefix(str(file)).lstrip(": ")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"0 3:1\n1 0:1\n", "line 2: feature 3 is out of range: the header says 3 features"),
        (b"0 0:1\n1 99999999999:1\n", "line 3: feature 99999999999 is out of range"),
        (b"0 0:1\n4 1:1\n", "line 3: label 4 is out of range: the header says 4 labels"),
        (b"0 -1:1\n1 0:1\n", "line 2: feature -1 is out of range"),
        (b"-1 0:1\n1 0:1\n", "line 2: label -1 is out of range"),
        (b"0 0:nan\n1 0:1\n", "line 2: feature 0 has a value that is not a finite number: '0:nan'"),
        (b"0 0:1\n1 0:-inf\n", "line 3: feature 0 has a value that is not a finite number"),
        (b"0 0:1e39\n1 0:1\n", "line 2: feature 0 has a value that is not a finite number"),
        (b"0 0:1e999999999999\n1 0:1\n", "line 2: feature 0 has a value that is not a finite"),
        (b"0 0:1 0:2\n1 0:1\n", "line 2: feature 0 stands twice"),
        (b"0 2:1 0:1 2:1\n1 0:1\n", "line 2: feature 2 stands twice"),
        (b"0 0:1\n1,3,1 0:1\n", "line 3: label 1 stands twice"),
        (b"0 0:one\n1 0:1\n", "line 2: expected feature:value, found '0:one'"),
        (b"0 0:1\n1 0\n", "line 3: expected feature:value, found '0'"),
        (b"0 0:\n1 0:1\n", "line 2: expected feature:value, found '0:'"),
        (b"0 0: 1\n1 0:1\n", "line 2: expected feature:value, found '0:'"),
        (b"0 :1\n1 0:1\n", "line 2: expected feature:value, found ':1'"),
        (b"0 0:1e\n1 0:1\n", "line 2: expected feature:value, found '0:1e'"),
        (b"0 0:1.2.3\n1 0:1\n", "line 2: expected feature:value, found '0:1.2.3'"),
        (b"0 0:--1\n1 0:1\n", "line 2: expected feature:value, found '0:--1'"),
        (b"0 0:0x10\n1 0:1\n", "line 2: expected feature:value, found '0:0x10'"),
        (b"0 0:1_0\n1 0:1\n", "line 2: expected feature:value, found '0:1_0'"),
        (b"0 0:1,1:2\n1 0:1\n", "line 2: expected feature:value, found '0:1,1:2'"),
        (b"0, 0:1\n1 0:1\n", "line 2: expected label numbers, found '0,'"),
        (b"0,,1 0:1\n1 0:1\n", "line 2: expected label numbers, found '0,,1'"),
        (b"0;1 0:1\n1 0:1\n", "line 2: expected label numbers, found '0;1'"),
        (b"x 0:1\n1 0:1\n", "line 2: expected label numbers, found 'x'"),
        (b"1.5 0:1\n1 0:1\n", "line 2: expected label numbers, found '1.5'"),
        (b"9" * 40 + b" 0:1\n1 0:1\n", "line 2: expected label numbers, found '9999"),
        (b"0 " + b"9" * 40 + b":1\n1 0:1\n", "line 2: expected feature:value, found '9999"),
        (b"0 0:1\n1 \xff\xfe:1\n", "line 3: expected feature:value, found '\\xff\\xfe:1'"),
        (b"0 0:1\x002\n1 0:1\n", "line 2: expected feature:value, found '0:1\\x002'"),
        (b"\x00\x01\x02\n1 0:1\n", "line 2: expected label numbers, found '\\x00\\x01\\x02'"),
    ],
)
def test_a_bad_row(tmp_path, body, says):
    assert says in refusal(tmp_path, HEADER + body)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (HEADER + b"0 0:1\n", "the header says 2 rows, but 1 follow"),
        (HEADER + b"0 0:1\n1 0:1\n2 0:1\n", "the header says 2 rows, but 3 follow"),
        (HEADER + b"0 0:1\n\n2 0:1\n", "the header says 2 rows, but 3 follow"),
        (HEADER, "the header says 2 rows, but 0 follow"),
        (b"0 3 4\n0 0:1\n", "the header says 0 rows, but 1 follow"),
        (b"0 0:1\n1 0:1\n", "line 1 must be the header 'rows features labels', found '0 0:1'"),
        (b"2 3\n0 0:1\n1 0:1\n", "line 1 must be the header 'rows features labels', found '2 3'"),
        (b"2 3 4 5\n0 0:1\n1 0:1\n", "line 1 must be the header 'rows features labels'"),
        (b"two 3 4\n0 0:1\n1 0:1\n", "line 1 must be the header 'rows features labels'"),
        (b"-2 3 4\n0 0:1\n1 0:1\n", "line 1 must be the header 'rows features labels'"),
        (b"2.0 3 4\n0 0:1\n1 0:1\n", "line 1 must be the header 'rows features labels'"),
        (b"\n2 3 4\n0 0:1\n1 0:1\n", "line 1 must be the header 'rows features labels'"),
        (b"\x89PNG\r\n\x1a\n", "line 1 must be the header 'rows features labels', found '\\x89PNG"),
        (b"2 3 2147483648\n", "line 1: sizes must fit in 31 bits, found 2147483648"),
        (LONG + b" 3 4\n", "line 1"),
        (b"2 3 4 " * 4000, "line 1 must be the header 'rows features labels'"),
        (b"", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
    ],
)
def test_a_bad_header(tmp_path, content, says):
    assert says in refusal(tmp_path, content)


def test_the_header_of_a_matrix_has_two_numbers(tmp_path):
    assert "'rows labels'" in refusal(tmp_path, b"1 2 3\n0:1\n", read_matrix)
    assert "line 2:" in refusal(tmp_path, b"1 2\n5:1\n", read_matrix)
    assert "5 is out of range: the header says 2" in refusal(tmp_path, b"1 2\n5:1\n", read_matrix)
    assert "line 2:" in refusal(tmp_path, b"1 2\n3 0:1\n", read_matrix)  # labels have no place


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.txt does not exist"):
        read_xmc(tmp_path / "nowhere.txt")
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        read_xmc(tmp_path)


PACKED = gzip.compress(b"40 3 4\n" + b"0,1 0:1.25 2:0.5\n" * 40)


@pytest.mark.parametrize("size", [*range(2, 12), len(PACKED) // 2, len(PACKED) - 8, -1])
def test_a_truncated_gzip(tmp_path, size):
    assert "its gzip stream" in refusal(tmp_path, PACKED[:size])


@pytest.mark.parametrize("at", [2, 12, len(PACKED) // 2, len(PACKED) - 6, len(PACKED) - 2])
def test_a_corrupted_gzip(tmp_path, at):
    damaged = bytearray(PACKED)
    damaged[at] ^= 0x55
    assert "its gzip stream" in refusal(tmp_path, bytes(damaged))


def test_junk_after_a_gzip(tmp_path):
    assert "its gzip stream" in refusal(tmp_path, PACKED + b"junk")


def test_a_number_of_names_that_does_not_fit_is_told_with_the_file(tmp_path):
    (tmp_path / "a.txt").write_text("1 1 2\n0 0:1\n")
    (tmp_path / "names.txt").write_text("one\n")
    with pytest.raises(
        InputError, match=r"label_names has 1 entries, but Y has shape \(1, 2\)"
    ) as e:
        read_xmc(tmp_path / "a.txt", tmp_path / "names.txt")
    assert "a.txt" in str(e.value) or "names.txt" in str(e.value)


def test_the_line_is_counted_over_blocks_comments_and_blank_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(sparse_text, "blocks", lambda path: files.blocks(path, size=3))
    body = b"0 0:1\n# a note\n\n1 0:1\n \n2 0:x\n"
    assert "line 7: expected feature:value" in refusal(tmp_path, b"9 3 4\n" + body)


def test_the_kernel_itself_refuses_arrays_of_another_type():
    with pytest.raises(TypeError):
        _native.parse_sparse_text(np.zeros(3, np.int8), True, 0, -1, -1, 0)
    with pytest.raises(ValueError, match="line 1: feature 0 is out of range"):
        _native.parse_sparse_text(np.frombuffer(b"0:1", np.uint8), True, 1, 0, -1, 0)
