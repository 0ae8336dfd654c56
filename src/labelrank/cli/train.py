"""``labelrank train``: a method learned from a data set and saved as a model folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from labelrank.cli.columns import load_columns
from labelrank.cli.words import assignments, say

__all__ = ["train"]


def train(
    source: str = typer.Argument(help="A data set's file, or a name from `data list`."),
    model: Path = typer.Option(..., "--model", help="Folder to save the model to."),
    method: str | None = typer.Option(
        None, "--method", help="A name from `methods`; by default one that suits the data."
    ),
    params: list[str] = typer.Option(
        [], "--set", metavar="PARAM=VALUE", help="A parameter of the method; repeatable."
    ),
    preset: str | None = typer.Option(
        None, "--preset", help="Propensity model of the method: default, wikipedia or amazon."
    ),
    a: float | None = typer.Option(None, "--A", help="A of the propensity model."),
    b: float | None = typer.Option(None, "--B", help="B of the propensity model."),
    labels: Path | None = typer.Option(None, "--labels", help="Names of the labels, one a line."),
    columns: str | None = typer.Option(
        None, "--columns", help="Which column of a table is what: title=name,tags=keywords."
    ),
    part: str | None = typer.Option(None, "--part", help="Part of a named set: train or test."),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
    seed: int = typer.Option(0, "--seed", help="Random state, where the method has one."),
    jobs: int | None = typer.Option(None, "--jobs", help="Threads; results do not depend on it."),
    verbose: bool = typer.Option(False, "--verbose", help="Show progress bars."),
) -> None:
    """Train a method on a data set of any form and save it.

    Data with texts only are described by the tf-idf weights of their words for methods that need
    features. An older model in the folder is replaced when the new one is complete.
    """
    from labelrank.recipes import method as named
    from labelrank.recipes import suggested
    from labelrank.store import check_target

    given = assignments(params)
    chosen = None if method is None else named(method)
    if preset is not None:
        given |= dict(zip("AB", _preset(preset), strict=True))
    given |= {name: value for name, value in (("A", a), ("B", b)) if value is not None}
    check_target(model)  # better now than after the work
    say(f"reading {source} …")
    loaded = load_columns(source, columns, part, data)
    names = _names(labels, loaded)
    say(f"{loaded!r}")
    if chosen is None:
        chosen = suggested(loaded)
        on_words = loaded.X is None and chosen.needs == "features"
        why = "texts, by the weights of their words" if on_words else chosen.why
        say(f"method: {chosen.name} ({chosen.what}), which suits {why}")
    fitted = _trained(chosen, loaded, given, seed, jobs, verbose)
    fitted.save(model, None if chosen.needs == "texts and tags" else names)  # these know theirs
    size = sum(file.stat().st_size for file in model.iterdir()) / 1e6
    print(f"written: {model} ({type(fitted).__name__}, {size:.1f} MB)")


def _trained(
    chosen: Any, loaded: Any, given: dict[str, Any], seed: int, jobs: int | None, verbose: bool
) -> Any:
    import time

    from joblib import parallel_config

    from labelrank.recipes import fit_model

    known = chosen.make().get_params(deep=True)
    common = {"random_state": seed, "verbose": int(verbose)}
    wanted = {name: value for name, value in common.items() if name in known} | given
    wall, cpu = time.perf_counter(), time.process_time()
    with parallel_config(n_jobs=jobs):
        fitted = fit_model(chosen, loaded, wanted)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    say(f"trained {chosen.name} in {wall:.1f} s ({cpu:.1f} s of processor time)")
    return fitted


def _preset(name: str) -> tuple[float, float]:
    from labelrank.errors import InputError
    from labelrank.measures.propensity_model import PRESETS

    if name not in PRESETS:
        raise InputError(f"--preset must be one of {', '.join(PRESETS)}, not {name!r}.")
    return PRESETS[name]


def _names(labels: Path | None, loaded: Any) -> list[str] | None:
    if labels is None:
        return loaded.label_names  # type: ignore[no-any-return]
    from labelrank.data import read_names
    from labelrank.errors import InputError

    names = read_names(labels)
    if len(names) != loaded.n_labels:
        raise InputError(f"{labels} has {len(names)} names for {loaded.n_labels} labels.")
    if len(set(names)) < len(names):
        raise InputError(f"{labels} has the same name twice.")
    return names
