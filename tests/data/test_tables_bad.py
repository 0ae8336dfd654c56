"""Tables that cannot be read: the sentence names the file and where in it."""

import json

import numpy as np
import pytest

from labelrank import Dataset, InputError
from labelrank.data import read_items

DEEP = "[" * 100_000
HUGE = "1" * 5_000


def refusal(tmp_path, content, name="items.jsonl", **arguments):
    """The sentence with which a table is refused; it names the file."""
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read_items(tmp_path / name, **arguments)
    assert name in str(caught.value)
    assert str(caught.value).endswith(".")
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"tags": ["a"', "line 3 is not JSON"),
        ("tags: a", "line 3 is not JSON"),
        ('{"tags": ["a"]} {"tags": []}', "line 3 is not JSON"),
        ('["a"]', "line 3 is no JSON object"),
        ('"a"', "line 3 is no JSON object"),
        ("null", "line 3 is no JSON object"),
        ('{"tags": 3}', "line 3: tags must be a list or a text, found 3"),
        ('{"tags": true}', "line 3: tags must be a list or a text, found True"),
        ('{"tags": {"a": 1}}', "line 3: tags must be a list or a text, found {'a': 1}"),
        ('{"tags": ["a", null]}', "line 3: a tag must be text, found None"),
        ('{"tags": ["a", true]}', "line 3: a tag must be text, found True"),
        ('{"tags": [["a"]]}', "line 3: a tag must be text, found ['a']"),
        ('{"tags": [{"name": "a"}]}', "line 3: a tag must be text, found {'name': 'a'}"),
        ('{"tags": "[a, b"}', "line 3: the tags are no JSON list: '[a, b'"),
        ('{"tags": [], "title": ["x"]}', "line 3: column 'title' must be text, found ['x']"),
        ('{"tags": [], "title": true}', "line 3: column 'title' must be text, found True"),
        ('{"tags": [], "title": {}}', "line 3: column 'title' must be text, found {}"),
        (DEEP, "line 3"),
        ('{"tags": ' + DEEP + "}", "line 3"),
        (json.dumps({"tags": DEEP}), "line 3"),
        ('{"title": ' + HUGE + ', "tags": []}', "line 3"),
        (json.dumps({"tags": f"[{HUGE}]"}), "line 3"),
    ],
)
def test_a_bad_line(tmp_path, line, says):
    first = '{"title": "good", "tags": ["a"]}\n\n'
    assert says in refusal(tmp_path, first + line + "\n")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\n \n", "has no records"),
        (b'{"title": "x"}\n', 'has no column of tags, only title; say which with columns={"tags"'),
        (b'{"tags": ["a"]}\n{"tags": ["\xe9"]}\n', "line 2 is not UTF-8 (byte 0xe9)"),
        ('{"tags": ["a"]}'.encode("utf-16"), "line 1 is not UTF-8 (byte 0xff)"),
        (b'\xef\xbb\xbf{"tags": ["\xe9"]}', "line 1 is not UTF-8 (byte 0xe9)"),
        (b'{"id": 1, "tags": []}\n{"id": 1, "tags": []}\n', "the id '1' stands twice"),
        (b'{"id": "x", "tags": []}\n{"tags": []}\n{"tags": []}\n', "the id '' stands twice"),
    ],
)
def test_a_bad_file(tmp_path, content, says):
    assert says in refusal(tmp_path, content)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("id,title,tags\n1,a,x\n2,b\n", "line 3 has 2 cells, but the first line names 3 columns"),
        ("id,title,tags\n1,a,x,y\n", "line 2 has 4 cells, but the first line names 3 columns"),
        ('id,title,tags\n1,"a\nb",x\n2,b\n', "line 4 has 2 cells"),
        ('id,tags\n1,"x\n2,y\n', "is not CSV: unexpected end of data"),
        ('id,tags\n1,"x"y\n', "line 2 is not CSV"),
        ("id,tags,tags\n1,x,y\n", "line 1 names a column twice: id, tags, tags"),
        ("id,title\n1,x\n", "has no column of tags, only id, title"),
        ("id,tags\n", "has no records"),
        ("\n", "has no records"),
        ("", "is empty"),
        (b"id,tags\n1,\xe9\n", "line 2 is not UTF-8 (byte 0xe9)"),
        ("id,tags\n1,x\n1,y\n", "the id '1' stands twice"),
        ("id,tags\n1,[x\n", "line 2: the tags are no JSON list: '[x'"),
    ],
)
def test_bad_csv(tmp_path, content, says):
    assert says in refusal(tmp_path, content, "items.csv")
    content = content.encode() if isinstance(content, str) else content
    assert says in refusal(tmp_path, content.replace(b",", b"\t"), "items.tsv")


