"""LETOR MQ2008 as benchmarks need it: five folds of training, validation and test queries."""

from __future__ import annotations

import sys

import numpy as np

from labelrank.data import read_qid
from labelrank.data.catalog import data_folder
from labelrank.data.formats.svmlight import Groups


def parts() -> list[Groups]:
    """The five parts S1 to S5."""
    folder = data_folder()
    if folder is None:
        sys.exit("this benchmark needs MQ2008: set LABELRANK_DATA")
    return [read_qid(folder / "l2r" / "mq2008" / f"S{i}.txt.gz") for i in range(1, 6)]


def joined(groups: list[Groups]) -> Groups:
    """Several parts one after the other."""
    ends = np.cumsum([0] + [len(g.F) for g in groups])
    indptr = [g.indptr[1:] + at for g, at in zip(groups, ends[:-1], strict=True)]
    return Groups(
        np.concatenate([g.F for g in groups]),
        np.concatenate([g.grades for g in groups]),
        np.concatenate([[0], *indptr]),
        np.concatenate([g.queries for g in groups]),
    )


def folds() -> list[tuple[Groups, Groups, Groups]]:
    """(training, validation, test) of fold i: three parts from S(i) on, the next, the one after."""
    S = parts()
    return [
        (joined([S[i], S[(i + 1) % 5], S[(i + 2) % 5]]), S[(i + 3) % 5], S[(i + 4) % 5])
        for i in range(5)
    ]
