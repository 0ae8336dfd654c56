"""Candidates, scaling, explanations and names: what every ranker shares."""

import numpy as np
import pytest

from labelrank import InputError, Ranking
from labelrank.measures import Judged
from labelrank.rankers import Candidates, Explanation
from labelrank.rankers.scaling import Scaling

RANKING = Ranking.from_lists([[2, 0], [], [1]], n_labels=3)
Y = np.array([[3.0, 0, 0], [1, 0, 0], [0, 0.5, 0]])
F = np.arange(6, dtype=np.float32).reshape(3, 2)
P = np.array([0.5, 0.25, 1.0])


def of(gain="grade", p=None, **weights):
    return Candidates.of(Judged(RANKING, Y, p), F, gain, **weights)


def test_grades_stand_beside_their_candidates():
    found = of()
    assert found.indptr.tolist() == [0, 2, 2, 3]
    assert found.n_groups == 3
    assert found.groups.tolist() == [0, 0, 2]
    assert found.grades.tolist() == [0, 3, 0.5]
    assert found.weights.tolist() == [1, 1, 1]
    assert found.gains.tolist() == [0, 3, 0.5]


def test_gains_are_weights_times_the_worth_of_the_grade():
    assert of("exp").gains.tolist() == [0, 2**3 - 1, 2**0.5 - 1]
    weighted = of(pair_weights=[1, 2, 3], label_weights=[10, 20, 30])
    assert weighted.weights.tolist() == [1 * 30, 2 * 10, 3 * 20]
    assert weighted.gains.tolist() == [0, 20 * 3, 60 * 0.5]
    rare = of("propensity", P)
    assert rare.weights.tolist() == [1 / 1.0, 1 / 0.5, 1 / 0.25]
    assert rare.gains.tolist() == [0, 2 * 3, 4 * 0.5]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"gain": "propensity"}, "needs propensities"),
        ({"pair_weights": [1, 2]}, r"pair_weights must be 3 numbers, one a candidate; found \(2,"),
        ({"label_weights": [1, 2]}, "label_weights must be 3 numbers, one a label"),
        ({"label_weights": ["a", "b", "c"]}, "label_weights must be 3 numbers"),
        ({"pair_weights": [1, -2, 1]}, "pair_weights has a value that is negative"),
        ({"pair_weights": [1, np.inf, 1]}, "pair_weights has a value that is negative, NaN or inf"),
    ],
)
def test_weights_that_cannot_be(arguments, says):
    with pytest.raises(InputError, match=says):
        of(**arguments)


def test_a_grade_too_large_for_exponential_gains():
    with pytest.raises(InputError, match="the grade 2000 is too large for gain='exp'"):
        Candidates.of(Judged(RANKING, Y * 2000 / 3), F, "exp")


def test_scaled_columns_have_mean_0_and_variance_1_and_constant_ones_count_for_nothing():
    rng = np.random.default_rng(0)
    columns = rng.normal(5, 3, (1000, 3)).astype(np.float32)
    columns[:, 1] = 0.1  # whose float32 sum is not exact
    before = columns.copy()
    scaling = Scaling(columns)
    found = scaling.apply(columns)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(columns, before)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(found.std(axis=0), [1, 0, 1], atol=1e-5)
    assert (scaling.apply(columns + 7)[:, 1] == 0).all()


def test_an_explanation_adds_up_and_names_the_strongest():
    found = Explanation(
        np.array([[0.5, -2.0, 0.0], [1.0, 1.0, 1.0]]), np.array([1.0, 0.0]), ["a", "b", "c"]
    )
    assert found.scores.tolist() == [-0.5, 3.0]
    assert found.strongest(0) == [("b", -2.0), ("a", 0.5)]
    assert found.strongest(1, 1) == [("a", 1.0)]
    assert found.rows(0)[0] == {"feature": "b", "contribution": -2.0}
    text = str(found)
    assert text.splitlines()[0].split() == ["candidate", "0", "-0.5000"]
    assert "b            -2.0000" in text
    many = Explanation(np.zeros((5, 1)), np.zeros(5), ["a"], "a + 1")
    assert str(many).startswith("a + 1\n")
    assert str(many).endswith("…")
