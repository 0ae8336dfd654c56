"""Recipes: named compositions of scorers, features, rankers and cutoffs."""

from labelrank.recipes.label_ranker import LabelRanker
from labelrank.recipes.latre import LATRE, LATREwTS
from labelrank.recipes.meta_label import MetaLabelRanker
from labelrank.recipes.tag_recommender import TagRecommender

__all__ = ["LATRE", "LATREwTS", "LabelRanker", "MetaLabelRanker", "TagRecommender"]
