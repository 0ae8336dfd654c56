"""Forests of label trees: FastXML and what paper 003 makes of it."""

from labelrank.scorers.trees.fast_xml import FastXML
from labelrank.scorers.trees.pfast_xml import PfastXML
from labelrank.scorers.trees.tail_labels import TailLabels

__all__ = ["FastXML", "PfastXML", "TailLabels"]
