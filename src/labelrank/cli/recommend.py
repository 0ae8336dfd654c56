"""``labelrank recommend``: tags that are missing, for one thing or for a file of things."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from labelrank.cli.columns import columns_of
from labelrank.cli.words import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelrank.data.formats.item_stream import Item
    from labelrank.recipes.reasons import Recommendation

__all__ = ["recommend"]

_BLOCK = 2048  # things recommended for at a time


def recommend(
    source: Path | None = typer.Argument(None, help="A file of things: .jsonl, .csv, .parquet."),
    model: Path = typer.Option(..., "--model", help="Folder of a model from `train`."),
    title: str = typer.Option("", "--title", help="Of one thing."),
    description: str = typer.Option("", "--description", help="Of one thing."),
    tags: list[str] = typer.Option(
        [], "--tags", help="What one thing has already, between commas or repeated."
    ),
    out: Path | None = typer.Option(
        None, "--out", help="With a file: where to write, .jsonl or .csv (or .jsonl.gz)."
    ),
    columns: str | None = typer.Option(
        None, "--columns", help="Which column is what: title=name,description=summary,tags=topics."
    ),
    k: int = typer.Option(5, "--k", min=1, help="How many tags."),
    why: bool = typer.Option(False, "--why", help="With a file: write the reasons, too (slower)."),
    jobs: int | None = typer.Option(None, "--jobs", help="Threads; results do not depend on it."),
    as_json: bool = typer.Option(False, "--json", help="For one thing: print JSON."),
    verbose: bool = typer.Option(False, "--verbose", help="Show how many things are done."),
) -> None:
    """Recommend tags that a thing does not have, with the reasons.

    For one thing give --title, --description and --tags, or some of them. A file is read, worked on
    and written piece by piece, so its size does not matter; the result takes its place when it is
    complete.
    """
    from labelrank.errors import InputError
    from labelrank.recipes import TagRecommender
    from labelrank.store import load_model

    one = bool(title or description or tags)
    if source is None and not one:
        raise InputError("give --title, --description or --tags of one thing, or a file of things.")
    if source is not None and one:
        raise InputError("--title, --description and --tags are of one thing: give no file.")
    if (source is None) != (out is None):
        raise InputError(
            "--out goes with a file of things." if source is None else "name a file: --out FILE."
        )
    named = columns_of(columns)
    if source is None and named is not None:
        raise InputError("--columns goes with a file of things.")
    loaded = load_model(model)
    if not isinstance(loaded, TagRecommender):
        raise InputError(f"{model} holds a {type(loaded).__name__}, which recommends no tags.")
    loaded.set_params(n_jobs=jobs)
    if source is None:
        given = [tag.strip() for words in tags for tag in words.split(",") if tag.strip()]
        _show(loaded.recommend(title, description, given, k), as_json)
    else:
        assert out is not None
        _many(loaded, source, out, named, k, why, verbose)


def _show(found: list[Recommendation], as_json: bool) -> None:
    if as_json:
        print(json.dumps([_record(each, True) for each in found], ensure_ascii=False, indent=2))
        return
    if not found:
        print("no tag: the model knows of none that the thing does not have.")
        return
    wide = max(len(each.label) for each in found)
    for each in found:
        print(f"{each.label:{wide}}  {each.score:8.3f}  {each.why}")


def _many(
    model: Any,
    source: Path,
    out: Path,
    columns: dict[str, str] | None,
    k: int,
    why: bool,
    verbose: bool,
) -> None:
    import time

    from labelrank.data.formats.item_stream import stream_items

    start, n = time.perf_counter(), 0
    with _writer(out, why) as write:
        for block in _blocks(stream_items(source, columns)):
            if why:
                lists = [model.recommend(i.title, i.description, i.tags, k) for i in block]
            else:
                lists = _ranked(model, block, k)
            for item, found in zip(block, lists, strict=True):
                write(n, item, found)
                n += 1
            if verbose:
                say(f"{n} things, {n / (time.perf_counter() - start):.0f} a second")
    seconds = time.perf_counter() - start
    print(f"written: {out} ({n} things in {seconds:.1f} s, {1e3 * seconds / n:.2f} ms each)")


def _blocks(items: Iterator[Item]) -> Iterator[list[Item]]:
    from itertools import islice

    while block := list(islice(items, _BLOCK)):
        yield block


def _ranked(model: Any, block: list[Item], k: int) -> list[list[Recommendation]]:
    """Without reasons, all things of a block at a time."""
    from labelrank.recipes.reasons import Recommendation

    rows = model.things_.rows_of_texts(
        [{"title": i.title, "description": i.description} for i in block], [i.tags for i in block]
    )
    names = model.label_names_
    return [
        [Recommendation(names[tag], float(s), []) for tag, s in zip(labels, scores, strict=True)]
        for labels, scores in model.rank(rows, k)
    ]


@contextmanager
def _writer(out: Path, why: bool) -> Iterator[Callable[[int, Item, list[Recommendation]], None]]:
    """Writes a thing's tags: a line of JSON each, or rows of a table."""
    import csv
    import io

    from labelrank.data.files import atomic_writer, stem_and_suffix
    from labelrank.errors import InputError

    suffix = stem_and_suffix(out)[1]
    if suffix not in (".jsonl", ".csv"):
        raise InputError(f"--out {out}: recommendations are written as .jsonl or .csv.")
    with atomic_writer(out) as stream:
        if suffix == ".csv":
            text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
            table = csv.writer(text)
            table.writerow(["id", "rank", "tag", "score", *(["why"] if why else [])])

        def write(number: int, item: Item, found: list[Recommendation]) -> None:
            name = str(number) if item.id is None else item.id
            if suffix == ".jsonl":
                record = {"id": name, "tags": [_record(each, why) for each in found]}
                stream.write((json.dumps(record, ensure_ascii=False) + "\n").encode())
                return
            for place, each in enumerate(found, start=1):
                row = [name, place, each.label, f"{each.score:.6g}", *([each.why] if why else [])]
                table.writerow([_plain(cell) for cell in row])

        yield write
        if suffix == ".csv":
            text.detach()


def _plain(cell: Any) -> Any:
    """Control signs would break the lines of a table."""
    return re.sub(r"[\x00-\x1f]", " ", cell) if isinstance(cell, str) else cell


def _record(each: Recommendation, why: bool) -> dict[str, Any]:
    record: dict[str, Any] = {"tag": each.label, "score": round(each.score, 6)}
    return record | ({"why": [reason.text for reason in each.reasons]} if why else {})
