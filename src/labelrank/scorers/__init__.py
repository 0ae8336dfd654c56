"""Scorers: rows in, a Ranking out."""

from labelrank.scorers.base import Scorer
from labelrank.scorers.binary_svm import BinarySVM
from labelrank.scorers.iblr import IBLR
from labelrank.scorers.label_tree import LabelTree
from labelrank.scorers.linear import OneVsAll
from labelrank.scorers.logistic import OneVsAllLogistic
from labelrank.scorers.ml_knn import MLkNN
from labelrank.scorers.nearest_neighbours import NearestNeighbours
from labelrank.scorers.network import OrderedLabelNet
from labelrank.scorers.popularity import Popularity
from labelrank.scorers.rank_svm import RankSVMLabels
from labelrank.scorers.rules import AssociationRules
from labelrank.scorers.terms import Terms
from labelrank.scorers.things import TagScorer
from labelrank.scorers.trees import FastXML, PfastXML, TailLabels
from labelrank.scorers.union import Union

__all__ = [
    "IBLR",
    "AssociationRules",
    "BinarySVM",
    "FastXML",
    "LabelTree",
    "MLkNN",
    "NearestNeighbours",
    "OneVsAll",
    "OneVsAllLogistic",
    "OrderedLabelNet",
    "PfastXML",
    "Popularity",
    "RankSVMLabels",
    "Scorer",
    "TagScorer",
    "TailLabels",
    "Terms",
    "Union",
]
