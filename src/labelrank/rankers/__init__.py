"""Rankers: learning to re-order described candidates."""

from labelrank.rankers.base import Ranker

__all__ = ["Ranker"]
