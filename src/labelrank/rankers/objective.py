"""What a ranker optimises: nDCG, MAP or RR, cut at some place."""

from __future__ import annotations

from labelrank.errors import InputError

__all__ = ["objective"]


def objective(name: str, owner: str) -> tuple[str, int]:
    """A measure's name in the words of the kernels: (nDCG, MAP or RR, places; 0 for all).

    Examples
    --------
    >>> objective("nDCG@10", "LambdaRank"), objective("MAP", "LambdaRank")
    (('nDCG', 10), ('MAP', 0))
    """
    kind, at, k = str(name).partition("@")
    known = {"ndcg": "nDCG", "map": "MAP", "rr": "RR", "mrr": "RR"}.get(kind.lower())
    if known is None or (at and not (k.isdecimal() and int(k) > 0)):
        raise InputError(
            f"{owner}: optimise must be nDCG, MAP or RR, with or without @k, not {name!r}."
        )
    return known, int(k) if at else 0
