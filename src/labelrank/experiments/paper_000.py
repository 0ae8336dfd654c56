"""What paper 000 reports, to stand beside what is measured.

Yang & Gopal (2012), "Multilabel classification with meta-level features in a learning-to-rank
framework". Its citeseer is another collection than the catalog's citeseer17.
"""

from __future__ import annotations

__all__ = ["HASTIE", "NEIGHBOURS", "paper"]

NEIGHBOURS = {"emotions": 0.17, "yeast": 3.78, "scene": 11.4, "citeseer": 249, "reuters21578": 357}
"""Table 2: CPU seconds for the nearest neighbours of all instances."""

HASTIE = {
    "LDA": 0.56, "QDA": 0.53, "CART": 0.56, "CART (linear combination splits)": 0.54,
    "Single-layer perceptron": 0.67, "Multi-layer perceptron (88 hidden units)": 0.49,
    "Gaussian node network (528 hidden units)": 0.45, "Nearest neighbour": 0.44,
    "FDA/BRUTO": 0.44, "FDA/MARS (degree=2)": 0.42,
}  # fmt: skip
"""Table 7: error rates on vowel from Hastie et al. (2009), page 444."""

_TABLE_3 = (
    ("MLC-ListNet", "BinarySVM", "RankSVM", "IBLR", "ML-kNN"),
    """
micro-F1 scene        0.74210 0.66502 0.64072 0.71138 0.69864
micro-F1 emotions     0.72960 0.64591 0.62162 0.69262 0.63900
micro-F1 yeast        0.67633 0.63132 0.65620 0.63714 0.63681
micro-F1 citeseer     0.61711 0.53448 0.56677 0.46148 0.52678
micro-F1 reuters21578 0.81658 0.87084 0.80416 0.72808 0.80484
macro-F1 scene        0.75746 0.66975 0.67308 0.71452 0.69162
macro-F1 emotions     0.72188 0.66000 0.61644 0.68103 0.61392
macro-F1 yeast        0.46425 0.32405 0.36645 0.37093 0.33614
macro-F1 citeseer     0.61326 0.53523 0.56477 0.44948 0.50330
macro-F1 reuters21578 0.56074 0.52763 0.40487 0.31100 0.37045
MAP      scene        0.87586 0.85679 0.85962 0.85803 0.85118
MAP      emotions     0.82357 0.76850 0.80223 0.81478 0.78969
MAP      yeast        0.76654 0.74659 0.75678 0.75999 0.75846
MAP      citeseer     0.76948 0.73615 0.75086 0.69643 0.73295
MAP      reuters21578 0.92375 0.95432 0.93332 0.85415 0.92492
RankLoss scene        0.06885 0.08344 0.07680 0.08263 0.09308
RankLoss emotions     0.14002 0.19391 0.17716 0.15989 0.17137
RankLoss yeast        0.16187 0.19894 0.17238 0.16816 0.17492
RankLoss citeseer     0.07008 0.10429 0.07835 0.10622 0.08411
RankLoss reuters21578 0.00502 0.00517 0.00669 0.02683 0.00626
nDCG     scene        0.90871 0.87444 0.89711 0.89534 0.89022
nDCG     emotions     0.88139 0.84263 0.85147 0.85827 0.85694
nDCG     yeast        0.85786 0.84887 0.85512 0.85734 0.85050
nDCG     citeseer     0.83128 0.80530 0.81693 0.77507 0.80986
nDCG     reuters21578 0.94587 0.96849 0.95235 0.89371 0.94697
OneError scene        0.20903 0.23829 0.23829 0.23746 0.24248
OneError emotions     0.24753 0.32673 0.31188 0.25743 0.30693
OneError yeast        0.24100 0.23991 0.23228 0.23337 0.24428
OneError citeseer     0.32579 0.34465 0.35294 0.41327 0.36576
OneError reuters21578 0.11560 0.06062 0.09374 0.18119 0.10401
Coverage scene        0.44147 0.52258 0.48579 0.51421 0.56856
Coverage emotions     1.74257 2.02970 1.87129 1.81683 1.91584
Coverage yeast        6.14395 7.12323 6.42857 6.35006 6.41440
Coverage citeseer     1.50151 2.15762 1.65008 2.10860 1.77677
Coverage reuters21578 0.89069 0.99139 1.04439 3.80000 1.12918
HLoss    scene        0.09783 0.11357 0.13963 0.09337 0.09894
HLoss    emotions     0.19142 0.20957 0.23102 0.20957 0.21535
HLoss    yeast        0.19676 0.19879 0.20463 0.19808 0.19801
HLoss    citeseer     0.05439 0.05221 0.05536 0.05749 0.05292
HLoss    reuters21578 0.00485 0.00334 0.00520 0.00690 0.00462
""",
)
_TABLE_5 = (
    ("MLC-ListNet", "BinarySVM†", "RankSVM†", "IBLR†", "ML-kNN†"),
    """
micro-F1 scene        0.74210 0.71575 0.73531 0.72860 0.72973
micro-F1 emotions     0.72960 0.67250 0.67526 0.69977 0.70709
micro-F1 yeast        0.67633 0.64323 0.65696 0.65512 0.65124
micro-F1 citeseer     0.61711 0.59922 0.59866 0.54350 0.58627
micro-F1 reuters21578 0.81658 0.86494 0.84812 0.74788 0.81287
macro-F1 scene        0.75746 0.72482 0.74592 0.73868 0.73855
macro-F1 emotions     0.72188 0.67216 0.67522 0.69068 0.69597
macro-F1 yeast        0.46425 0.35742 0.43306 0.41136 0.38223
macro-F1 citeseer     0.61326 0.59700 0.60018 0.54518 0.58194
macro-F1 reuters21578 0.56074 0.54350 0.46308 0.33388 0.39759
HLoss    scene        0.09783 0.10438 0.10103 0.10382 0.10675
HLoss    emotions     0.19142 0.21782 0.22855 0.20875 0.21122
HLoss    yeast        0.19676 0.20003 0.20556 0.20159 0.20447
HLoss    citeseer     0.05439 0.05962 0.05709 0.06796 0.06149
HLoss    reuters21578 0.00485 0.00353 0.00402 0.00675 0.00460
""",
)
_TABLE_6 = (
    ("MLC-SVMMap", "MLC-RankSVM", "MLC-LambdaRank", "MLC-ListNet"),
    """
micro-F1 scene        0.73995 0.74231 0.73480 0.74210
micro-F1 emotions     0.72895 0.72960 0.72875 0.72960
micro-F1 yeast        0.67339 0.67648 0.67483 0.67651
micro-F1 citeseer     0.60440 0.60837 0.60810 0.61711
micro-F1 reuters21578 0.82726 0.83022 0.81974 0.81658
macro-F1 scene        0.75697 0.75838 0.75233 0.75746
macro-F1 emotions     0.72291 0.72468 0.72521 0.72188
macro-F1 yeast        0.45438 0.45594 0.45074 0.46425
macro-F1 citeseer     0.60039 0.60354 0.60699 0.61326
macro-F1 reuters21578 0.55967 0.56229 0.55509 0.56074
MAP      scene        0.87964 0.87787 0.86966 0.87586
MAP      emotions     0.82336 0.82027 0.82269 0.82357
MAP      yeast        0.76610 0.76579 0.76626 0.76654
MAP      citeseer     0.76875 0.76377 0.76422 0.76948
MAP      reuters21578 0.94238 0.94195 0.94083 0.92375
RankLoss scene        0.07048 0.06844 0.07425 0.06885
RankLoss emotions     0.14205 0.13830 0.14081 0.14002
RankLoss yeast        0.16310 0.16268 0.16320 0.16187
RankLoss citeseer     0.07012 0.06996 0.07148 0.07008
RankLoss reuters21578 0.00515 0.00486 0.00502 0.00502
nDCG     scene        0.90826 0.90565 0.90416 0.90871
nDCG     emotions     0.87932 0.87329 0.88130 0.88139
nDCG     yeast        0.85783 0.85751 0.85782 0.85786
nDCG     citeseer     0.82602 0.82067 0.82762 0.83128
nDCG     reuters21578 0.95803 0.95798 0.95829 0.94587
OneError scene        0.22993 0.20903 0.21488 0.20903
OneError emotions     0.24753 0.24753 0.24753 0.24753
OneError yeast        0.23991 0.24100 0.23991 0.24100
OneError citeseer     0.32504 0.33333 0.33560 0.32579
OneError reuters21578 0.07983 0.07983 0.08281 0.11560
Coverage scene        0.45234 0.45067 0.47074 0.44147
Coverage emotions     1.76733 1.76733 1.75248 1.74257
Coverage yeast        6.19302 6.16685 6.15703 6.14395
Coverage citeseer     1.49472 1.51584 1.51961 1.50151
Coverage reuters21578 1.01358 0.99508 0.91255 0.89069
HLoss    scene        0.09601 0.09532 0.10089 0.09783
HLoss    emotions     0.18977 0.18812 0.18812 0.19142
HLoss    yeast        0.19808 0.19731 0.19785 0.19676
HLoss    citeseer     0.05448 0.05439 0.05452 0.05439
HLoss    reuters21578 0.00443 0.00453 0.00468 0.00485
""",
)


def _read() -> dict[tuple[str, str, str], float]:
    """Tables 3, 5, 6 and 7 by data set, method and measure; of two figures, Table 3's."""
    found = {
        ("vowel", "SVM, plain features", "error"): 0.612,
        ("vowel", "SVM, meta-level features", "error"): 0.420,
    }
    for methods, text in (_TABLE_6, _TABLE_5, _TABLE_3):
        for line in text.split("\n"):
            if line:
                measure, dataset, *values = line.split()
                for method, value in zip(methods, values, strict=True):
                    found[dataset, method, measure] = float(value)
    return found


_FIGURES = _read()


def paper(dataset: str, method: str, measure: str) -> float | None:
    """The paper's figure, where it has one.

    Examples
    --------
    >>> paper("scene", "MLC-ListNet", "MAP")
    0.87586
    >>> paper("scene", "IBLR†", "micro-F1"), paper("bibtex", "IBLR", "MAP")
    (0.7286, None)
    """
    return _FIGURES.get((dataset, method, measure))
