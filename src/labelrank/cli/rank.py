"""``labelrank rank``: a saved model's ranking of every row of a file."""

from __future__ import annotations

from pathlib import Path

import typer

from labelrank.cli.applying import apply

__all__ = ["rank"]


def rank(
    source: str = typer.Argument(help="A data set's file, or a name from `data list`."),
    model: Path = typer.Option(..., "--model", help="Folder of a model from `train`."),
    out: Path = typer.Option(
        ..., "--out", help="Ranking to write: .jsonl with names, .npz, or text `label:score …`."
    ),
    k: int = typer.Option(100, "--k", min=1, help="The most labels to list for a row."),
    part: str | None = typer.Option(None, "--part", help="Part of a named set: train or test."),
    data: Path | None = typer.Option(None, "--data", help="Folder of local data sets."),
    jobs: int | None = typer.Option(None, "--jobs", help="Threads; results do not depend on it."),
    verbose: bool = typer.Option(False, "--verbose", help="Show progress bars."),
) -> None:
    """Rank labels for the rows of a file by a saved model.

    Extreme-classification text is read, ranked and written block by block, so that its size does
    not matter. The ranking takes its place when it is complete.
    """
    import time

    from joblib import parallel_config

    from labelrank._progress import track
    from labelrank.data import ranking_writer

    applied = apply(model, source, part, data, k)
    n = applied.rows.n_rows
    start = time.perf_counter()
    with (
        parallel_config(n_jobs=jobs),
        ranking_writer(out, n, applied.model.n_labels_, applied.label_names) as write,
    ):
        for _, ranking in track(applied, n // 4096 + 1, "rank", int(verbose)):
            write(ranking)
    seconds = time.perf_counter() - start
    print(f"written: {out} ({n} rows in {seconds:.1f} s, {1e3 * seconds / max(n, 1):.2f} ms each)")
