"""Formulas: simplified without changing a value, and read as they are evaluated."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from rankers.test_genetic_kernel import CONSTANTS, PROGRAMS, D, codes

from labelrank.rankers.formula import Formula

ONES = np.ones(D, dtype=np.float32)
NAMES = ["a", "b", "c"]
ZERO_ONE = np.array([0, 1, -2.5], dtype=np.float32)


def formula(*program, constants=ZERO_ONE, factors=ONES):
    return Formula(codes(program), constants, factors)


class Protected(float):
    """A number whose operators are those of the formula, for `eval` to read its text."""

    def __add__(self, other):
        return Protected(float(self) + other)

    __radd__ = __add__

    def __sub__(self, other):
        return Protected(float(self) - other)

    def __mul__(self, other):
        return Protected(float(self) * other)

    def __truediv__(self, other):
        return Protected(float(self) / other if other else 0)

    def __neg__(self):
        return Protected(-float(self))


def read(text, values):
    """What a reader would make of the text."""
    plain = text.replace("×", "*").replace("÷", "/")
    plain = re.sub(r"(?<![\w.])(\d[\d.]*(?:e[+-]?\d+)?)", r"P(\1)", plain)
    scope = {name: Protected(v) for name, v in zip(NAMES, values, strict=True)}
    scope |= {"P": Protected, "log": lambda x: Protected(math.log(x) if x > 0 else 0)}
    return eval(plain, {"__builtins__": {}}, scope)


@given(PROGRAMS, arrays(np.float32, (6, D), elements=st.floats(-9, 9, width=32)), st.booleans())
def test_simplifying_changes_no_value_and_adds_no_code(program, F, plain):
    F[0] = 0
    before = formula(*program, constants=ZERO_ONE if plain else CONSTANTS)
    after = before.simplified()
    np.testing.assert_array_equal(after(F), before(F))
    assert len(after.codes) <= len(before.codes)
    again = after.simplified()
    assert again.codes.tolist() == after.codes.tolist()
    assert again.constants.tolist() == after.constants.tolist()


@given(PROGRAMS, arrays(np.float32, D, elements=st.sampled_from([0.5, 1, 2, 3])))
def test_the_text_says_what_is_computed(program, row):
    written = formula(*program, factors=np.array([1, 0.25, 8], dtype=np.float32))
    for shown in (written, written.simplified()):
        value = read(shown.text(NAMES), row)
        scale = max(abs(value), 1e3)
        if scale < 1e6:  # beyond, float32 may have cancelled what float64 has not
            assert float(shown(row[None])[0]) == pytest.approx(value, abs=1e-3 * scale)


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ([0], "a"),
        ([0, 1, -5, 2, -5], "a + b + c"),
        ([0, 1, 2, -5, -5], "a + b + c"),
        ([0, 1, 2, -4, -4], "a - (b - c)"),
        ([0, 1, -4, 2, -4], "a - b - c"),
        ([0, 1, 2, -5, -3], "a × (b + c)"),
        ([0, 1, 2, -3, -2], "a ÷ (b × c)"),
        ([0, 1, 2, -2, -3], "a × b ÷ c"),
        ([0, 1, -5, -1, 2, -3], "log(a + b) × c"),
        ([0, 5, -3], "a × (-2.5)"),
        ([5, 0, -3], "(-2.5) × a"),
        ([0, 5, -5], "a - 2.5"),
        ([0, 5, -4], "a + 2.5"),
        ([0, 5, 1, -5, -5], "a - 2.5 + b"),
        ([0, 5, 1, -5, -4], "a - (-2.5 + b)"),
    ],
)
def test_brackets_stand_where_they_are_needed(program, text):
    assert formula(*program).text(NAMES) == text


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ([0, 3, -5], "a"),
        ([3, 0, -5], "a"),
        ([0, 3, -4], "a"),
        ([0, 4, -3], "a"),
        ([4, 0, -3], "a"),
        ([0, 4, -2], "a"),
        ([0, 0, -4], "0"),
        ([0, 3, -3], "0"),
        ([0, 3, -2], "0"),
        ([3, 0, -2], "0"),
        ([0, 0, -2], "a ÷ a"),  # 0 where a = 0, so not 1
        ([3, 0, -4], "0 - a"),
        ([4, 4, -5, 5, -3, 0, -5], "-5 + a"),
        ([0, 1, -3, 0, 4, -3, -4], "a × b - a"),  # the constant 1 is not the feature 1
        ([5, -1, 0, -5], "a"),  # log(-2.5) is 0
        ([0, 1, -3, 0, 1, -3, -4, 2, -5], "c"),
    ],
)
def test_what_is_simplified(program, text):
    assert formula(*program).simplified().text(NAMES) == text


def test_scales_are_written():
    factors = np.array([0.25, 4, 1], dtype=np.float32)
    assert formula(0, 1, -5, factors=factors).text(NAMES) == "a ÷ 4 + b × 4"
    assert formula(2, 0, -2, factors=factors).text(NAMES) == "c ÷ (a ÷ 4)"
    assert formula(0, 2, -5, factors=factors).features == [0, 2]


def test_names_that_could_be_misread_stand_in_square_brackets():
    sum_of_all = formula(0, 1, -5, 2, -5)
    text = sum_of_all.text(["tf-idf", "BM25.title", "2"])
    assert text == "[tf-idf] + BM25.title + [2]"
