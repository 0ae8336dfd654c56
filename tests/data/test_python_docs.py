"""python-docs: real text with tags that needs no download."""

import hashlib
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

from labelrank.data import load, python_docs
from labelrank.data.formats.tables import tag_lists
from labelrank.data.python_docs import _see_also

FINGERPRINT = """
import hashlib, warnings
warnings.simplefilter("error")
from labelrank.data import python_docs
from labelrank.data.formats.tables import tag_lists
data = python_docs()
text = repr((data.ids, data.texts, tag_lists(data), data.label_names))
print(hashlib.sha256(text.encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def docs():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return python_docs()


def test_the_size_that_is_documented(docs):
    assert 4000 < len(docs) < 6000
    assert 1500 < sum(1 for tags in tag_lists(docs) if tags) < 2500
    assert 1300 < docs.n_labels < 2200
    assert docs.name == "python-docs"
    assert sorted(docs.texts) == ["description", "title"]


def test_titles_descriptions_and_ids(docs):
    assert len(set(docs.ids)) == len(docs)
    assert docs.ids == sorted(docs.ids)
    for path, title, text in zip(
        docs.ids, *map(docs.texts.get, ("title", "description")), strict=True
    ):
        assert path.endswith(f".{title}")
        assert path.split(".")[0] in ("numpy", "scipy", "sklearn")
        assert len(text) > 0
    assert len(set(docs.texts["description"])) > 0.95 * len(docs)


def test_a_row_that_everybody_can_look_up(docs):
    row = docs.ids.index("numpy.argsort")
    tags = set(tag_lists(docs, [row])[0])
    assert {"sort", "lexsort", "argpartition"} <= tags
    assert "argsort" not in tags
    text = docs.texts["description"][row]
    assert "Returns the indices that would sort an array" in text
    assert "See Also" not in text
    assert "Notes" in text  # what follows the section stays


def test_no_thing_has_its_own_name_as_a_tag(docs):
    for title, tags in zip(docs.texts["title"], tag_lists(docs), strict=True):
        assert title not in tags
        assert len(set(tags)) == len(tags)
    assert np.bincount(docs.Y.indices, minlength=docs.n_labels).min() >= 1


def test_it_is_the_same_in_another_process_and_warns_of_nothing(docs):
    text = repr((docs.ids, docs.texts, tag_lists(docs), docs.label_names))
    environment = os.environ | {"PYTHONHASHSEED": "12345"}
    run = subprocess.run(
        [sys.executable, "-c", FINGERPRINT], capture_output=True, text=True, env=environment
    )
    assert run.stderr == ""
    assert run.stdout.strip() == hashlib.sha256(text.encode()).hexdigest()


def test_load_by_name(docs):
    assert load("python-docs").ids == docs.ids


@pytest.mark.parametrize(
    ("section", "names"),
    [
        ("other : what it does\n    over two lines, with, commas\n", ["other"]),
        ("a, b : both\nc\n", ["a", "b", "c"]),
        ("numpy.linalg.norm : far\n:func:`~scipy.fft.fft` : role\n", ["norm", "fft"]),
        (":class:`Thing <a.b.Thing>`: x\n`tick` : y\n", ["Thing", "tick"]),
        ("a : x\na : again\n", ["a"]),
        ("no name here at all\n", []),
    ],
)
def test_names_under_see_also(section, names):
    before, after = "Summary.\n\n", "Notes\n-----\nThe end.\n"
    found, rest = _see_also(f"{before}See Also\n--------\n{section}\n{after}")
    assert found == names
    assert rest == before + after
    assert _see_also(before + after) == ([], before + after)
