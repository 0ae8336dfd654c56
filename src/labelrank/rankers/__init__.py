"""Rankers: learning to re-order described candidates."""

from labelrank.rankers.base import Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.explanation import Explanation

__all__ = ["Candidates", "Explanation", "Ranker"]
