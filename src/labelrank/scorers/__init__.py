"""Scorers: rows in, a Ranking out."""

from labelrank.scorers.base import Scorer
from labelrank.scorers.nearest_neighbours import NearestNeighbours
from labelrank.scorers.popularity import Popularity
from labelrank.scorers.union import Union

__all__ = ["NearestNeighbours", "Popularity", "Scorer", "Union"]
