"""Catalog: named data sets, where they come from, under which licence, and how to point to a copy.

Nothing is downloaded. A set is read from the folder that ``data=`` or the environment variable
LABELRANK_DATA names; `python-docs` and `ranked-digits` need none.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from labelrank.data.dataset import Dataset
from labelrank.data.formats.arff import read_arff
from labelrank.data.formats.mat import read_mat
from labelrank.data.formats.orders import read_orders
from labelrank.data.formats.svmlight import read_svmlight
from labelrank.data.formats.tables import read_items
from labelrank.data.formats.xmc import read_xmc
from labelrank.data.python_docs import python_docs
from labelrank.data.ranked_digits import RankedDigits
from labelrank.errors import InputError

__all__ = ["CATALOG", "Entry", "data_folder"]

Form = Literal["docs", "digits", "arff", "items", "xmc", "svmlight", "mat", "orders"]
_PICTURES = {"train": 5_000, "validation": 1_000, "test": 1_000}


@dataclass(frozen=True)
class Entry:
    """One data set of the catalog.

    Attributes
    ----------
    name, what, source, licence : str
        Its name, what it is, where it comes from and what is known of its licence.
    form : str
        How its files are read.
    parts : dict
        File of each part, below the data folder.
    labels : str, optional
        The file of label names, below the data folder.
    split : str, optional
        The column that tells the parts of one file apart.
    """

    name: str
    what: str
    source: str
    licence: str
    form: Form
    parts: dict[str, str] = field(default_factory=dict)
    labels: str | None = None
    split: str | None = None

    @property
    def bundled(self) -> bool:
        """Whether installed packages bring it along."""
        return not any(self.parts.values())

    def available(self, data: str | Path | None = None) -> bool:
        """Whether a local copy is there."""
        folder = data_folder(data)
        if self.bundled:
            return True
        return folder is not None and all((folder / p).exists() for p in self.parts.values())

    def load(self, part: str | None = None, data: str | Path | None = None) -> Dataset:
        """Read one part; by default the first ("train" where there is a split)."""
        if not self.parts:
            return python_docs()
        chosen = next(iter(self.parts)) if part is None else part
        if chosen not in self.parts:
            raise InputError(f"{self.name} has the parts {', '.join(self.parts)}, not {chosen!r}.")
        loaded = self._read(self._folder(chosen, data), chosen)
        loaded.name = self.name if chosen == "all" else f"{self.name} ({chosen})"
        return loaded

    def _folder(self, part: str, data: str | Path | None) -> Path:
        """Where the files are, found to be there."""
        if self.bundled:
            return Path()
        folder = data_folder(data)
        if folder is None:
            raise InputError(
                f"{self.name} is not downloaded by this library: set LABELRANK_DATA (or --data) to "
                f"the folder with {self.parts[part]}; it comes from {self.source}."
            )
        if not (folder / self.parts[part]).exists():
            raise InputError(
                f"{self.name} is not in {folder}: there is no {self.parts[part]}; it comes from "
                f"{self.source}."
            )
        return folder

    def _read(self, folder: Path, part: str) -> Dataset:
        path = folder / self.parts[part]
        if self.form == "arff":
            return read_arff(path)
        if self.form == "digits":
            source = None if self.bundled else path.parent
            return RankedDigits(_PICTURES[part], part=part, source=source).dataset()
        if self.form == "mat":
            return read_mat(path)
        if self.form == "orders":
            return read_orders(path)
        if self.form == "xmc":
            names = None if self.labels is None else folder / self.labels
            return read_xmc(path, names if names is not None and names.exists() else None)
        if self.form == "svmlight":
            return _from_one(read_svmlight(path, **self._sizes(folder)))
        if self.split is None or part == "all":
            return read_items(path)
        first = next(iter(self.parts))
        train = read_items(path, where={self.split: first})
        if part == first:
            return train
        return read_items(path, where={self.split: part}, like=train, unknown="drop")

    def _sizes(self, folder: Path) -> dict[str, Any]:
        """Both parts as wide as the wider one."""
        sizes = [read_svmlight(folder / p, zero_based=False) for p in self.parts.values()]
        return {
            "zero_based": False,
            "n_features": max(d.n_features for d in sizes),
            "n_labels": max(d.n_labels for d in sizes),
        }


def _from_one(data: Dataset) -> Dataset:
    """Labels that count from 1, without the label 0 that no row has; it would be an empty one."""
    names = [str(label) for label in range(1, data.n_labels)]
    return Dataset(data.X, data.Y[:, 1:], label_names=names)


def data_folder(data: str | Path | None = None) -> Path | None:
    """The folder of local copies: the argument, else LABELRANK_DATA, else none."""
    given = data if data is not None else os.environ.get("LABELRANK_DATA") or None
    if given is None:
        return None
    folder = Path(given)
    if not folder.is_dir():
        raise InputError(f"the data folder {folder} does not exist.")
    return folder


def _kebi(name: str, what: str) -> Entry:
    source = "Cheng, Hühn & Hüllermeier 2009, as in JasonLC506/LabelRanking"
    return Entry(name, what, source, "MIT", "orders", {"all": f"ranked/kebi/{name}.csv"})


def _mulan(name: str, what: str) -> Entry:
    files = {part: f"small/{name}/{name}-{part}.arff.gz" for part in ("train", "test")}
    licence = "none stated for the data"
    return Entry(name, what, "the Mulan project's data sets", licence, "arff", files)


def _tags(name: str, what: str, source: str, licence: str) -> Entry:
    return Entry(name, what, source, licence, "items", {"all": f"tags/{name}.jsonl.gz"})


def _xmc(name: str, what: str, source: str, licence: str) -> Entry:
    folder = f"xmc/{name.removesuffix('-xmc')}"
    files = {part: f"{folder}/{part}.txt.gz" for part in ("train", "test")}
    return Entry(name, what, source, licence, "xmc", files, f"{folder}/labels.txt.gz")


_ENTRIES = (
    Entry(
        "python-docs",
        "objects of numpy, scipy and scikit-learn; tags: what they say to see also",
        "the documentation of the installed packages",
        "BSD-3-Clause",
        "docs",
    ),
    _mulan("emotions", "593 songs, 72 features, 6 moods"),
    _mulan("scene", "2,407 pictures, 294 features, 6 scenes"),
    _mulan("bibtex", "7,395 references, 1,836 words, 159 tags"),
    _mulan("enron", "1,702 e-mails, 1,001 words, 53 topics"),
    Entry(
        "reuters21578",
        "10,789 news stories, ModApte split, 90 topics",
        "Reuters-21578, Distribution 1.0",
        "free distribution for research purposes only",
        "items",
        dict.fromkeys(("train", "test"), "small/reuters21578/reuters21578.jsonl.gz"),
        split="split",
    ),
    Entry(
        "citeseer17",
        "4,297 abstracts, 14,601 words, 17 topics, one each",
        "course data of Carnegie Mellon University (11-641)",
        "none stated",
        "svmlight",
        {part: f"small/citeseer17/citeseer.{part}.ltc.svm.gz" for part in ("train", "test")},
    ),
    _tags("movielens10m", "7,601 films", "GroupLens MovieLens 10M and TMDB", "research use"),
    _tags("lastfm", "12,523 artists, no text", "HetRec 2011 Last.fm", "non-commercial use"),
    _tags("citeulike-t", "25,975 articles", "Wang, Chen & Li, IJCAI 2013", "none stated"),
    _tags("npm", "11,722 packages", "the npm registry's manifests", "each package its own"),
    _tags("tmdb", "4,391 films", "TMDB 5000 movies", "TMDB API terms"),
    _tags("ted", "2,550 talks", "TED talks until September 2017", "CC BY-NC-SA 4.0"),
    _tags("debtags", "30,300 Debian packages", "Debian's package index", "none stated"),
    _xmc("bibtex-xmc", "bibtex as extreme-classification text", "the Mulan project", "none stated"),
    _xmc(
        "delicious",
        "16,105 pages, 500 words, 983 tags, split 1",
        "Tsoumakas, Katakis & Vlahavas 2008, as in the Extreme Classification Repository",
        "none stated",
    ),
    _xmc(
        "citeulike-t-xmc",
        "25,944 articles, 19,836 words, 46,227 tags",
        "Wang, Chen & Li, IJCAI 2013",
        "none stated",
    ),
    _xmc(
        "debian-deps",
        "62,344 Debian packages, 42,796 words; labels: the 50,887 packages they depend on",
        "Debian's package index",
        "package metadata of Debian",
    ),
    Entry(
        "ranked-digits",
        "5,000 pictures of 3 to 6 digits, 64 × 64; the larger a digit, the more important",
        "scikit-learn's bundled digits (UCI Optical Recognition of Handwritten Digits)",
        "CC BY 4.0",
        "digits",
        dict.fromkeys(_PICTURES, ""),
    ),
    Entry(
        "ranked-mnist",
        "the same of MNIST's digits (Dari et al.)",
        "MNIST of LeCun, Cortes & Burges",
        "none stated for the data",
        "digits",
        {
            part: f"ranked/mnist/{'t10k' if part == 'test' else 'train'}-images-idx3-ubyte.gz"
            for part in _PICTURES
        },
    ),
    Entry(
        "emotion6",
        "1,980 pictures, 168 features, a degree for each of 7 emotions",
        "Peng et al. 2015, as in SpriteMisaka/PyLDL",
        "MIT (the repository)",
        "mat",
        {"all": "ranked/emotion6/emotion6.mat"},
    ),
    _kebi("glass", "214 rows, 9 features, a full order of 6 labels"),
    _kebi("segment", "2,310 rows, 18 features, a full order of 7 labels"),
    _kebi("vehicle", "846 rows, 18 features, a full order of 4 labels"),
    _kebi("wine", "178 rows, 13 features, a full order of 3 labels"),
)
CATALOG: dict[str, Entry] = {entry.name: entry for entry in _ENTRIES}
"""Every named data set."""
