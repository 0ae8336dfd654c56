"""train, rank and evaluate --model: what they print and write, on every form, and how they fail."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import scipy.sparse as sp
from cli.test_cli import run

from labelrank import Ranking, load_model
from labelrank.data import Dataset, read_ranking, write_jsonl, write_npz, write_xmc
from labelrank.scorers import NearestNeighbours

WORDS = ["alpha", "beta", "gamma", "delta"]
TITLES = [f"{WORDS[i % 4]} {WORDS[(i + i // 4) % 4]}" for i in range(24)]
Y = np.array([[word in title.split() for word in WORDS] for title in TITLES], dtype=float)
X = sp.csr_array(np.hstack([Y, np.eye(24)[:, :3]]).astype(np.float32))

NEAR = ["--method", "neighbours"]
NEARBY = ["train", "train.txt", "--model", "m", *NEAR]
QUICK = ["--set", "k=2", "--set", "grid=none", "--set", "folds=2"]


@pytest.fixture
def folder(tmp_path):
    write_xmc(Dataset(X[:16], Y[:16]), tmp_path / "train.txt")
    write_xmc(Dataset(X[16:], Y[16:]), tmp_path / "test.txt.gz")
    for part, rows in (("train", slice(16)), ("test", slice(16, 24))):
        texts = {"title": TITLES[rows]}
        write_jsonl(Dataset(Y=Y[rows], texts=texts, label_names=WORDS), tmp_path / f"{part}.jsonl")
        dense = Dataset(X[rows].toarray(), Y[rows], label_names=WORDS)
        write_npz(dense, tmp_path / f"{part}.npz")
    return tmp_path


def good(*arguments, cwd):
    done = run(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done


def test_extreme_classification_text_is_trained_on_ranked_and_judged(folder):
    done = good("train", "train.txt", "--model", "a.model", *NEAR, "--set", "k=3", cwd=folder)
    assert "written: a.model (NearestNeighbours" in done.stdout
    good("rank", "test.txt.gz", "--model", "a.model", "--out", "r.txt", "--k", "2", cwd=folder)
    expected = NearestNeighbours(k=3).fit(X[:16], Y[:16]).rank(X[16:], 2)
    assert read_ranking(folder / "r.txt") == Ranking.from_csr(expected.to_csr())
    by_model = good("evaluate", "test.txt.gz", "--model", "a.model", "--measures", "P@1,PSP@2",
                    "--train", "train.txt", "--json", cwd=folder)  # fmt: skip
    by_file = good("evaluate", "--truth", "test.txt.gz", "--ranking", "r.txt", "--measures",
                   "P@1,PSP@2", "--train", "train.txt", "--json", cwd=folder)  # fmt: skip
    values = [[m["value"] for m in json.loads(d.stdout)["measures"]] for d in (by_model, by_file)]
    assert values[0] == values[1]
    assert values[0][0] == 1


@pytest.mark.parametrize("form", ["txt", "jsonl", "npz"])
@pytest.mark.parametrize("method", ["neighbours", "popularity", "logistic"])
def test_methods_for_features_take_every_form(folder, form, method):
    test = "test.txt.gz" if form == "txt" else f"test.{form}"
    good("train", f"train.{form}", "--model", "m", "--method", method, cwd=folder)
    good("rank", test, "--model", "m", "--out", "r.jsonl", cwd=folder)
    first = [json.loads(line)["labels"][0] for line in (folder / "r.jsonl").read_text().split("\n")
             if line]  # fmt: skip
    names = load_model(folder / "m").label_names_
    assert names == (None if form == "txt" else WORDS)
    assert len(first) == 8
    if method != "popularity":
        hit = [(label if names is None else WORDS.index(label)) for label in first]
        assert (Y[16:][np.arange(8), hit] == 1).all()


def test_the_method_that_suits_is_named(folder):
    done = good("train", "train.npz", "--model", "m", *QUICK, cwd=folder)
    assert "method: metalabel" in done.stderr
    assert "few rows of dense features" in done.stderr
    done = good("train", "train.txt", "--model", "m", cwd=folder)
    assert "method: onevsall (one-vs-all sparse linear), which suits sparse rows" in done.stderr
    done = good("train", "train.jsonl", "--model", "m", cwd=folder)
    assert "which suits t" in done.stderr  # texts, or things with texts and tags
    table = good("methods", cwd=folder).stdout
    assert "neighbours" in table


def test_labels_are_matched_by_name_and_new_ones_are_missed(folder):
    good("train", "train.jsonl", "--model", "m", "--method", "neighbours", cwd=folder)
    rows = ['{"title": "beta", "tags": ["beta", "new"]}', '{"title": "delta", "tags": ["delta"]}']
    (folder / "new.jsonl").write_text("\n".join(rows))
    done = good("evaluate", "new.jsonl", "--model", "m", "--measures", "P@1,R@2,PSR@2", "--train",
                "train.jsonl", "--json", cwd=folder)  # fmt: skip
    assert "1 labels of new.jsonl are new to the model: it misses them" in done.stderr
    measures = {m["measure"]: m["value"] for m in json.loads(done.stdout)["measures"]}
    assert measures["P@1"] == 1
    assert measures["R@2"] == pytest.approx((1 / 2 + 1) / 2)


def test_measures_of_whole_lists_get_whole_lists(folder):
    good("train", "train.txt", "--model", "m", "--method", "popularity", cwd=folder)
    done = good("evaluate", "test.txt.gz", "--model", "m", "--measures", "MAP", "--json",
                cwd=folder)  # fmt: skip
    assert json.loads(done.stdout)["measures"][0]["short"] == 0


def test_rows_with_more_or_fewer_features_than_training_are_ranked(folder):
    good("train", "train.txt", "--model", "m", "--method", "neighbours", cwd=folder)
    (folder / "wide.txt").write_text("2 90 4\n0 0:1 89:1\n1 1:1\n")
    (folder / "narrow.txt").write_text("1 2 4\n0 0:1\n")
    for name in ("wide", "narrow"):
        good("rank", f"{name}.txt", "--model", "m", "--out", f"{name}.r", "--k", "1", cwd=folder)
        assert read_ranking(folder / f"{name}.r").row(0)[0].tolist() == [0]


def test_label_names_from_a_file(folder):
    (folder / "names.txt").write_text("\n".join(WORDS))
    good("train", "train.txt", "--model", "m", "--labels", "names.txt", cwd=folder)
    assert load_model(folder / "m").label_names_ == WORDS


def test_seed_and_jobs_reach_the_method(folder):
    for name, jobs in (("a", "1"), ("b", "2")):
        good("train", "train.npz", "--model", name, "--method", "metalabel", "--seed", "3",
             "--jobs", jobs, *QUICK, cwd=folder)  # fmt: skip
    one, two = load_model(folder / "a"), load_model(folder / "b")
    assert one.random_state == two.random_state == 3
    assert one.rank(X[:4].toarray()) == two.rank(X[:4].toarray())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["train", "train.txt"], "Missing option '--model'"),
        (["train", "gone.txt", "--model", "m"], "gone.txt is neither a file nor a name"),
        (["train", "train.txt", "--model", "m", "--method", "neighbors"], "did you mean neighbour"),
        (["train", "train.txt", "--model", "m", "--set", "k"], "--set 'k': write PARAM=VALUE"),
        ([*NEARBY, "--set", "kk=1"], "neighbours has no parameter 'kk'"),
        ([*NEARBY, "--set", "k=0"], "k must be a whole number from 1"),
        ([*NEARBY, "--A", "1"], "neighbours has no parameter 'A'"),
        (["train", "train.txt", "--model", "m", "--preset", "x"], "--preset must be one of"),
        (["train", "train.txt", "--model", "."], "exists and is no model"),
        (["train", "train.txt", "--model", "no/m"], "no does not exist"),
        (["train", "train.txt", "--model", "m", "--labels", "few.txt"], "few.txt has 1 names for"),
        (["train", "alone.txt", "--model", "m"], "labels alone, neither features nor texts"),
        (["train", "cut.txt", "--model", "m"], "the header says 3 rows, but 1 follow"),
        (["rank", "test.txt.gz", "--model", "gone", "--out", "r"], "there is no model folder gone"),
        (["rank", "test.jsonl", "--model", "old", "--out", "r"], "test has no features, but the"),
        (["rank", "test.npz", "--model", "old", "--out", "r.txt", "--k", "0"], "value for '--k'"),
        (["rank", "cut.txt", "--model", "old", "--out", "r"], "the header says 3 rows, but 1"),
        (["rank", "test.txt.gz", "--model", "old", "--out", "no/r"], "folder no does not exist"),
        (["evaluate", "test.txt.gz"], "evaluate needs --model DIR and a FILE"),
        (["evaluate", "--model", "old"], "evaluate needs --model DIR and a FILE"),
        (["evaluate", "test.txt.gz", "--model", "old", "--truth", "x"], "not both"),
        (["evaluate", "test.txt.gz", "--model", "old", "--B", "2"], "--B goes with --train"),
    ],
)  # fmt: skip
def test_mistakes_end_in_one_sentence_and_write_nothing(folder, arguments, said):
    NearestNeighbours().fit(X, Y).save(folder / "old")
    (folder / "few.txt").write_text("a\n")
    (folder / "alone.txt").write_text("2 3\n0:1\n1:1\n")
    (folder / "cut.txt").write_text("3 7 4\n0 0:1\n")
    before = sorted(folder.rglob("*"))
    done = run(*arguments, cwd=folder)
    assert done.returncode == 2
    last = done.stderr.strip().split("\n")[-1]
    assert last.startswith("labelrank: ")
    assert said in last
    assert done.stdout == ""
    assert sorted(folder.rglob("*")) == before


SLOW = """
import sys, time
from labelrank.cli import main
from labelrank.scorers import Popularity
fit = Popularity._fit
def slow(self, X, Y):
    fit(self, X, Y)
    if "--seed" not in sys.argv:
        print("fitting", flush=True)
        time.sleep(60)
