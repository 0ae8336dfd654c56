"""Features: numbers for each (row, label) pair of a Ranking."""

from labelrank.features.base import Features, Joined

__all__ = ["Features", "Joined"]
