"""The solver and its losses: slopes, curvature, optima that other solvers find too."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import machines as twin
from scipy.optimize import minimize

from labelrank.scorers._losses import Logistic, PairHinge, SquaredHinge
from labelrank.scorers._newton import newton

LOSSES = {"squared hinge": SquaredHinge, "logistic": Logistic, "pairs": PairHinge}
PLAIN = {
    "squared hinge": twin.squared_hinge,
    "logistic": twin.logistic,
    "pairs": lambda F, Y, C: twin.pair_hinge(F, Y, C)[0],
}
FORMS = {"dense": np.asarray, "sparse": sp.csr_array}


@st.composite
def scored(draw):
    """Scores with ties and margins met exactly, and labels."""
    shape = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    F = draw(arrays(np.float64, shape, elements=st.integers(-6, 6))) / 4
    return F, draw(arrays(np.bool_, shape))


@given(scored(), st.sampled_from([0.5, 3.0]))
def test_pairs_are_those_that_are_counted_one_by_one(problem, C):
    F, Y = problem
    loss, columns = PairHinge(Y, C), np.arange(F.shape[1])
    value, slopes, bend = twin.pair_hinge(F, Y, C)
    at = loss.at(F, columns)
    np.testing.assert_allclose(loss.values(F, columns).sum(), value, atol=1e-12)
    np.testing.assert_allclose(at.slopes, slopes, atol=1e-12)
    V = np.random.default_rng(0).standard_normal(F.shape)
    np.testing.assert_allclose(at.bend(V), bend(V), atol=1e-12)
    diagonal = [bend(unit.reshape(F.shape)).ravel()[i] for i, unit in enumerate(np.eye(F.size))]
    np.testing.assert_allclose(at.diagonal.ravel(), diagonal, atol=1e-12)


@pytest.mark.parametrize("name", LOSSES)
def test_slopes_and_curvature_are_finite_differences(name):
    rng = np.random.default_rng(0)
    F, Y, V = rng.standard_normal((5, 7)), rng.random((5, 7)) < 0.4, rng.standard_normal((5, 7))
    loss, columns, step = LOSSES[name](Y, 2.0), np.arange(7), 1e-6

    def value(t):
        return loss.values(F + t * V, columns).sum()

    at = loss.at(F, columns)
    np.testing.assert_allclose(value(0), np.sum(PLAIN[name](F, Y, 2.0)), rtol=1e-12)
    slope = (value(step) - value(-step)) / (2 * step)
    np.testing.assert_allclose((at.slopes * V).sum(), slope, rtol=1e-6)
    ahead, behind = (loss.at(F + t * V, columns).slopes for t in (step, -step))
    np.testing.assert_allclose(at.bend(V), (ahead - behind) / (2 * step), atol=1e-6)
    np.testing.assert_allclose(
        loss.at(F[[3, 1]], columns, np.array([3, 1])).slopes, at.slopes[[3, 1]], rtol=1e-12
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("name", LOSSES)
def test_optima_are_those_of_another_solver(name, C, form):
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((40, 5)), rng.random((40, 3)) < 0.4

    def objective(p):
        P = p.reshape(6, 3)
        return 0.5 * (P[:5] ** 2).sum() + np.sum(PLAIN[name](X @ P[:5] + P[5], Y, C))

    W, b, F = newton(FORMS[form](X), LOSSES[name](Y, C), np.zeros(3), tol=1e-6)
    np.testing.assert_allclose(F, X @ W + b, atol=1e-9)
    ours = objective(np.vstack([W, b]))
    theirs = minimize(objective, np.zeros(18), method="BFGS", options={"gtol": 1e-3 * C})
    assert ours <= theirs.fun * (1 + 1e-9)
    assert ours >= theirs.fun * (1 - 1e-2)


def test_columns_that_arrive_early_rest():
    """Together with hard ones, easy problems end where they end alone."""
    rng = np.random.default_rng(2)
    X, Y = rng.standard_normal((60, 4)) * [1, 10, 0.1, 1], rng.random((60, 4)) < 0.5
    Y[:, 1] = X[:, 0] > 0
    W, b, _ = newton(X, Logistic(Y, 10.0), np.zeros(4), tol=1e-8)
    for j in range(4):
        alone = newton(X, Logistic(Y[:, [j]], 10.0), np.zeros(1), tol=1e-8)
        np.testing.assert_allclose(W[:, [j]], alone[0], rtol=1e-5, atol=1e-8)
        np.testing.assert_allclose(b[j], alone[1][0], rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("name", LOSSES)
def test_rows_of_zeros_and_columns_that_do_not_differ(name):
    """The optimum has no weights, and rounding is not followed for ever."""
    Y = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]], dtype=bool)
    for X in (np.zeros((3, 4)), np.ones((3, 4)), np.full((3, 4), 1e8)):
        W, b, F = newton(X, LOSSES[name](Y, 1.0), np.zeros(3))
        assert np.isfinite(b).all()
        assert np.abs(W).max() < 1e-3
        np.testing.assert_allclose(np.ptp(F, axis=0), 0, atol=1e-3)
