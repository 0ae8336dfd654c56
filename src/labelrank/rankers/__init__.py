"""Rankers: learning to re-order described candidates."""

from labelrank.rankers.ada_rank import AdaRank
from labelrank.rankers.base import Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.explanation import Explanation
from labelrank.rankers.genetic_program import GeneticProgram
from labelrank.rankers.lambda_rank import LambdaRank
from labelrank.rankers.linear_mix import LinearMix
from labelrank.rankers.list_net import ListNet
from labelrank.rankers.rank_boost import RankBoost
from labelrank.rankers.rank_svm import RankSVM
from labelrank.rankers.svm_map import SVMMap
from labelrank.rankers.tuning import Tuning, tune

__all__ = [
    "AdaRank",
    "Candidates",
    "Explanation",
    "GeneticProgram",
    "LambdaRank",
    "LinearMix",
    "ListNet",
    "RankBoost",
    "RankSVM",
    "Ranker",
    "SVMMap",
    "Tuning",
    "tune",
]
