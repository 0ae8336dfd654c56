"""Measures of rankings, decisions, rare labels and orders, with their tests and intervals."""

from labelrank.measures.base import Measure
from labelrank.measures.comparison import Comparison, compare
from labelrank.measures.evaluation import Evaluation, evaluate
from labelrank.measures.judged import Judged
from labelrank.measures.notation import MEASURES, measure
from labelrank.measures.propensity_model import estimate_propensity, propensities
from labelrank.measures.score import Score
from labelrank.measures.significance import friedman, holm, sign_test, wilcoxon

__all__ = [
    "MEASURES",
    "Comparison",
    "Evaluation",
    "Judged",
    "Measure",
    "Score",
    "compare",
    "estimate_propensity",
    "evaluate",
    "friedman",
    "holm",
    "measure",
    "propensities",
    "sign_test",
    "wilcoxon",
]
