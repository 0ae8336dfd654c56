"""Things with texts and tags from JSON lines, CSV, TSV and Parquet."""

import gzip
import json
from functools import partial

import pytest

from labelrank.data import read_items
from labelrank.data.formats.tables import tag_lists

RECORDS = [
    {"id": "a", "title": "One", "description": "first", "tags": ["x", "y"]},
    {"id": "b", "title": "", "description": "second", "tags": []},
    {"id": "c", "title": "Three", "description": "", "tags": ["y", "z"]},
]


@pytest.fixture
def jsonl(tmp_path):
    def write(*records, name="items.jsonl"):
        lines = [r if isinstance(r, str) else json.dumps(r) for r in records]
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return tmp_path / name

    return write


@pytest.fixture
def table(tmp_path):
    def write(text, name="items.csv"):
        (tmp_path / name).write_bytes(text.encode())
        return tmp_path / name

    return write


def parquet(folder, name="items.parquet", **columns):
    polars = pytest.importorskip("polars")
    polars.DataFrame(columns).write_parquet(folder / name)
    return folder / name


def expect_records(data):
    assert data.ids == ["a", "b", "c"]
    assert data.texts == {"title": ["One", "", "Three"], "description": ["first", "second", ""]}
    assert tag_lists(data) == [["x", "y"], [], ["y", "z"]]
    assert data.label_names == ["x", "y", "z"]
    assert data.Y.toarray().tolist() == [[1, 1, 0], [0, 0, 0], [0, 1, 1]]
    assert data.X is None
    assert data.name == "items"


def test_the_same_from_every_form(tmp_path, jsonl, table):
    expect_records(read_items(jsonl(*RECORDS)))
    packed = tmp_path / "items.jsonl.gz"
    packed.write_bytes(gzip.compress(jsonl(*RECORDS).read_bytes()))
    expect_records(read_items(packed))
    text = "id,title,description,tags\r\na,One,first,x;y\r\nb,,second,\r\nc,Three,,y;z"
    expect_records(read_items(table(text)))
    expect_records(read_items(table("\ufeff" + text)))  # as spreadsheets write it
    expect_records(read_items(table(text.replace(",", "\t"), "items.tsv")))
    columns = {key: [record[key] for record in RECORDS] for key in RECORDS[0]}
    expect_records(read_items(parquet(tmp_path, **columns)))
    expect_records(read_items(parquet(tmp_path, **columns | {"tags": ["x|y", None, "y|z"]})))


def test_columns_with_common_and_with_other_names(jsonl):
    data = read_items(
        jsonl({"url": 1, "headline": "t", "abstract": "d", "keywords": ["k"], "x": 2})
    )
    assert (data.ids, data.texts) == (["1"], {"title": ["t"], "description": ["d"]})
    file = jsonl({"title": "t", "name": "n", "topics": ["a"], "tags": ["b"]})
    assert read_items(file).texts == {"title": ["t"]}  # the first of the common names
    mapped = read_items(file, columns={"title": "name", "tags": "topics"})
    assert mapped.texts == {"title": ["n"]}
    assert mapped.label_names == ["a"]


def test_a_column_that_the_first_record_lacks_is_not_lost(jsonl):
    data = read_items(jsonl({"tags": ["a"]}, {"title": "kept", "tags": ["b"]}, {"title": None}))
    assert data.texts == {"title": ["", "kept", ""]}
    assert tag_lists(data) == [["a"], ["b"], []]


@pytest.mark.parametrize(
    ("cell", "tags"),
    [
        ("a,b;c", ["a,b", "c"]),
        ("a,b;c|d", ["a,b;c", "d"]),
        ("a, b ,,a , ", ["a", "b"]),
        ("just one", ["just one"]),
        ('["a", "b, c", "a"]', ["a", "b, c"]),
        (' ["a"]', ["a"]),
        ("[]", []),
        ("", []),
        (None, []),
        ([], []),
        ([" a ", "a", "", "  "], ["a"]),
        (["A", "a"], ["A", "a"]),
        ([2017, 2.5], ["2017", "2.5"]),
        (["a,b"], ["a,b"]),
    ],
)
def test_tags_of_a_cell(jsonl, cell, tags):
    assert tag_lists(read_items(jsonl({"tags": cell}))) == [tags]


@pytest.mark.parametrize(("separator", "tags"), [("::", ["a,b", "c"]), (",", ["a", "b::c"])])
def test_a_separator_that_is_given(table, separator, tags):
    file = table('id,tags\n1,"a,b::c"\n')
    assert tag_lists(read_items(file, separator=separator)) == [tags]


@pytest.mark.parametrize(
    "tag",
    [
        "\U0001f600\U0001f3fd\u200d\U0001f680",
        "\u05e9\u05dc\u05d5\u05dd",
        "\u202eabc",
        "a\x00b",
        "\u2028",
        "e\u0301",
    ],
)
def test_tags_of_any_script(jsonl, table, tag):
    tag = f"<{tag}>"
    escaped = read_items(jsonl({"title": tag, "tags": [tag]}))
    raw = read_items(jsonl(json.dumps({"title": tag, "tags": [tag]}, ensure_ascii=False)))
    for data in (escaped, raw, read_items(table(f"title,tags\n{tag},{tag}\n"))):
        assert data.label_names == [tag]
        assert data.texts["title"] == [tag]


def test_quoted_cells(table):
    data = read_items(table('title,tags\n"He said ""hi"", twice","a;b"\n"two\nlines",c\n\n'))
    assert data.texts["title"] == ['He said "hi", twice', "two\nlines"]
    assert tag_lists(data) == [["a", "b"], ["c"]]


def test_a_cell_may_be_long(table):
    text = "word " * 40_000
    assert read_items(table(f"title,tags\n{text},a\n")).texts["title"] == [text]


def test_numbers_are_texts_where_texts_belong(jsonl):
    data = read_items(jsonl({"id": 7, "title": 3.5, "tags": ["a"]}, {"id": 8, "tags": []}))
    assert data.ids == ["7", "8"]
    assert data.texts == {"title": ["3.5", ""]}


def test_where(jsonl):
    file = jsonl(
        {"tags": ["a"], "split": "train"},
        {"tags": ["b"], "split": "test"},
        {"tags": ["c"]},
        {"tags": ["d"], "split": "train", "year": 2017},
    )
    assert tag_lists(read_items(file, where={"split": "train"})) == [["a"], ["d"]]
    assert tag_lists(read_items(file, where={"split": "train", "year": "2017"})) == [["d"]]


def test_labels_numbered_like_another_set(jsonl):
    train = read_items(jsonl({"tags": ["b", "a"]}))
    test = partial(read_items, jsonl({"tags": ["a", "new"]}, {"tags": ["new"]}), like=train)
    data = test(unknown="drop")
    assert data.label_names == train.label_names == ["b", "a"]
    assert data.Y.toarray().tolist() == [[0, 1], [0, 0]]
    known = read_items(jsonl({"tags": ["a"]}), like=train)
    assert known.Y.toarray().tolist() == [[0, 1]]


def test_blank_lines_between_records(jsonl):
    assert len(read_items(jsonl("", {"tags": ["a"]}, "  ", {"tags": ["b"]}, ""))) == 2


def test_a_file_name_with_the_signs_of_a_pattern(tmp_path):
    parquet(tmp_path, "items1.parquet", tags=["wrong"])
    for name in ("items[1].parquet", "items*.parquet"):
        assert read_items(parquet(tmp_path, name, tags=["right"])).label_names == ["right"]
