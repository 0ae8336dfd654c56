"""The experiments of ``labelrank reproduce``: from what was asked to tables, a page and figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from labelrank.cli.words import say
from labelrank.errors import InputError

__all__ = ["EXPERIMENTS", "Asked", "Done"]


@dataclass(frozen=True)
class Asked:
    """What the command line asks of an experiment; what only some take is None unless given."""

    names: list[str]
    data: Path | None
    quick: bool
    seed: int
    n_jobs: int | None
    verbose: bool
    own: dict[str, Any]

    def take(self, experiment: str, *options: str) -> list[Any]:
        """The values of its own options; InputError where one of another experiment was given."""
        for option, value in self.own.items():
            if value is not None and option not in options:
                raise InputError(f"--{option} does not go with {experiment}.")
        return [self.own[option] for option in options]


class Done(NamedTuple):
    """What an experiment gives back: what is printed, the page, and results.json."""

    printed: list[str]
    page: Any
    rows: list[dict[str, Any]]
    timings: list[dict[str, Any]]

    @classmethod
    def of(cls, printed: list[str], page: Any, studies: Any) -> Done:
        """With the rows and timings of several studies."""
        rows = [row for study in studies for row in study.rows()]
        return cls(printed, page, rows, [timing for study in studies for timing in study.timings])


def _meta_level(asked: Asked) -> Done:
    from labelrank.experiments.meta_level import meta_level
    from labelrank.experiments.meta_level_report import figure, report, tables

    scale, block = asked.take("meta-level", "scale", "block")
    studies = meta_level(
        asked.names, asked.data, scale=scale or "auto", block=block, quick=asked.quick,
        random_state=asked.seed, n_jobs=asked.n_jobs, verbose=int(asked.verbose), say=say,
    )  # fmt: skip
    drawn = tables(studies)
    bars = []
    for measure, values in figure(studies).items():
        lines = [f"  {name:23} {value:.4f} {'█' * round(40 * value)}" for name, value in values]
        bars.append("\n".join([f"Figure 2: mean {measure}", *lines]))
    return Done.of([*map(str, drawn), *bars], report(studies, drawn), studies)


def _tags(asked: Asked) -> Done:
    from labelrank.cli.columns import columns_of
    from labelrank.experiments.tags import tags
    from labelrank.experiments.tags_report import report, tables

    (columns,) = asked.take("tags", "columns")
    studies = tags(
        asked.names, asked.data, columns=columns_of(columns), quick=asked.quick,
        random_state=asked.seed, n_jobs=asked.n_jobs, say=say,
    )  # fmt: skip
    drawn = tables(studies)
    return Done.of([*map(str, drawn)], report(studies, drawn), studies)


def _extreme(asked: Asked) -> Done:
    from labelrank.experiments.extreme import extreme
    from labelrank.experiments.extreme_report import parts, report
    from labelrank.experiments.tables import Table

    figures, seeds = asked.take("extreme", "figures", "seeds")
    words = [
        word.strip()
        for word in ("2,3,4" if figures is None else figures).split(",")
        if word.strip()
    ]
    if not all(word.isdecimal() for word in words):
        raise InputError(f"--figures takes numbers between commas, found {figures!r}.")
    studies = extreme(
        asked.names, asked.data, quick=asked.quick, figures=[int(word) for word in words],
        seeds=5 if seeds is None else seeds, random_state=asked.seed, n_jobs=asked.n_jobs, say=say,
    )  # fmt: skip
    printed = [str(part) for study in studies for part in parts(study) if isinstance(part, Table)]
    return Done.of(printed, report(studies), studies)


def _ordered(asked: Asked) -> Done:
    from labelrank.experiments.ordered import ordered
    from labelrank.experiments.ordered_report import report, tables

    (seeds,) = asked.take("ordered", "seeds")
    studies = ordered(
        asked.names, asked.data, quick=asked.quick, seeds=seeds, random_state=asked.seed,
        n_jobs=asked.n_jobs, verbose=int(asked.verbose), say=say,
    )  # fmt: skip
    return Done.of([*map(str, tables(studies))], report(studies), studies.all)


EXPERIMENTS: dict[str, Callable[[Asked], Done]] = {
    "meta-level": _meta_level,
    "tags": _tags,
    "extreme": _extreme,
    "ordered": _ordered,
}
