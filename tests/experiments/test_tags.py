"""Paper 001 again, on a small collection: what is measured, what is printed, and how it fails."""

import json

import numpy as np
import pytest
from cli.test_cli import run

from labelrank import InputError, load
from labelrank.experiments.paper_001 import STAGES, paper
from labelrank.experiments.tag_look import tag_look
from labelrank.experiments.tags import BASELINE, MEASURES, tags
from labelrank.experiments.tags_data import folds, read_tagged
from labelrank.experiments.tags_methods import BEST, BEYOND, methods
from labelrank.experiments.tags_report import gains

TOPICS = {"music": "sung song melody", "code": "array loop function", "food": "bread salt oven"}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Things of three topics; two of four tags go with the topic, the others are anyone's."""
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("tags") / "lastfm.jsonl"  # as a set of the paper is called
    lines = []
    for i in range(150):
        topic = list(TOPICS)[i % 3]
        own = [f"{topic}{j}" for j in rng.permutation(4)[:3]]
        said = " ".join(rng.choice(TOPICS[topic].split(), 3))
        lines.append({"id": str(i), "title": said, "tags": [*own, f"any{rng.integers(5)}"]})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def study(file):
    said = []
    found = tags([str(file)], quick=True, say=said.append)[0]
    assert said[0] == "lastfm: 150 things with two tags or more, 17 tags"
    return found


def test_every_method_is_judged_on_the_same_things(study):
    assert list(study.evaluations) == [BASELINE, *methods(quick=True)]
    for evaluation in study.evaluations.values():
        assert list(evaluation) == list(MEASURES)
        assert evaluation.shape == (30, 17)
    assert study.evaluations["LambdaMART" + BEYOND]["nDCG@5"].value > 0.3
    assert all(0 < share <= 1 for share in study.reached.values())


def test_the_stages_add_up(study):
    assert study.stages.things == 30
    assert set(study.stages.milliseconds) == set(study.evaluations)
    for found in study.stages.milliseconds.values():
        assert found["in all"] == pytest.approx(sum(found[s] for s in STAGES))
        assert all(value >= 0 for value in found.values())


def test_gains_are_of_the_best_three(study):
    value = {name: e["nDCG@5"].value for name, e in study.evaluations.items()}
    found = gains(study)
    assert found["best"] == pytest.approx(max(value[m] for m in BEST) / value[BASELINE] - 1)
    assert found["both"] == pytest.approx(
        max(value[m + BEYOND] for m in BEST) / value[BASELINE] - 1
    )


def test_rows_have_the_papers_figure_where_the_place_is_the_same(study):
    rows = {(r["method"], r["measure"]): r for r in study.rows()}
    assert rows["RandomForest", "P@5"]["paper"] == paper("lastfm", "RandomForest", "P@5") == 0.494
    assert "paper" not in rows["LambdaRank", "P@5"]
    assert rows["MART", "ms: model application"]["value"] >= 0


def test_folds_are_three_one_one_and_halves_are_of_each_thing(file):
    data = read_tagged(str(file))
    seen = []
    for fold in folds(data):
        assert len(fold.things) == 90
        (learned, to_learn), (judged, to_find) = fold.learned, fold.judged
        assert learned.n == judged.n == 30
        assert np.diff(judged.tag_indptr).tolist() == [2] * 30
        assert np.diff(to_find.indptr).tolist() == [2] * 30
        assert (to_learn.indptr[-1], learned.tag_indptr[-1]) == (60, 60)
        assert not set(fold.titles) - set(data.texts["title"])
        seen.append(to_find)
    assert sum(Y.nnz for Y in seen) == 300


def test_the_command_prints_the_tables_and_writes_them(file, tmp_path):
    done = run("reproduce", "tags", "--dataset", file, "--quick", "--out", tmp_path / "o",
               cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    for title in ("Table IV", "Table V", "Table VI", "Table VII", "What is gained"):
        assert title in done.stdout
    assert "[0.388]" in done.stdout
    assert "other things were drawn" in done.stdout
    assert "quick look" in (tmp_path / "o/report.html").read_text()
    written = json.loads((tmp_path / "o/results.json").read_text())
    assert written["experiment"] == "tags"
    assert {t["stage"] for t in written["timings"]} == {"describe", "learn", "rank"}


def test_mistakes_are_told(file, tmp_path):
    (tmp_path / "few.csv").write_text("title,tags\na,x;y\n")
    (tmp_path / "plain.txt").write_text("1 2 2\n0 0:1\n")
    for source, said in ((tmp_path / "few.csv", "1 things with two tags"),
                         (tmp_path / "plain.txt", "labels without names")):  # fmt: skip
        with pytest.raises(InputError, match=said):
            read_tagged(str(source))
    with pytest.raises(InputError, match="two data sets are called"):
        tags([str(file), str(file)])
    done = run("reproduce", "tags", "--dataset", file, "--columns", "tags=gone", cwd=tmp_path)
    assert done.returncode == 2
    assert "no column 'gone'" in done.stderr


def test_a_first_look_beats_what_it_is_compared_with(file):
    look = tag_look(load(file))
    value = {name: e["nDCG@5"].value for name, e in look.evaluations.items()}
    assert value["TagRecommender"] > value["popularity"]
    title, given, hidden, found = look.examples(1)[0]
    assert title
    assert len(given) == len(hidden) == 2
    assert len(found) == 4
    assert all(each.why for each, _ in found)
    assert {each.label for each, hit in found if hit} <= set(hidden)
    assert "to be found" in look.report().html()
