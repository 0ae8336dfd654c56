"""native/sparse_text.cpp in plain Python: what a line of sparse text means."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Row(NamedTuple):
    labels: list[int]
    features: list[tuple[int, np.float32 | np.float64]]
    target: float | None
    query: int


def parse(text, labels, counted):
    """The rows of a text without its header.

    `labels` is what a row starts with: "none", "list" (``1,7``) or "target" (one number). A blank
    line is a row only where a header has `counted` the rows.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    found = []
    for line in lines:
        words = line.replace("\t", " ").replace("\r", " ").split()
        note = next((i for i, word in enumerate(words) if word.startswith("#")), len(words))
        if (words and note == 0) or (not words and not counted):
            continue
        found.append(_row(words[:note], line[:1] in ("", " ", "\t", "\r"), labels))
    return found


def _row(words, starts_blank, labels):
    names, target, query, features = [], None, -1, []
    kind = np.float64 if labels == "none" else np.float32
    if labels == "list" and not starts_blank and ":" not in words[0]:
        names = sorted(int(word) for word in words.pop(0).split(","))
    if labels == "target":
        target = float(words.pop(0))
    for word in words:
        key, _, value = word.partition(":")
        if key == "qid" and labels == "target":
            query = int(value)
        else:
            features.append((int(key), kind(value)))
    return Row(names, sorted(features), target, query)


def dense(rows, n_features, n_labels):
    """(X, Y) as dense arrays."""
    X = np.zeros((len(rows), n_features))
    Y = np.zeros((len(rows), n_labels), np.float32)
    for i, row in enumerate(rows):
        Y[i, row.labels] = 1
        for j, value in row.features:
            X[i, j] = value
    return X, Y
