"""Files in blocks and lines, and readers that meet bytes of any kind."""

import gzip
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank import InputError
from labelrank.data import load, read_arff, read_qid
from labelrank.data.files import blocks, lines, stem_and_suffix


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("files") / "file"


@given(st.binary(min_size=1, max_size=50), st.integers(1, 9), st.booleans())
def test_blocks_are_the_file(file, content, size, packed):
    if content.startswith(b"\x1f\x8b"):
        packed = True
    file.write_bytes(gzip.compress(content) if packed else content)
    parts = list(blocks(file, size))
    assert b"".join(parts) == content
    assert max(map(len, parts)) <= size


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\ufeff"))))
def test_lines_are_those_of_the_text_whatever_ends_them(file, texts):
    for end in ("\n", "\r\n"):
        content = "".join(text + end for text in texts).encode()
        file.write_bytes(content)
        if content:
            assert list(lines(file)) == list(enumerate(texts, start=1))


def test_lines_without_a_final_end_and_with_a_mark_of_utf8(file):
    file.write_bytes("\ufeffcaf\u00e9\n\u2028\x0b\x00 \n\nlast".encode())
    assert [text for _, text in lines(file)] == ["caf\u00e9", "\u2028\x0b\x00 ", "", "last"]


@pytest.mark.parametrize("read", [lambda f: list(blocks(f)), lambda f: list(lines(f))])
def test_what_is_no_file(tmp_path, file, read):
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        read(tmp_path)
    with pytest.raises(InputError, match="none does not exist"):
        read(tmp_path / "none")
    for content in (b"", gzip.compress(b"")):
        file.write_bytes(content)
        with pytest.raises(InputError, match="is empty"):
            read(file)
    file.write_bytes(gzip.compress(b"a\nb\n" * 1000)[:-9])
    with pytest.raises(InputError, match="its gzip stream ends early"):
        read(file)


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("a/train.txt.gz", ("train", ".txt")),
        ("train.TXT", ("train", ".txt")),
        ("train.gz", ("train", "")),
        ("a.b.csv", ("a.b", ".csv")),
        ("train", ("train", "")),
        (".hidden", (".hidden", "")),
    ],
)
def test_stem_and_suffix(path, parts):
    assert stem_and_suffix(path) == parts


SAMPLES = {
    "a.txt": b"5 9 7\n" + b"0,1 2:1.5 3:-2e3\n" * 5,
    "m.txt": b"3 9\n" + b"2:1.5 3:2e3\n" * 3,
    "a.svm": b"0,1 2:1.5 3:-2e3 # note\n" * 5,
    "a.qid": b"2 qid:1 2:1.5 3:-2e3 # a note\n" * 5,
    "a.jsonl": b'{"id": 1, "title": "b", "tags": ["x", "y\\u00e9"]}\n{"id": 2, "tags": "a,b"}\n',
    "a.csv": b'id,title,tags\n1,"a ""b""",x;y\n2,b,"[""z""]"\n',
    "a.tsv": b"id\ttitle\ttags\n1\ta b\tx;y\n2\tb\tz\n",
    "a.arff": b"@relation r\n@attribute f numeric\n@attribute L {0,1}\n@data\n1.5,0\n{0 2.5,1 1}\n",
    "a.xml": b'<?xml version="1.0" encoding="UTF-8"?>\n<labels><label name="L"></label></labels>',
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_bytes_are_read_or_refused_with_a_sentence(tmp_path, name, packed):
    """Cut short, altered, doubled: whatever is in a file, no other error comes out."""
    good = gzip.compress(SAMPLES[name], mtime=0) if packed else SAMPLES[name]
    for other, content in SAMPLES.items():
        (tmp_path / other).write_bytes(content)
    read = {"a.qid": read_qid, "a.xml": lambda _: read_arff(tmp_path / "a.arff")}.get(name, load)
    if not (packed and name == "a.xml"):
        read(tmp_path / name)
    rng = np.random.default_rng(len(name))
    refused = 0
    for trial in range(150):
        bad = bytearray(good[: rng.integers(len(good))] if trial % 3 == 0 else good)
        for at in rng.integers(len(bad), size=rng.integers(1, 4)) if bad else ():
            bad[at] = rng.integers(256) if trial % 2 else ord('0,:\n}"[-e{ 9?'[rng.integers(13)])
        (tmp_path / name).write_bytes(bad)
        with suppress(InputError):
            read(tmp_path / name)
            refused -= 1
        refused += 1
    assert refused > 30
