"""Recipes: named compositions of scorers, features, rankers and cutoffs."""

from labelrank.recipes.label_ranker import LabelRanker
from labelrank.recipes.meta_label import MetaLabelRanker
from labelrank.recipes.methods import METHODS, Method, fit_model, method, rank_data, suggested
from labelrank.recipes.on_texts import OnTexts
from labelrank.recipes.pfastre_xml import PfastreXML

__all__ = ["METHODS", "LabelRanker", "MetaLabelRanker", "Method", "OnTexts", "PfastreXML"]
__all__ += ["fit_model", "method", "rank_data", "suggested"]