Popularity._fit = slow
main()
"""
SAVING = SLOW.replace("Popularity._fit = slow", """
import os
from labelrank.store import folder
write = folder._write
def half(file, content):
    write(file, content[: len(content) // 2])
    print("fitting", flush=True)
    time.sleep(60)
folder._write = half
""")  # fmt: skip


@pytest.mark.parametrize(
    ("program", "model"), [(SLOW, "new"), (SLOW, "m"), (SAVING, "m")],
    ids=["fitting a new one", "fitting", "writing"],
)  # fmt: skip
def test_a_process_killed_in_training_leaves_the_old_model_whole(folder, program, model):
    good("train", "train.txt", "--model", "m", "--method", "popularity", "--set", "top=2",
         cwd=folder)  # fmt: skip
    old = {file.name: file.read_bytes() for file in (folder / "m").iterdir()}
    words = ["train", "train.txt", "--model", model, "--method", "popularity"]
    child = subprocess.Popen([sys.executable, "-c", program, *words], cwd=folder, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # fmt: skip
    assert child.stdout.readline() == "fitting\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert {file.name: file.read_bytes() for file in (folder / "m").iterdir()} == old
    assert load_model(folder / "m").top == 2
    assert not (folder / "new").exists()
    done = good("train", "train.txt", "--model", model, "--method", "popularity", cwd=folder)
    assert f"written: {model}" in done.stdout
    assert load_model(folder / model).top is None


def test_an_interrupted_training_says_so(folder):
    words = ["train", "train.txt", "--model", "m", "--method", "popularity"]
    child = subprocess.Popen([sys.executable, "-c", SLOW, *words], cwd=folder, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    assert child.stdout.readline() == "fitting\n"
    time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate()
    assert child.returncode == 130
    assert said.endswith("labelrank: interrupted; nothing was written.\n")
    assert not (folder / "m").exists()
