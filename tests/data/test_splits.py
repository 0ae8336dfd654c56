"""Stratified folds, half of the tags, portions."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_score

from labelrank import InputError
from labelrank.data import MultilabelStratifiedKFold, half_of_the_tags, portions

SEED = st.integers(0, 2**32 - 1)


@st.composite
def truths(draw, min_rows=2):
    shape = draw(st.integers(min_rows, 24)), draw(st.integers(0, 6))
    return draw(arrays(np.int8, shape, elements=st.sampled_from([0, 0, 0, 1, 1, 3])))


def plain_folds(Y, k, seed):
    """Sechidis, Tsoumakas & Vlahavas 2011, algorithm 1, word by word; ties by the same dice."""
    Y = np.asarray(Y) > 0
    dice = np.random.RandomState(seed).random_sample((len(Y), k))
    fold = np.full(len(Y), -1)
    label_wants, row_wants = np.outer(Y.sum(axis=0) / k, np.ones(k)), np.full(k, len(Y) / k)
    while (fold < 0).any():
        left = Y[fold < 0].sum(axis=0)
        rarest = min(np.flatnonzero(left), key=lambda label: (left[label], label), default=None)
        has = np.ones(len(Y), bool) if rarest is None else Y[:, rarest]
        wants = np.zeros(k) if rarest is None else label_wants[rarest]
        for row in np.flatnonzero(has & (fold < 0)):
            best = max(range(k), key=lambda j: (wants[j], row_wants[j], dice[row, j]))
            fold[row] = best
            row_wants[best] -= 1
            label_wants[Y[row], best] -= 1
    return fold


@given(truths(min_rows=4), st.integers(2, 4), SEED)
def test_the_rarest_label_that_is_left_is_always_dealt_first(Y, k, seed):
    found = MultilabelStratifiedKFold(k, random_state=seed).folds(Y)
    np.testing.assert_array_equal(found, plain_folds(Y, k, seed))


@given(truths(), st.data(), SEED)
def test_folds_are_a_partition_into_rising_rows(Y, data, seed):
    k = data.draw(st.integers(2, len(Y)))
    splits = list(MultilabelStratifiedKFold(k, random_state=seed).split(None, Y))
    assert len(splits) == k
    for train, test in splits:
        np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(Y)))
        assert (np.diff(train) > 0).all()
        assert (np.diff(test) > 0).all()
    np.testing.assert_array_equal(
        np.sort(np.concatenate([test for _, test in splits])), np.arange(len(Y))
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("k", [2, 3, 5])
def test_each_fold_has_its_share_of_every_label(seed, k):
    rng = np.random.default_rng(seed)
    Y = rng.random((200, 8)) < rng.uniform(0.01, 0.4, 8)
    fold = MultilabelStratifiedKFold(k, random_state=seed).folds(Y)
    counts = np.array([Y[fold == j].sum(axis=0) for j in range(k)])
    # the most frequent label comes last and gets what the others leave
    assert np.abs(counts - Y.sum(axis=0) / k).max() < 7
    assert np.abs(counts - Y.sum(axis=0) / k).mean() < 0.8
    assert np.abs(np.bincount(fold, minlength=k) - 200 / k).max() <= 5


def test_one_label_a_row_is_spread_to_within_one():
    Y = np.eye(4)[np.repeat(np.arange(4), [3, 10, 21, 40])]
    fold = MultilabelStratifiedKFold(3, random_state=0).folds(Y)
    counts = np.array([Y[fold == j].sum(axis=0) for j in range(3)])
    assert (np.ptp(counts, axis=0) <= 1).all()
    assert np.ptp(np.bincount(fold)) <= 1


def test_rows_without_a_label_even_out_the_sizes():
    Y = np.zeros((20, 2))
    Y[:5, 0] = 1
    fold = MultilabelStratifiedKFold(4, random_state=0).folds(Y)
    assert np.bincount(fold).tolist() == [5, 5, 5, 5]
    none = MultilabelStratifiedKFold(4, random_state=0).folds(np.zeros((10, 0)))
    assert sorted(np.bincount(none)) == [2, 2, 3, 3]


def test_the_seed_alone_decides_and_grades_and_form_do_not():
    Y = np.random.default_rng(0).integers(0, 4, (60, 5))

    def of(truth, seed=7):
        return MultilabelStratifiedKFold(5, random_state=seed).folds(truth).tolist()

    assert of(Y) == of(Y) == of((Y > 0).astype(float)) == of(sp.coo_matrix(Y))
    assert of(Y) == of(Y, np.random.RandomState(7))
    assert of(Y) != of(Y, 8)


def test_it_serves_as_cv_in_scikit_learn():
    Y = np.random.default_rng(0).integers(0, 2, (30, 2))
    folds = MultilabelStratifiedKFold(3, random_state=0)
    assert folds.get_n_splits(Y, Y) == 3
    assert len(cross_val_score(DummyClassifier(), Y, Y, cv=folds)) == 3


@pytest.mark.parametrize("k", [1, 0, -1, 5, 2.5, "3", None])
def test_a_number_of_folds_that_cannot_be(k):
    with pytest.raises(InputError, match=f"n_splits .*{k}"):
        MultilabelStratifiedKFold(k).folds(np.ones((4, 2)))


@pytest.mark.parametrize(
    "Y", [None, np.ones(4), [["a"]], -np.ones((4, 2)), np.full((4, 1), np.nan)]
)
def test_a_truth_that_cannot_be_dealt(Y):
    with pytest.raises(InputError, match="Y"):
        list(MultilabelStratifiedKFold(2).split(None, Y))


@given(truths(min_rows=0), SEED)
def test_half_of_the_tags_is_a_partition_of_each_row(Y, seed):
    given_, gold = half_of_the_tags(Y, seed)
    np.testing.assert_array_equal((given_ + gold).toarray(), Y)  # grades are kept
    assert not (given_.multiply(gold)).nnz
    counts = (Y > 0).sum(axis=1)
    np.testing.assert_array_equal(np.diff(given_.indptr), counts // 2)
    np.testing.assert_array_equal(np.diff(gold.indptr), counts - counts // 2)
    assert given_.has_canonical_format
    assert gold.has_canonical_format
    again = half_of_the_tags(sp.csc_matrix(Y), seed)
    np.testing.assert_array_equal(again[0].toarray(), given_.toarray())


def test_every_tag_is_given_equally_often():
    given_, _ = half_of_the_tags(np.ones((4000, 5)), random_state=0)
    share = np.asarray(given_.sum(axis=0)) / 4000
    np.testing.assert_allclose(share, 2 / 5, atol=4 * np.sqrt(0.24 / 4000))
    pairs = (given_.T @ given_).toarray()[np.triu_indices(5, 1)] / 4000
    np.testing.assert_allclose(pairs, 1 / 10, atol=4 * np.sqrt(0.09 / 4000))


@given(st.integers(3, 40), st.data(), SEED)
def test_portions(n_rows, data, seed):
    n = data.draw(st.integers(3, n_rows))
    splits = list(portions(n_rows, n, seed))
    assert len(splits) == n
    for train, validation, test in splits:
        together = np.concatenate([train, validation, test])
        np.testing.assert_array_equal(np.sort(together), np.arange(n_rows))
        assert n_rows // n <= len(test) <= -(-n_rows // n)
    for part in (1, 2):  # each row is once in a test part and once in a validation part
        rows = np.concatenate([split[part] for split in splits])
        np.testing.assert_array_equal(np.sort(rows), np.arange(n_rows))
    assert all((np.diff(rows) > 0).all() for split in splits for rows in split)


def test_portions_are_drawn_by_the_seed():
    def of(seed):
        return [part.tolist() for split in portions(50, 5, seed) for part in split]

    assert of(3) == of(3) != of(4)
    assert of(3)[2] != list(range(10))


@pytest.mark.parametrize(("n_rows", "n"), [(10, 2), (10, 11), (2, 3), (0, 3), (10, 0)])
def test_portions_that_cannot_be(n_rows, n):
    with pytest.raises(InputError, match=f"n_portions must lie between 3 and {n_rows} rows"):
        list(portions(n_rows, n))


def test_inputs_are_not_modified():
    Y = sp.csr_array(np.array([[0, 2, 1], [3, 0, 0]]))
    parts = (Y.data, Y.indices, Y.indptr)
    copies = [part.copy() for part in parts]
    for part in parts:
        part.flags.writeable = False
    half_of_the_tags(Y, 0)
    MultilabelStratifiedKFold(2, random_state=0).folds(Y)
    for part, copy in zip(parts, copies, strict=True):
        np.testing.assert_array_equal(part, copy)
