"""Rankings as files: text ``label:score …``, .npz, or JSON lines with names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from labelrank.data.files import atomic_writer, lines, naming, stem_and_suffix
from labelrank.data.formats.npz import read_arrays
from labelrank.data.formats.sparse_text import NO_LABELS, read_rows
from labelrank.errors import InputError
from labelrank.ranking import Ranking

__all__ = ["read_ranking", "write_ranking"]


def read_ranking(path: str | Path, label_names: Sequence[str] | None = None) -> Ranking:
    """Read a ranking.

    Parameters
    ----------
    path : path
        ``.txt`` (a header ``rows labels``, then ``label:score …`` a line in any order), ``.npz``
        (indptr, labels, scores, n_labels) or ``.jsonl`` (``{"labels": […], "scores": […]}`` a
        line; without scores the order counts); text may be gzip.
    label_names : sequence of str, optional
        The names, in order of label id, that the labels of a ``.jsonl`` file are given by.
    """
    file = Path(path)
    suffix = stem_and_suffix(file)[1]
    with naming(file):
        if suffix == ".npz":
            return _npz(file)
        if suffix == ".jsonl":
            return _jsonl(file, label_names)
        X = read_rows(file, NO_LABELS, header=2).X
        return Ranking.from_entries(X.indptr, X.indices, X.data, X.shape[1])


def write_ranking(
    ranking: Ranking, path: str | Path, label_names: Sequence[str] | None = None
) -> None:
    """Write a ranking in the form that the name's ending asks for; see `read_ranking`."""
    suffix = stem_and_suffix(path)[1]
    if label_names is not None and len(label_names) != ranking.n_labels:
        raise InputError(f"{len(label_names)} label names for {ranking.n_labels} labels.")
    with atomic_writer(path) as out:
        if suffix == ".npz":
            arrays = {name: getattr(ranking, name) for name in ("indptr", "labels", "scores")}
            np.savez_compressed(out, n_labels=np.array(ranking.n_labels), **arrays)
            return
        if suffix != ".jsonl":
            out.write(f"{ranking.n_rows} {ranking.n_labels}\n".encode())
        for labels, scores in ranking:
            if suffix == ".jsonl":
                names: list[Any] = labels.tolist()
                if label_names is not None:
                    names = [label_names[label] for label in labels]
                record = {"labels": names, "scores": scores.tolist()}
                out.write((json.dumps(record, ensure_ascii=False) + "\n").encode())
            else:
                # as float64, so that float32 scores too come back to the last bit
                pairs = zip(labels.tolist(), scores.astype(np.float64).astype(str), strict=True)
                out.write((" ".join(f"{a}:{s}" for a, s in pairs) + "\n").encode())


def _npz(file: Path) -> Ranking:
    stored = read_arrays(file)
    for name in ("indptr", "labels", "scores", "n_labels"):
        if name not in stored:
            raise InputError(f"{file} is no ranking: it has no {name}.")
    if stored["n_labels"].shape != () or stored["n_labels"].dtype.kind not in "iu":
        raise InputError(f"{file} is no ranking: n_labels must be one whole number.")
    return Ranking(stored["indptr"], stored["labels"], stored["scores"], int(stored["n_labels"]))


def _jsonl(file: Path, label_names: Sequence[str] | None) -> Ranking:
    number = {name: i for i, name in enumerate(label_names or [])}
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
    n_labels = len(label_names) if label_names else None
    return Ranking.from_lists(labels, scores, n_labels)
