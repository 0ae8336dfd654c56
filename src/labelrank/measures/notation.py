"""Measures by name: ``measure("PSP@5")``, ``measure("nDCG(gain=exp)@10")``; printed alike."""

from __future__ import annotations

import difflib
import re
from dataclasses import fields
from typing import Any

from labelrank.errors import InputError
from labelrank.measures import coverage, decisions, gains, ordered, propensity, ranking
from labelrank.measures.base import Measure

__all__ = ["MEASURES", "measure"]

MEASURES: dict[str, type[Measure]] = {
    cls.name: cls
    for cls in (
        gains.Precision, gains.Recall, gains.FBeta, gains.NDCG, gains.MRR, gains.ADG,
        ranking.MAP, ranking.RankLoss, ranking.OneError, ranking.Coverage, ranking.RR,
        decisions.MicroF1, decisions.MacroF1, decisions.HammingLoss, decisions.ExampleF1,
        decisions.ExamplePrecision, decisions.ExampleRecall, decisions.ExampleAccuracy,
        decisions.ExactMatch,
        propensity.PSPrecision, propensity.PSRecall, propensity.PSFBeta, propensity.PSNDCG,
        propensity.PSMRR, propensity.PSADG, propensity.PSHammingLoss,
        ordered.RankedPrecision, ordered.RankedRecall, ordered.RankedF1, ordered.RankedAccuracy,
        ordered.RankedExact, ordered.RankedMAP,
        coverage.LabelCoverage,
    )
}  # fmt: skip
"""Every measure by its name; β stands for a number, as in F1@5 and F0.5@5."""

_FORM = re.compile(
    r"(?P<name>[^()@\s]+?)\s*(?:\((?P<options>[^()]*)\))?\s*(?:@(?P<k>[^()@]+))?", re.ASCII
)
_BETA = re.compile(r"(?P<stem>F|PSF)(?P<beta>\d+(\.\d+)?)")


def measure(notation: str | Measure) -> Measure:
    """The measure that a name stands for.

    Parameters
    ----------
    notation : str
        ``NAME``, ``NAME@k`` or ``NAME(option=value,…)@k``. Every measure takes ``empty`` and, where
        order matters, ``ties``; see the measure for the others. A `Measure` is returned as it is.

    Examples
    --------
    >>> measure("nDCG@10")
    NDCG(empty='skip', ties='order', k=10, gain='linear')
    >>> str(measure("nDCG(gain=exp, empty=zero)@10"))
    'nDCG(empty=zero,gain=exp)@10'
    >>> measure("F0.5@3").beta
    0.5
    """
    if isinstance(notation, Measure):
        return notation
    form = _FORM.fullmatch(str(notation).strip())
    if form is None:
        raise InputError(
            f"cannot read the measure {notation!r}: write NAME, NAME@k or NAME(option=value)@k."
        )
    name, arguments = form["name"], _options(notation, form["options"])
    beta = _BETA.fullmatch(name)
    if beta:
        name, arguments["beta"] = f"{beta['stem']}β", float(beta["beta"])
    if name not in MEASURES:
        raise InputError(f"there is no measure {notation!r}{_suggestion(name)}.")
    cls = MEASURES[name]
    known = {f.name: f for f in fields(cls)}
    if form["k"] is not None:
        if "k" not in known:
            raise InputError(f"{name} looks at the whole list and takes no @k: {notation!r}.")
        if not form["k"].isdecimal():
            raise InputError(f"{notation!r}: k must be a whole number from 1.")
        arguments["k"] = int(form["k"])
    elif "k" in known and known["k"].type == "int":
        raise InputError(f"{notation!r} needs a length: write {notation}@5, say.")
    for option in arguments:
        if option not in known:
            raise InputError(f"{name} has no option {option!r}; it has {', '.join(sorted(known))}.")
    return cls(**arguments)


def _options(notation: str, text: str | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in (text or "").split(",") if text else []:
        option, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not option or not value or option in ("k", "beta"):
            raise InputError(f"cannot read {part.strip()!r} in {notation!r}: write option=value.")
        if option in options:
            raise InputError(f"{notation!r} gives {option} twice.")
        options[option] = value
    return options


def _suggestion(name: str) -> str:
    lower = {known.lower(): known for known in MEASURES}
    close = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.5)
    shown = ", ".join(MEASURES)
    return (
        f"; did you mean {lower[close[0]]}? Known are {shown}" if close else f"; known are {shown}"
    )
