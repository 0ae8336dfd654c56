"""napkinXC's measures, each under the policies that it has built in."""

import numpy as np
import pytest
import scipy.sparse as sp
from napkinxc import metrics as napkin

from labelrank import Ranking, measure, propensities
from labelrank.measures.propensity_model import PRESETS

N, M, K = 120, 30, 5
RNG = np.random.default_rng(0)
TRUTH = RNG.random((N, M)) < 0.1  # some rows are empty
LISTS = [RNG.permutation(M)[: RNG.integers(0, 9)].tolist() for _ in range(N)]  # some are short
RANKING = Ranking.from_lists(LISTS, n_labels=M)
RELEVANT = [np.flatnonzero(row).tolist() for row in TRUTH]
TRAINING = (RNG.random((2000, M)) < RNG.random(M) ** 4).astype(float)
P = propensities(TRAINING)


def test_the_example_has_empty_rows_and_short_lists():
    assert min(map(len, RELEVANT)) == 0
    assert {0, 1, 8} <= set(map(len, LISTS))


def at_each_k(notation):
    """The values @1 to @5."""
    found = [measure(f"{notation}@{k}")(RANKING, TRUTH, propensities=P) for k in range(1, K + 1)]
    return [score.value for score in found]


def agree(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9)
    assert np.ptp(np.ravel(wanted)) > 0 or np.size(wanted) == 1
    assert np.min(wanted) > 0


def test_precision():
    agree(at_each_k("P"), napkin.precision_at_k(RELEVANT, LISTS, k=K))


@pytest.mark.parametrize(("empty", "zero_division"), [("zero", 0), ("one", 1)])
def test_recall(empty, zero_division):
    wanted = napkin.recall_at_k(RELEVANT, LISTS, k=K, zero_division=zero_division)
    agree(at_each_k(f"R(empty={empty})"), wanted)


@pytest.mark.parametrize(("empty", "zero_division"), [("zero", 0), ("one", 1)])
def test_ndcg(empty, zero_division):
    wanted = napkin.ndcg_at_k(RELEVANT, LISTS, k=K, zero_division=zero_division)
    agree(at_each_k(f"nDCG(empty={empty})"), wanted)


@pytest.mark.parametrize("norm", ["plain", "normalised"])
@pytest.mark.parametrize(
    ("name", "options", "oracle"),
    [
        ("PSP", "", napkin.psprecision_at_k),
        ("PSR", ",count=observed", napkin.psrecall_at_k),
        ("PSnDCG", ",depth=labels", napkin.psndcg_at_k),
    ],
)
def test_propensity_scored(name, options, oracle, norm):
    wanted = oracle(RELEVANT, LISTS, 1 / P, k=K, normalize=norm == "normalised")
    agree(at_each_k(f"{name}(norm={norm}{options})"), wanted)


def test_a_scored_matrix_is_ranked_alike():
    scores = np.random.default_rng(1).random((N, M))
    wanted = napkin.precision_at_k(TRUTH.astype(int), scores, k=K)
    ranking = Ranking.from_dense(scores, k=K)
    agree([measure(f"P@{k}")(ranking, TRUTH).value for k in range(1, K + 1)], wanted)


def test_hamming_loss_is_not_divided_by_the_number_of_labels():
    found = measure("HLoss")(RANKING, TRUTH).value * M
    agree(found, napkin.hamming_loss(RELEVANT, LISTS))


def test_micro_f1():
    agree(measure("micro-F1")(RANKING, TRUTH).value, napkin.micro_f1_measure(RELEVANT, LISTS))


def test_samples_f1():
    found = measure("ex-F1(empty=zero)")(RANKING, TRUTH).value
    agree(found, napkin.samples_f1_measure(RELEVANT, LISTS))


def test_macro_f1_leaves_out_labels_that_never_occur():
    wider = Ranking.from_lists(LISTS, n_labels=M + 3)
    Y = np.pad(TRUTH, ((0, 0), (0, 3)))
    wanted = napkin.macro_f1_measure(RELEVANT, LISTS)
    agree(measure("macro-F1(empty=skip)")(wider, Y).value, wanted)
    agree(measure("macro-F1")(wider, Y).value * (M + 3) / M, wanted)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_propensity_model(preset):
    A, B = PRESETS[preset]
    wanted = napkin.Jain_et_al_propensity(sp.csr_matrix(TRAINING), A=A, B=B)
    agree(propensities(TRAINING, preset), wanted)
