"""Formula: a postfix program over features and constants, simplified and written for a reader."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelrank import _native

__all__ = ["DIVIDE", "LOG", "MINUS", "OPERATORS", "PLUS", "TIMES", "Formula", "arity"]

PLUS, MINUS, TIMES, DIVIDE, LOG = OPERATORS = (-5, -4, -3, -2, -1)
_SIGNS = {PLUS: "+", MINUS: "-", TIMES: "×", DIVIDE: "÷"}
_BINDS = {PLUS: 1, MINUS: 1, TIMES: 2, DIVIDE: 2}
_NEGATIVE, _ATOM = 0, 3
_PLAIN = re.compile(r"[^\W\d][\w.@:]*")  # others would be mistaken for operators or numbers


def arity(code: int) -> int:
    """How many values a code takes from the stack."""
    return 0 if code >= 0 else 1 if code == LOG else 2


@dataclass(frozen=True, eq=False)
class Formula:
    r"""A function of a candidate's features.

    Operators are +, -, ×, protected ÷ (:math:`a ÷ 0 = 0`) and protected log
    (:math:`\log a = 0` for :math:`a \le 0`), in float32; what overflows becomes the largest
    float32, so that every value is finite.

    Attributes
    ----------
    codes : int32 array
        Postfix: -5 … -1 are + - × ÷ log, 0 … d - 1 features, from d on constants.
    constants : float32 array
    factors : float32 array (d,)
        What each feature is multiplied by before anything else.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.rankers.formula import Formula
    >>> codes = np.array([0, 1, -1, -3, 2, -5], dtype=np.int32)
    >>> half = np.array([0.5], dtype=np.float32)
    >>> formula = Formula(codes, half, np.ones(2, dtype=np.float32))
    >>> formula.text(["tf", "idf"])
    'tf × log(idf) + 0.5'
    >>> formula(np.array([[2, 1], [2, 0]], dtype=np.float32)).tolist()
    [0.5, 0.5]
    """

    codes: NDArray[np.int32]
    constants: NDArray[np.float32]
    factors: NDArray[np.float32]

    def __call__(self, F: NDArray[np.float32]) -> NDArray[np.float32]:
        """Its value for each row of F (n, d)."""
        return _native.genetic_scores(F, self.factors, self.codes, self.constants)

    @property
    def features(self) -> list[int]:
        """The features that it looks at, rising."""
        return sorted({int(c) for c in self.codes if 0 <= c < len(self.factors)})

    def simplified(self) -> Formula:
        """The same function, shorter: only rules that hold for every float32 are used.

        Constants are folded; x + 0, x - 0, x × 1, x ÷ 1 become x; x - x, x × 0, 0 ÷ x, x ÷ 0
        become 0. Not x ÷ x, which is 1 but for x = 0.
        """
        d = len(self.factors)
        stack: list[_Part] = []
        for code in self.codes.tolist():
            n = arity(code)
            operands = [stack.pop() for _ in range(n)][::-1]
            if n == 0:
                value = None if code < d else float(self.constants[code - d])
                stack.append(_Part((code,) if value is None else (), value))
            elif all(part.value is not None for part in operands):
                stack.append(_Part((), _fold(code, [part.value for part in operands])))
            else:
                stack.append(_shorter(code, operands))
        # every constant once, in the order of its first use
        table: dict[float, int] = {}
        codes = [
            c if isinstance(c, int) else d + table.setdefault(c[0], len(table))
            for c in stack[0].tokens
        ]
        constants = np.array(list(table), dtype=np.float32)
        return Formula(np.array(codes, dtype=np.int32), constants, self.factors)

    def text(self, names: Sequence[str]) -> str:
        """For a reader: no brackets that only rounding would notice; unusual names stand in []."""
        d = len(self.factors)
        stack: list[tuple[str, int]] = []
        for code in self.codes.tolist():
            if code >= d:
                value = self.constants[code - d]
                stack.append((_digits(value), _ATOM if value >= 0 else _NEGATIVE))
            elif code >= 0:
                factor = self.factors[code]
                scaled = factor != 1
                name = names[code] if _PLAIN.fullmatch(names[code]) else f"[{names[code]}]"
                if scaled:
                    name += f" ÷ {_digits(1 / factor)}" if factor < 1 else f" × {_digits(factor)}"
                stack.append((name, _BINDS[TIMES] if scaled else _ATOM))
            elif code == LOG:
                stack.append((f"log({stack.pop()[0]})", _ATOM))
            else:
                (right, tight), (left, loose) = stack.pop(), stack.pop()
                stack.append((_written(code, left, loose, right, tight), _BINDS[code]))
        return stack[0][0]


@dataclass(frozen=True)
class _Part:
    """A subtree while it is simplified: its codes, a constant's being its value, or its value."""

    rest: tuple[int | tuple[float], ...]
    value: float | None = None

    @property
    def tokens(self) -> tuple[int | tuple[float], ...]:
        # a tuple, lest the constant 2.0 be taken for the feature 2
        return self.rest if self.value is None else ((self.value,),)


def _shorter(code: int, operands: list[_Part]) -> _Part:
    """One operator over parts that are not all constant."""
    if code != LOG:
        left, right = operands
        same = left.tokens == right.tokens
        if right.value == (0 if code in (PLUS, MINUS) else 1):
            return left
        if (code == PLUS and left.value == 0) or (code == TIMES and left.value == 1):
            return right
        if (code == MINUS and same) or (code in (TIMES, DIVIDE) and 0 in (left.value, right.value)):
            return _Part((), 0.0)
    return _Part((*(token for part in operands for token in part.tokens), code))


def _written(code: int, left: str, loose: int, right: str, tight: int) -> str:
    """An operator between two texts and how tightly each is bound."""
    own, sign = _BINDS[code], _SIGNS[code]
    if loose < own and not (loose == _NEGATIVE and own == _BINDS[PLUS]):
        left = f"({left})"
    # a + (b - c) = a + b - c and a × (b ÷ c) = a × b ÷ c, where c = 0 too
    follows = tight > own or (tight == own and code in (PLUS, TIMES))
    if right.startswith("-") and own == _BINDS[PLUS] and (follows or tight == _NEGATIVE):
        return f"{left} {'-' if code == PLUS else '+'} {right[1:]}"  # a + -b is a - b
    return f"{left} {sign} {right}" if follows else f"{left} {sign} ({right})"


def _fold(code: int, values: list[float | None]) -> float:
    """An operator over constants, by the kernel itself."""
    codes = np.array([*range(1, len(values) + 1), code], dtype=np.int32)
    nothing = np.zeros((1, 1), dtype=np.float32)
    constants = np.array(values, dtype=np.float32)
    return float(_native.genetic_scores(nothing, nothing[0], codes, constants)[0])


def _digits(value: np.float32) -> str:
    """The fewest digits that are this float32 again."""
    text = np.format_float_positional(value, unique=True, trim="-")
    return text if len(text) <= 12 else np.format_float_scientific(value, unique=True, trim="-")
