"""Rankings as files: text ``label:score …``, .npz, or JSON lines with names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from labelrank.data.files import atomic_writer, lines, naming, stem_and_suffix
from labelrank.data.formats.npz import read_arrays
from labelrank.data.formats.sparse_text import NO_LABELS, read_rows
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["ranking_writer", "read_ranking", "write_ranking"]

_LARGEST = int(np.iinfo(np.int32).max) - 1


def read_ranking(
    path: str | Path, label_names: Sequence[str] | None = None, n_labels: int | None = None
) -> Ranking:
    """Read a ranking.

    Parameters
    ----------
    path : path
        ``.txt`` (a header ``rows labels``, then ``label:score …`` a line in any order), ``.npz``
        (indptr, labels, scores, n_labels) or ``.jsonl`` (``{"labels": […], "scores": […]}`` a
        line; without scores the order counts); text may be gzip.
    label_names : sequence of str, optional
        The names, in order of label id, that the labels of a ``.jsonl`` file are given by.
    n_labels : int, optional
        How many labels there are, where a ``.jsonl`` file gives ids and no names are known; one
        more than the largest id by default. The other forms say it themselves.
    """
    file = Path(path)
    suffix = stem_and_suffix(file)[1]
    with naming(file):
        if suffix == ".npz":
            return _npz(file)
        if suffix == ".jsonl":
            return _jsonl(file, label_names, n_labels)
        X = read_rows(file, NO_LABELS, header=2).X
        return Ranking.from_entries(X.indptr, X.indices, X.data, X.shape[1])


def write_ranking(
    ranking: Ranking, path: str | Path, label_names: Sequence[str] | None = None
) -> None:
    """Write a ranking in the form that the name's ending asks for; see `read_ranking`."""
    with ranking_writer(path, *ranking.shape, label_names) as write:
        write(ranking)


@contextmanager
def ranking_writer(
    path: str | Path, n_rows: int, n_labels: int, label_names: Sequence[str] | None = None
) -> Iterator[Callable[[Ranking], None]]:
    """Write a ranking some rows at a time; the file takes its place when all are written.

    Parameters
    ----------
    path, label_names
        As for `write_ranking`.
    n_rows, n_labels : int
        Of all rows together.

    Yields
    ------
    write : callable
        Takes the next rows as a Ranking. Text is written at once; ``.npz`` is kept till the end.
    """
    suffix = stem_and_suffix(path)[1]
    if label_names is not None and len(label_names) != n_labels:
        raise InputError(f"{len(label_names)} label names for {n_labels} labels.")
    kept: list[Ranking] = []
    written = 0
    with atomic_writer(path) as out:

        def write(rows: Ranking) -> None:
            nonlocal written
            written += len(rows)
            if suffix == ".npz":
                kept.append(rows)
            elif suffix == ".jsonl":
                _write_jsonl(rows, out, label_names)
            else:
                _write_text(rows, out)

        if suffix not in (".npz", ".jsonl"):
            out.write(f"{n_rows} {n_labels}\n".encode())
        yield write
        if written != n_rows:
            raise InputError(f"{path} should get {n_rows} rows, but {written} were written.")
        if suffix == ".npz":
            whole = Ranking.stack(kept) if kept else Ranking([0], [], [], n_labels)
            arrays = {name: getattr(whole, name) for name in ("indptr", "labels", "scores")}
            np.savez_compressed(out, n_labels=np.array(n_labels), **arrays)


def _write_jsonl(rows: Ranking, out: IO[bytes], label_names: Sequence[str] | None) -> None:
    for labels, scores in rows:
        names: list[Any] = labels.tolist()
        if label_names is not None:
            names = [label_names[label] for label in labels]
        record = {"labels": names, "scores": scores.tolist()}
        out.write((json.dumps(record, ensure_ascii=False) + "\n").encode())


def _write_text(rows: Ranking, out: IO[bytes]) -> None:
    # as float64, so that float32 scores too come back to the last bit
    numbers = rows.scores.astype(np.float64).tolist()
    pairs = [f"{a}:{s!r}" for a, s in zip(rows.labels.tolist(), numbers, strict=True)]
    for start, end in zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True):
        out.write((" ".join(pairs[start:end]) + "\n").encode())


def _npz(file: Path) -> Ranking:
    stored = read_arrays(file)
    for name in ("indptr", "labels", "scores", "n_labels"):
        if name not in stored:
            raise InputError(f"{file} is no ranking: it has no {name}.")
    if stored["n_labels"].shape != () or stored["n_labels"].dtype.kind not in "iu":
        raise InputError(f"{file} is no ranking: n_labels must be one whole number.")
    return Ranking(stored["indptr"], stored["labels"], stored["scores"], int(stored["n_labels"]))


def _jsonl(file: Path, label_names: Sequence[str] | None, n_labels: int | None) -> Ranking:
    number = {name: i for i, name in enumerate(label_names or [])}
    size = len(label_names) if label_names else n_labels
    labels: list[list[int]] = []
    scores: list[list[float]] = []
    for at, line in lines(file):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            named = list(record["labels"])
            given = record.get("scores")
            given = [1 / (i + 1) for i in range(len(named))] if given is None else given
            scores.append([float(score) for score in given])
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise InputError(
                f'{file}: line {at} must be {{"labels": […], "scores": […]}}, found {line[:40]!r}.'
            ) from None
        if len(given) != len(named):
            raise InputError(f"{file}: line {at} has {len(named)} labels and {len(given)} scores.")
        for name in named:
            if not isinstance(name, str | int) or isinstance(name, bool):
                raise InputError(f"{file}: line {at}: {name!r} is neither a label id nor a name.")
            if isinstance(name, str) and name not in number:
                hint = "" if label_names else "; there are no label names to look it up in"
                raise InputError(f"{file}: line {at} has the unknown label {name!r}{hint}.")
        labels.append([number[name] if isinstance(name, str) else name for name in named])
        fault = _fault(labels[-1], scores[-1], size)
        if fault:
            raise InputError(f"{file}: line {at} {fault}.")
    return Ranking.from_lists(labels, scores, size)


def _fault(labels: list[int], scores: list[float], n_labels: int | None) -> str:
    """What is wrong with one list, while the number of its line is known."""
    last = _LARGEST if n_labels is None else n_labels - 1
    outside = [label for label in labels if not 0 <= label <= last]
    if outside:
        return f"has the label {outside[0]}, outside 0..{last}"
    if len(set(labels)) < len(labels):
        return "has a label twice: keep one entry for each label"
    if not np.isfinite(scores).all():
        return "has a score that is NaN or infinite: replace it or leave the label out"
    return ""
