"""Recipes: named compositions of scorers, features, rankers and cutoffs."""

from labelrank.recipes.label_ranker import LabelRanker
from labelrank.recipes.meta_label import MetaLabelRanker
from labelrank.recipes.pfastre_xml import PfastreXML

__all__ = ["LabelRanker", "MetaLabelRanker", "PfastreXML"]
