"""Features: numbers for each (row, label) pair of a Ranking."""

from labelrank.features.base import Features, Joined
from labelrank.features.meta_level import MetaLevel, Neighbours
from labelrank.features.meta_level_transformer import MetaLevelTransformer
from labelrank.features.scored import Scored
from labelrank.features.tag_neighbours import TagNeighbours
from labelrank.features.tag_relevance import TagRelevance
from labelrank.features.things import ThingFeatures

__all__ = [
    "Features",
    "Joined",
    "MetaLevel",
    "MetaLevelTransformer",
    "Neighbours",
    "Scored",
    "TagNeighbours",
    "TagRelevance",
    "ThingFeatures",
]
