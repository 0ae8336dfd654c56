"""Paper 002 again: ordered label sets, in pictures of digits and in tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from labelrank.data import CATALOG, load
from labelrank.data.catalog import data_folder
from labelrank.deep import need_torch
from labelrank.errors import InputError
from labelrank.experiments.ordered_pictures import PicturePlan, PictureStudy, picture_study
from labelrank.experiments.ordered_tables import TablePlan, TableStudy, table_study

__all__ = ["OrderedStudies", "ordered"]

_BUNDLED, _MNIST = "ranked-digits", "ranked-mnist"


class OrderedStudies(NamedTuple):
    """What was measured.

    Attributes
    ----------
    pictures : list of PictureStudy
    tables : list of TableStudy
    """

    pictures: list[PictureStudy]
    tables: list[TableStudy]

    @property
    def all(self) -> list[PictureStudy | TableStudy]:
        """Both kinds."""
        return [*self.pictures, *self.tables]

    def rows(self) -> list[dict[str, Any]]:
        """In the form of results.json."""
        return [row for study in self.all for row in study.rows()]

    @property
    def timings(self) -> list[dict[str, Any]]:
        """In the form of results.json."""
        return [t for study in self.all for t in study.timings]


def ordered(
    sources: Sequence[str],
    data: str | Path | None = None,
    *,
    quick: bool = False,
    seeds: int | None = None,
    pictures: PicturePlan | None = None,
    tables: TablePlan | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    say: Callable[[str], None] = lambda sentence: None,
) -> OrderedStudies:
    """Run the experiment; all data are found before the first network is trained.

    Parameters
    ----------
    sources : sequence of str
        "ranked-mnist", "ranked-digits" (which need no file), the folder of other idx files, or any
        data with graded labels: a name of the catalog such as "emotion6", or a file. With none,
        pictures of the digits that are there.
    data : path, optional
        The folder of named sets.
    quick : bool
        Few and small pictures, one network a loss, few epochs: within two minutes.
    seeds : int, optional
        Networks by each loss.
    pictures, tables : plans, optional
        Instead of the usual ones.
    random_state, n_jobs, verbose : int
    say : callable
        Is told what is done, in a line each.
    """
    need_torch("reproduce ordered")
    plan = pictures or (PicturePlan.quick() if quick else PicturePlan())
    if seeds is not None:
        if seeds < 1:
            raise InputError(f"seeds must be 1 or more, found {seeds}.")
        plan = PicturePlan(**{**plan.__dict__, "seeds": seeds})
    of_tables = tables or (TablePlan(3, 15, 40) if quick else TablePlan())
    chosen = list(sources) or [_default(data, quick)]
    digits = {name: _digits(name, data) for name in chosen if _is_digits(name)}
    loaded = {name: load(name, data=data) for name in chosen if name not in digits}
    found = OrderedStudies([], [])
    for name in chosen:
        say(name)
        if name in digits:
            short = name if name in CATALOG else Path(name).name
            study = picture_study(short, digits[name], plan, random_state, verbose, say)
            found.pictures.append(study)
        else:
            found.tables.append(table_study(loaded[name], of_tables, random_state, n_jobs, say))
    return found


def _default(data: str | Path | None, quick: bool) -> str:
    return _MNIST if not quick and CATALOG[_MNIST].available(data) else _BUNDLED


def _is_digits(name: str) -> bool:
    return name in (_BUNDLED, _MNIST) or Path(name).is_dir()


def _digits(name: str, data: str | Path | None) -> Path | None:
    """The folder of idx files; None for the bundled digits."""
    if name == _BUNDLED:
        return None
    if name != _MNIST or Path(name).is_dir():
        return Path(name)
    folder = data_folder(data)
    if folder is None or not CATALOG[_MNIST].available(data):
        raise InputError(
            f"{_MNIST} is not there: set LABELRANK_DATA (or --data) to the folder with "
            f"{CATALOG[_MNIST].parts['train']}, or take {_BUNDLED}, which needs no file."
        )
    return (folder / CATALOG[_MNIST].parts["train"]).parent
