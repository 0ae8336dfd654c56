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


@app.command()
def convert(
    source: str = typer.Argument(help="A file, or a name from `data list`."),
    out: Path = typer.Option(..., "--out", help="Folder to write."),
    labels: Path | None = typer.Option(None, "--labels", help="Names of the labels, one a line."),
    part: str | None = typer.Option(None, "--part", help="Part of a named set: train or test."),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
) -> None:
    """Write sparse rows to a folder that stays on disk in training: data larger than memory.

    Extreme-classification text is converted block by block. Give the folder to `train`, `rank` and
    `evaluate` like a file.
    """
    from labelrank.data import read_names, stream, write_mapped

    rows = stream(source, part=part, data=data)
    write_mapped(rows, out, None if labels is None else read_names(labels))
    print(f"written: {out} ({rows.n_rows} rows, {_megabytes(out):.1f} MB)")


@app.command()
def make(
    out: Path = typer.Argument(help="Extreme-classification text (.txt, .txt.gz), or a folder."),
    rows: int = typer.Option(10_000, "--rows", help="How many rows."),
    labels: int | None = typer.Option(None, "--labels", help="How many labels; as many as rows."),
    features: int | None = typer.Option(None, "--features", help="How many features."),
    exponent: float = typer.Option(0.8, "--exponent", help="Of the labels' power law."),
    seed: int = typer.Option(0, "--seed", help="Other rows for another number."),
) -> None:
    """Make extreme data whose labels follow a power law, of any size in little memory."""
    from labelrank.data import SyntheticExtreme, write_mapped, xmc_writer
    from labelrank.data.files import stem_and_suffix

    made = SyntheticExtreme(rows, labels, features, exponent=exponent, random_state=seed)
    if stem_and_suffix(out)[1]:
        with xmc_writer(out, *made.shape) as write:
            for block in made.blocks():
                write(block)
    else:
        write_mapped(made.blocks(), out)
    print("written: {} ({} rows, {} features, {} labels)".format(out, *made.shape))


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.iterdir()) / 1e6
