"""``labelrank reproduce``: a paper's experiment again, on its data sets or on others."""

from __future__ import annotations

from pathlib import Path

import typer

__all__ = ["reproduce"]


def reproduce(
    experiment: str = typer.Argument(help="The experiment: meta-level, tags, extreme or ordered."),
    dataset: list[str] = typer.Option(
        [], "--dataset", help="Names from `data list`, or files; between commas or repeated."
    ),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
    out: Path = typer.Option(
        Path("reproduced"), "--out", help="Folder for report.html, results.json."
    ),
    quick: bool = typer.Option(False, "--quick", help="Tiny grids, few trees: a first look."),
    scale: str | None = typer.Option(
        None, "--scale", help="meta-level: dense features at unit variance: auto, unit or none."
    ),
    block: int | None = typer.Option(
        None, "--block", help="meta-level: so many rows one after another stay together in folds."
    ),
    columns: str | None = typer.Option(
        None, "--columns", help="tags: which column of a file is what, title=name,tags=keywords."
    ),
    figures: str | None = typer.Option(
        None, "--figures", help="extreme: figures to make, of 2,3,4; 3 takes longest."
    ),
    seeds: int | None = typer.Option(
        None, "--seeds", help="extreme: how often labels are hidden anew; ordered: networks a loss."
    ),
    seed: int = typer.Option(0, "--seed", help="Random state of splits, folds and methods."),
    n_jobs: int | None = typer.Option(None, "--n-jobs", help="Threads."),
    verbose: bool = typer.Option(False, "--verbose", help="Show progress bars."),
) -> None:
    """Run a paper's experiment and print its tables, the paper's figures beside ours.

    meta-level: multi-label ranking by meta-level features (Yang & Gopal 2012), on any multi-label
    or one-label data: Mulan ARFF, SVMlight, csv with the class first, or JSON lines with texts and
    labels.

    tags: learning to rank for tag recommendation (Canuto et al. 2013), on things with a title, a
    description and tags: JSON lines, CSV or Parquet.

    extreme: propensity-scored trees for extreme classification (Jain, Prabhu & Varma 2016), on any
    extreme-classification text or other data with many labels.

    ordered: label sets whose order is known (Dari et al., RLSEP), on pictures of digits of
    different sizes (ranked-mnist, ranked-digits, a folder of idx files) or any data with graded
    labels. Needs PyTorch.
    """
    import difflib
    import os

    from labelrank.cli.experiments import EXPERIMENTS, Asked
    from labelrank.errors import InputError
    from labelrank.report import write_results

    if experiment not in EXPERIMENTS:
        close = difflib.get_close_matches(experiment, EXPERIMENTS, n=1)
        hint = f"; did you mean {close[0]}?" if close else "."
        known = ", ".join(EXPERIMENTS)
        raise InputError(f"there is no experiment {experiment!r}; known are {known}{hint}")
    names = [name.strip() for words in dataset for name in words.split(",") if name.strip()]
    if not names and experiment != "ordered":
        raise InputError("name a data set: --dataset emotions, or --dataset FILE.")
    above = next(p for p in (out.absolute(), *out.absolute().parents) if p.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):  # better now than after the work
        raise InputError(f"--out {out}: {above} is no folder that can be written to.")
    own = {"scale": scale, "block": block, "columns": columns, "figures": figures, "seeds": seeds}
    done = EXPERIMENTS[experiment](Asked(names, data, quick, seed, n_jobs, verbose, own))
    for text in done.printed:
        print(text, end="\n\n")
    out.mkdir(parents=True, exist_ok=True)
    done.page.write(out / "report.html")
    write_results(out / "results.json", experiment, done.rows, done.timings)
    print(f"Written: {out / 'report.html'} and {out / 'results.json'}")
