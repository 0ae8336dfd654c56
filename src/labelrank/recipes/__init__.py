"""Recipes: named compositions of scorers, features, rankers and cutoffs."""

__all__: list[str] = []
