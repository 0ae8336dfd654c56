"""Experiments: what the command runs and reports, on any data in the right form."""

from labelrank.experiments.first_look import FirstLook, first_look

__all__ = ["FirstLook", "first_look"]
