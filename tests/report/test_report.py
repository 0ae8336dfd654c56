"""The page: what is put in comes out, escaped, on one self-contained page."""

from html.parser import HTMLParser

import numpy as np
import pytest

from labelrank import Ranking, compare, evaluate
from labelrank.report import Report, environment, write_results


class Reader(HTMLParser):
    """Collects cells and checks that tags close in order."""

    VOID = ("meta", "line", "rect", "br")

    def __init__(self, page):
        super().__init__()
        self.open, self.cells, self.tags = [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "td" in self.open or "th" in self.open:
            self.cells[-1] += data


def test_everything_is_escaped():
    page = Report("<script>", "a & b")
    page.heading("<h>")
    page.text("x < y")
    page.table(["<a>"], [["<b>"]], note="<n>")
    page.lists(["<c>"], [[[("<d>", True), ("e", False)]]])
    page.bars("<cap>", [("<m>", 0.5, 0.4, 0.6)], 1.0)
    html = page.html()
    for word in ("<script>", "<h>", "x < y", "<a>", "<b>", "<n>", "<c>", "<d>", "<cap>", "<m>"):
        assert word not in html
    assert Reader(html).cells == ["<a>", "<b>", "<c>", "<d>, e"]


def test_a_comparison_has_bold_best_ranks_stars_and_totals():
    truth = np.eye(3)[[0, 1, 2] * 4]
    good = evaluate(Ranking.from_dense(truth), truth, ["MAP"])
    bad = evaluate(Ranking.from_dense(1 - truth), truth, ["MAP"])
    page = Report("t")
    page.comparison(compare({"bad": bad, "good": good}))
    assert '<b class="best">1.0000** (1)</b>' in page.html()
    assert Reader(page.html()).cells == [
        *("measure", "bad", "good"),
        *("MAP", "0.3333 (2)", "1.0000** (1)"),
        *("rank total", "2", "1"),
    ]


def test_bars_have_the_length_of_their_values():
    page = Report("t")
    page.bars("c", [("a", 0.5, 0.25, 1.0), ("b", 0.25, 0.0, 0.5)], 1.0)
    rects = [float(attrs["width"]) for tag, attrs in Reader(page.html()).tags if tag == "rect"]
    assert rects[0] == pytest.approx(2 * rects[1])


def test_nothing_is_fetched_from_outside():
    page = Report("t")
    page.bars("c", [("a", 0.5, 0.25, 1.0)], 1.0)
    fetched = [
        a for tag, a in Reader(page.html()).tags if {"src", "href"} & set(a) or tag == "script"
    ]
    assert fetched == []


def test_results_have_the_one_form(tmp_path):
    import json

    write_results(tmp_path / "r.json", "x", [{"value": 1.0}], [{"stage": "a"}])
    record = json.loads((tmp_path / "r.json").read_text())
    assert list(record) == ["experiment", "environment", "rows", "timings"]
    assert record["environment"] == environment()
    assert record["environment"]["labelrank"]
    with pytest.raises(ValueError, match="JSON"):
        write_results(tmp_path / "r.json", "x", [{"value": float("nan")}])
    assert json.loads((tmp_path / "r.json").read_text()) == record
