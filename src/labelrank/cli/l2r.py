"""``labelrank l2r``: learning to rank on ``qid:`` files, several rankers in one table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from labelrank.cli import words

__all__ = ["l2r"]


def l2r(
    train: Path | None = typer.Option(
        None, "--train", help="Training file: `grade qid:N 1:.5 2:.1 # note` a line."
    ),
    valid: Path | None = typer.Option(
        None, "--valid", help="Validation file: for early stopping and --tune."
    ),
    test: Path | None = typer.Option(
        None, "--test", help="Test file; without it --valid is judged, or folds of --train."
    ),
    ranker: list[str] = typer.Option(
        ["lambdamart"],
        "--ranker",
        help="Names, between commas or repeated: listnet,lambdamart,rf; or all.",
    ),
    measures: list[str] = typer.Option(
        ["nDCG@10"],
        "--measure",
        help="Names, between commas or repeated; the first is what is stopped and tuned by.",
    ),
    param: list[str] = typer.Option(
        [], "--param", help="A parameter, rounds=500, or of one ranker, lambdamart.leaves=7."
    ),
    tune: bool = typer.Option(
        False, "--tune", help="Choose parameters on --valid, or by folds of --train."
    ),
    folds: int = typer.Option(5, "--folds", help="Folds, where there is no other part."),
    model: Path | None = typer.Option(None, "--model", help="Folder to save the ranker to."),
    load: Path | None = typer.Option(
        None, "--load", help="A saved ranker to judge on --test, instead of training one."
    ),
    scores: Path | None = typer.Option(
        None, "--scores", help="File for the scores of the judged lines, one a line."
    ),
    out: Path | None = typer.Option(None, "--out", help="Folder for report.html, results.json."),
    seed: int = typer.Option(0, "--seed", help="Random state of rankers and folds."),
    n_jobs: int | None = typer.Option(None, "--n-jobs", help="Threads."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    verbose: bool = typer.Option(False, "--verbose", help="Show progress."),
) -> None:
    """Train rankers on learning-to-rank files and compare them, with significance.

    For early stopping give --valid beside --test. Queries without a relevant document are left out;
    write nDCG(empty=zero)@10 to count them 0.
    """
    from labelrank.data import read_qid
    from labelrank.errors import InputError
    from labelrank.experiments import learning_to_rank as experiment
    from labelrank.rankers import Ranker
    from labelrank.store import load_model

    names = words.names(measures)
    if load is not None:
        if train is not None or test is None:
            raise InputError("--load judges a saved ranker on --test; it takes no --train.")
        loaded = load_model(load)
        if not isinstance(loaded, Ranker):
            raise InputError(f"{load} holds a {type(loaded).__name__}, which is no ranker.")
        found = experiment.judge(loaded, read_qid(test), names, test.name)
    else:
        if train is None:
            raise InputError("give --train FILE, or --load MODEL with --test FILE.")
        groups, (validation, judged), notes = experiment.read_groups(train, valid, test)
        for note in notes:
            print(f"note: {note}")
        common = {"random_state": seed, "n_jobs": n_jobs, "verbose": int(verbose)}
        chosen = _rankers(words.names(ranker), param, {"measure": names[0], **common})
        if tune:
            chosen, tries = experiment.tuned(
                chosen, groups, validation, names[0],
                folds=folds, random_state=seed, n_jobs=n_jobs, verbose=int(verbose),
            )  # fmt: skip
            for name, tried in tries.items():
                print(f"{name}, tuned on {'--valid' if valid else f'{folds} folds'}:\n{tried}\n")
        found = experiment.learn_to_rank(
            groups, chosen, names, validation=validation, test=judged, folds=folds,
            random_state=seed, name=_judged(train, valid, test, folds),
        )  # fmt: skip
    if model is not None:
        _save(found.rankers, model)
    if scores is not None:
        _write_scores(found, scores)
    if as_json:
        print(found.comparison.to_json())
    else:
        _show(found)
    if out is not None:
        from labelrank.report import write_results

        out.mkdir(parents=True, exist_ok=True)
        found.report().write(out / "report.html")
        write_results(out / "results.json", "learning to rank", found.rows(), found.timings)
        print(f"Written: {out / 'report.html'} and {out / 'results.json'}")


def _rankers(names: list[str], params: list[str], common: dict[str, Any]) -> dict[str, Any]:
    """The rankers asked for, with their parameters."""
    from labelrank.errors import InputError
    from labelrank.rankers import RANKERS, ranker

    wanted: list[str] = []
    for name in names:
        wanted += [n for n in RANKERS if n != "linearmix"] if name == "all" else [name]
    made = {type(r).__name__: r for r in (ranker(name) for name in wanted)}
    for made_ranker in made.values():
        known = made_ranker.get_params()
        made_ranker.set_params(**{k: v for k, v in common.items() if k in known})
    for text in params:
        key, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--param {text!r}: write name=value or ranker.name=value.")
        owner, _, name = key.strip().rpartition(".")
        targets = [type(ranker(owner)).__name__] if owner else list(made)
        having = [t for t in targets if t in made and name in made[t].get_params()]
        if not having:
            raise InputError(
                f"--param {text!r}: {', '.join(targets)} has no parameter {name!r}"
                + ("." if targets[0] in made else " among the rankers of this call.")
            )
        for target in having:
            made[target].set_params(**{name: words.value(value.strip())})
    return made


def _judged(train: Path, valid: Path | None, test: Path | None, folds: int) -> str:
    judged = test or valid
    return judged.name if judged else f"{folds} folds of {train.name}"


def _save(rankers: dict[str, Any], model: Path) -> None:
    if len(rankers) == 1:
        next(iter(rankers.values())).save(model)
        return
    model.mkdir(parents=True, exist_ok=True)
    for name, fitted in rankers.items():
        fitted.save(model / name.lower())


def _write_scores(found: Any, scores: Path) -> None:
    from labelrank.data.files import atomic_writer
    from labelrank.errors import InputError

    if len(found.rankings) != 1:
        raise InputError("--scores writes the scores of one ranker: name only one.")
    values = found.line_scores(next(iter(found.rankings))).tolist()
    with atomic_writer(scores) as out:
        out.write("".join(f"{value!r}\n" for value in values).encode())


def _show(found: Any) -> None:
    from labelrank._text import table

    print(f"judged on {found.judged_on}\n")
    alone = next(iter(found.evaluations.values())) if len(found.evaluations) == 1 else None
    print(found.comparison if alone is None else alone, end="\n\n")
    cells = [
        [t["method"], t["stage"], f"{t['seconds']:.2f}", f"{t['cpu_seconds']:.2f}"]
        for t in found.timings
    ]
    print(table(["ranker", "stage", "seconds", "processor s"], cells, left=2))
