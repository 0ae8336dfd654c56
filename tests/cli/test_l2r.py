"""``labelrank l2r``: what a user of learning-to-rank tools types, and gets."""

import json

import numpy as np
import pytest
from cli.test_cli import run

from labelrank import load_model


def write(path, groups, seed, features=3, first=1, extra=""):
    """A ``qid:`` file whose grades follow the first feature."""
    rng = np.random.default_rng(seed)
    lines = []
    for q in range(groups):
        for _ in range(6):
            x = rng.normal(size=features)
            grade = int(x[0] > 0.3) + int(x[0] > 1)
            values = " ".join(f"{j + first}:{v:.4f}" for j, v in enumerate(x))
            lines.append(f"{grade} qid:{q + 10} {values}{extra} # d{q}")
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path):
    for name, seed in (("train", 0), ("valid", 1), ("test", 2)):
        write(tmp_path / f"{name}.txt", 25, seed)
    return tmp_path


def done(folder, *arguments):
    found = run("l2r", *arguments, cwd=folder)
    assert found.returncode == 0, found.stderr
    return found.stdout


SETS = ("--train", "train.txt", "--valid", "valid.txt", "--test", "test.txt")


def test_several_rankers_stand_in_one_table_with_significance(folder):
    out = done(folder, *SETS, "--ranker", "listnet,rank-svm", "--ranker", "linearmix",
               "--measure", "nDCG@10,MAP")  # fmt: skip
    lines = out.splitlines()
    assert lines[0] == "judged on test.txt"
    header = next(line for line in lines if line.startswith("measure"))
    assert header.split() == ["measure", "ListNet", "RankSVM", "LinearMix"]
    row = next(line for line in lines if line.startswith("nDCG@10")).split()
    assert float(row[1]) > 0.95
    assert "*" in row[5]  # the mix is worse, and surely so
    assert "train" in out
    assert "rank" in out


def test_one_ranker_gets_intervals(folder):
    out = done(folder, *SETS, "--ranker", "svmmap")
    assert "95 % interval" in out


def test_without_test_files_folds_are_judged(folder):
    out = done(folder, "--train", "train.txt", "--ranker", "listnet", "--folds", "3")
    assert "judged on 3 folds of train.txt" in out
    assert "judged on valid.txt" in done(
        folder, "--train", "train.txt", "--valid", "valid.txt", "--ranker", "listnet"
    )


def test_json_and_parameters(folder):
    found = json.loads(done(folder, *SETS, "--ranker", "listnet,lambdarank", "--json",
                            "--param", "alpha=0.5", "--param", "lambdarank.hidden=0"))  # fmt: skip
    assert "ListNet" in json.dumps(found)


def test_tuning_shows_what_was_tried(folder):
    out = done(folder, *SETS, "--ranker", "listnet", "--tune")
    assert "ListNet, tuned on --valid:" in out
    assert out.count("alpha") == 1
    assert "0.3" in out
    assert "tuned on 2 folds" in done(
        folder, "--train", "train.txt", "--ranker", "svmmap", "--tune", "--folds", "2"
    )


def test_a_saved_ranker_judges_and_scores_lines_in_the_order_of_the_file(folder):
    done(folder, *SETS, "--ranker", "listnet", "--model", "m", "--scores", "s.txt")
    model = load_model(folder / "m")
    assert model.feature_names == ["1", "2", "3"]
    out = done(folder, "--load", "m", "--test", "test.txt", "--scores", "again.txt")
    assert "ListNet" in out or "nDCG@10" in out
    first, again = (np.loadtxt(folder / name) for name in ("s.txt", "again.txt"))
    np.testing.assert_array_equal(first, again)
    x = np.array([[float(p.split(":")[1]) for p in line.split()[2:5]]
                  for line in (folder / "test.txt").read_text().splitlines()])  # fmt: skip
    np.testing.assert_allclose(first, model._scores(x.astype(np.float32)), atol=1e-6)


def test_several_models_are_folders_in_one(folder):
    done(folder, *SETS, "--ranker", "listnet,ranksvm", "--model", "models")
    assert type(load_model(folder / "models" / "ranksvm")).__name__ == "RankSVM"


def test_a_report_and_results(folder):
    done(folder, *SETS, "--ranker", "listnet,ranksvm", "--out", "report")
    page = (folder / "report" / "report.html").read_text()
    assert "RankSVM" in page
    results = json.loads((folder / "report" / "results.json").read_text())
    assert {row["method"] for row in results["rows"]} == {"ListNet", "RankSVM"}
    assert {t["stage"] for t in results["timings"]} == {"train", "rank"}


def test_a_feature_that_training_never_saw_is_left_out_and_told(folder):
    write(folder / "test.txt", 10, 3, features=5)
    out = done(folder, *SETS, "--ranker", "listnet")
    assert "note: test.txt has features beyond 3, unseen in training: left out" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "give --train FILE, or --load MODEL with --test FILE"),
        (("--train", "no.txt"), "no.txt"),
        ((*SETS, "--ranker", "lambdamrt"), "did you mean lambdamart"),
        ((*SETS, "--measure", "nDGC@10"), "nDGC"),
        ((*SETS, "--param", "leaves"), "write name=value"),
        ((*SETS, "--ranker", "listnet", "--param", "leaves=3"), "has no parameter 'leaves'"),
        ((*SETS, "--param", "rf.trees=3"), "among the rankers of this call"),
        ((*SETS, "--ranker", "listnet", "--param", "alpha=-1"), "alpha must be a number from 0"),
        (("--load", "no", "--test", "test.txt"), "there is no model folder no"),
        (("--load", "m", "--train", "train.txt"), "it takes no --train"),
        ((*SETS, "--ranker", "listnet,ranksvm", "--scores", "s.txt"), "name only one"),
        (("--train", "train.txt", "--folds", "99"), "folds must lie between 2 and the 25 groups"),
        (("--train", "bad.txt", "--ranker", "listnet"), "bad.txt"),
    ],
)
def test_mistakes_are_one_sentence(folder, arguments, says):
    (folder / "bad.txt").write_text("1 1:0.5\n")
    found = run("l2r", *arguments, cwd=folder)
    assert found.returncode == 2
    assert says in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
    assert not list(folder.glob("s.txt"))
