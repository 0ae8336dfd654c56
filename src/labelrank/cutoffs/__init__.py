"""Cutoffs: how many labels to keep."""

from labelrank.cutoffs.base import Cutoff
from labelrank.cutoffs.top_k import TopK

__all__ = ["Cutoff", "TopK"]
