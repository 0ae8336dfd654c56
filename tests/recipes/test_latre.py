"""LATRE and LATREwTS: formula 13, and alpha from held-out things."""

import numpy as np
import pytest
from tagged import PLAIN, dataset

from labelrank import InputError, evaluate, load_model
from labelrank.data import half_of_the_tags
from labelrank.recipes import LATRE, LATREwTS
from labelrank.scorers import AssociationRules, Terms

RNG = np.random.default_rng(0)


def things(n, noise):
    """Tags say nothing of each other, and texts say the tags: all there is, is in the text."""
    made = []
    for _ in range(n):
        tags = set(RNG.choice(list("abcd"), 2, replace=False).tolist())
        said = sorted(tags) if noise == "tags" else RNG.choice(list("abcd"), 2).tolist()
        made.append((tags, (list(said), [])))
    return made


def test_latre_is_the_sum_of_confidences():
    D = things(40, "tags")
    data, new = dataset(D), dataset([({"a", "b"}, (["c"], []))])
    assert LATRE(settings=PLAIN).fit(data).rank(new) == AssociationRules(settings=PLAIN).fit(
        data
    ).rank(new)


@pytest.mark.parametrize("alpha", [0.0, 0.25, 1.0])
def test_formula_13(alpha):
    data = dataset(things(40, "tags"))
    new = dataset([({"a"}, (["c", "d"], ["d"]))])
    model = LATREwTS(alpha=alpha, settings=PLAIN).fit(data)
    parts = [s(settings=PLAIN).fit(data).rank(new).to_csr().toarray() for s in
             (AssociationRules, Terms)]  # fmt: skip
    got = model.rank(new).to_csr().toarray()
    np.testing.assert_allclose(got, alpha * parts[0] + (1 - alpha) * parts[1], rtol=1e-6)


def test_alpha_is_chosen_on_held_out_things():
    data = dataset(things(200, "tags"))
    model = LATREwTS(settings=PLAIN, alphas=[0.0, 0.5, 1.0]).fit(data)
    assert model.alpha_ < 1  # the texts say it all
    given, gold = half_of_the_tags(data.Y, 1)
    test = type(data)(Y=given, label_names=data.label_names, texts=data.texts)
    assert evaluate(model.rank(test, 5), gold, "P@1")["P@1"].value > 0.9


def test_one_thing_is_enough():
    data = dataset([({"a", "b"}, (["a"], []))])
    assert LATREwTS(settings=PLAIN).fit(data).alpha_ == 1.0


def test_saved_and_loaded(tmp_path):
    data = dataset(things(30, "tags"))
    model = LATREwTS(settings=PLAIN).fit(data)
    model.save(tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert again.alpha_ == model.alpha_
    assert again.rank(data) == model.rank(data)


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"alpha": 2}, r"alpha must lie in 0\.\.1, found \[2\]"),
        ({"alphas": []}, r"alpha must lie in 0\.\.1, found \[\]"),
        ({"holdout": 1.0}, "holdout must be a share between 0 and 1 or a number of parts from 2"),
        ({"holdout": 1}, "holdout must be a share"),
        ({"length": 5}, "length must be a whole number"),
    ],
)
def test_parameters_that_cannot_be_used(params, says):
    with pytest.raises(InputError, match=says):
        LATREwTS(**params).fit(dataset(things(5, "tags")))
