"""``labelrank recommend`` and models of tags: what is printed and written, and how it fails."""

import csv
import json

import pytest
from cli.test_cli import run

THINGS = [
    {"key": f"k{i}", "name": name, "body": body, "topics": topics}
    for i, (name, body, topics) in enumerate([
        ("Sparse arrays", "fast sums of rows", ["numpy", "arrays", "sparse"]),
        ("Old songs", "sung by many", ["music", "songs"]),
        ("Arrays in C", "rows and columns", ["numpy", "arrays"]),
        ("New songs", "to be sung", ["music", "songs", "new"]),
    ] * 8)
]  # fmt: skip
COLUMNS = "id=key,title=name,description=body,tags=topics"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A trained model beside the things it learned from."""
    path = tmp_path_factory.mktemp("tags")
    (path / "things.jsonl").write_text("".join(json.dumps(t) + "\n" for t in THINGS))
    done = run("train", "things.jsonl", "--model", "m", "--columns", COLUMNS, "--set",
               "ranker=ranksvm", cwd=path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "method: tags (missing tags, with reasons)" in done.stderr
    return path


def test_one_thing_gets_tags_with_reasons(folder):
    done = run("recommend", "--model", "m", "--title", "More songs", "--tags", "music,new", "--k",
               2, cwd=folder)  # fmt: skip
    assert done.returncode == 0, done.stderr
    best = done.stdout.splitlines()[0]
    assert best.startswith("songs")
    assert "% of the 16 things tagged *music* are tagged *songs*" in best
    assert "in the title" in best
    done = run("recommend", "--model", "m", "--tags", "arrays", "--json", cwd=folder)
    found = json.loads(done.stdout)
    assert found[0]["tag"] == "numpy"
    assert found[0]["why"]


def test_cold_start_by_the_text_alone(folder):
    done = run("recommend", "--model", "m", "--description", "songs that are sung", cwd=folder)
    assert {"songs", "music"} <= {line.split()[0] for line in done.stdout.splitlines()}


def test_a_file_is_answered_line_by_line(folder, tmp_path):
    (tmp_path / "new.csv").write_text("title,tags\nsongs,music\nrows,\n")
    for options in ((), ("--why",)):
        done = run("recommend", tmp_path / "new.csv", "--model", "m", "--out", tmp_path / "o.jsonl",
                   "--k", 3, *options, cwd=folder)  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "(2 things in " in done.stdout
        lines = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
        assert [line["id"] for line in lines] == ["0", "1"]
        assert lines[0]["tags"][0]["tag"] == "songs"
        assert ("why" in lines[0]["tags"][0]) == bool(options)
    one = run("recommend", "--model", "m", "--title", "songs", "--tags", "music", "--k", 3,
              "--json", cwd=folder)  # fmt: skip
    assert json.loads(one.stdout) == lines[0]["tags"]


def test_a_table_is_written_as_csv(folder, tmp_path):
    done = run("recommend", "things.jsonl", "--columns", COLUMNS, "--model", "m", "--out",
               tmp_path / "o.csv", "--k", 2, "--why", "--verbose", cwd=folder)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "32 things, " in done.stderr
    rows = list(csv.DictReader((tmp_path / "o.csv").read_text().splitlines()))
    assert [row["rank"] for row in rows[:3]] == ["1", "2", "1"]
    assert rows[0]["id"] == "k0"
    assert rows[0]["why"]


def test_a_model_of_tags_is_judged_by_halves(folder):
    done = run("evaluate", "things.jsonl", "--columns", COLUMNS, "--model", "m", "--measures",
               "nDCG@5", "--json", cwd=folder)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "32 of 32 things of things.jsonl have two tags or more" in done.stderr
    assert json.loads(done.stdout)["measures"][0]["value"] > 0.9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--model", "m"), "give --title, --description or --tags"),
        (("--model", "gone", "--title", "a"), "no model folder gone"),
        (("--model", "m", "--title", "a", "--out", "o.csv"), "--out goes with a file"),
        (("--model", "m", "--title", "a", "--columns", "title=a"), "--columns goes with a file"),
        (("things.jsonl", "--model", "m"), "name a file: --out FILE"),
        (("things.jsonl", "--model", "m", "--out", "o.csv", "--title", "a"), "give no file"),
        (("things.jsonl", "--model", "m", "--out", "o.xml"), "written as .jsonl or .csv"),
        (("things.jsonl", "--model", "m", "--out", "o.csv", "--columns", "tags=gone"),
         "no column 'gone'"),
        (("things.jsonl", "--model", "m", "--out", "o.csv", "--columns", "tags"), "WHAT=COLUMN"),
        (("things.jsonl", "--model", "m", "--out", "o.csv", "--columns", "tags=a,tags=b"), "twice"),
        (("twice.jsonl", "--model", "m", "--out", "o.csv"), "line 2: the id 'a' stands twice"),
        (("gone.jsonl", "--model", "m", "--out", "o.csv"), "gone.jsonl does not exist"),
    ],
)  # fmt: skip
def test_mistakes_end_in_one_sentence_and_nothing_is_written(folder, arguments, said):
    (folder / "twice.jsonl").write_text('{"id": "a", "title": "x"}\n{"id": "a", "title": "y"}\n')
    before = sorted(folder.iterdir())
    done = run("recommend", *arguments, cwd=folder)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.strip().count("\n") == 0
    assert sorted(folder.iterdir()) == before


def test_another_kind_of_model_recommends_no_tags(folder, tmp_path):
    assert run("train", "python-docs", "--model", tmp_path / "p", "--method", "popularity",
               cwd=tmp_path).returncode == 0  # fmt: skip
    done = run("recommend", "--model", tmp_path / "p", "--title", "a", cwd=tmp_path)
    assert done.returncode == 2
    assert "which recommends no tags" in done.stderr
