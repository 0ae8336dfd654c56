"""data make and data convert: data of any size, on disk, trained on like a file."""

import pytest
from cli.test_cli import run

from labelrank.data import SyntheticExtreme, load


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "folder"])
def test_made_data_are_those_of_the_generator(tmp_path, name):
    done = run("data", "make", name, "--rows", "5000", "--labels", "60", "--seed", "3",
               cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"written: {name} (5000 rows, 1000 features, 60 labels)" in done.stdout
    made, found = SyntheticExtreme(5000, 60, random_state=3).dataset(), load(tmp_path / name)
    assert (found.X != made.X).nnz == 0
    assert (found.Y != made.Y).nnz == 0


def test_a_converted_file_is_trained_on_ranked_and_judged_like_the_file(tmp_path):
    assert run("data", "make", "a.txt", "--rows", "600", "--labels", "40", cwd=tmp_path).stdout
    done = run("data", "convert", "a.txt", "--out", "folder", cwd=tmp_path)
    assert "written: folder (600 rows" in done.stdout, done.stderr
    said = []
    for source in ("a.txt", "folder"):
        options = ["--model", f"{source}.model", "--method", "neighbours"]
        assert run("train", source, *options, cwd=tmp_path).returncode == 0
        done = run("evaluate", source, "--model", f"{source}.model", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
        done = run("rank", source, "--model", f"{source}.model", "--out", f"{source}.r",
                   cwd=tmp_path)  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert said[0] == said[1]
    assert (tmp_path / "a.txt.r").read_bytes() == (tmp_path / "folder.r").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["make", "a.txt", "--rows", "0"], "n_rows must be from 1"),
        (["make", "no/a.txt"], "the folder no does not exist"),
        (["make", "mine"], "exists and is no folder of data"),
        (["convert", "gone.txt", "--out", "x"], "gone.txt is neither a file nor"),
        (["convert", "things.jsonl", "--out", "x"], "only sparse rows of features"),
    ],
)
def test_mistakes_leave_nothing(tmp_path, arguments, said):
    (tmp_path / "mine").mkdir()
    (tmp_path / "things.jsonl").write_text('{"title": "a", "tags": ["b"]}\n')
    before = sorted(tmp_path.iterdir())
    done = run("data", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert sorted(tmp_path.iterdir()) == before
