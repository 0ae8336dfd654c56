"""Groups of features for tags, by name."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from labelrank.errors import InputError
from labelrank.features.tag_neighbours import TagNeighbours
from labelrank.features.tag_relevance import TagRelevance
from labelrank.features.things import ThingFeatures

__all__ = ["TAG_FEATURES", "tag_features"]

TAG_FEATURES: dict[str, type[ThingFeatures]] = {
    "relevance": TagRelevance,
    "neighbours": TagNeighbours,
}
"""Every group that `TagRecommender` knows; "relevance" is Table I of paper 001."""


def tag_features(names: Sequence[str]) -> list[ThingFeatures]:
    """The groups that some names stand for, in their order.

    Examples
    --------
    >>> tag_features(["relevance"])
    [TagRelevance()]
    """
    if isinstance(names, str) or not names or len(set(names)) < len(names):
        raise InputError(f"features must be names of groups, each once, found {names!r:.60}.")
    for name in names:
        if name not in TAG_FEATURES:
            close = difflib.get_close_matches(str(name), TAG_FEATURES, n=1, cutoff=0.5)
            meant = f"did you mean {close[0]}? " if close else ""
            known = ", ".join(TAG_FEATURES)
            raise InputError(f"there are no features {name!r}; {meant}Known are {known}.")
    return [TAG_FEATURES[name]() for name in names]
