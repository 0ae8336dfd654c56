"""Features: numbers for each (row, label) pair of a Ranking."""

from labelrank.features.base import Features, Joined
from labelrank.features.label_statistics import LabelStatistics
from labelrank.features.meta_level import MetaLevel, Neighbours
from labelrank.features.meta_level_transformer import MetaLevelTransformer
from labelrank.features.scored import Scored
from labelrank.features.stage_scores import StageScores
from labelrank.features.tag_neighbours import TagNeighbours
from labelrank.features.tag_relevance import TagRelevance
from labelrank.features.things import ThingFeatures

__all__ = [
    "Features",
    "Joined",
    "LabelStatistics",
    "MetaLevel",
    "MetaLevelTransformer",
    "Neighbours",
    "Scored",
    "StageScores",
    "TagNeighbours",
    "TagRelevance",
    "ThingFeatures",
]
