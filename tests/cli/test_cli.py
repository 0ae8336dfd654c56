"""The command as a user types it: what it prints, where it writes, how it fails."""

import contextlib
import gzip
import io
import json
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from labelrank import Ranking
from labelrank.cli import main
from labelrank.data import Dataset, write_npz, write_ranking, write_xmc

TRUTH = "3 2 4\n0,1 0:1\n2 1:1\n3 0:.5 1:.5\n"
SCORES = "3 4\n0:.9 2:.8\n2:.7\n1:.6 3:.5\n"


def run(*arguments, cwd, **environment):
    """The command in this process: its output, its errors and its exit code."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.delenv("LABELRANK_DATA", raising=False)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["labelrank", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            main()
    assert "Traceback" not in err.getvalue()
    return SimpleNamespace(
        stdout=out.getvalue(), stderr=err.getvalue(), returncode=exit_.value.code
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "truth.txt").write_text(TRUTH)
    (tmp_path / "scores.txt").write_text(SCORES)
    return tmp_path


def scored(folder, *arguments):
    done = run(
        "evaluate", "--truth", "truth.txt", "--ranking", "scores.txt", *arguments, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_evaluate_prints_values_counts_and_policies(folder):
    out = scored(folder, "--measures", "P@1,R@2,MAP")
    rows = {
        line.split()[0]: line.split() for line in out.splitlines() if "@" in line or "MAP" in line
    }
    assert rows["P@1"][1] == "0.6667"
    assert rows["R@2"][1] == f"{(1 / 2 + 1 + 1) / 3:.4f}"
    assert "3 rows, 4 labels" in out
    assert "P@1: empty rows: zero, ties: order, short lists: padded with wrong labels" in out


def test_evaluate_json_is_the_same_in_full(folder):
    out = json.loads(
        scored(folder, "--measures", "P@1", "--measures", "nDCG(gain=exp,empty=zero)@2", "--json")
    )
    assert out["rows"] == 3
    assert [m["measure"] for m in out["measures"]] == ["P@1", "nDCG(empty=zero,gain=exp)@2"]
    assert out["measures"][0]["value"] == pytest.approx(2 / 3)
    assert out["measures"][0]["short"] == 0


def test_evaluate_reads_every_form_of_ranking_and_truth(folder):
    ranking = Ranking.from_csr(np.array([[0.9, 0, 0.8, 0], [0, 0, 0.7, 0], [0, 0.6, 0, 0.5]]))
    ranking = ranking.filtered(ranking.scores > 0)
    data = Dataset(
        np.eye(3), np.array([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]), label_names=list("abcd")
    )
    write_npz(data, folder / "truth.npz")
    write_xmc(data, folder / "truth.txt.gz")
    (folder / "matrix.txt").write_text("3 4\n0:1 1:1\n2:1\n3:1\n")
    write_ranking(ranking, folder / "r.npz")
    write_ranking(ranking, folder / "r.jsonl.gz", data.label_names)
    write_ranking(ranking, folder / "r.txt")
    values = set()
    for truth in ("truth.npz", "truth.txt.gz", "matrix.txt"):
        for ranked in ("r.npz", "r.txt", *(["r.jsonl.gz"] if truth == "truth.npz" else [])):
            done = run(
                "evaluate",
                "--truth",
                truth,
                "--ranking",
                ranked,
                "--measures",
                "MAP",
                "--json",
                cwd=folder,
            )
            assert done.returncode == 0, done.stderr
            values.add(round(json.loads(done.stdout)["measures"][0]["value"], 12))
    assert values == {round((1 / 2 + 1 + 1 / 2) / 3, 12)}


def test_propensities_come_from_training_data_or_a_file(folder):
    assert "of the evaluated Y itself" in scored(folder, "--measures", "PSP@1")
    (folder / "train.txt").write_text("4 2 4\n" + "0,1,2,3 0:1\n" * 4)
    (folder / "inverse.txt").write_text("2\n2\n2\n2\n")
    for source in (("--train", "train.txt"), ("--inverse-propensities", "inverse.txt")):
        out = scored(folder, "--measures", "PSP@1", *source)
        assert "evaluated Y itself" not in out
        assert "0.6667" in out  # equal propensities: the share of rows whose first label is right
        assert "normalised: 100·G(ŷ)/G(y)" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--measures", "ndgc@5"], "did you mean nDCG?"),
        (["--measures", "P"], "needs a length"),
        (["--measures", "nDCG(gain=log)@5"], "gain must be one of linear, exp"),
        (["--truth", "nowhere.txt"], "nowhere.txt is neither a file nor a name"),
        (["--ranking", "nowhere.txt"], "nowhere.txt does not exist"),
        (
            ["--ranking", "short.txt"],
            "short.txt has 1 rows over 4 labels, but truth.txt has 3 over 4",
        ),
        (
            ["--ranking", "wide.txt"],
            "wide.txt has 3 rows over 9 labels, but truth.txt has 3 over 4",
        ),
        (["--ranking", "nan.txt"], "line 2: label 0 has a value that is not a finite number"),
        (["--truth", "."], ". is a folder"),
        (["--truth", "empty.txt"], "empty.txt is empty"),
        (["--truth", "cut.txt.gz"], "cut short"),
        (["--measures", "PSP@1", "--inverse-propensities", "scores.txt"], "line 1 is no number"),
        (["--train", "truth.txt", "--inverse-propensities", "x"], "not both"),
        (["--measures", "PSP@1", "--preset", "amazon"], "--preset goes with --train"),
        (["--measures", "PSP@1", "--train", "wide.txt"], "wide.txt has 9 labels, but truth.txt"),
        (["--measures", "PSP@1", "--train", "truth.txt", "--preset", "x"], "preset must be one of"),
    ],
)
def test_mistakes_end_in_one_sentence_and_exit_code_2(folder, arguments, said):
    (folder / "short.txt").write_text("1 4\n0:1\n")
    (folder / "wide.txt").write_text("3 9\n0:1\n0:1\n0:1\n")
    (folder / "nan.txt").write_text("3 4\n0:nan\n\n\n")
    (folder / "empty.txt").write_text("")
    (folder / "cut.txt.gz").write_bytes(gzip.compress(TRUTH.encode())[:-9])
    given = {"--truth": "truth.txt", "--ranking": "scores.txt"}
    given |= dict(zip(arguments[::2], arguments[1::2], strict=True))
    done = run("evaluate", *(word for pair in given.items() for word in pair), cwd=folder)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("labelrank: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_missing_option_and_an_unknown_command_are_sentences_too(folder):
    for arguments in (["evaluate"], ["evaluat"], ["data", "info"]):
        done = run(*arguments, cwd=folder)
        assert done.returncode == 2
        assert done.stderr.startswith("labelrank: ")


def test_data_info_describes_a_file(folder):
    done = run("data", "info", "truth.txt", cwd=folder)
    facts = {line[:27].strip(): line[27:].strip() for line in done.stdout.splitlines()}
    assert done.returncode == 0
    assert facts["rows"] == "3"
    assert facts["labels"] == "4"
    assert facts["labels per row"] == "1.33"
    assert (
        json.loads(run("data", "info", "truth.txt", "--json", cwd=folder).stdout)["features"] == 2
    )


def test_data_list_tells_what_is_here(folder):
    alone = run("data", "list", cwd=folder).stdout
    assert "neither LABELRANK_DATA nor --data names a folder" in alone
    lines = {line.split()[0]: line.split()[1] for line in alone.splitlines()[1:] if line}
    assert lines["python-docs"] == "yes"
    assert lines["delicious"] == "no"
    assert f"from {folder}" in run("data", "list", cwd=folder, LABELRANK_DATA=str(folder)).stdout
    assert f"from {folder}" in run("data", "list", "--data", str(folder), cwd=folder).stdout


def test_a_named_set_that_is_not_here_says_where_it_comes_from(folder):
    done = run("data", "info", "delicious", cwd=folder)
    assert done.returncode == 2
    assert "set LABELRANK_DATA (or --data)" in done.stderr
    assert "xmc/delicious/train.txt.gz" in done.stderr


def test_version_and_help(folder):
    from labelrank import __version__

    assert run("--version", cwd=folder).stdout.strip() == __version__
    out = run("--help", cwd=folder).stdout
    assert all(command in out for command in ("demo", "evaluate", "data"))


def test_help_imports_nothing_heavy():
    code = (
        "import sys, labelrank.cli;"
        "print([m for m in ('numpy', 'scipy', 'sklearn', 'polars') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_demo_shows_measures_and_writes(folder):
    records = [
        {"id": str(i), "title": f"{word} {i}", "description": word * 2, "tags": [word, "all"]}
        for i in range(30)
        for word in [("alpha", "beta", "gamma")[i % 3]]
    ]
    (folder / "things.jsonl").write_text("\n".join(map(json.dumps, records)))
    done = run("demo", "things.jsonl", "--out", "out/deep", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "24 things to learn from, 6 to be tested on, 4 tags." in done.stdout
    assert "✓" in done.stdout
    assert "nearest neighbours" in done.stdout
    results = json.loads((folder / "out/deep/results.json").read_text())
    assert results["experiment"] == "demo"
    best = {r["method"]: r["value"] for r in results["rows"] if r["measure"] == "R@5"}
    assert set(best) == {"TagRecommender", "LATRE+wTS", "nearest neighbours", "popularity"}
    assert best["TagRecommender"] == best["nearest neighbours"] == 1
    assert {t["stage"] for t in results["timings"]} == {"train", "rank"}
    page = (folder / "out/deep/report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "http" not in page.replace("http-equiv", "")


def test_demo_of_things_with_one_label_each_lists_labels(folder):
    records = [{"title": ("alpha", "beta", "gamma")[i % 3], "tags": [i % 3]} for i in range(30)]
    (folder / "classes.jsonl").write_text("\n".join(map(json.dumps, records)))
    done = run("demo", "classes.jsonl", "--out", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "24 things to learn from, 6 to be tested on, 3 labels." in done.stdout
    rows = json.loads((folder / "out/results.json").read_text())["rows"]
    assert {row["method"] for row in rows} == {"nearest neighbours", "popularity"}


def test_demo_needs_labelled_rows(folder):
    (folder / "few.jsonl").write_text('{"title": "a", "tags": ["x"]}\n{"title": "b", "tags": []}\n')
    done = run("demo", "few.jsonl", cwd=folder)
    assert done.returncode == 2
    assert "1 labelled rows; 10 are needed" in done.stderr
    assert not (folder / "demo").exists()


def test_an_unexpected_error_is_a_sentence_too(folder, monkeypatch):
    def broken(*arguments, **options):
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr("labelrank.data.load", broken)
    done = run("data", "info", "truth.txt", cwd=folder)
    assert done.returncode == 1
    assert done.stderr == "labelrank: RuntimeError: first line (LABELRANK_DEBUG=1 shows where)\n"


def test_a_reader_that_goes_away_is_no_error(folder):
    command = f"{sys.executable} -m labelrank data list | head -0"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""
