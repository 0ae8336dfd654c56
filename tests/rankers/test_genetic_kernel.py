"""Postfix programs: the kernel against its twin, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from reference import genetic as twin
from strategies import entries

from labelrank import _native

D = 3
CONSTANTS = np.array([0.25, 1e-30, -2.0], dtype=np.float32)
ONES = np.ones(D, dtype=np.float32)
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-45, 1e-39, 3.4e38, -3.4e38, 1e20, 0.7071068, 1.4142135]
VALUES = st.one_of(
    st.sampled_from(np.array(EDGES, dtype=np.float32)),
    st.floats(width=32, allow_nan=False, allow_infinity=False),
)

LEAVES = st.integers(0, D + len(CONSTANTS) - 1).map(lambda code: (code,))
PROGRAMS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda a: (*a, -1)),
        st.builds(lambda a, b, op: (*a, *b, op), inner, inner, st.integers(-5, -2)),
    ),
    max_leaves=12,
)


def codes(program):
    return np.array(program, dtype=np.int32)


@given(PROGRAMS, arrays(np.float32, st.tuples(st.integers(0, 5), st.just(D)), elements=VALUES))
def test_scores_are_those_of_the_twin_to_the_last_bit(program, F):
    factors = np.array([1, 0.5, 2.0**100], dtype=np.float32)
    found = _native.genetic_scores(F, factors, codes(program), CONSTANTS)
    np.testing.assert_array_equal(found, twin.scores(F, factors, program, CONSTANTS))
    assert np.isfinite(found).all()


def test_the_logarithm_is_rounded_right_everywhere():
    rng = np.random.default_rng(0)
    bits = rng.integers(1, 0x7F800000, 20_000, dtype=np.int32)  # all sizes of positive floats
    near_one = (1 + rng.normal(0, 1e-3, 20_000)).astype(np.float32)
    x = np.concatenate([bits.view(np.float32), near_one])[:, None]
    found = _native.genetic_scores(x, ONES[:1], codes([0, -1]), CONSTANTS)
    np.testing.assert_array_equal(found, twin.logarithm(x[:, 0]))


def test_protected_operators_by_hand():
    F = np.array([[6, 3, 0], [6, 0, 0], [-6, 3, 0]], dtype=np.float32)
    run = lambda *program: _native.genetic_scores(F, ONES, codes(program), CONSTANTS).tolist()  # noqa: E731
    assert run(0, 1, -2) == [2, 0, -2]
    assert run(0, 2, -2) == [0, 0, 0]
    assert run(0, -1) == pytest.approx([np.log(6), np.log(6), 0])
    assert run(0, 1, -4) == [3, 6, -9]  # the left operand is the one that was pushed first
    assert run(0, 1, -5, 0, -3) == [54, 36, 18]


@given(
    entries(max_labels=6),
    st.lists(PROGRAMS, max_size=3),
    st.sampled_from(["nDCG", "MAP", "RR"]),
    st.integers(0, 7),
    st.data(),
)
def test_fitness_is_that_of_the_twin(rows, programs, measure, k, data):
    size = len(rows.labels)
    gains = data.draw(arrays(np.float64, size, elements=st.sampled_from([0, 0, 1, 2.5])))
    grid = st.sampled_from(np.array([-1, 0, 0.5, 2], dtype=np.float32))
    columns = data.draw(arrays(np.float32, (D, size), elements=grid))
    offsets = np.cumsum([0, *map(len, programs)]).astype(np.int64)
    together = codes([code for program in programs for code in program])
    found = _native.genetic_fitness(
        columns, rows.indptr, gains, offsets, together, CONSTANTS, measure, k
    )
    want = twin.fitness(columns, rows.indptr, gains, programs, CONSTANTS, measure, k)
    np.testing.assert_allclose(found, want, atol=1e-12)


@pytest.mark.parametrize("share", [0.02, 0.9])  # counted, and sorted or cut
@pytest.mark.parametrize("measure", ["nDCG", "MAP", "RR"])
def test_large_groups_and_blocks_have_the_same_fitness(share, measure):
    rng = np.random.default_rng(1)
    indptr = np.array([0, 700, 700, 701, 1500])
    gains = (rng.random(1500) < share) * rng.random(1500)
    columns = rng.integers(0, 40, (D, 1500)).astype(np.float32)
    program = codes([0, 1, -3, 2, -1, -5])
    for k in (0, 10):
        found = _native.genetic_fitness(
            columns, indptr, gains, np.array([0, 6]), program, CONSTANTS, measure, k
        )
        scores = twin.scores(columns.T, ONES, program, CONSTANTS)
        want = _native.group_values(indptr, scores, gains, measure, k)
        assert found == pytest.approx([want.mean()], abs=1e-12)


@given(PROGRAMS, st.integers(1, 1200))
def test_a_score_depends_on_its_own_row_alone(program, n):
    F = np.random.default_rng(n).normal(size=(n, D)).astype(np.float32)
    whole = _native.genetic_scores(F, ONES, codes(program), CONSTANTS)
    for i in (0, n // 2, n - 1):
        alone = _native.genetic_scores(F[i : i + 1].copy(), ONES, codes(program), CONSTANTS)
        assert alone[0] == whole[i]


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ([], "leaves 0 values"),
        ([0, 1], "leaves 2 values"),
        ([-1], "without operands"),
        ([0, -5], "without operands"),
        ([-6], "the code -6"),
        ([6], "the code 6"),
        ([2**31 - 1], "no operator, feature or constant"),
        ([-(2**31)], "no operator, feature or constant"),
        ([0] * 65 + [-5] * 64, "nested too deeply"),
    ],
)
def test_programs_that_cannot_run_are_refused(program, says):
    F = np.ones((2, D), dtype=np.float32)
    with pytest.raises(ValueError, match=says):
        _native.genetic_scores(F, ONES, codes(program), CONSTANTS)
    with pytest.raises(ValueError, match=says):
        _native.genetic_fitness(
            F.T.copy(), np.array([0, 2]), np.ones(2), np.array([0, 1, 1 + len(program)]),
            codes([0, *program]), CONSTANTS, "nDCG", 1,
        )  # fmt: skip


def test_arrays_that_do_not_fit_are_refused():
    F, one, indptr = np.ones((2, D), dtype=np.float32), codes([0]), np.array([0, 2])
    with pytest.raises(ValueError, match="factors has 2 values where 3"):
        _native.genetic_scores(F, ONES[:2], one, CONSTANTS)
    columns = F.T.copy()
    for args, says in (
        ((indptr, np.ones(3), np.array([0, 1])), "gains has"),
        ((np.array([0, 3]), np.ones(2), np.array([0, 1])), "indptr must"),
        ((indptr, np.ones(2), np.array([0, 2])), "offsets must"),
        ((indptr, np.ones(2), np.array([1, 1])), "offsets must"),
    ):
        with pytest.raises(ValueError, match=says):
            _native.genetic_fitness(columns, *args, one, CONSTANTS, "nDCG", 1)
    with pytest.raises(ValueError, match="the measure must be"):
        _native.genetic_fitness(
            columns, indptr, np.ones(2), np.array([0, 1]), one, CONSTANTS, "P", 1
        )


@pytest.mark.parametrize("program", [[0], [0, 1, -5], [3], [0, -1]])
def test_scores_are_finite_and_sortable_whatever_is_put_in(program):
    F = np.tile(np.array([np.nan, np.inf, -np.inf], dtype=np.float32), (600, 1))
    wild = np.array([np.nan], dtype=np.float32)
    assert np.isfinite(_native.genetic_scores(F, ONES, codes(program), wild)).all()
    gains, offsets = np.ones(600), np.array([0, len(program)])
    for measure in ("nDCG", "RR"):
        found = _native.genetic_fitness(
            F.T.copy(), np.array([0, 600]), gains, offsets, codes(program), wild, measure, 3
        )
        assert found == pytest.approx([1])  # all are relevant
