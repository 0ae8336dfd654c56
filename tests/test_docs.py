"""What the documentation says of the code is true, and complete."""

import re
from pathlib import Path

import pytest

from labelrank.data import CATALOG
from labelrank.measures import MEASURES

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_on_the_page(name):
    page = (ROOT / "docs" / "measures.md").read_text()
    assert re.search(rf"`{re.escape(name.replace('β', '1'))}[`@]", page)


def test_the_number_of_measures_in_the_readme():
    words = {33: "thirty-three", 34: "thirty-four", 35: "thirty-five", 36: "thirty-six"}
    assert f"{words[len(MEASURES)]} measures" in (ROOT / "README.md").read_text().replace("\n", " ")


def test_every_entry_of_the_catalog_has_a_source_and_a_licence():
    for entry in CATALOG.values():
        assert entry.source
        assert entry.licence
        assert entry.what


def test_public_names_are_importable_and_documented():
    import labelrank

    for name in labelrank.__all__:
        assert getattr(labelrank, name).__doc__, name
    assert set(labelrank.__all__) <= set(dir(labelrank))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        labelrank.nonsense  # noqa: B018
