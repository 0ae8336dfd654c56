"""Pictures on a page."""

import base64
import struct
import zlib

import numpy as np
import pytest

from labelrank import InputError
from labelrank.report import Report
from labelrank.report.curves import curves
from labelrank.report.pictures import png, png_address


def decoded(content):
    """(width, height, pixels) of a PNG whose lines have no filter; every checksum is verified."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(content):
        size = struct.unpack(">I", content[at : at + 4])[0]
        kind, data = content[at + 4 : at + 8], content[at + 8 : at + 8 + size]
        told = struct.unpack(">I", content[at + 8 + size : at + 12 + size])[0]
        assert told == zlib.crc32(kind + data)
        chunks[kind] = data
        at += 12 + size
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, colour) == (8, 0)
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not lines[:, 0].any()
    return lines[:, 1:]


def test_a_picture_comes_back_from_its_png():
    image = np.random.default_rng(0).integers(0, 256, (5, 9)).astype(np.uint8)
    np.testing.assert_array_equal(decoded(png(image)), image)
    head, _, rest = png_address(image).partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(rest) == png(image)


@pytest.mark.parametrize("image", [np.zeros((2, 2)), np.zeros((0, 2), "u1"), np.zeros(3, "u1")])
def test_other_arrays_are_no_pictures(image):
    with pytest.raises(InputError, match="a picture is uint8"):
        png(image)


def test_pictures_stand_side_by_side_with_their_words():
    page = Report("a")
    page.pictures([(np.zeros((2, 2), np.uint8), ["truth: 1 > 2", "said: <2>"])] * 2)
    html = page.html()
    assert html.count('<img src="data:image/png;base64,') == 2
    assert "truth: 1 &gt; 2<br>said: &lt;2&gt;" in html


def test_axes_may_begin_above_zero():
    line = {"a": [(3.0, 0.9), (6.0, 0.95)]}
    assert ">0</text>" in curves(line, log=False)
    assert ">0</text>" not in curves(line, log=False, zero=False)
