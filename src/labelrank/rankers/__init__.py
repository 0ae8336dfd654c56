"""Rankers: learning to re-order described candidates."""

from labelrank.rankers.ada_rank import AdaRank
from labelrank.rankers.base import Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.explanation import Explanation
from labelrank.rankers.forest import Forest
from labelrank.rankers.genetic_program import GeneticProgram
from labelrank.rankers.lambda_mart import LambdaMart
from labelrank.rankers.lambda_rank import LambdaRank
from labelrank.rankers.linear_mix import LinearMix
from labelrank.rankers.list_net import ListNet
from labelrank.rankers.mart import Mart
from labelrank.rankers.mean import Mean
from labelrank.rankers.names import RANKERS, ranker
from labelrank.rankers.random_forest import RandomForest
from labelrank.rankers.rank_boost import RankBoost
from labelrank.rankers.rank_svm import RankSVM
from labelrank.rankers.rlsep import RLSEP
from labelrank.rankers.svm_map import SVMMap
from labelrank.rankers.tuning import Tuning, tune

__all__ = [
    "RANKERS",
    "RLSEP",
    "AdaRank",
    "Candidates",
    "Explanation",
    "Forest",
    "GeneticProgram",
    "LambdaMart",
    "LambdaRank",
    "LinearMix",
    "ListNet",
    "Mart",
    "Mean",
    "RandomForest",
    "RankBoost",
    "RankSVM",
    "Ranker",
    "SVMMap",
    "Tuning",
    "ranker",
    "tune",
]
