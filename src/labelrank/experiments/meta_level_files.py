"""Files of a data set: a training and a test part, by a name, a file, a pair or a folder."""

from __future__ import annotations

import json
import re
from pathlib import Path

from labelrank.data import CATALOG, Dataset, load, read_items
from labelrank.data.catalog import data_folder
from labelrank.data.files import lines, stem_and_suffix
from labelrank.data.formats.svmlight import read_svmlight
from labelrank.errors import InputError
from labelrank.experiments.classes import read_classes

__all__ = ["pair", "read_files"]

_VOWEL = ("small/vowel/vowel.train.csv", "small/vowel/vowel.test.csv")


def read_files(source: str, data: str | Path | None) -> tuple[Dataset, Dataset | None, list[str]]:
    """The parts as they are in the files; no test part where there is no split."""
    path = Path(source)
    if not path.exists() and source == "vowel":
        folder = data_folder(data)
        if folder is None or not all((folder / file).exists() for file in _VOWEL):
            raise InputError(f"vowel is not in the data folder {folder}: name it with --data.")
        return *read_classes(*(folder / file for file in _VOWEL)), []
    if not path.exists() and source in CATALOG:
        entry = CATALOG[source]
        if "test" in entry.parts:
            return entry.load("train", data), entry.load("test", data), []
        return entry.load(None, data), None, []
    if not path.exists():
        known = [name for name, e in CATALOG.items() if name.startswith(source[:3])][:3]
        hint = f" (did you mean {', '.join(known)}?)" if known else ""
        raise InputError(
            f"{source} is neither a file nor a data set of `labelrank data list`{hint}."
        )
    train, test = pair(path)
    suffix = stem_and_suffix(train)[1]
    if suffix == ".csv":
        return *read_classes(train, test), []
    if suffix == ".jsonl":
        return *_texts(train, test), []
    if test is None:
        return load(train), None, []
    if suffix == ".arff":
        return load(train), load(test), []
    wide = [read_svmlight(f, zero_based=False) for f in (train, test)]
    sizes = [max(d.n_features for d in wide), max(d.n_labels for d in wide)]
    both = [
        read_svmlight(f, zero_based=False, n_features=sizes[0], n_labels=sizes[1])
        for f in (train, test)
    ]
    if not any(d.Y[:, [0]].nnz for d in both):  # labels that count from 1
        names = [str(label) for label in range(1, sizes[1])]
        both = [Dataset(d.X, d.Y[:, 1:], label_names=names, name=d.name) for d in both]
    return both[0], both[1], []


def pair(path: Path) -> tuple[Path, Path | None]:
    """The training and the test file that a file or folder stands for."""
    if path.is_dir():
        files = sorted(f for f in path.iterdir() if re.search(r"train", f.name) and f.is_file())
        if len(files) != 1:
            raise InputError(f"{path} is a folder with {len(files)} training files; name one file.")
        path = files[0]
    for own, other in (("train", "test"), ("test", "train")):
        head, found, tail = path.name.rpartition(own)
        twin = path.with_name(f"{head}{other}{tail}")
        if found and twin.exists():
            return (path, twin) if own == "train" else (twin, path)
    return path, None


def _texts(train: Path, test: Path | None) -> tuple[Dataset, Dataset | None]:
    if test is not None:
        first = read_items(train)
        return first, read_items(test, like=first, unknown="drop")
    words = _split_words(train)
    if words is None:
        return read_items(train), None
    first = read_items(train, where={"split": words[0]})
    return first, read_items(train, where={"split": words[1]}, like=first, unknown="drop")


def _split_words(path: Path) -> tuple[str, str] | None:
    """How the split column calls its parts, when there is such a column."""
    found = set()
    for _, line in lines(path):
        try:
            record = json.loads(line) if line.strip() else {}
        except ValueError:
            return None  # the reader says what is wrong, and where
        if isinstance(record, dict) and "split" in record:
            found.add(str(record["split"]))
    if not found:
        return None
    parts = [[w for w in found if w.lower().startswith(kind)] for kind in ("train", "test")]
    if [len(p) for p in parts] != [1, 1]:
        raise InputError(f"{path}: split must say train and test, found {sorted(found)}.")
    return parts[0][0], parts[1][0]
