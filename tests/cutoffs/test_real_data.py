"""Cutoffs on real data, standard splits: a threshold for each row beats a fixed one (Table 4)."""

import numpy as np
import pytest

from labelrank import Ranking, load
from labelrank.cutoffs import LLSF, LabelCount, Threshold
from labelrank.measures import evaluate
from labelrank.scorers import NearestNeighbours


def cross_fitted(data, folds=5):
    """The training rows ranked by scorers that did not see them."""
    fold, parts = np.arange(len(data)) % folds, []
    for k in range(folds):
        scorer = NearestNeighbours(k=20).fit(data.X[fold != k], data.Y[fold != k])
        parts.append(scorer.rank(data.X[fold == k]))
    order = np.argsort(np.concatenate([np.flatnonzero(fold == k) for k in range(folds)]))
    return Ranking.stack(parts)[order]


@pytest.mark.parametrize(("name", "gain"), [("emotions", 0.03), ("scene", 0.02)])
def test_a_threshold_for_each_row_beats_one_half(data_dir, name, gain):
    train = load(name, part="train", data=data_dir)
    test = load(name, part="test", data=data_dir)
    learned_from = cross_fitted(train)
    ranking = NearestNeighbours(k=20).fit(train.X, train.Y).rank(test.X)
    reached = {}
    for cutoff in (Threshold(0.5), LLSF(), LabelCount()):
        kept = cutoff.fit(learned_from, train.Y).keep(ranking)
        reached[type(cutoff)] = evaluate(kept, test.Y, "micro-F1")["micro-F1"].value
    assert reached[LLSF] > reached[Threshold] + gain
    assert reached[LabelCount] > reached[Threshold] + gain
