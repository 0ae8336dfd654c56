"""``labelrank reproduce``: a paper's experiment again, on its data sets or on others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import typer

from labelrank.cli.words import say

__all__ = ["reproduce"]


@dataclass(frozen=True)
class _Asked:
    """What the command line asks of an experiment."""

    names: list[str]
    data: Path | None
    quick: bool
    scale: str
    block: int | None
    figures: str
    seeds: int
    seed: int
    n_jobs: int | None
    verbose: bool


class _Done(NamedTuple):
    """What an experiment gives back: what is printed, the page, and results.json."""

    printed: list[str]
    page: Any
    rows: list[dict[str, Any]]
    timings: list[dict[str, Any]]


def reproduce(
    experiment: str = typer.Argument(help="The experiment: meta-level or extreme."),
    dataset: list[str] = typer.Option(
        [], "--dataset", help="Names from `data list`, or files; between commas or repeated."
    ),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
    out: Path = typer.Option(
        Path("reproduced"), "--out", help="Folder for report.html, results.json."
    ),
    quick: bool = typer.Option(False, "--quick", help="Tiny grids, few trees: a first look."),
    scale: str = typer.Option(
        "auto", "--scale", help="meta-level: dense features at unit variance: auto, unit or none."
    ),
    block: int | None = typer.Option(
        None, "--block", help="meta-level: so many rows one after another stay together in folds."
    ),
    figures: str = typer.Option(
        "2,3,4", "--figures", help="extreme: figures to make; 3 takes longest."
    ),
    seeds: int = typer.Option(5, "--seeds", help="extreme: how often labels are hidden anew."),
    seed: int = typer.Option(0, "--seed", help="Random state of splits, folds and methods."),
    n_jobs: int | None = typer.Option(None, "--n-jobs", help="Threads."),
    verbose: bool = typer.Option(False, "--verbose", help="Show progress bars."),
) -> None:
    """Run a paper's experiment and print its tables, the paper's figures beside ours.

    meta-level: multi-label ranking by meta-level features (Yang & Gopal 2012), on any multi-label
    or one-label data: Mulan ARFF, SVMlight, csv with the class first, or JSON lines with texts and
    labels.

    extreme: propensity-scored trees for extreme classification (Jain, Prabhu & Varma 2016), on any
    extreme-classification text or other data with many labels.
    """
    import difflib
    import os

    from labelrank.errors import InputError
    from labelrank.report import write_results

    if experiment not in _EXPERIMENTS:
        close = difflib.get_close_matches(experiment, _EXPERIMENTS, n=1)
        hint = f"; did you mean {close[0]}?" if close else "."
        known = ", ".join(_EXPERIMENTS)
        raise InputError(f"there is no experiment {experiment!r}; known are {known}{hint}")
    names = [name.strip() for words in dataset for name in words.split(",") if name.strip()]
    if not names:
        raise InputError("name a data set: --dataset emotions, or --dataset FILE.")
    above = next(p for p in (out.absolute(), *out.absolute().parents) if p.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):  # better now than after the work
        raise InputError(f"--out {out}: {above} is no folder that can be written to.")
    asked = _Asked(names, data, quick, scale, block, figures, seeds, seed, n_jobs, verbose)
    done = _EXPERIMENTS[experiment](asked)
    for text in done.printed:
        print(text, end="\n\n")
    out.mkdir(parents=True, exist_ok=True)
    done.page.write(out / "report.html")
    write_results(out / "results.json", experiment, done.rows, done.timings)
    print(f"Written: {out / 'report.html'} and {out / 'results.json'}")


def _meta_level(asked: _Asked) -> _Done:
    from labelrank.experiments.meta_level import meta_level
    from labelrank.experiments.meta_level_report import figure, report, tables

    studies = meta_level(
        asked.names, asked.data, scale=asked.scale, block=asked.block, quick=asked.quick,
        random_state=asked.seed, n_jobs=asked.n_jobs, verbose=int(asked.verbose), say=say,
    )  # fmt: skip
    drawn = tables(studies)
    bars = []
    for measure, values in figure(studies).items():
        lines = [f"  {name:23} {value:.4f} {'█' * round(40 * value)}" for name, value in values]
        bars.append("\n".join([f"Figure 2: mean {measure}", *lines]))
    rows = [row for study in studies for row in study.rows()]
    timings = [timing for study in studies for timing in study.timings]
    return _Done([*map(str, drawn), *bars], report(studies, drawn), rows, timings)


def _extreme(asked: _Asked) -> _Done:
    from labelrank.errors import InputError
    from labelrank.experiments.extreme import extreme
    from labelrank.experiments.extreme_report import parts, report
    from labelrank.experiments.meta_level_report import Table

    words = [word.strip() for word in asked.figures.split(",") if word.strip()]
    if not all(word.isdecimal() for word in words):
        raise InputError(f"--figures takes numbers between commas, found {asked.figures!r}.")
    studies = extreme(
        asked.names, asked.data, quick=asked.quick, figures=[int(word) for word in words],
        seeds=asked.seeds, random_state=asked.seed, n_jobs=asked.n_jobs, say=say,
    )  # fmt: skip
    printed = [str(part) for study in studies for part in parts(study) if isinstance(part, Table)]
    rows = [row for study in studies for row in study.rows()]
    timings = [timing for study in studies for timing in study.timings]
    return _Done(printed, report(studies), rows, timings)


_EXPERIMENTS = {"meta-level": _meta_level, "extreme": _extreme}
