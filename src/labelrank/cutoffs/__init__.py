"""Cutoffs: how many labels to keep."""

from labelrank.cutoffs.abstain import Abstain
from labelrank.cutoffs.base import Cutoff
from labelrank.cutoffs.label_count import LabelCount
from labelrank.cutoffs.llsf import LLSF
from labelrank.cutoffs.network import ThresholdNetwork
from labelrank.cutoffs.per_label_threshold import PerLabelThreshold
from labelrank.cutoffs.threshold import Threshold
from labelrank.cutoffs.top_k import TopK

__all__ = [
    "LLSF",
    "Abstain",
    "Cutoff",
    "LabelCount",
    "PerLabelThreshold",
    "Threshold",
    "ThresholdNetwork",
    "TopK",
]
