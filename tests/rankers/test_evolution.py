"""Programs stay whole and shallow whatever is drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rankers.test_genetic_kernel import PROGRAMS

from labelrank.rankers.evolution import Evolution, best_of, depth_of, subtree
from labelrank.rankers.formula import arity


def evolution(seed=0, depth=5, crossover=0.9, mutation=0.5, tournament=3, size=30):
    return Evolution(4, 10, size, tournament, depth, crossover, mutation, seed)


def is_program(program):
    waiting = 0
    for code in program:
        if waiting < arity(code):
            return False
        waiting += 1 - arity(code)
    return waiting == 1


@given(PROGRAMS)
def test_subtrees_are_programs_and_the_deepest_gives_the_depth(program):
    assert subtree(program, len(program) - 1) == 0
    parts = [program[subtree(program, at) : at + 1] for at in range(len(program))]
    assert all(is_program(part) for part in parts)

    def levels(part):
        if part[-1] >= 0:
            return 1
        middle = subtree(part, len(part) - 2)
        below = [part[middle:-1], part[:middle]] if arity(part[-1]) == 2 else [part[:-1]]
        return 1 + max(map(levels, below))

    assert depth_of(program) == levels(program)


@given(st.integers(0, 10**6), st.integers(1, 8))
def test_every_generation_has_its_size_and_keeps_to_the_depth(seed, depth):
    drawn = evolution(seed, depth)
    programs = drawn.first()
    for _ in range(6):
        assert len(programs) == 30
        assert all(is_program(program) for program in programs)
        assert all(depth_of(program) <= depth for program in programs)
        assert all(code < 14 for program in programs for code in program)
        fitness = [float(hash(program) % 7) for program in programs]
        best = programs[best_of(programs, fitness)]
        programs = drawn.next(programs, fitness)
        assert programs[0] == best


def test_the_first_generation_has_full_trees_of_every_depth():
    programs = evolution(depth=4, size=60).first()
    assert {depth_of(program) for program in programs} >= {2, 3, 4}
    shallow = evolution(depth=1).first()
    assert all(len(program) == 1 for program in shallow)


def test_the_fittest_is_the_shortest_of_equals_then_the_first():
    programs = [(0, -1), (1,), (2,), (3, -1, -1)]
    assert best_of(programs, [1, 1, 1, 0]) == 1
    assert best_of(programs, [1, 1, 1, 2]) == 3


def test_without_crossing_and_mutation_children_are_the_winners_of_tournaments():
    drawn = evolution(crossover=0, mutation=0, tournament=25)
    programs = drawn.first()
    fitness = [float(len(program)) for program in programs]
    winners = drawn.next(programs, fitness)
    assert set(winners) <= set(programs)
    assert min(map(len, winners)) > sorted(map(len, programs))[10]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_draws_the_same(seed):
    one, two = evolution(seed), evolution(seed)
    assert one.first() == two.first()
    assert evolution(3).first() != one.first()
