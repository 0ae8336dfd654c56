"""ThresholdNetwork: thresholds that follow the row, where one number cannot."""

import numpy as np
import pytest
from store.forging import forge, with_arrays

from labelrank import InputError, Ranking, load_model
from labelrank.cutoffs import Threshold, ThresholdNetwork

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 2)).astype(np.float32)
SCORES = RNG.normal(size=(300, 5)) + 3 * X[:, :1]  # the level of a row's scores is in its features
Y = (SCORES - 3 * X[:, :1] > np.linspace(-1, 1, 5)).astype(float)
SCORES *= 4
RANKING = Ranking.from_dense(SCORES)


@pytest.fixture(scope="module")
def fitted():
    return ThresholdNetwork(rate=0.02, random_state=0).fit(RANKING[:250], Y[:250], X[:250])


def errors(kept, truth):
    return ((kept.to_csr().toarray() != 0) != (truth > 0)).mean()


def test_it_learns_thresholds_that_depend_on_the_row_and_the_label(fitted):
    test = RANKING[250:]
    one = Threshold().fit(RANKING[:250], Y[:250]).keep(test)
    assert errors(fitted.keep(test, X[250:]), Y[250:]) < 0.07 < errors(one, Y[250:])


def test_short_lists_and_the_same_seed(fitted):
    short = RANKING.top(3)
    one, two = (ThresholdNetwork(epochs=5).fit(short, Y, X).keep(short, X) for _ in "ab")
    assert one == two
    assert (one.lengths <= 3).all()


def test_it_is_saved_and_forged_ones_are_refused(fitted, tmp_path):
    fitted.save(tmp_path / "m")
    assert load_model(tmp_path / "m").keep(RANKING, X) == fitted.keep(RANKING, X)
    for changes in (
        {"weights_.out.bias": np.zeros(4, "f4")},
        {"weights_.centre": np.zeros(3, "f4")},
        {"weights_.hidden.weight": np.zeros(3, "f4")},
        {"weights_.out.weight": None},
    ):
        fitted.save(tmp_path / "f")
        with pytest.raises(InputError):
            load_model(forge(tmp_path / "f", arrays=with_arrays(tmp_path / "f", changes)))


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (None, "needs the rows"),
        (X[:5], "X must be 300 rows of features"),
        (X * np.nan, "NaN or infinite"),
        (np.array([["a", "b"]] * 300), "X must be 300 rows"),
    ],
)
def test_rows_that_cannot_be(rows, says, fitted):
    with pytest.raises(InputError, match=says):
        ThresholdNetwork().fit(RANKING, Y, rows)
    with pytest.raises(InputError, match=says):
        fitted.keep(RANKING, rows)


def test_other_bad_input(fitted):
    with pytest.raises(
        InputError, match="X has 3 features, but ThresholdNetwork was fitted with 2"
    ):
        fitted.keep(RANKING, np.zeros((300, 3)))
    with pytest.raises(InputError, match="epochs must be whole"):
        ThresholdNetwork(epochs=1.5).fit(RANKING, Y, X)
    with pytest.raises(InputError, match="rate must be a finite number"):
        ThresholdNetwork(rate=-1).fit(RANKING, Y, X)
