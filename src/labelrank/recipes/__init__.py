"""Recipes: named compositions of scorers, features, rankers and cutoffs."""

from labelrank.recipes.hybrid import HybridRanker
from labelrank.recipes.label_ranker import LabelRanker
from labelrank.recipes.latre import LATRE, LATREwTS
from labelrank.recipes.meta_label import MetaLabelRanker
from labelrank.recipes.methods import METHODS, Method, fit_model, method, rank_data, suggested
from labelrank.recipes.on_texts import OnTexts
from labelrank.recipes.pfastre_xml import PfastreXML
from labelrank.recipes.tag_recommender import TagRecommender

__all__ = [
    "LATRE",
    "METHODS",
    "HybridRanker",
    "LATREwTS",
    "LabelRanker",
    "MetaLabelRanker",
    "Method",
    "OnTexts",
    "PfastreXML",
    "TagRecommender",
    "fit_model",
    "method",
    "rank_data",
    "suggested",
]
