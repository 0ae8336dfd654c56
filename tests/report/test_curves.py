"""Curves: points where they belong, names that can be read, round marks."""

import math
import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from labelrank import InputError
from labelrank.report import Report, curves

SPACE = "{http://www.w3.org/2000/svg}"


def drawn(series, **options):
    """The lines' places and the texts of a picture that is well-formed."""
    picture = ET.fromstring(curves(series, "size", "time", **options))
    lines = [
        [tuple(map(float, p.split(","))) for p in line.attrib["points"].split()]
        for line in picture.iter(f"{SPACE}polyline")
    ]
    return lines, {t.text: t.attrib for t in picture.iter(f"{SPACE}text")}


def test_a_power_law_is_a_straight_line_whose_slope_is_its_exponent():
    xs = (1e3, 1e4, 1e5)
    (one, two), _ = drawn({"n": [(x, x) for x in xs], "n²": [(x, x * x) for x in xs]})
    rises = [[(a[1] - b[1]) for a, b in pairwise(line)] for line in (one, two)]
    assert rises[0][0] == pytest.approx(rises[0][1], abs=0.2)
    assert rises[1][0] == pytest.approx(2 * rises[0][0], abs=0.3)
    assert one[1][0] - one[0][0] == pytest.approx(one[2][0] - one[1][0], abs=0.2)


def test_points_come_in_the_order_of_x_and_linear_axes_start_at_0():
    (line,), texts = drawn({"a": [(4, 2), (0, 1), (2, 1.5)]}, log=False)
    assert [p[0] for p in line] == sorted(p[0] for p in line)
    assert line[0][1] - line[1][1] == pytest.approx(line[1][1] - line[2][1], abs=0.2)
    assert "0" in texts


def test_names_do_not_cover_each_other_and_stay_on_the_picture():
    series = {f"m{i}": [(1, 1), (2, 3 + i / 1000)] for i in range(11)}
    _, texts = drawn(series)
    heights = sorted(float(texts[name]["y"]) for name in series)
    assert all(b - a >= 14.9 for a, b in pairwise(heights))
    assert heights[0] > 0
    assert heights[-1] < 400


def test_marks_are_round_and_read_as_people_write_them():
    _, texts = drawn({"a": [(2e5, 1), (2e6, 30)]})
    assert {"200,000", "500,000", "1,000,000", "2,000,000"} <= set(texts)
    assert {"1", "10"} <= set(texts)


@pytest.mark.parametrize("log", [True, False])
def test_one_point_and_level_lines_can_be_drawn(log):
    lines, _ = drawn({"a": [(3, 7)], "b": [(3, 7), (4, 7)]}, log=log)
    assert all(math.isfinite(v) for line in lines for p in line for v in p)


@pytest.mark.parametrize("series", [{}, {"a": []}, {"a": [(0, 1)]}, {"a": [(1, math.inf)]}])
def test_what_cannot_be_drawn(series):
    with pytest.raises(InputError, match="curves"):
        curves(series)


def test_a_report_holds_them_escaped():
    page = Report("t")
    page.curves("<c>", {"<a>": [(1, 1), (2, 2)]}, "<x>", "<y>")
    html = page.html()
    assert re.findall(r"<[acxy]>", html) == []
    assert "&lt;a&gt;" in html


def test_the_horizontal_axis_alone_may_be_logarithmic():
    drawn = curves({"a": [(1, 0), (10, 1), (100, 2)]}, log="x")
    places = [
        tuple(map(float, point.split(",")))
        for point in re.search(r'points="([^"]+)"', drawn)[1].split()
    ]
    steps = [b[0] - a[0] for a, b in pairwise(places)]
    assert steps[0] == pytest.approx(steps[1], abs=0.2)
    with pytest.raises(InputError, match="above 0 on logarithmic axes"):
        curves({"a": [(0, 1), (1, 2)]}, log="x")