def test_bad_parquet(tmp_path):
    polars = pytest.importorskip("polars")
    file = tmp_path / "good.parquet"
    polars.DataFrame({"title": ["a", "b"], "tags": [["x"], [None]]}).write_parquet(file)
    good = file.read_bytes()
    assert "row 2: a tag must be text, found None" in refusal(tmp_path, good, "items.parquet")
    assert refusal(tmp_path, b"", "bad.parquet").endswith("bad.parquet is empty.")
    for content in (b"PAR1", b"no parquet at all", good[:-7], good[: len(good) // 2]):
        assert "is no Parquet file" in refusal(tmp_path, content, "bad.parquet")
    polars.DataFrame({"tags": []}).write_parquet(file)
    assert "has no records" in refusal(tmp_path, file.read_bytes(), "none.parquet")
    for name in ("nowhere.parquet", "folder.parquet"):
        if name.startswith("folder"):
            (tmp_path / name).mkdir()
        with pytest.raises(InputError, match=name):
            read_items(tmp_path / name)


def test_a_parquet_file_that_makes_polars_panic(tmp_path, monkeypatch):
    polars = pytest.importorskip("polars")

    def panic(*args, **kwargs):
        raise polars.exceptions.PanicException("index out of bounds\nat decode.rs")

    monkeypatch.setattr(polars, "read_parquet", panic)
    said = refusal(tmp_path, b"PAR1", "bad.parquet")
    assert said.endswith("bad.parquet is no Parquet file: index out of bounds.")


GOOD = '{"title": "t", "tags": ["a", "b"], "split": "train", "year": 2017}\n'


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"columns": {"title": "headline"}}, "has no column 'headline', only title, tags"),
        ({"where": {"split": "test"}}, "has no records"),
        ({"like": Dataset(None, [[1]], label_names=["a"])}, "has 1 tags that are not known, such"),
    ],
)
def test_bad_arguments_about_the_file(tmp_path, arguments, says):
    assert says in refusal(tmp_path, GOOD, **arguments)


def test_where_names_a_column_that_no_record_has(tmp_path):
    assert "spilt" in refusal(tmp_path, GOOD, where={"spilt": "train"})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"columns": {"text": "title"}}, "columns maps id, title, description, tags, not 'text'"),
        ({"like": Dataset(None, np.eye(2))}, "like has no label names"),
        (
            {"like": Dataset(None, [[1]], label_names=["a"]), "unknown": "ignore"},
            "unknown",
        ),
    ],
)
def test_bad_arguments(tmp_path, arguments, says):
    (tmp_path / "items.jsonl").write_text(GOOD)
    with pytest.raises(InputError, match=says):
        read_items(tmp_path / "items.jsonl", **arguments)


def test_forms_that_are_not_known(tmp_path):
    for name in ("items.json", "items.xlsx", "items", "items.gz"):
        (tmp_path / name).write_text(GOOD)
        with pytest.raises(InputError, match=r"tables are read from \.jsonl"):
            read_items(tmp_path / name)
    with pytest.raises(InputError, match=r"nowhere\.csv does not exist"):
        read_items(tmp_path / "nowhere.csv")
