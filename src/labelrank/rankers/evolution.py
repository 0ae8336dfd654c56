"""Evolution: programs that are drawn, selected, crossed and mutated (paper 001, §4.3.8)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from labelrank.rankers.formula import LOG, OPERATORS, arity

__all__ = ["Evolution", "Program", "depth_of", "subtree"]

Program: TypeAlias = tuple[int, ...]
"""Codes of `Formula` in postfix order."""

_LEAF = 0.1  # a branch of a grown tree ends early with this probability
_CONSTANT = 0.2  # a leaf is a constant with this probability
_TRIES = 3  # crossing points tried until neither child is too deep


@dataclass
class Evolution:
    """All random choices of the genetic program, from one generator, in one place.

    Parameters
    ----------
    n_features, n_constants : int
        Leaves: features, then constants.
    size, tournament, depth, crossover, mutation
        As in `GeneticProgram`.
    seed : int
    """

    n_features: int
    n_constants: int
    size: int
    tournament: int
    depth: int
    crossover: float
    mutation: float
    seed: int
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def first(self) -> list[Program]:
        """The initial population: trees of all depths, half full, half grown."""
        shallow = min(2, self.depth)
        depths = range(shallow, self.depth + 1)
        return [
            tuple(self._tree(depths[i // 2 % len(depths)], full=i % 2 == 0))
            for i in range(self.size)
        ]

    def next(self, population: Sequence[Program], fitness: Sequence[float]) -> list[Program]:
        """The next generation: the best program as it is, then children of tournaments."""
        children = [population[best_of(population, fitness)]]
        while len(children) < self.size:
            pair = self._selected(population, fitness), self._selected(population, fitness)
            if self._chance(self.crossover):
                pair = self._crossed(*pair)
            children += [
                self._mutated(child) if self._chance(self.mutation) else child for child in pair
            ]
        return children[: self.size]

    def _selected(self, population: Sequence[Program], fitness: Sequence[float]) -> Program:
        drawn = [self._below(len(population)) for _ in range(self.tournament)]
        return population[min(drawn, key=lambda i: (-fitness[i], len(population[i])))]

    def _crossed(self, one: Program, other: Program) -> tuple[Program, Program]:
        """Two programs with a subtree of each exchanged, or as they were if always too deep."""
        for _ in range(_TRIES):
            (a, b), (c, d) = self._drawn_subtree(one), self._drawn_subtree(other)
            first = one[:a] + other[c:d] + one[b:]
            second = other[:c] + one[a:b] + other[d:]
            if depth_of(first) <= self.depth and depth_of(second) <= self.depth:
                return first, second
        return one, other

    def _mutated(self, program: Program) -> Program:
        """A subtree replaced by a new one that fits below its place."""
        a, b = self._drawn_subtree(program)
        room = self.depth - _level(program, b - 1)
        new = self._tree(1 + self._below(room), full=False)
        return program[:a] + tuple(new) + program[b:]

    def _tree(self, depth: int, full: bool) -> list[int]:
        if depth == 1 or (not full and self._chance(_LEAF)):
            return [self._leaf()]
        code = OPERATORS[self._below(len(OPERATORS))]
        operands = [self._tree(depth - 1, full) for _ in range(arity(code))]
        return [*(c for operand in operands for c in operand), code]

    def _leaf(self) -> int:
        if self._chance(_CONSTANT):
            return self.n_features + self._below(self.n_constants)
        return self._below(self.n_features)

    def _drawn_subtree(self, program: Program) -> tuple[int, int]:
        end = self._below(len(program)) + 1
        return subtree(program, end - 1), end

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _below(self, n: int) -> int:
        # random() is the same in every version of Python; randrange is not promised to be
        return int(self._random.random() * n)


def best_of(population: Sequence[Program], fitness: Sequence[float]) -> int:
    """The fittest; of equals the shortest, then the first."""
    return min(range(len(population)), key=lambda i: (-fitness[i], len(population[i])))


def subtree(program: Program, root: int) -> int:
    """Where the subtree begins that ends with the code at `root`."""
    missing, at = 1, root
    while True:
        missing += arity(program[at]) - 1
        if missing == 0:
            return at
        at -= 1


def depth_of(program: Program) -> int:
    """Levels of the tree; a leaf has one."""
    stack: list[int] = []
    for code in program:
        if code >= 0:
            stack.append(1)
        elif code == LOG:
            stack[-1] += 1
        else:
            right = stack.pop()
            stack[-1] = max(stack[-1], right) + 1
    return stack[0]


def _level(program: Program, node: int) -> int:
    """How many operators stand above a node: those whose subtree holds it."""
    return sum(
        program[at] < 0 and subtree(program, at) <= node for at in range(node + 1, len(program))
    )
