"""Forest: regression trees read from LightGBM once, scored and explained by kernels of ours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from labelrank import _native
from labelrank.errors import InputError
from labelrank.store import Array, Field, Number, Stored

__all__ = ["Forest"]

# What LightGBM calls it, what we call it, its type; leaves last.
_COLUMNS = (
    ("split_feature", "features_", "i4"), ("threshold", "thresholds_", "f8"),
    ("decision_type", "decisions_", "u1"), ("left_child", "left_", "i4"),
    ("right_child", "right_", "i4"), ("leaf_value", "values_", "f8"),
    ("leaf_count", "covers_", "f8"),
)  # fmt: skip
_OF_LEAVES = ("values_", "covers_")


class Forest(Stored, BaseEstimator):
    r"""The sum of regression trees, as LightGBM trained them.

    .. math:: s(x) = \sum_t v_{t,\ell_t(x)}

    where :math:`\ell_t(x)` is the leaf of tree t that x ends in. Scores equal
    ``Booster.predict(x, raw_score=True)`` and contributions ``pred_contrib=True``, both divided by
    the number of trees for LightGBM's random forests; one candidate costs microseconds.

    Attributes
    ----------
    starts_ : int64 array (n_trees + 1,)
        Tree t has the splits ``starts_[t]:starts_[t + 1]`` and one leaf more.
    features_, thresholds_, decisions_, left_, right_ : arrays (n_splits,)
        A candidate goes left when its feature is at most the threshold. A child from 0 is a split
        of the same tree, counted from the tree's first; a negative one is the leaf ``~child``. A
        decision holds LightGBM's bits: 2, missing goes left; 4, zero is missing; 8, NaN is missing.
    values_, covers_ : float64 arrays (n_splits + n_trees,)
        What a leaf adds, and how many training candidates ended in it.
    n_features_in_ : int

    Notes
    -----
    Small trees are scored for 256 candidates at a time: every split clears the leaves on its left
    for those that go right, and the first leaf that remains is the exit (Lucchese et al. 2015).
    Larger trees are walked by many candidates side by side without a branch, and a single candidate
    walks many trees side by side. All add up the trees in their order: a candidate's score does not
    depend on the others. Contributions are exact Shapley values of the trees (Lundberg et al.
    2018).

    Examples
    --------
    >>> import lightgbm, numpy as np
    >>> from labelrank.rankers.forest import Forest
    >>> X = np.arange(60, dtype=np.float32).reshape(30, 2)
    >>> quiet = {"verbosity": -1, "min_data_in_leaf": 3, "num_threads": 1}
    >>> booster = lightgbm.train(quiet, lightgbm.Dataset(X, X[:, 0] > 20), 10)
    >>> forest = Forest.of_lightgbm(booster)
    >>> forest.n_trees
    10
    >>> np.abs(forest.scores(X) - booster.predict(X)).max() < 1e-6
    np.True_
    """

    fitted: ClassVar[dict[str, Field]] = {
        "starts_": Array("i8"),
        **{ours: Array(kind) for _, ours, kind in _COLUMNS},
        "n_features_in_": Number(),
    }
    starts_: NDArray[np.int64]
    features_: NDArray[np.int32]
    thresholds_: NDArray[np.float64]
    decisions_: NDArray[np.uint8]
    left_: NDArray[np.int32]
    right_: NDArray[np.int32]
    values_: NDArray[np.float64]
    covers_: NDArray[np.float64]
    n_features_in_: int

    @classmethod
    def of_lightgbm(cls, model: Any) -> Self:
        """The trees of a LightGBM model: a Booster, a fitted LGBMModel, or the text of a model.

        Categorical splits, linear leaves and several outputs are refused. Scores are raw: what an
        objective such as "binary" does to them afterwards does not change an order.
        """
        booster = getattr(model, "booster_", model)
        text = booster if isinstance(booster, str) else booster.model_to_string()
        head, *trees = re.split(r"^Tree=\d+\n", text.partition("\nend of trees")[0], flags=re.M)
        facts = _facts(head)
        if "max_feature_idx" not in facts or "end of trees" not in text:
            raise InputError("this is not the text of a whole LightGBM model.")
        if facts.get("num_tree_per_iteration") != "1":
            raise InputError("a forest has one output; this LightGBM model has several.")
        forest = cls._of_trees([_facts(tree) for tree in trees], int(facts["max_feature_idx"]) + 1)
        return forest.scaled(1 / max(len(trees), 1)) if "average_output" in facts else forest

    @classmethod
    def empty(cls, n_features: int) -> Self:
        """No tree at all: every score is 0."""
        return cls._of_trees([], n_features)

    @classmethod
    def joined(cls, forests: Sequence[Forest]) -> Self:
        """All trees, one forest after the other: its scores are the sum of theirs."""
        return cls._taken(
            forests, [(i, t) for i, f in enumerate(forests) for t in range(f.n_trees)]
        )

    @classmethod
    def by_turns(cls, forests: Sequence[Forest]) -> Self:
        """The first tree of each forest, the second of each, …: its scores are their sum."""
        order = sorted((t, i) for i, f in enumerate(forests) for t in range(f.n_trees))
        return cls._taken(forests, [(i, t) for t, i in order])

    @classmethod
    def _taken(cls, forests: Sequence[Forest], order: Sequence[tuple[int, int]]) -> Self:
        """Trees given by forest and number."""
        taken = cls()
        places = [(forests[i], int(forests[i].starts_[t]), t) for i, t in order]
        sizes = [int(f.starts_[t + 1]) - a for f, a, t in places]
        taken.starts_ = np.cumsum([0, *sizes], dtype=np.int64)
        for _, ours, kind in _COLUMNS:
            leaves = ours in _OF_LEAVES  # one more a tree
            parts = [
                getattr(f, ours)[a + t : a + t + size + 1]
                if leaves
                else getattr(f, ours)[a : a + size]
                for (f, a, t), size in zip(places, sizes, strict=True)
            ]
            setattr(taken, ours, np.concatenate([np.empty(0, kind), *parts]))
        taken.n_features_in_ = forests[0].n_features_in_
        return taken

    @classmethod
    def _of_trees(cls, trees: Sequence[dict[str, str]], n_features: int) -> Self:
        if any(int(t.get("num_cat", 0)) or int(t.get("is_linear", 0)) for t in trees):
            raise InputError("a forest cannot have categorical splits or linear leaves.")
        forest = cls()
        sizes = [int(tree["num_leaves"]) - 1 for tree in trees]
        forest.starts_ = np.cumsum([0, *sizes], dtype=np.int64)
        for theirs, ours, kind in _COLUMNS:
            texts = [tree.get(theirs, "") for tree in trees]
            if theirs == "leaf_count":  # a tree of one leaf has no count
                texts = [text or "1" for text in texts]
            setattr(forest, ours, np.array(" ".join(texts).split(), dtype=np.float64).astype(kind))
        forest.n_features_in_ = n_features
        forest._check_fitted()
        return forest

    @property
    def n_trees(self) -> int:
        """How many trees."""
        return len(self.starts_) - 1

    def scores(self, F: NDArray[np.float32]) -> NDArray[np.float64]:
        """One score for each row of F, float32 and C-contiguous; NaN goes where LightGBM sends it.

        Raises ValueError where F is of another type or width.
        """
        return self._kernel.scores(F)

    def contributions(
        self, F: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(what each feature added to each score, what the scores are without them)."""
        parts = self._kernel.contributions(F)
        return parts[:, :-1], parts[:, -1]

    def first(self, n_trees: int) -> Self:
        """The first trees alone."""
        kept = type(self)()
        kept.starts_ = self.starts_[: n_trees + 1]
        splits = int(kept.starts_[-1])
        for _, ours, _ in _COLUMNS:
            size = splits + kept.n_trees if ours in _OF_LEAVES else splits
            setattr(kept, ours, getattr(self, ours)[:size])
        kept.n_features_in_ = self.n_features_in_
        return kept

    def tree(self, t: int) -> Self:
        """One tree alone."""
        return self._taken([self], [(0, t)])

    def scaled(self, by: float, plus: float = 0.0) -> Self:
        """The same trees with leaves multiplied by a number, those of the first then moved."""
        other = self.first(self.n_trees)
        other.values_ = self.values_ * by
        other.values_[: self.starts_[min(self.n_trees, 1)] + min(self.n_trees, 1)] += plus
        return other

    @cached_property
    def _kernel(self) -> _native.Forest:
        """The trees checked and packed; every index is verified before it is followed."""
        splits = self.features_, self.thresholds_, self.decisions_, self.left_, self.right_
        return _native.Forest(
            self.starts_, *splits, self.values_, self.covers_, self.n_features_in_
        )

    def _check_fitted(self) -> None:
        assert self._kernel is not None  # raises where the trees are not sound

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in super().__getstate__().items() if k != "_kernel"}


def _facts(text: str) -> dict[str, str]:
    """The lines ``name=value``, and names that stand alone."""
    parts = (line.partition("=") for line in text.splitlines() if line)
    return {name: value for name, _, value in parts}
