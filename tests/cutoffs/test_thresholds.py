"""Threshold, PerLabelThreshold: the best number over all, and for each label."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import cutoffs as twin
from strategies import cases

from labelrank import InputError, Ranking, load_model
from labelrank.cutoffs import PerLabelThreshold, Threshold
from labelrank.measures import evaluate


def decided(ranking, Y, kept):
    """(kept, right, relevant) over all rows."""
    right = int((Y[kept.rows, kept.labels] > 0).sum())
    return kept.n_entries, right, int((Y > 0).sum())


@given(cases(), st.sampled_from(["f1", "errors"]))
def test_no_other_threshold_is_better(case, criterion):
    cutoff = Threshold(criterion=criterion).fit(case.ranking, case.Y)
    kept = cutoff.keep(case.ranking)
    hits = case.Y[case.ranking.rows, case.ranking.labels] > 0
    relevant = int((case.Y > 0).sum())
    best = twin.best_decision(case.ranking.scores, hits, relevant, criterion)
    assert twin.worth(*decided(case.ranking, case.Y, kept), criterion) == best
    assert np.array_equal(kept.scores, kept.scores[kept.scores >= cutoff.threshold_])


@given(cases())
def test_as_many_labels_as_there_are(case):
    kept = Threshold(criterion="count").fit(case.ranking, case.Y).keep(case.ranking)
    sizes = [(case.ranking.scores >= t).sum() for t in [np.inf, *case.ranking.scores]]
    wanted = (case.Y > 0).sum()
    assert abs(kept.n_entries - wanted) == min(abs(size - wanted) for size in sizes)


def test_by_hand():
    ranking = Ranking.from_dense(np.array([[0.9, 0.5, 0.0], [0.7, 0.5, 0.25]]))
    Y = np.array([[1, 0, 0], [1, 1, 0]])
    # micro-F1 after the scores .9 .7 .5 .5 .25 0: 2/4, 4/5, 6/7 (the equals go together), 6/8, 6/9
    assert Threshold().fit(ranking, Y).threshold_ == 0.375
    # errors 3, 2, 1, 1: of equals the higher
    assert Threshold(criterion="errors").fit(ranking, Y).threshold_ == 0.6
    assert Threshold(criterion="count").fit(ranking, Y).threshold_ == 0.6  # 3 lies between 2 and 4


def test_a_threshold_that_is_given():
    ranking = Ranking.from_dense(np.array([[0.5, -0.5, 0.0]]))
    assert Threshold(0.0).keep(ranking).labels.tolist() == [0, 2]
    fitted = Threshold(0).fit(ranking, np.ones((1, 3)))
    assert (fitted.threshold_, fitted.keep(ranking).labels.tolist()) == (0.0, [0, 2])
    third = Ranking.from_dense(np.array([[1 / 3]], np.float32))
    assert Threshold(float(np.float32(1 / 3))).keep(third).n_entries == 1  # compared in double
    assert Threshold(1 / 3).keep(third).n_entries == (np.float32(1 / 3) >= 1 / 3)


@pytest.mark.parametrize("bad", [np.nan, np.inf, "0", True, [0.5]])
def test_thresholds_that_cannot_be_given(bad):
    with pytest.raises(InputError, match="Threshold: threshold must be a finite number, found"):
        Threshold(bad).keep(Ranking.from_dense(np.ones((1, 1))))


@pytest.mark.parametrize("cutoff", [Threshold(), Threshold(criterion="errors")])
def test_nothing_relevant_nothing_kept(cutoff):
    ranking = Ranking.from_dense(np.array([[500.0, -500], [3, 3]]))
    assert cutoff.fit(ranking, np.zeros((2, 2))).keep(ranking).n_entries == 0
    assert cutoff.fit(ranking, np.ones((2, 2))).keep(ranking) == ranking
    empty = Ranking([0, 0], [], [], 2)
    assert cutoff.fit(empty, np.ones((1, 2))).keep(empty) == empty


def each_label(ranking, Y):
    scores, listed = ranking.to_csr().toarray(), np.zeros(ranking.shape, bool)
    listed[ranking.rows, ranking.labels] = True
    for label in range(ranking.n_labels):
        rows = np.flatnonzero(listed[:, label])
        order = rows[np.argsort(-scores[rows, label], kind="stable")]
        yield label, scores[order, label], Y[order, label] > 0, int((Y[:, label] > 0).sum())


@given(cases(max_rows=7), st.sampled_from(["f1", "errors"]))
def test_no_other_threshold_is_better_for_a_label(case, criterion):
    cutoff = PerLabelThreshold(criterion, shrinkage=0).fit(case.ranking, case.Y)
    common = Threshold(criterion=criterion).fit(case.ranking, case.Y).threshold_
    for label, scores, hits, relevant in each_label(case.ranking, case.Y):
        t = cutoff.thresholds_[label]
        if not hits.any():
            assert t == common
            continue
        kept = scores >= t
        found = twin.worth(int(kept.sum()), int(hits[kept].sum()), relevant, criterion)
        assert found == twin.best_decision(scores, hits, relevant, criterion)


@given(cases(max_rows=7), st.sampled_from([0.5, 1.0, 10.0]))
def test_few_examples_are_drawn_to_what_is_common(case, s):
    own = PerLabelThreshold(shrinkage=0).fit(case.ranking, case.Y).thresholds_
    drawn = PerLabelThreshold(shrinkage=s).fit(case.ranking, case.Y).thresholds_
    common = Threshold().fit(case.ranking, case.Y).threshold_
    for label, _, hits, _ in each_label(case.ranking, case.Y):
        n = hits.sum()
        assert drawn[label] == pytest.approx((n * own[label] + s * common) / (n + s))


def test_macro_f1_gains_over_one_threshold():
    rng = np.random.default_rng(0)
    Y = rng.random((400, 5)) < 0.3
    scores = rng.normal(size=Y.shape) + 2 * Y + np.arange(5) * 3  # each label on its own level
    ranking = Ranking.from_dense(scores)
    one, each = (
        evaluate(cutoff.fit(ranking[:200], Y[:200]).keep(ranking[200:]), Y[200:], "macro-F1")
        for cutoff in (Threshold(), PerLabelThreshold())
    )
    assert one["macro-F1"].value < 0.6 < 0.7 < each["macro-F1"].value


def test_labels_with_a_low_f1_are_left_out():
    scores = np.array([[9.0, 4.0], [8.0, 3.0], [1.0, 2.0], [0.0, 1.0]])
    Y = np.array([[1, 0], [1, 0], [0, 0], [0, 1]])  # the second label is ranked upside down
    ranking = Ranking.from_dense(scores)
    plain = PerLabelThreshold(shrinkage=0).fit(ranking, Y)
    guarded = PerLabelThreshold(shrinkage=0, fbr=0.5).fit(ranking, Y)
    assert plain.thresholds_.tolist() == [4.5, 1.0]  # F1 of the second: 2/5
    assert guarded.thresholds_.tolist() == [4.5, np.nextafter(4.0, 5)]
    assert PerLabelThreshold(shrinkage=0, fbr=0.4).fit(ranking, Y).thresholds_[1] == 1.0


def test_labels_nobody_listed_have_the_common_threshold():
    ranking = Ranking.from_lists([[0], [0]], [[0.75], [0.25]], n_labels=3)
    cutoff = PerLabelThreshold(fbr=0.9).fit(ranking, np.array([[1, 0, 1], [0, 0, 0]]))
    assert cutoff.thresholds_.tolist() == [0.5, 0.5, 0.5]
    empty = Ranking([0, 0, 0], [], [], 3)
    assert PerLabelThreshold().fit(empty, np.ones((2, 3))).thresholds_.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("cutoff", "says"),
    [
        (Threshold(criterion="F1"), "Threshold: criterion must be f1, errors or count, found 'F1'"),
        (PerLabelThreshold(criterion="count"), "criterion must be f1 or errors, found 'count'"),
        (PerLabelThreshold(shrinkage=-1), "shrinkage must be a finite number from 0, found -1"),
        (PerLabelThreshold(fbr=2), "fbr must be a finite number from 0 to 1, found 2"),
        (PerLabelThreshold(ties="first"), "ties must be fewest, most or widest, found 'first'"),
    ],
)
def test_parameters_that_cannot_be(cutoff, says):
    with pytest.raises(InputError, match=says):
        cutoff.fit(Ranking.from_dense(np.ones((1, 2))), np.ones((1, 2)))


def test_a_threshold_loaded_is_the_same(tmp_path):
    ranking = Ranking.from_dense(np.random.default_rng(1).random((20, 3)))
    Y = np.random.default_rng(2).integers(0, 2, (20, 3))
    for cutoff in (Threshold(), Threshold(0.5), PerLabelThreshold()):
        cutoff.fit(ranking, Y).save(tmp_path / "a.model")
        assert load_model(tmp_path / "a.model").keep(ranking) == cutoff.keep(ranking)
