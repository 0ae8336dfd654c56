"""Features: numbers for each (row, label) pair of a Ranking."""

from labelrank.features.base import Features, Joined
from labelrank.features.scored import Scored

__all__ = ["Features", "Joined", "Scored"]
