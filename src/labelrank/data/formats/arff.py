"""Mulan's form: an ARFF file, dense or sparse, and an XML file that names its label attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import scipy.sparse as sp

from labelrank.data.dataset import Dataset
from labelrank.data.files import lines, naming, stem_and_suffix
from labelrank.errors import InputError

__all__ = ["read_arff"]

_ATTRIBUTE = re.compile(
    r"@attribute\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\S+)\s+(.+)", re.IGNORECASE
)
_CELL = re.compile(r"\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^,]*)\s*(?:,|$)")
_LARGEST = float(np.finfo(np.float32).max)
_NUMERIC = ("numeric", "real", "integer")


@dataclass
class _Attribute:
    name: str
    values: dict[str, float] | None  # of a nominal attribute; None: numeric

    def number(self, cell: str) -> float:
        """A cell as a number: its value, or the place of a nominal value that is no number."""
        if self.values is None:
            return float(cell)
        return self.values[_unquoted(cell)]


def read_arff(path: str | Path, xml: str | Path | None = None) -> Dataset:
    """Read a Mulan data set.

    Parameters
    ----------
    path : path
        The ARFF file, plain or gzip, with dense rows or sparse ones in braces.
    xml : path, optional
        The file that names the labels. By default the XML file beside it with the longest name
        that the ARFF's name starts with: ``scene.xml`` for ``scene-train.arff.gz``.

    Returns
    -------
    Dataset
        X sparse if the rows are, Y in the order of the label attributes, both float32. Nominal
        features whose values are no numbers become 0, 1, 2, … in the order of their declaration.
    """
    file = Path(path)
    labels = _label_names(Path(xml) if xml is not None else _xml_beside(file))
    body = lines(file)
    attributes = _attributes(file, body)
    names = [attribute.name for attribute in attributes]
    for label in labels:
        if label not in names:
            raise InputError(f"{file} has no attribute {label!r}, which the XML names as a label.")
    matrix, sparse = _data(file, body, attributes)
    is_label = np.isin(names, list(labels))
    Y, X = matrix[:, np.flatnonzero(is_label)], matrix[:, np.flatnonzero(~is_label)]
    with naming(file):
        return Dataset(
            X if sparse else X.toarray(),
            Y,
            label_names=[n for n, chosen in zip(names, is_label, strict=True) if chosen],
            name=stem_and_suffix(file)[0],
        )


def _xml_beside(file: Path) -> Path:
    stem = stem_and_suffix(file)[0]
    found = [x for x in file.parent.glob("*.xml") if stem.startswith(x.stem)]
    if not found:
        raise InputError(f"{file}: no XML file that names its labels stands beside it; pass xml=.")
    return max(found, key=lambda x: len(x.stem))


def _label_names(file: Path) -> set[str]:
    if not file.is_file():
        raise InputError(f"{file} does not exist or is no file.")
    try:
        root = ElementTree.parse(file).getroot()
    except (ElementTree.ParseError, LookupError, ValueError) as error:  # unknown encodings too
        raise InputError(f"{file} is not XML: {error}.") from None
    names = {
        e.attrib["name"] for e in root.iter() if e.tag.endswith("label") and "name" in e.attrib
    }
    if not names:
        raise InputError(f"{file} names no label.")
    return names


def _attributes(file: Path, body: Iterator[tuple[int, str]]) -> list[_Attribute]:
    """Read up to and with the line @data."""
    attributes: list[_Attribute] = []
    for number, line in body:
        text = line.strip()
        if text.lower().startswith("@data"):
            if not attributes:
                raise InputError(f"{file} declares no attribute before @data.")
            return attributes
        if not text.lower().startswith("@attribute"):
            continue
        match = _ATTRIBUTE.fullmatch(text)
        if match is None:
            raise InputError(f"{file}: line {number}: cannot read {text[:60]!r}.")
        name, kind = _unquoted(match[1]), match[2].strip()
        if kind.startswith("{") and kind.endswith("}"):
            attributes.append(_Attribute(name, _nominal(kind[1:-1])))
        elif kind.split()[0].lower() in _NUMERIC:
            attributes.append(_Attribute(name, None))
        else:
            raise InputError(
                f"{file}: line {number}: attribute {name!r} is of type {kind!r}; only numbers and "
                "nominal values {a,b} can be read."
            )
    raise InputError(f"{file} has no line @data.")


def _nominal(text: str) -> dict[str, float]:
    values = [_unquoted(cell) for cell in _cells(text)]
    try:
        return {value: float(value) for value in values}
    except ValueError:
        return {value: float(i) for i, value in enumerate(values)}


def _data(
    file: Path, body: Iterator[tuple[int, str]], attributes: list[_Attribute]
) -> tuple[sp.csr_array, bool]:
    columns: list[int] = []
    values: list[float] = []
    indptr = [0]
    sparse = False
    for number, line in body:
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        try:
            if text.startswith("{"):
                sparse = True
                pairs: Iterable[tuple[int, str]] = _sparse_row(text, len(attributes))
            else:
                pairs = _dense_row(text, len(attributes))
            for column, cell in pairs:
                value = attributes[column].number(cell)
                if not abs(value) <= _LARGEST:
                    raise ValueError(f"the value {cell!r} is not a finite number in float32")
                columns.append(column)
                values.append(value)
        except KeyError as error:
            message = f"the value {error} is not among those declared"
            raise InputError(f"{file}: line {number}: {message}.") from None
        except ValueError as error:
            what = "a missing value '?' cannot be used" if "?" in text else error
            raise InputError(f"{file}: line {number}: {what}.") from None
        indptr.append(len(columns))
    if len(indptr) == 1:
        raise InputError(f"{file} has no rows after @data.")
    shape = (len(indptr) - 1, len(attributes))
    return sp.csr_array((np.array(values, np.float32), columns, indptr), shape=shape), sparse


def _dense_row(text: str, width: int) -> list[tuple[int, str]]:
    cells = text.split(",") if "'" not in text and '"' not in text else list(_cells(text))
    if len(cells) != width:
        raise ValueError(f"{len(cells)} values where {width} attributes are declared")
    return list(enumerate(cell.strip() for cell in cells))


def _sparse_row(text: str, width: int) -> list[tuple[int, str]]:
    if not text.endswith("}"):
        raise ValueError("a sparse row must end in }")
    pairs: list[tuple[int, str]] = []
    for cell in _cells(text[1:-1]) if text[1:-1].strip() else ():
        index, _, value = cell.strip().partition(" ")
        if not index.isdecimal() or int(index) >= width:
            raise ValueError(f"attribute number {index!r} must lie in 0..{width - 1}")
        pairs.append((int(index), value.strip()))
    pairs.sort()
    for (before, _), (here, _) in pairwise(pairs):
        if before == here:
            raise ValueError(f"attribute number {here} stands twice")
    return pairs


def _cells(text: str) -> Iterator[str]:
    """The cells of a row, split at commas that are not quoted."""
    if "'" not in text and '"' not in text:
        yield from text.split(",")
        return
    at = 0
    while at < len(text):
        match: Any = _CELL.match(text, at)
        if match is None or match.end() == at:
            raise ValueError(f"cannot read {text[at : at + 20]!r}")
        yield match[1]
        at = match.end()


def _unquoted(text: str) -> str:
    word = text.strip()
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", word[1:-1])
    return word
