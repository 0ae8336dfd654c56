"""``labelrank reproduce``: what it prints and writes, and how it fails."""

import json

import pytest
from cli.test_cli import run
from experiments import forms

X, Y = forms.problem()


def test_tables_page_and_results(tmp_path):
    forms.texts(tmp_path / "news.jsonl", Y)
    found = run("reproduce", "meta-level", "--dataset", "news.jsonl", "--out", "a/b", "--quick",
                cwd=tmp_path)  # fmt: skip
    assert found.returncode == 0, found.stderr
    for title in ("Table 2", "Table 3", "Table 4", "Table 5", "Table 6", "Figure 2"):
        assert title in found.stdout
    assert "Table 7" not in found.stdout  # rows with several labels
    assert "news: 40 rows to learn from, 20 to test on" in found.stderr
    assert "MLC-ListNet + SVM" in (tmp_path / "a/b/report.html").read_text()
    written = json.loads((tmp_path / "a/b/results.json").read_text())
    assert written["experiment"] == "meta-level"
    rows = {(r["method"], r["measure"]): r for r in written["rows"]}
    assert 0.5 < rows["MLC-ListNet", "MAP"]["value"] <= 1
    assert "paper" not in rows["MLC-ListNet", "MAP"]
    assert {t["stage"] for t in written["timings"]} >= {"tune and train", "rank"}
    assert all(t["cpu_seconds"] >= 0 for t in written["timings"])


def test_the_papers_figure_stands_beside_ours(tmp_path):
    forms.svmlight(tmp_path / "scene.svm", X, Y)
    forms.classes(tmp_path / "vowel.csv", X)
    found = run("reproduce", "meta-level", "--dataset", "scene.svm,vowel.csv", "--out", "out",
                "--quick", cwd=tmp_path)  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert "[0.8759]" in found.stdout
    assert "Table 7: error rate on vowel" in found.stdout
    rows = json.loads((tmp_path / "out/results.json").read_text())["rows"]
    beside = {(r["dataset"], r["method"], r["measure"]): r.get("paper") for r in rows}
    assert beside["scene", "MLC-ListNet", "MAP"] == 0.87586
    assert beside["scene", "nearest neighbours", "cpu_seconds"] == 11.4
    assert beside["vowel", "SVM, plain features", "error"] == 0.612


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("meta-levle", "--dataset", "good.jsonl"), "did you mean meta-level?"),
        (("meta-level",), "name a data set"),
        (("meta-level", "--dataset", "good.jsonl,sceen"), "sceen is neither a file nor"),
        (("meta-level", "--dataset", "gone/x.arff"), "gone/x.arff is neither a file nor"),
        (("meta-level", "--dataset", "scene"), "scene is not downloaded"),
        (("meta-level", "--dataset", "plain.csv"), "which is no class"),
        (("meta-level", "--dataset", "good.jsonl", "--scale", "big"), "scale must be"),
        (("meta-level", "--dataset", "good.jsonl", "--out", "plain.csv"), "no folder"),
    ],
)
def test_mistakes_end_in_one_sentence_and_nothing_is_written(tmp_path, arguments, said):
    forms.texts(tmp_path / "good.jsonl", Y)
    (tmp_path / "plain.csv").write_text("a,b\n0.5,1\n0.25,2\n")
    before = sorted(tmp_path.iterdir())
    found = run("reproduce", *arguments, "--quick", cwd=tmp_path)
    assert found.returncode == 2
    assert said in found.stderr
    assert found.stderr.strip().count("\n") == 0
    assert sorted(tmp_path.iterdir()) == before
