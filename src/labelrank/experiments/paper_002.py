"""The figures of paper 002: Table 1 (5,000 pictures, means of 30 networks) and Table 2 (60,000)."""

from __future__ import annotations

__all__ = ["MEASURES", "RANKED", "UNRANKED", "paper"]

RANKED = ("ranked-P", "ranked-R", "ranked-F1", "ranked-Acc", "ranked-0/1", "ranked-mAP")
UNRANKED = ("ex-P", "ex-R", "ex-F1", "HLoss", "exact-match")
MEASURES = RANKED + UNRANKED

_TABLE_1 = {
    "CE": (85.5, 85.9, 85.7, 87.1, 5.9, 79.5, 97.4, 98.0, 97.7, 97.4, 81.9),
    "LSEP": (85.7, 86.1, 85.9, 87.4, 5.5, 79.4, 98.6, 97.3, 97.9, 97.8, 83.3),
    "RLSEP": (95.9, 97.1, 96.5, 97.0, 45.4, 93.6, 97.9, 98.0, 97.9, 97.7, 82.7),
}
_TABLE_2 = {
    "CE": (86.4, 87.1, 86.8, 87.6, 5.7, 80.4, 99.1, 99.3, 99.2, 99.1, 94.3),
    "LSEP": (85.8, 88.6, 87.2, 87.8, 5.6, 79.3, 99.1, 98.7, 98.9, 98.8, 91.8),
    "RLSEP": (98.5, 98.7, 98.6, 98.8, 72.6, 95.9, 99.1, 99.1, 99.1, 99.0, 93.3),
}


def paper(method: str, measure: str, many: bool = False) -> float | None:
    """What the paper says, or None; its unranked accuracy is 1 - HLoss here.

    Parameters
    ----------
    method : {"RLSEP", "LSEP", "CE"}
    measure : str
    many : bool
        Table 2 instead of Table 1.

    Examples
    --------
    >>> paper("RLSEP", "ranked-F1"), round(paper("CE", "HLoss"), 3)
    (0.965, 0.026)
    """
    table = _TABLE_2 if many else _TABLE_1
    if method not in table or measure not in MEASURES:
        return None
    value = table[method][MEASURES.index(measure)] / 100
    return 1 - value if measure == "HLoss" else value
