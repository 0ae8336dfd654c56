"""Curves: lines over two axes as one piece of SVG, each with its name at its end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from labelrank.errors import InputError

__all__ = ["curves"]

_COLOURS = ("#2f6fb3", "#c2571a", "#2e8b57", "#a3459c", "#b3912f", "#5a63c7", "#c23b55", "#3f8f9e")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 400, 64, 160, 16, 48
_GAP = 15  # between two names, so that they can be read


def curves(
    series: Mapping[str, Sequence[tuple[float, float]]],
    x: str = "",
    y: str = "",
    log: bool | str = True,
    zero: bool = True,
) -> str:
    """Lines through points.

    Parameters
    ----------
    series : {name: [(x, y), …]}
        Finite numbers; above 0 where the axes are logarithmic.
    x, y : str
        What the axes show.
    log : bool or "x"
        Both axes logarithmic, so that a power law is a straight line and its exponent the slope; or
        the horizontal one alone.
    zero : bool
        Whether axes that are not logarithmic begin at 0.

    Returns
    -------
    str
        An ``<svg>`` that stands alone or in a page.
    """
    points = [point for line in series.values() for point in line]
    if not points:
        raise InputError("curves needs at least one point.")
    axes = (log in (True, "x"), log is True)
    if not all(
        math.isfinite(v) and (v > 0 or not logarithmic)
        for point in points
        for v, logarithmic in zip(point, axes, strict=True)
    ):
        raise InputError("curves: every number must be finite, and above 0 on logarithmic axes.")
    across = _Axis([p[0] for p in points], _LEFT, _WIDTH - _RIGHT, axes[0], zero)
    up = _Axis([p[1] for p in points], _HEIGHT - _BOTTOM, _TOP, axes[1], zero)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" role="img" font-family="system-ui, sans-serif" font-size="12">'
        f"{_grid(across, up, x, y)}{_lines(series, across, up)}</svg>"
    )


class _Axis:
    """Numbers to places, with round numbers to mark."""

    def __init__(
        self, values: Sequence[float], start: float, end: float, log: bool, zero: bool
    ) -> None:
        self._start, self._end, self._log = start, end, log
        low, high = min(values), max(values)
        self.ticks = _powers(low, high) if log else _rounds(min(low, 0.0) if zero else low, high)
        self._low = self._scale(min(low, self.ticks[0]))
        self._span = (self._scale(max(high, self.ticks[-1])) - self._low) or 1.0

    def __call__(self, value: float) -> float:
        return self._start + (self._scale(value) - self._low) / self._span * (
            self._end - self._start
        )

    def _scale(self, value: float) -> float:
        return math.log10(value) if self._log else value


def _powers(low: float, high: float) -> list[float]:
    """1, 2, 5 in each power of ten that the values reach, fewer when they reach far."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    digits = (1, 2, 5) if last - first < 3 else (1,)
    marks = [d * 10.0**e for e in range(first, last + 1) for d in digits]
    inside = [m for m in marks if low * 0.999 <= m <= high * 1.001]
    return inside if len(inside) > 1 else [10.0**first, 10.0 ** max(last, first + 1)]


def _rounds(low: float, high: float) -> list[float]:
    step = 10.0 ** math.floor(math.log10((high - low) or 1.0))
    step *= next(s for s in (0.2, 0.5, 1, 2) if (high - low) / (s * step) <= 6)
    return [i * step for i in range(math.floor(low / step), math.ceil(high / step) + 1)]


def _grid(across: _Axis, up: _Axis, x: str, y: str) -> str:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    line = 'stroke="#8a94a3" stroke-opacity=".35"'
    text = 'fill="#7a8594"'
    parts = []
    for mark in across.ticks:
        at = across(mark)
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{_TOP}" y2="{bottom}" {line}/>')
        parts.append(
            f'<text x="{at:.1f}" y="{bottom + 16}" text-anchor="middle" {text}>{mark:,.10g}</text>'
        )
    for mark in up.ticks:
        at = up(mark)
        parts.append(f'<line x1="{_LEFT}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}" {line}/>')
        parts.append(
            f'<text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end" {text}>{mark:,.10g}</text>'
        )
    middle = (_LEFT + right) / 2
    parts.append(
        f'<text x="{middle}" y="{bottom + 38}" text-anchor="middle" {text}>{escape(x)}</text>'
        f'<text transform="translate(14 {(_TOP + bottom) / 2}) rotate(-90)" text-anchor="middle" '
        f"{text}>{escape(y)}</text>"
    )
    return "".join(parts)


def _lines(series: Mapping[str, Sequence[tuple[float, float]]], across: _Axis, up: _Axis) -> str:
    parts = []
    ends = {name: up(max(line)[1]) for name, line in series.items() if line}
    places = _apart(ends)
    for i, name in enumerate(ends):
        colour = _COLOURS[i % len(_COLOURS)]
        dash = ' stroke-dasharray="5 3"' if i >= len(_COLOURS) else ""
        line = sorted(series[name])
        path = " ".join(f"{across(a):.1f},{up(b):.1f}" for a, b in line)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
        )
        parts += [
            f'<circle cx="{across(a):.1f}" cy="{up(b):.1f}" r="3" fill="{colour}"/>'
            for a, b in line
        ]
        parts.append(
            f'<text x="{_WIDTH - _RIGHT + 10}" y="{places[name] + 4:.1f}" style="fill: {colour}">'
            f"{escape(name)}</text>"
        )
    return "".join(parts)


def _apart(ends: Mapping[str, float]) -> dict[str, float]:
    """Heights of the names: where their lines end, moved until none covers another."""
    order = sorted(ends, key=lambda name: ends[name])
    heights = [ends[name] for name in order]
    for i in range(1, len(heights)):
        heights[i] = max(heights[i], heights[i - 1] + _GAP)
    limit = float(_HEIGHT - _BOTTOM + _GAP)
    for i in range(len(heights) - 1, -1, -1):
        heights[i] = min(heights[i], limit)
        limit = heights[i] - _GAP
    return dict(zip(order, heights, strict=True))
