"""Cutoffs: how many labels to keep."""

from labelrank.cutoffs.base import Cutoff
from labelrank.cutoffs.llsf import LLSF
from labelrank.cutoffs.per_label_threshold import PerLabelThreshold
from labelrank.cutoffs.threshold import Threshold
from labelrank.cutoffs.top_k import TopK

__all__ = ["LLSF", "Cutoff", "PerLabelThreshold", "Threshold", "TopK"]
