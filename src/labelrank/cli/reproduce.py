"""``labelrank reproduce``: a paper's experiment again, on its data sets or on others."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

__all__ = ["reproduce"]


def reproduce(
    experiment: str = typer.Argument(help="The experiment: meta-level."),
    dataset: list[str] = typer.Option(
        [], "--dataset", help="Names from `data list`, or files; between commas or repeated."
    ),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
    out: Path = typer.Option(
        Path("reproduced"), "--out", help="Folder for report.html, results.json."
    ),
    quick: bool = typer.Option(False, "--quick", help="Tiny grids: a first look."),
    scale: str = typer.Option(
        "auto", "--scale", help="Dense features at unit variance: auto, unit or none."
    ),
    block: int | None = typer.Option(
        None, "--block", help="So many rows one after another stay together in folds."
    ),
    seed: int = typer.Option(0, "--seed", help="Random state of splits, folds and rankers."),
    n_jobs: int | None = typer.Option(None, "--n-jobs", help="Threads."),
    verbose: bool = typer.Option(False, "--verbose", help="Show progress bars."),
) -> None:
    """Run a paper's experiment and print its tables, the paper's figures beside ours.

    meta-level: multi-label ranking by meta-level features (Yang & Gopal 2012), on any multi-label
    or one-label data: Mulan ARFF, SVMlight, csv with the class first, or JSON lines with texts and
    labels.
    """
    import difflib
    import os

    from labelrank.errors import InputError

    known = ("meta-level",)
    if experiment not in known:
        close = difflib.get_close_matches(experiment, known, n=1)
        hint = f"; did you mean {close[0]}?" if close else "."
        raise InputError(f"there is no experiment {experiment!r}; known is {known[0]}{hint}")
    names = [name.strip() for words in dataset for name in words.split(",") if name.strip()]
    if not names:
        raise InputError("name a data set: --dataset emotions, or --dataset FILE.")
    above = next(p for p in (out.absolute(), *out.absolute().parents) if p.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):  # better now than after the work
        raise InputError(f"--out {out}: {above} is no folder that can be written to.")

    from labelrank.experiments.meta_level import meta_level
    from labelrank.experiments.meta_level_report import figure, report, tables
    from labelrank.report import write_results

    studies = meta_level(
        names, data, scale=scale, block=block, quick=quick, random_state=seed, n_jobs=n_jobs,
        verbose=int(verbose), say=lambda line: print(line, file=sys.stderr, flush=True),
    )  # fmt: skip
    drawn = tables(studies)
    for each in drawn:
        print(each, end="\n\n")
    for measure, bars in figure(studies).items():
        print(f"Figure 2: mean {measure}")
        for name, value in bars:
            print(f"  {name:23} {value:.4f} {'█' * round(40 * value)}")
    out.mkdir(parents=True, exist_ok=True)
    report(studies, drawn).write(out / "report.html")
    rows = [row for study in studies for row in study.rows()]
    timings = [timing for study in studies for timing in study.timings]
    write_results(out / "results.json", "meta-level", rows, timings)
    print(f"\nWritten: {out / 'report.html'} and {out / 'results.json'}")
