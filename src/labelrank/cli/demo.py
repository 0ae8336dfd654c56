"""``labelrank demo``: the main job on data that every installation has."""

from __future__ import annotations

from pathlib import Path

import typer

__all__ = ["demo"]


def demo(
    source: str = typer.Argument("python-docs", help="A file, or a name from `data list`."),
    out: Path = typer.Option(Path("demo"), "--out", help="Folder for report.html, results.json."),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
) -> None:
    """Train two scorers, show what they recommend and how good it is, and write a report.

    Without arguments it uses the documentation of the installed numpy, scipy and scikit-learn:
    things are functions and classes, labels are what their pages say to see also.
    """
    from labelrank._text import table
    from labelrank.data import load
    from labelrank.experiments import first_look
    from labelrank.report import write_results

    print(f"Reading {source} …", flush=True)
    loaded = load(source, data=data)
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
    print(look.comparison, end="\n\n")
    out.mkdir(parents=True, exist_ok=True)
    look.report().write(out / "report.html")
    write_results(out / "results.json", "demo", look.rows(), look.timings)
    print(f"Written: {out / 'report.html'} and {out / 'results.json'}")
