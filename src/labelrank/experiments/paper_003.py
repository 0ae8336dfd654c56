"""What paper 003 reports, to stand beside what is measured.

Jain, Prabhu & Varma (2016), "Extreme multi-label loss functions for recommendation, tagging,
ranking & other missing label applications": Tables 3 and 4, in percent. Its nDCG and precision are
propensity-scored and normalised: our PSnDCG@k and PSP@k.
"""

from __future__ import annotations

__all__ = ["SIZES", "paper"]

SIZES = {
    "eurlex": (15_539, 5_000, 3_993),
    "amazoncat13k": (1_186_239, 203_882, 13_330),
    "wiki1031k": (14_149, 101_938, 30_935),
    "wikilshtc325k": (1_778_351, 1_617_899, 325_056),
    "amazon670k": (490_449, 135_909, 670_091),
    "ads9m": (70_455_530, 2_082_698, 8_838_461),
}
"""Table 2: training points, features and labels; by these the paper's data are recognised."""

_TABLE_3 = """
eurlex        Popularity 1.80 2.10 2.36 1.80 2.20 2.62
eurlex        1-vs-All   37.97 42.44 43.97 37.97 44.01 46.17
eurlex        SLEEC      35.45 39.79 41.97 35.45 41.35 44.62
eurlex        LEML       24.33 26.45 27.70 24.33 27.22 29.13
eurlex        WSABIE     31.65 34.12 35.43 31.65 35.04 36.99
eurlex        CPLST      28.93 31.60 32.92 28.93 32.57 34.55
eurlex        CS         25.31 26.98 25.71 25.31 27.57 25.13
eurlex        ML-CSSP    25.25 26.70 27.79 25.25 27.27 28.97
eurlex        FastXML    27.61 33.22 36.28 27.61 35.35 39.95
eurlex        LPSR       33.65 38.20 39.82 33.65 39.88 42.17
eurlex        PfastXML   41.31 44.01 45.13 41.31 45.02 46.67
eurlex        PfastreXML 45.38 46.42 47.25 45.38 46.79 48.08
amazoncat13k  Popularity 14.41 13.08 13.22 14.41 12.59 12.95
amazoncat13k  SLEEC      46.75 55.19 60.08 46.75 58.46 65.96
amazoncat13k  FastXML    46.58 55.48 61.59 46.58 59.00 68.50
amazoncat13k  PfastXML   67.44 70.70 72.27 67.44 71.94 74.32
amazoncat13k  PfastreXML 69.05 71.79 73.33 69.05 72.83 75.21
wiki1031k     Popularity 2.30 2.26 2.28 2.30 2.25 2.29
wiki1031k     SLEEC      13.43 13.66 13.81 13.43 13.75 13.96
wiki1031k     FastXML    10.31 10.18 10.35 10.31 10.14 10.42
wiki1031k     PfastXML   15.62 16.05 16.42 15.62 16.20 16.71
wiki1031k     PfastreXML 21.32 19.97 19.48 21.32 19.53 18.93
wikilshtc325k Popularity 2.56 1.91 1.83 2.56 1.65 1.53
wikilshtc325k SLEEC      20.51 22.45 23.52 20.51 23.32 25.23
wikilshtc325k FastXML    16.52 19.70 21.17 16.52 21.12 23.69
wikilshtc325k PfastXML   25.58 26.55 27.42 25.58 27.01 28.59
wikilshtc325k PfastreXML 31.16 31.56 32.40 31.16 31.80 33.35
amazon670k    Popularity 0.03 0.04 0.04 0.03 0.04 0.04
amazon670k    SLEEC      20.62 22.63 24.43 20.62 23.32 25.98
amazon670k    FastXML    20.20 22.94 25.26 20.20 23.88 27.28
amazon670k    PfastXML   25.61 26.95 28.09 25.61 27.42 29.09
amazon670k    PfastreXML 29.93 30.91 31.94 29.93 31.26 32.80
ads9m         Popularity 0.05 0.08 0.09 0.05 0.09 0.12
ads9m         FastXML    6.18 6.72 6.94 6.18 6.99 7.42
ads9m         PfastXML   6.60 7.10 7.32 6.60 7.37 7.76
ads9m         PfastreXML 8.75 9.87 10.28 8.75 10.45 11.20
"""
_TABLE_4 = """
eurlex        1-vs-All   33.50 44.29 53.82
eurlex        SLEEC      27.21 38.10 49.26
eurlex        FastXML    16.39 28.39 40.49
eurlex        PfastreXML 48.81 56.29 62.31
amazoncat13k  SLEEC      8.62 23.50 49.16
amazoncat13k  FastXML    2.13 15.76 53.69
amazoncat13k  PfastreXML 83.03 85.12 86.49
wiki1031k     SLEEC      5.94 5.73 6.59
wiki1031k     FastXML    1.57 2.12 2.88
wiki1031k     PfastreXML 25.67 18.48 17.67
wikilshtc325k SLEEC      14.06 24.53 30.11
wikilshtc325k FastXML    9.52 18.43 23.29
wikilshtc325k PfastreXML 29.63 36.45 40.67
amazon670k    SLEEC      24.19 26.18 30.97
amazon670k    FastXML    22.06 25.25 30.94
amazon670k    PfastreXML 34.58 36.41 40.13
ads9m         FastXML    3.26 3.94 4.33
ads9m         PfastreXML 6.04 7.45 8.09
"""
_MEASURES = {
    "3": ("PSnDCG@1", "PSnDCG@3", "PSnDCG@5", "PSP@1", "PSP@3", "PSP@5"),
    "4": ("C@1", "C@3", "C@5"),
}


def _read() -> dict[tuple[str, str, str], float]:
    found = {}
    for number, text in (("3", _TABLE_3), ("4", _TABLE_4)):
        for line in text.strip().split("\n"):
            dataset, method, *values = line.split()
            for measure, value in zip(_MEASURES[number], values, strict=True):
                found[dataset, method, measure] = round(float(value) / 100, 4)
    return found


_FIGURES = _read()


def paper(sizes: tuple[int, int, int], method: str, measure: str) -> float | None:
    """The paper's figure as a share, where the data have the sizes of one of its data sets.

    Examples
    --------
    >>> paper((15539, 5000, 3993), "PfastreXML", "PSP@1")
    0.4538
    >>> paper((15539, 5000, 3993), "PfastreXML", "P@1"), paper((3, 2, 1), "FastXML", "PSP@1")
    (None, None)
    """
    known = {each: name for name, each in SIZES.items()}
    return _FIGURES.get((known.get(sizes, ""), method, measure))
