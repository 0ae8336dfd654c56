"""The kernels of native/genetic.cpp in plain NumPy: postfix programs and their fitness."""

from __future__ import annotations

import numpy as np
from reference.group_values import group_values

LARGEST = np.finfo(np.float32).max
ARITY = {-5: 2, -4: 2, -3: 2, -2: 2, -1: 1}


def finite(values):
    """What overflowed becomes the largest float32."""
    return np.clip(values, -LARGEST, LARGEST).astype(np.float32)


def logarithm(a):
    """log a, 0 where a is not above 0; rounded once, from float64."""
    return np.log(np.where(a > 0, a, 1).astype(np.float64)).astype(np.float32)


def quotient(a, b):
    """a / b, 0 where b is 0."""
    return np.where(b == 0, 0, finite(a / np.where(b == 0, 1, b))).astype(np.float32)


def scores(F, factors, codes, constants):
    """The value of one program for each row of F (n, d)."""
    d, stack = F.shape[1], []
    with np.errstate(over="ignore", under="ignore"):
        for code in codes:
            if code >= d:
                stack.append(np.full(len(F), constants[code - d], dtype=np.float32))
            elif code >= 0:
                stack.append(finite(F[:, code] * factors[code]))
            elif code == -1:
                stack.append(logarithm(stack.pop()))
            else:
                b, a = stack.pop(), stack.pop()
                stack.append(
                    quotient(a, b) if code == -2 else finite(a * b) if code == -3
                    else finite(a - b) if code == -4 else finite(a + b)
                )  # fmt: skip
    (found,) = stack
    return found


def fitness(columns, indptr, gains, programs, constants, measure, k):
    """The mean measure over all groups, one value a program; 0 without groups."""
    if len(indptr) == 1:
        return [0.0] * len(programs)
    ones = np.ones(len(columns), dtype=np.float32)
    return [
        np.mean(group_values(indptr, scores(columns.T, ones, p, constants), gains, measure, k))
        for p in programs
    ]
