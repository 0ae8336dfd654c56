"""labelrank ranks labels: which apply, in which order, how many to keep, how sure, and why.

The path: a scorer turns rows into a `Ranking`, features and a ranker re-order it, a cutoff shortens
it, a measure scores it. Names below are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelrank.data import Dataset, load
    from labelrank.errors import InputError, MissingExtraError, ModelError
    from labelrank.measures import compare, evaluate, measure, propensities
    from labelrank.ranking import Ranking
    from labelrank.recipes import (
        HybridRanker,
        LabelRanker,
        MetaLabelRanker,
        PfastreXML,
        TagRecommender,
    )
    from labelrank.scorers import OrderedLabelNet
    from labelrank.store import load_model

__version__ = "0.1.0"

_HOME = {
    "Dataset": "labelrank.data",
    "HybridRanker": "labelrank.recipes",
    "InputError": "labelrank.errors",
    "LabelRanker": "labelrank.recipes",
    "MetaLabelRanker": "labelrank.recipes",
    "MissingExtraError": "labelrank.errors",
    "ModelError": "labelrank.errors",
    "OrderedLabelNet": "labelrank.scorers",
    "PfastreXML": "labelrank.recipes",
    "Ranking": "labelrank.ranking",
    "TagRecommender": "labelrank.recipes",
    "compare": "labelrank.measures",
    "evaluate": "labelrank.measures",
    "load": "labelrank.data",
    "load_model": "labelrank.store",
    "measure": "labelrank.measures",
    "propensities": "labelrank.measures",
}

__all__ = [
    "Dataset",
    "HybridRanker",
    "InputError",
    "LabelRanker",
    "MetaLabelRanker",
    "MissingExtraError",
    "ModelError",
    "OrderedLabelNet",
    "PfastreXML",
    "Ranking",
    "TagRecommender",
    "compare",
    "evaluate",
    "load",
    "load_model",
    "measure",
    "propensities",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'labelrank' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
