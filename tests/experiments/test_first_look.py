"""The first look that `labelrank demo` gives."""

import numpy as np
import pytest

from labelrank import Dataset, InputError
from labelrank.experiments import first_look
from labelrank.experiments.looks import titled


def things(titles, **given):
    Y = np.eye(2)[np.arange(len(titles)) % 2]
    return Dataset(None, Y, texts={"title": titles}, label_names=["even", "odd"], **given)


def test_neighbours_find_what_the_words_tell():
    titles = [f"{('red', 'blue')[i % 2]} thing {i}" for i in range(40)]
    look = first_look(things(titles, name="colours"))
    assert look.comparison.methods == ["nearest neighbours", "popularity"]
    assert look.evaluations["nearest neighbours"]["P@1"].value == 1
    assert (len(look.train), len(look.test)) == (32, 8)
    for title, truth, listed in look.examples():
        assert title in titles
        assert listed[0] == (truth[0], True)
    page = look.report().html()
    assert "<mark>even</mark>" in page
    assert "<script" not in page


def test_a_thing_is_called_by_its_title_unless_the_id_says_more():
    titles = ["ridge regression", "x" * 99] * 10
    look = first_look(things(titles, ids=[f"lib.{titles[i]}.{i}" for i in range(20)]))
    assert all(titled(look.test, i) == look.test.ids[i] for i in range(4))
    look = first_look(things(titles, ids=[str(i) for i in range(20)]))
    assert {titled(look.test, i) for i in range(4)} <= {"ridge regression", "x" * 59 + "…"}
    look = first_look(Dataset(np.ones((20, 1)), np.ones((20, 1))))
    assert titled(look.test, 3) == "3"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (things(["a b"] * 9), "has 9 labelled rows; 10 are needed"),
        (things(["the"] * 20), "no words that two things share"),
        (things([f"word{i}" for i in range(20)]), "no words that two things share"),
        (Dataset(None, np.eye(12)), "has no text fields"),
    ],
)
def test_data_with_nothing_to_learn_from(data, says):
    with pytest.raises(InputError, match=says):
        first_look(data)
