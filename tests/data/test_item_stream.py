"""Things one after another: names of columns, what is missing, and mistakes where they stand."""

import json

import pytest

from labelrank import InputError
from labelrank.data.formats.item_stream import Item, stream_items


def written(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_known_names_of_columns_and_missing_fields(tmp_path):
    file = written(tmp_path / "a.jsonl", [
        {"id": 1, "name": "One", "keywords": ["x", " y ", "x"]},
        {"id": 2, "summary": "Text", "keywords": None},
    ])  # fmt: skip
    assert list(stream_items(file)) == [
        Item("1", "One", "", ["x", "y"]), Item("2", "", "Text", []),
    ]  # fmt: skip


def test_columns_may_be_named(tmp_path):
    (tmp_path / "a.csv").write_text("what,about\nOne,a;b\n")
    found = list(stream_items(tmp_path / "a.csv", {"title": "what", "tags": "about"}))
    assert found == [Item(None, "One", "", ["a", "b"])]


def test_a_file_is_read_as_far_as_it_is_asked_for(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"title": "One"}\nnot json\n')
    items = stream_items(file)
    assert next(items).title == "One"
    with pytest.raises(InputError, match="line 2 is not JSON"):
        next(items)


@pytest.mark.parametrize(
    ("records", "columns", "said"),
    [
        ([{"title": "a"}], {"tags": "topics"}, "has no column 'topics', only title"),
        ([{"title": "a"}], {"colour": "x"}, "columns maps id, title, description, tags"),
        ([{"colour": "a"}], None, "has neither texts nor tags, only colour"),
        ([{"id": "a", "title": ""}, {"id": "a", "title": ""}], None, "line 2: the id 'a' stands"),
        ([{"title": ["a"]}], None, "line 1: column 'title' must be text"),
        ([{"tags": [{}]}], None, "line 1: a tag must be text"),
    ],
)
def test_mistakes_are_told(tmp_path, records, columns, said):
    with pytest.raises(InputError, match=said):
        list(stream_items(written(tmp_path / "a.jsonl", records), columns))


def test_forms_and_empty_files(tmp_path):
    with pytest.raises(InputError, match="tables are read from"):
        next(stream_items(tmp_path / "a.arff"))
    (tmp_path / "a.csv").write_text("title\n")
    with pytest.raises(InputError, match="has no records"):
        list(stream_items(tmp_path / "a.csv"))
    (tmp_path / "b.csv").write_text("colour\nred\n")
    with pytest.raises(InputError, match="neither texts nor tags"):
        next(stream_items(tmp_path / "b.csv"))
