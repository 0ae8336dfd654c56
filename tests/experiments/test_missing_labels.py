"""Figure 3's simulation: what is hidden, what stays unbiased; Figure 2's curves and their fit."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelrank import evaluate, propensities
from labelrank.data import Dataset, SyntheticExtreme
from labelrank.experiments.missing_labels import Point, curve, hide, simulate
from labelrank.experiments.paper_003 import SIZES, paper
from labelrank.experiments.propensity_curves import propensity_curves
from labelrank.measures.propensity_model import model
from labelrank.scorers import NearestNeighbours

WHOLE = SyntheticExtreme(3000, n_labels=300).dataset()
TRAIN, TEST = WHOLE[:2000], WHOLE[2000:]


@pytest.mark.parametrize(("A", "B"), [(0.2, 1.5), (0.55, 1.5), (0.6, 2.6), (1.0, 0.4)])
def test_what_is_left_follows_formula_1(A, B):
    found = curve(TRAIN.Y, A, B)
    counts = np.bincount(TRAIN.Y.indices, minlength=300)
    np.testing.assert_allclose(model(counts * found.p, len(TRAIN), A, B), found.p, rtol=1e-9)
    assert ((found.p > 0) & (found.p < 1)).all()
    assert found.missing == pytest.approx(1 - (counts * found.p).sum() / counts.sum())


def test_a_smaller_a_hides_more():
    missing = [curve(TRAIN.Y, A, 1.5).missing for A in (0.2, 0.4, 0.6, 0.8)]
    assert missing == sorted(missing, reverse=True)


def test_labels_are_kept_with_their_propensities_and_none_appears():
    Y = sp.csr_array(np.ones((20_000, 3)) * [1, 2, 3])
    p = np.array([0.1, 0.5, 0.9])
    kept = hide(Y, p, 0)
    shares = np.bincount(kept.indices, minlength=3) / 20_000
    np.testing.assert_allclose(shares, p, atol=0.015)
    assert set(kept.data.tolist()) == {1, 2, 3}
    hidden = hide(WHOLE.Y, curve(WHOLE.Y, 0.55, 1.5).p, 0)
    assert (hidden > WHOLE.Y).nnz == 0
    assert (hide(WHOLE.Y, np.ones(300)) != WHOLE.Y).nnz == 0
    assert (hidden != hide(WHOLE.Y, curve(WHOLE.Y, 0.55, 1.5).p, 0)).nnz == 0


@pytest.fixture(scope="module")
def missing():
    class Weighted(NearestNeighbours):
        """Votes weigh 1/p for the A and B that it believes in."""

        def __init__(self, A=0.55, B=1.5, k=10, top=None, n_jobs=None):
            super().__init__(k, top, n_jobs)
            self.A = A
            self.B = B

        def _fit(self, X, Y):
            p = propensities(Y, A=self.A, B=self.B)[Y.indices]
            weighted = (Y.data / p).astype(np.float32)
            super()._fit(X, sp.csr_array((weighted, Y.indices, Y.indptr), shape=Y.shape))

    said = []
    found = simulate(
        TRAIN, TEST, lambda seed: NearestNeighbours(k=10), lambda seed, A, B: Weighted(A, B),
        shapes=(0.35, 0.55, 1.0), seeds=2, say=said.append,
    )  # fmt: skip
    return found, said


def test_propensity_scored_precision_is_unbiased_and_plain_precision_is_not(missing):
    found, _ = missing
    ranking = NearestNeighbours(k=10).fit(TRAIN.X, TRAIN.Y).rank(TEST.X, 3)
    assert found.complete == evaluate(ranking, TEST.Y, "P@3")["P@3"].value
    for at, each in enumerate(found.curves):
        error = 3 * found.scored[at].deviation / np.sqrt(20 * found.seeds)
        assert found.scored[at].mean == pytest.approx(found.complete, abs=max(error, 1e-3))
        assert found.observed[at].mean < found.complete - each.missing / 4


def test_training_is_judged_on_complete_labels(missing):
    found, said = missing
    values = [found.without[at].mean for at in range(3)]
    assert values == sorted(values)  # fewer missing labels are better
    assert found.believed[0.55] == found.with_[1]
    assert found.believed[0.35] != found.with_[1]
    assert set(found.believed) == {0.35, 0.55, 1.0}
    p = curve(TRAIN.Y, 0.55, 1.5).p
    scores = []
    for seed in range(2):
        scorer = NearestNeighbours(k=10).fit(TRAIN.X, hide(TRAIN.Y, p, [0, seed]))
        scores.append(evaluate(scorer.rank(TEST.X, 3), TEST.Y, "nDCG@3")["nDCG@3"].value)
    assert found.without[1] == Point.of(scores)
    assert len(said) == 7


def test_mean_and_deviation():
    assert Point.of([1.0, 3.0]) == Point(2.0, 2**0.5)
    assert Point.of([2.0]) == Point(2.0, 0.0)


def test_a_and_b_are_found_again():
    Y = SyntheticExtreme(20_000, n_labels=2000, n_features=1000, labels_per_row=8).dataset().Y
    found = propensity_curves(Y)
    assert found.fitted[0] == pytest.approx(0.55, abs=0.1)
    np.testing.assert_allclose(
        list(found.propensities.values())[-1], found.propensities["default (A=0.55, B=1.5)"],
        atol=0.06,
    )  # fmt: skip
    assert (np.diff(found.bins[:, 0]) >= 0).all()
    assert all(w[-1] == 1 and (np.diff(w) < 0).all() for w in found.weights.values())


def test_curves_of_a_tiny_data_set():
    found = propensity_curves(np.eye(4))
    assert np.isfinite([*found.fitted, *found.bins.ravel()]).all()


def test_the_papers_figures():
    eurlex = SIZES["eurlex"]
    assert paper(eurlex, "FastXML", "PSnDCG@1") == paper(eurlex, "FastXML", "PSP@1") == 0.2761
    assert paper(SIZES["amazon670k"], "PfastreXML", "C@5") == 0.4013
    assert paper(SIZES["ads9m"], "SLEEC", "PSP@1") is None
    assert paper((1, 2, 3), "FastXML", "PSP@1") is None
    first = [paper(sizes, m, "PSP@1") for sizes in SIZES.values()
             for m in ("Popularity", "FastXML", "PfastXML", "PfastreXML")]  # fmt: skip
    assert None not in first


def test_a_dataset_without_some_labels():
    few = Dataset(TRAIN.X[:50], TRAIN.Y[:50])
    assert curve(few.Y, 0.55, 1.5).p.shape == (300,)
    assert 0 < curve(np.zeros((10, 2)), 0.55, 1.5).p[0] < 1
