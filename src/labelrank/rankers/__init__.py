"""Rankers: learning to re-order described candidates."""

from labelrank.rankers.base import Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.explanation import Explanation
from labelrank.rankers.tuning import Tuning, tune

__all__ = ["Candidates", "Explanation", "Ranker", "Tuning", "tune"]
