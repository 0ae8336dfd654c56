"""``labelrank demo``: the main job on data that every installation has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from labelrank.data import Dataset

__all__ = ["demo"]

_LEAST = 20  # things with two tags or more


def demo(
    source: str = typer.Argument("python-docs", help="A file, or a name from `data list`."),
    out: Path = typer.Option(Path("demo"), "--out", help="Folder for report.html, results.json."),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
    columns: str | None = typer.Option(
        None, "--columns", help="Which column of a table is what: title=name,tags=keywords."
    ),
) -> None:
    """Recommend missing tags with reasons, show how good that is, and write a report.

    Without arguments it uses the documentation of the installed numpy, scipy and scikit-learn:
    things are functions and classes, tags are what their pages say to see also. Data with features
    instead of texts, or with one label a thing, get two scorers, their labels and a table.
    """
    from labelrank.cli.columns import load_columns
    from labelrank.report import write_results

    print(f"Reading {source} …", flush=True)
    loaded = load_columns(source, columns, None, data)
    look = _tags(loaded) if _several_tags(loaded) else _labels(loaded)
    print(look.comparison, end="\n\n")
    out.mkdir(parents=True, exist_ok=True)
    look.report().write(out / "report.html")
    write_results(out / "results.json", "demo", look.rows(), look.timings)
    print(f"Written: {out / 'report.html'} and {out / 'results.json'}")


def _several_tags(loaded: Dataset) -> bool:
    """Whether there are texts, and enough things with tags to give and tags to find."""
    import numpy as np

    named = loaded.X is None and bool(loaded.texts) and loaded.label_names is not None
    return named and int((np.diff(loaded.Y.indptr) >= 2).sum()) >= _LEAST


def _tags(loaded: Dataset) -> Any:
    """Missing tags, one thing after another, with the reasons."""
    from labelrank.experiments.tag_look import tag_look

    look = tag_look(loaded)
    print(
        f"{len(look.train)} things to learn from, {len(look.test)} to be tested on, "
        f"{look.train.n_labels} tags.\nOf each test thing half of the tags are given, and the "
        "other half is to be found (✓):\n"
    )
    for title, given, hidden, found in look.examples():
        print(f"{title}   tagged {_words(given)}   to be found: {_words(hidden)}")
        wide = max((len(each.label) for each, _ in found), default=0)
        for each, hit in found:
            print(f"  {'✓' if hit else ' '} {each.label:{wide}}  {each.why}")
        print()
    return look


def _words(tags: list[str]) -> str:
    return ", ".join(tags[:4]) + (" …" if len(tags) > 4 else "")


def _labels(loaded: Dataset) -> Any:
    """Labels of two scorers, for data with features."""
    from labelrank._text import table
    from labelrank.experiments import first_look

    look = first_look(loaded)
    print(
        f"{len(look.train)} things to learn from, {len(look.test)} to be tested on, "
        f"{loaded.n_labels} labels.\n\nRecommended by {look.comparison.methods[0]} "
        "(✓ is among the true labels):\n"
    )
    rows = [
        [
            title,
            ", ".join(f"{name} ✓" if hit else name for name, hit in listed) or "–",
            ", ".join(truth[:5]) + (" …" if len(truth) > 5 else ""),
        ]
        for title, truth, listed in look.examples()
    ]
    print(table(["thing", "recommended", "truth"], rows, left=3), end="\n\n")
    return look
