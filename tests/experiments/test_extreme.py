"""Paper 003's experiment on made data: tables, figures, files of any form, and how it fails."""

import json

import numpy as np
import pytest
from cli.test_cli import run
from experiments import forms

from labelrank.data import Dataset, SyntheticExtreme, write_xmc
from labelrank.experiments.extreme import MEASURES, contributions, extreme
from labelrank.experiments.extreme_data import read_extreme
from labelrank.experiments.extreme_report import Figure, parts, report
from labelrank.experiments.tables import Table

METHODS = ["Popularity", "Neighbours", "1-vs-All", "LabelTree", "FastXML", "PfastXML"]
METHODS += ["PfastreXML"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a training and a test part."""
    data = SyntheticExtreme(500, n_labels=40).dataset()
    place = tmp_path_factory.mktemp("tiny")
    write_xmc(data[:400], place / "train.txt.gz")
    write_xmc(data[400:], place / "test.txt.gz")
    return place


@pytest.fixture(scope="module")
def study(folder):
    said = []
    (found,) = extreme([str(folder)], quick=True, seeds=1, say=said.append)
    assert any("trained in" in line for line in said)
    return found


def test_every_method_is_measured(study):
    assert list(study.evaluations) == METHODS
    for evaluation in study.evaluations.values():
        assert tuple(evaluation) == MEASURES
    best = study.evaluations["FastXML"]["P@1"].value
    assert best > study.evaluations["Popularity"]["P@1"].value + 0.1
    assert {(t["method"], t["stage"]) for t in study.timings} >= {("FastXML", "train")}


@pytest.mark.parametrize("method", METHODS)
def test_the_parts_of_all_labels_add_up_to_psp(study, method):
    found = contributions(study, method)
    assert found.sum() == pytest.approx(study.evaluations[method]["PSP@3"].value)
    assert (found >= 0).all()


def test_tables_and_figures(study):
    found = parts(study)
    titles = " ".join(part.title for part in found if isinstance(part, Table))
    for each in ("Table 3", "Table 4", "Figure 2", "Figure 3 (b)", "Figure 3 (c)", "Figure 3 (d)",
                 "Figure 4"):  # fmt: skip
        assert each in titles
    captions = [part.caption for part in found if isinstance(part, Figure)]
    assert len(captions) == 7
    frequency = next(p for p in found if isinstance(p, Table) and "Figure 4" in p.title)
    values = np.array([[float(cell) for cell in row[2:]] for row in frequency.rows])
    psp = [100 * study.evaluations[m]["PSP@3"].value for m in frequency.header[2:]]
    np.testing.assert_allclose(values.sum(axis=0), psp, atol=0.05)
    page = report([study]).html()
    assert page.count("<svg") == 7
    assert "Table 3: propensity-scored precision" in page


def test_results_have_the_one_form(study):
    rows = study.rows()
    assert all({"dataset", "method", "measure", "value"} <= row.keys() for row in rows)
    assert not any("paper" in row for row in rows)
    json.dumps(rows, allow_nan=False)
    named = {row["measure"] for row in rows}
    assert {"fitted A", "P@3 on complete labels"} <= named


def test_figures_can_be_chosen(folder):
    (found,) = extreme([str(folder / "train.txt.gz")], quick=True, figures=[4])
    assert found.curves is None
    assert found.missing is None
    assert not any("Figure 3" in part.title for part in parts(found) if isinstance(part, Table))


def test_the_papers_figures_stand_beside_ours(study, monkeypatch):
    monkeypatch.setattr(
        "labelrank.experiments.paper_003.SIZES", {"eurlex": study.sizes}, raising=True
    )
    table = next(p for p in parts(study) if isinstance(p, Table) and "Table 3" in p.title)
    assert "[45.38]" in next(row for row in table.rows if row[0] == "PfastreXML")[4]
    row = next(r for r in study.rows() if (r["method"], r["measure"]) == ("FastXML", "C@1"))
    assert row["paper"] == 0.1639


def test_parts_have_the_same_labels_and_features(tmp_path):
    (tmp_path / "a-train.txt").write_text("12 5 3\n" + "0,2 0:1 4:1\n" * 12)
    (tmp_path / "a-test.txt").write_text("2 7 4\n3 6:1\n0 0:1\n")
    train, test, notes = read_extreme(str(tmp_path / "a-test.txt"))
    assert (train.name, len(train), len(test), notes) == ("a", 12, 2, [])
    assert train.n_features == test.n_features == 7
    assert train.n_labels == test.n_labels == 4


def test_texts_and_files_without_a_split(tmp_path):
    forms.texts(tmp_path / "news.jsonl", forms.problem()[1])
    train, test, notes = read_extreme(str(tmp_path / "news.jsonl"))
    assert (len(train), len(test)) == (48, 12)
    assert notes == ["split 4:1 at random", "tf-idf weights of the texts"]
    assert train.n_features == test.n_features > 5


def test_the_command_writes_page_and_results(folder, tmp_path):
    done = run("reproduce", "extreme", "--dataset", folder, "--quick", "--figures", "2,4", "--out",
               "a/b", cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"{folder.name}: Table 4: label coverage" in done.stdout
    assert "FastXML trained in" in done.stderr
    assert "<svg" in (tmp_path / "a/b/report.html").read_text()
    written = json.loads((tmp_path / "a/b/results.json").read_text())
    assert written["experiment"] == "extreme"
    assert {row["method"] for row in written["rows"]} >= set(METHODS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--dataset", "few.txt"), "the training part has 1 rows with labels"),
        (("--dataset", "delicios"), "delicios is neither a file nor"),
        (("--dataset", "few.txt", "--figures", "1"), "figures are 2, 3 and 4"),
        (("--dataset", "few.txt", "--figures", "all"), "--figures takes numbers"),
        (("--dataset", "few.txt", "--seeds", "0"), "seeds 1 or more"),
        (("--dataset", "words.jsonl"), "no features and no words"),
    ],
)
def test_mistakes_end_in_one_sentence(tmp_path, arguments, said):
    write_xmc(Dataset(np.eye(2), np.eye(2)), tmp_path / "few.txt")
    (tmp_path / "words.jsonl").write_text('{"title": "!", "tags": ["b"]}\n' * 20)
    done = run("reproduce", "extreme", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "reproduced").exists()
