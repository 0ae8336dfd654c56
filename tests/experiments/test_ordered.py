"""The ordered experiment in a small form: every table and figure, and the same order of methods."""

import json

import numpy as np
import pytest
import torch
from cli.test_cli import run
from scipy.stats import ttest_ind

from labelrank import InputError, OrderedLabelNet, evaluate
from labelrank.data import Dataset, RankedDigits, write_npz
from labelrank.experiments.ordered import ordered
from labelrank.experiments.ordered_pictures import (
    LOSSES,
    PARTIAL,
    Calibration,
    PicturePlan,
    PictureStudy,
)
from labelrank.experiments.ordered_report import _gaussians, report, tables
from labelrank.experiments.ordered_tables import MLP, TREES, TablePlan, table_study
from labelrank.experiments.paper_002 import MEASURES, paper

TINY = PicturePlan((60, 20, 20), 16, 1, 2, (3, 4), 12, net={})


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def studies():
    said = []
    found = ordered(["ranked-digits"], pictures=TINY, say=said.append)
    assert said[:3] == ["ranked-digits", "  RLSEP, network 1", "  RLSEP, network 2"]
    return found


def test_every_table_and_figure_of_pictures(studies):
    titles = [table.title for table in tables(studies)]
    assert [title.partition(":")[0] for title in titles] == ["Table 1"] * 2 + [
        "Figure 5",
        "Figure 3",
    ]
    page = report(studies).html()
    assert page.count("<img") == 6
    for words in (
        "Figure 2",
        "Figure 3",
        "Figure 5",
        "truth: ",
        "RLSEP (R), paper, Table 2",
        "96.5",
    ):
        assert words in page
    study = studies.pictures[0]
    assert set(study.digits) == {"RLSEP", PARTIAL, "LSEP"}
    assert study.digits["RLSEP"][0] == study.digits[PARTIAL][0]  # both are the network of three
    assert study.calibration.scores.shape == (12, 4)


def test_results_of_pictures(studies):
    rows = studies.rows()
    found = {(r["dataset"], r["method"], r["measure"]): r for r in rows}
    ours = found["ranked-digits", "RLSEP", "ranked-F1"]
    assert ours["paper"] == 0.965
    assert ours["low"] <= ours["value"] <= ours["high"]
    assert 0 <= found["ranked-digits", "CE", "ranked-F1"]["p_against_rlsep"] <= 1
    assert ("ranked-digits, 4 digits", PARTIAL, "ranked-Acc") in found
    assert {t["stage"] for t in studies.timings} == {"train"}
    json.dumps(rows)


def test_welchs_test_against_rlsep():
    by_method = {"RLSEP": [0.9, 0.91, 0.92], "LSEP": [0.5, 0.51, 0.53], "CE": [0.9, 0.9, 0.95]}
    values = {method: dict.fromkeys(MEASURES, given) for method, given in by_method.items()}
    study = PictureStudy("a", TINY, values)
    expected = ttest_ind(by_method["RLSEP"], by_method["CE"], equal_var=False).pvalue
    assert study.p_value("CE", "ranked-F1") == pytest.approx(expected)
    assert study.p_value("LSEP", "ranked-F1") < 0.001
    assert study.p_value("CE", "ranked-F1") > 0.5
    assert study.p_value("RLSEP", "ranked-F1") is None


def test_the_papers_figures():
    assert paper("LSEP", "ranked-0/1", many=True) == pytest.approx(0.056)
    assert paper("RLSEP", "HLoss") == pytest.approx(0.023)
    assert paper("RLSEP", "MAP") is None
    assert paper("MLP", "ranked-F1") is None


def sized(n=240, seed=0):
    """Rows of which three numbers say which labels are there, and three others their order."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6)).astype(np.float32)
    return Dataset(X, np.where(X[:, :3] > 0, 4 + X[:, 3:], 0).clip(0), name="sized")


def test_losses_that_know_the_order_rank_better_on_rows():
    study = table_study(sized(400), TablePlan(2, 60, 40, 20))
    value = {m: e["ranked-Acc"].value for m, e in study.evaluations.items()}
    assert list(value) == [*MLP, *TREES]
    assert value["MLP, RLSEP"] > max(value["MLP, LSEP"], value["MLP, CE"]) + 0.01
    assert value["LambdaMART, RLSEP"] > value["LambdaMART, LSEP"]
    trees = [value[f"LambdaMART, {loss}"] for loss in ("RLSEP", "LSEP", "CE")]
    assert value["LambdaMART, graded gains"] > max(trees)


def test_full_orders_give_the_upper_half_to_losses_without_order(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    lines = [",".join([*(f"{v:.3f}" for v in x), ">".join(f"L{j}" for j in np.argsort(-x))])
             for x in X]  # fmt: skip
    (tmp_path / "orders.csv").write_text("\n".join(lines))
    found = ordered([str(tmp_path / "orders.csv")], tables=TablePlan(2, 5, 5))
    assert "know each row's upper half" in found.tables[0].about
    assert tables(found)[0].title == "Ordered labels: orders"
    assert "MLP, RLSEP" in report(found).html()


@pytest.mark.parametrize(
    ("sources", "params", "says"),
    [
        (["sceen"], {}, "sceen is neither a file nor a name"),
        (["ranked-mnist"], {}, "ranked-mnist is not there"),
        ([], {"seeds": 0}, "seeds must be 1 or more"),
    ],
)
def test_mistakes_are_told_before_anything_is_trained(sources, params, says, monkeypatch):
    monkeypatch.delenv("LABELRANK_DATA", raising=False)
    with pytest.raises(InputError, match=says):
        ordered(sources, **params)


def test_data_without_features_or_rows():
    with pytest.raises(InputError, match="needs features and 10 rows"):
        table_study(sized(6), TablePlan())


def test_the_command(tmp_path):
    write_npz(sized(60), tmp_path / "sized.npz")
    found = run("reproduce", "ordered", "--dataset", "sized.npz", "--quick", "--out", "o",
                cwd=tmp_path)  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert "Ordered labels: sized" in found.stdout
    written = json.loads((tmp_path / "o/results.json").read_text())
    assert written["experiment"] == "ordered"
    assert {r["method"] for r in written["rows"]} == {*MLP, *TREES}
    assert "Ordered labels: sized" in (tmp_path / "o/report.html").read_text()


def test_gaussians_of_the_calibration():
    scores = np.random.default_rng(0).normal([1, 2], 0.5, size=(500, 2))
    lines = _gaussians(Calibration(np.array([1.0, 2.0]), scores))
    top = [max(line, key=lambda point: point[1])[0] for line in lines.values()]
    np.testing.assert_allclose(top, [1, 2], atol=0.1)


def test_losses_that_know_the_order_sort_pictures():
    """Of pictures they have seen: LSEP and CE say which digits are there, RLSEP in which order."""
    pictures = RankedDigits(100, canvas=24, digits=3, scales=(2.0, 6.0))
    images, value = pictures.images(), {}
    for method, loss in LOSSES.items():
        net = OrderedLabelNet("conv", loss, epochs=14, batch=10, threshold=False, random_state=0)
        ranking = net.fit(images, pictures.Y).rank(images)
        value[method] = evaluate(ranking, pictures.Y, "ranked-0/1")["ranked-0/1"].value
        assert evaluate(ranking.top(3), pictures.Y, "R@3")["R@3"].value > 0.97
    assert value["RLSEP"] > 0.9
    assert max(value["LSEP"], value["CE"]) < 0.4
