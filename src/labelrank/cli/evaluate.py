"""``labelrank evaluate``: measures of a ranking in a file against the truth in another."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer

__all__ = ["evaluate"]


def evaluate(
    truth: Path = typer.Option(..., "--truth", help="A data set, or a matrix of labels."),
    ranking: Path = typer.Option(..., "--ranking", help="Text `label:score …`, .jsonl or .npz."),
    measures: list[str] = typer.Option(
        ["P@1", "P@5", "nDCG@5"],
        "--measures",
        help="Names, between commas or repeated: P@5,nDCG@10,PSP@5,MAP,micro-F1.",
    ),
    train: Path | None = typer.Option(
        None, "--train", help="Training data, for the propensities of PS measures."
    ),
    propensity: Path | None = typer.Option(
        None, "--inverse-propensities", help="A file with 1/p of each label, one a line."
    ),
    preset: str | None = typer.Option(
        None,
        "--preset",
        help="Propensity model, with --train: default (the default), wikipedia or amazon.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Score a ranking: a table with intervals, and what was empty, tied or short."""
    from labelrank.data import load, read_ranking
    from labelrank.errors import InputError
    from labelrank.measures import evaluate as score

    if train is not None and propensity is not None:
        raise InputError("give --train or --inverse-propensities, not both.")
    if preset is not None and train is None:
        raise InputError("--preset goes with --train, whose labels it models.")
    expected = load(truth)
    ranked = read_ranking(ranking, expected.label_names, expected.n_labels)
    if ranked.shape != expected.Y.shape:
        raise InputError(
            "{} has {} rows over {} labels, but {} has {} over {}: they must agree.".format(
                ranking, *ranked.shape, truth, *expected.Y.shape
            )
        )
    p: Any = None
    if train is not None:
        p = _propensities(train, preset or "default")
    elif propensity is not None:
        p = _read(propensity)
    if p is not None and len(p) != expected.n_labels:
        raise InputError(
            f"{train or propensity} has {len(p)} labels, but {truth} has {expected.n_labels}: "
            "they must agree."
        )
    names = [n for part in measures for n in re.split(r",(?![^(]*\))", part) if n.strip()]
    result = score(ranked, expected.Y, names, propensities=p)
    print(result.to_json() if as_json else result)


def _propensities(train: Path, preset: str) -> Any:
    from labelrank.data import load
    from labelrank.measures import propensities

    return propensities(load(train).Y, preset)  # type: ignore[arg-type]


def _read(path: Path) -> Any:
    import numpy as np

    from labelrank.data import read_names
    from labelrank.errors import InputError

    values = []
    for number, text in enumerate(read_names(path), start=1):
        try:
            values.append(float(text))
        except ValueError:
            raise InputError(f"{path}: line {number} is no number: {text[:40]!r}.") from None
        if not 1 <= values[-1] < np.inf:
            raise InputError(f"{path}: line {number}: 1/p must be 1 or more, found {text}.")
    return 1 / np.array(values)
