"""Losses for labels whose order is known: what scores cost, and how they would cost less."""

from labelrank.losses.base import Loss
from labelrank.losses.cross_entropy import cross_entropy
from labelrank.losses.lsep import lsep
from labelrank.losses.rlsep import rlsep

__all__ = ["Loss", "cross_entropy", "lsep", "rlsep"]
