"""Load: a data set by its file, whatever its form, or by its name in the catalog."""

from __future__ import annotations

import difflib
from pathlib import Path

from labelrank.data.catalog import CATALOG
from labelrank.data.dataset import Dataset
from labelrank.data.files import lines, naming, stem_and_suffix
from labelrank.data.formats.arff import read_arff
from labelrank.data.formats.mat import read_mat
from labelrank.data.formats.npz import read_npz
from labelrank.data.formats.orders import is_order, read_orders
from labelrank.data.formats.svmlight import read_svmlight
from labelrank.data.formats.tables import read_items
from labelrank.data.formats.xmc import read_matrix, read_xmc
from labelrank.data.mapped import is_mapped, read_mapped
from labelrank.errors import InputError

__all__ = ["load"]

_TABLES = (".jsonl", ".csv", ".tsv", ".parquet")
_SPARSE = (".svm", ".svmlight", ".libsvm")


def load(source: str | Path, *, part: str | None = None, data: str | Path | None = None) -> Dataset:
    """Read a data set.

    Parameters
    ----------
    source : path or str
        A file: ``.jsonl``, ``.csv``, ``.tsv``, ``.parquet`` (texts with tags; or, when the first
        line ends in ``L1>L3>L2``, numbers with an order of labels), ``.arff`` (Mulan), ``.mat``
        (features and degrees of labels), ``.npz``, ``.svm`` or ``.txt`` (extreme classification
        when the first line is ``rows features labels``, labels alone when it is ``rows labels``,
        else SVMlight), gzip where it applies; or a folder from `write_mapped`, which stays on disk.
        Or the name of a set of the catalog, such as "python-docs" or "scene".
    part : str, optional
        For a named set: "train" (the default) or "test", where it is split.
    data : path, optional
        The folder of named sets; by default the environment variable LABELRANK_DATA.

    Examples
    --------
    >>> from labelrank import load
    >>> sorted(load("python-docs").texts)
    ['description', 'title']
    """
    file = Path(source)
    if is_mapped(file):
        return read_mapped(file)
    if not file.exists():
        if str(source) in CATALOG:
            return CATALOG[str(source)].load(part, data)
        close = difflib.get_close_matches(str(source), CATALOG, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise InputError(f"{source} is neither a file nor a name of the catalog{hint}")
    if part is not None:
        raise InputError(f"part={part!r} goes with a name of the catalog, and {file} is a file.")
    suffix = stem_and_suffix(file)[1]
    if suffix in (".csv", ".tsv") and is_order(_last_cell(file, suffix)):
        return read_orders(file)
    if suffix in _TABLES:
        return read_items(file)
    if suffix == ".arff":
        return read_arff(file)
    if suffix == ".mat":
        return read_mat(file)
    if suffix == ".npz":
        return read_npz(file)
    if suffix in (*_SPARSE, ".txt", ".dat", ""):
        return _sparse(file)
    raise InputError(
        f"{file}: no reader for {suffix!r}; known are {', '.join((*_TABLES, *_SPARSE))}, .arff, "
        ".mat, .npz and .txt."
    )


def _last_cell(file: Path, suffix: str) -> str:
    return next(iter(lines(file)))[1].rsplit("," if suffix == ".csv" else "\t", 1)[-1]


def _sparse(file: Path) -> Dataset:
    first = next(iter(lines(file)))[1].split()
    if len(first) == 3 and all(word.isdigit() for word in first):
        return read_xmc(file)
    if len(first) == 2 and all(word.isdigit() for word in first):
        with naming(file):
            return Dataset(None, read_matrix(file), name=stem_and_suffix(file)[0])
    if any(word.startswith("qid:") for word in first):
        raise InputError(f"{file} is learning-to-rank data; read it with labelrank.data.read_qid.")
    return read_svmlight(file)
