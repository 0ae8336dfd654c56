"""``labelrank evaluate``: measures of a model on a file, or of a ranking in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from labelrank.cli.applying import apply, tag_model
from labelrank.cli.columns import load_columns
from labelrank.cli.words import names, say

__all__ = ["evaluate"]

_DEPTH = 100  # labels listed for measures that look at fewer


def evaluate(
    source: str | None = typer.Argument(None, help="With --model: the data set to judge it on."),
    model: Path | None = typer.Option(None, "--model", help="Folder of a model from `train`."),
    truth: Path | None = typer.Option(
        None, "--truth", help="With --ranking: a data set, or a matrix of labels."
    ),
    ranking: Path | None = typer.Option(
        None, "--ranking", help="Text `label:score …`, .jsonl or .npz."
    ),
    measures: list[str] = typer.Option(
        ["P@1", "P@5", "nDCG@5"],
        "--measures",
        help="Names, between commas or repeated: P@5,nDCG@10,PSP@5,MAP,micro-F1.",
    ),
    train: str | None = typer.Option(
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
    a: float | None = typer.Option(None, "--A", help="A of the propensity model, with --train."),
    b: float | None = typer.Option(None, "--B", help="B of the propensity model, with --train."),
    columns: str | None = typer.Option(
        None, "--columns", help="Which column of a table is what: title=name,tags=keywords."
    ),
    part: str | None = typer.Option(None, "--part", help="Part of a named set: train or test."),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
    jobs: int | None = typer.Option(None, "--jobs", help="Threads; results do not depend on it."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Score a model or a ranking: a table with intervals, and what was empty, tied or short.

    Either `evaluate --model DIR FILE`, or `evaluate --truth FILE --ranking FILE`. Measures that
    look at a whole list, such as MAP, get all that the model lists. A model of tags is given half
    of the tags of each thing, and is to find the other half.
    """
    from labelrank.errors import InputError
    from labelrank.measures import evaluate as score
    from labelrank.measures import measure

    wanted = [measure(name) for name in names(measures)]
    form = {name: v for name, v in (("preset", preset), ("A", a), ("B", b)) if v is not None}
    _check(source, model, truth, ranking)
    if train is not None and propensity is not None:
        raise InputError("give --train or --inverse-propensities, not both.")
    if form and train is None:
        raise InputError(f"--{next(iter(form))} goes with --train, whose labels it models.")
    if model is not None and source is not None:
        ranked, Y, known = _by_model(model, source, columns, part, data, jobs, wanted)
    else:
        assert truth is not None
        assert ranking is not None
        ranked, Y, known = _by_file(truth, ranking)
    p: Any = None
    if train is not None:
        p = _propensities(train, data, Y.shape[1], known, form)
    elif propensity is not None:
        p = _read(propensity)
    if p is not None and len(p) != Y.shape[1]:
        raise InputError(
            f"{train or propensity} has {len(p)} labels, but {truth or source} has {Y.shape[1]}: "
            "they must agree."
        )
    result = score(ranked, Y, wanted, propensities=p)
    print(result.to_json() if as_json else result)


def _check(source: Any, model: Any, truth: Any, ranking: Any) -> None:
    """One of the two forms, and that one whole."""
    from labelrank.errors import InputError

    by_model, by_file = (source is not None, model is not None), (truth is not None, ranking)
    if any(by_model) and any(by_file):
        raise InputError("give --model with a FILE, or --truth with --ranking, not both.")
    if not all(by_model) and not (truth is not None and ranking is not None):
        raise InputError(
            "evaluate needs --model DIR and a FILE to judge it on, or --truth FILE and "
            "--ranking FILE."
        )


def _by_model(
    model: Path,
    source: str,
    columns: str | None,
    part: str | None,
    data: Path | None,
    jobs: int | None,
    wanted: Any,
) -> tuple[Any, Any, list[str] | None]:
    """(ranking, truth, names of labels) of a model's lists; labels it has not seen are missed."""
    import scipy.sparse as sp
    from joblib import parallel_config

    from labelrank.data.alignment import labels_by_name, labels_of_width
    from labelrank.errors import InputError
    from labelrank.ranking import Ranking

    depths: list[Any] = [getattr(each, "k", None) for each in wanted]
    k = None if None in depths else max(_DEPTH, *depths)
    tagger = tag_model(model)
    if tagger is not None:
        return *_by_halves(tagger, source, load_columns(source, columns, part, data), k, jobs), None
    if columns is not None:
        raise InputError("--columns goes with a model of tags.")
    applied = apply(model, source, part, data, k)
    known, n_labels = applied.label_names, applied.model.n_labels_
    truths, rankings = [], []
    with parallel_config(n_jobs=jobs):
        for block, ranking in applied:
            if known is not None:
                block = labels_by_name(block, known)
            truths.append(block.Y)
            rankings.append(ranking)
    width = max(n_labels, max((Y.shape[1] for Y in truths), default=0))
    Y = sp.vstack([labels_of_width(Y, width) for Y in truths], format="csr")
    if width > n_labels:
        say(f"note: {width - n_labels} labels of {source} are new to the model: it misses them")
    found = Ranking.stack(rankings)
    return Ranking(found.indptr, found.labels, found.scores, width), Y, known


def _by_halves(
    model: Any, source: str, loaded: Any, k: int | None, jobs: int | None
) -> tuple[Any, Any]:
    """Half of the tags of each thing are given, the other half is to be found."""
    from joblib import parallel_config

    from labelrank.recipes.tag_halves import rank_halves

    with parallel_config(n_jobs=jobs):
        ranking, hidden = rank_halves(model, loaded, k)
    say(
        f"{ranking.n_rows} of {len(loaded)} things of {source} have two tags or more: half are "
        "given, the other half is to be found"
    )
    return ranking, hidden


def _by_file(truth: Path, ranking: Path) -> tuple[Any, Any, None]:
    """(ranking, truth, None) of two files."""
    from labelrank.data import load, read_ranking
    from labelrank.errors import InputError

    expected = load(truth)
    ranked = read_ranking(ranking, expected.label_names, expected.n_labels)
    if ranked.shape != expected.Y.shape:
        raise InputError(
            "{} has {} rows over {} labels, but {} has {} over {}: they must agree.".format(
                ranking, *ranked.shape, truth, *expected.Y.shape
            )
        )
    return ranked, expected.Y, None


def _propensities(
    train: str, data: Path | None, n_labels: int, known: list[str] | None, form: dict[str, Any]
) -> Any:
    """Of the training labels, in the model's order where it has names; new labels occur 0 times."""
    from labelrank.data import load
    from labelrank.data.alignment import labels_by_name, labels_of_width
    from labelrank.measures import propensities

    loaded = load(train, data=data)
    if known is not None:
        loaded = labels_by_name(loaded, known)
    Y = loaded.Y
    if known is not None and Y.shape[1] < n_labels:
        Y = labels_of_width(Y, n_labels)
    return propensities(Y, **form)


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
