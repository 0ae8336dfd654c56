"""``labelrank data``: which data sets there are, and what is in a file."""

from __future__ import annotations

import json
from pathlib import Path

import typer

__all__ = ["app"]

app = typer.Typer(
    help="List named data sets, and describe a file or a named set.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
def list_(
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
) -> None:
    """List the named data sets, their licences and whether a local copy is there."""
    from labelrank._text import table
    from labelrank.data.catalog import CATALOG, data_folder

    folder = data_folder(data)
    rows = [
        [
            entry.name,
            "yes" if entry.available(folder) else "no",
            ", ".join(entry.parts) or "all",
            entry.what,
            entry.licence,
        ]
        for entry in CATALOG.values()
    ]
    print(table(["name", "here", "parts", "what", "licence"], rows, left=5))
    where = (
        f"from {folder}" if folder else "neither LABELRANK_DATA nor --data names a folder of copies"
    )
    print(f"\nNamed sets are not downloaded: {where}.")


@app.command()
def info(
    source: str = typer.Argument(help="A file, or a name from `data list`."),
    part: str | None = typer.Option(None, "--part", help="Part of a named set: train or test."),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Describe a data set: sizes, averages, and how long the tail of rare labels is."""
    from labelrank.data import CATALOG, load

    loaded = load(source, part=part, data=data)
    if as_json:
        print(json.dumps(loaded.statistics(), indent=2))
        return
    print(loaded.describe())
    if source in CATALOG and not Path(source).exists():
        entry = CATALOG[source]
        print(f"\n{entry.what}\nsource: {entry.source}\nlicence: {entry.licence}")
