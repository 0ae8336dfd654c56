"""A report as one HTML file without scripts, fonts or links outside, so that it can be mailed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from labelrank.data.files import atomic_writer
from labelrank.measures import Comparison
from labelrank.report.curves import curves
from labelrank.report.pictures import png_address

__all__ = ["Report"]

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d8dee6;
  --paper: #ffffff; --mark: #2f6fb3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa5b4; --line: #343c48;
  --paper: #14181d; --mark: #6ea8e5; } }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 62rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
p.soft, figcaption, td.soft { color: var(--soft); } p { max-width: 46rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .8rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { text-align: left; font-weight: 600; border-bottom: 2px solid var(--line); }
td.n, th.n { text-align: right; white-space: nowrap; }
b.best { color: var(--mark); } mark { background: none; color: var(--mark); font-weight: 600; }
.side { display: flex; flex-wrap: wrap; gap: 1.2rem; } .side figure { margin: 0; }
.side img { image-rendering: pixelated; width: 11rem; background: #000; display: block; }
figure { margin: 1.2rem 0; } svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
"""


class Report:
    """Collects headings, texts, tables and bars, and writes them as one page.

    Parameters
    ----------
    title, subtitle : str

    Examples
    --------
    >>> report = Report("Tags", "a first look")
    >>> report.text("Two scorers.")
    >>> report.table(["scorer", "P@1"], [["popularity", "0.10"]])
    >>> "<td>popularity</td>" in report.html()
    True
    """

    def __init__(self, title: str, subtitle: str = "") -> None:
        self.title = title
        self.subtitle = subtitle
        self._body: list[str] = []

    def heading(self, text: str) -> None:
        """Start a section."""
        self._body.append(f"<h2>{escape(text)}</h2>")

    def text(self, text: str) -> None:
        """Add a paragraph."""
        self._body.append(f"<p>{escape(text)}</p>")

    def table(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1, note: str = ""
    ) -> None:
        """Add a table; the columns after the first `left` are numbers."""
        self._table(header, [[escape(cell) for cell in row] for row in rows], left, note)

    def lists(
        self, header: Sequence[str], rows: Sequence[Sequence[Sequence[tuple[str, bool]]]]
    ) -> None:
        """Add a table whose cells are lists of (word, whether to mark it)."""
        cells = [[", ".join(_word(*word) for word in cell) for cell in row] for row in rows]
        self._table(header, cells, len(header), "")

    def comparison(self, comparison: Comparison) -> None:
        """Add the table of a comparison: the best of a row is bold, ranks stand in brackets."""
        several = len(comparison.datasets) > 1
        rows = []
        for names, records in comparison.cells():
            cells = [escape(name) for name in (names if several else names[1:])]
            for method in comparison.methods:
                text = escape(comparison.cell(records[method]))
                best = records[method]["rank"] == 1
                cells.append(f'<b class="best">{text}</b>' if best else text)
            rows.append(cells)
        total = ["rank total"] + [""] * several
        rows.append(total + [str(comparison.rank_totals[m]) for m in comparison.methods])
        header = ["data set"] * several + ["measure", *comparison.methods]
        self._table(header, rows, 1 + several, comparison.legend())

    def bars(
        self, caption: str, rows: Sequence[tuple[str, float, float, float]], top: float
    ) -> None:
        """Add a bar for each (name, value, low, high), with its interval as a line.

        `top` is the value at the right edge; give figures that are to be compared the same.
        """
        width, left, height = 640, 190, 30
        parts = []
        for i, (name, value, low, high) in enumerate(rows):
            y, scale = i * height, (width - left - 70) / top
            mid = y + height / 2
            parts.append(
                f'<text x="{left - 10}" y="{mid + 4:.1f}" text-anchor="end">{escape(name)}</text>'
                f'<rect x="{left}" y="{y + 7}" width="{max(value * scale, 1):.1f}" '
                f'height="{height - 14}" fill="var(--mark)" opacity=".55"/>'
                f'<line x1="{left + low * scale:.1f}" x2="{left + high * scale:.1f}" y1="{mid:.1f}"'
                f' y2="{mid:.1f}" stroke="var(--ink)" stroke-width="1.5"/>'
                f'<text x="{left + high * scale + 8:.1f}" y="{mid + 4:.1f}">{value:.3f}</text>'
            )
        box = f'viewBox="0 0 {width} {len(rows) * height}" width="{width}" role="img"'
        self._body.append(
            f'<figure><div class="wide"><svg {box} aria-label="{escape(caption)}">'
            f"{''.join(parts)}</svg></div><figcaption>{escape(caption)}</figcaption></figure>"
        )

    def curves(
        self,
        caption: str,
        series: Mapping[str, Sequence[tuple[float, float]]],
        x: str = "",
        y: str = "",
        log: bool | str = True,
        zero: bool = True,
    ) -> None:
        """Add a line for each {name: [(x, y), …]}; see `labelrank.report.curves`."""
        drawn = curves(series, x, y, log, zero)
        self._body.append(
            f'<figure><div class="wide">{drawn}</div><figcaption>{escape(caption)}</figcaption>'
            "</figure>"
        )

    def pictures(self, shown: Sequence[tuple[Any, Sequence[str]]]) -> None:
        """Add grey pictures (uint8) side by side, each with lines of text below it."""
        figures = []
        for image, lines in shown:
            words = "<br>".join(escape(line) for line in lines)
            alt = escape(lines[0] if lines else "")
            figures.append(
                f'<figure><img src="{png_address(image)}" alt="{alt}">'
                f"<figcaption>{words}</figcaption></figure>"
            )
        self._body.append(f'<div class="side">{"".join(figures)}</div>')

    def html(self) -> str:
        """The page."""
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(self.title)}</title><style>{_STYLE}</style></head><body>"
            f'<h1>{escape(self.title)}</h1><p class="soft">{escape(self.subtitle)}</p>\n'
            + "\n".join(self._body)
            + "\n</body></html>\n"
        )

    def write(self, path: str | Path) -> None:
        """Write the page, whole or not at all."""
        with atomic_writer(path) as out:
            out.write(self.html().encode())

    def _table(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], left: int, note: str
    ) -> None:
        def line(cells: Sequence[str], tag: str) -> str:
            kinds = [tag if c < left else f'{tag} class="n"' for c in range(len(cells))]
            done = (f"<{kind}>{cell}</{tag}>" for kind, cell in zip(kinds, cells, strict=True))
            return f"<tr>{''.join(done)}</tr>"

        body = [line([escape(cell) for cell in header], "th")]
        body += [line(row, "td") for row in rows]
        self._body.append(f'<div class="wide"><table>{"".join(body)}</table></div>')
        if note:
            self._body.append(f'<p class="soft">{escape(note)}</p>')


def _word(text: str, marked: bool) -> str:
    return f"<mark>{escape(text)}</mark>" if marked else escape(text)
