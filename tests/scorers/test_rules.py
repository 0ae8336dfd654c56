"""Rules: the kernel's limits and refusals, and the two scorers of candidates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.tag_relevance import metrics
from reference.tag_relevance import rules as plain_rules
from tagged import PLAIN, TAGS, collections, dataset, plain, tags, words

from labelrank import InputError, _native, load_model
from labelrank.data import Dataset, Settings
from labelrank.data.relevance import Tuning
from labelrank.scorers import AssociationRules, Terms
from labelrank.scorers.rules import rules


@given(collections, tags, st.integers(1, 3))
def test_rules_equal_their_twin(D, own, support):
    things = plain(D, PLAIN._replace(support=support))
    keys = things.names.keys
    found = rules(things, things.known_tags(sorted(own)))
    got = {
        (tuple(sorted(keys[x] for x in X if x >= 0)), keys[c]): (n, both)
        for X, c, n, both in zip(*(a.tolist() for a in found), strict=True)
    }
    assert got == plain_rules(D, own, 3, support, 0)


@given(collections, tags)
def test_rules_to_some_tags_are_some_of_all_rules(D, own):
    things = plain(D)
    given_tags = things.known_tags(own)
    everything = rules(things, given_tags)
    heads = sorted(set(everything.consequents.tolist()))[::2]
    some = rules(things, given_tags, consequents=heads)
    kept = np.isin(everything.consequents, heads)
    for all_of_it, part in zip(everything, some, strict=True):
        np.testing.assert_array_equal(all_of_it[kept], part)


@given(collections, tags, st.tuples(words, words))
def test_scorers_rank_by_sum_and_by_wts_and_never_what_a_thing_has(D, own, said):
    if not any(tags for tags, _ in D):
        return
    data, new = dataset(D), dataset([(own, said)])
    wanted = metrics(D, own & {t for tags, _ in D for t in tags}, said)
    for scorer, column in ((AssociationRules(settings=PLAIN), 1), (Terms(settings=PLAIN), 7)):
        scorer.fit(data)
        ranking = scorer.rank(new)
        got = {scorer.things_.names.keys[t]: float(s) for t, s in zip(*ranking.row(0), strict=True)}
        positive = {c: values[column] for c, values in wanted.items() if values[column] > 0}
        assert got == pytest.approx(positive)
        assert not got.keys() & own


def test_only_the_rarest_tags_are_put_together():
    D = [({"a", "b", "c"}, ([], []))] * 3 + [({"a", "b"}, ([], []))] * 2 + [({"a"}, ([], []))]
    things = plain(D + [({"a", "b", "c", "d"}, ([], []))] * 2)
    own = things.known_tags("abc")
    wide = rules(things, own, Tuning(wide=3))
    narrow = rules(things, own, Tuning(wide=2))
    shown = {tuple(x for x in X if x >= 0) for X in narrow.antecedents.tolist()}
    a, b, c = (things.names.number(x) for x in "abc")
    assert shown == {(a,), (b,), (c,), (c, b)}  # b and c are rarer than a
    assert len(wide.consequents) == 7


def test_work_is_bounded_for_very_many_tags():
    n = 4000
    row = np.ones((2, n))
    data = Dataset(Y=row, label_names=[f"tag{i}" for i in range(n)])
    scorer = AssociationRules(settings=Settings(support=1)).fit(data)
    half = np.arange(n) % 2 == 0
    ranking = scorer.rank(Dataset(Y=[half], label_names=data.label_names), k=3)
    assert ranking.lengths.tolist() == [3]


def lists(*values):
    sizes = np.array([len(v) for v in values], dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum(sizes)])[:-1].astype(np.int64)
    return starts, sizes, np.array([x for v in values for x in v], dtype=np.int32)


GOOD = {"uses": lists([0, 1], [1]), "tags": lists([0], [0, 1])}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"uses": lists([0, 7], [1])}, "there is no list 7"),
        ({"uses": lists([0, -1], [1])}, "there is no list -1"),
        ({"tags": lists([0], [5])}, "a thing has a tag that is not known"),
        ({"own": np.array([9], np.int32)}, "a tag is not known"),
        ({"own": np.array([0, 0], np.int32)}, "a tag stands twice"),
        ({"consequents": np.array([2], np.int32)}, "consequents must lie in 0..1"),
        ({"length": 4}, "length must be 1, 2 or 3"),
        ({"support": 0}, "support must be at least 1"),
        ({"confidence": float("nan")}, "confidence must lie in 0..1"),
        ({"wide": 0}, "wide must lie in 1..64"),
        ({"uses": (np.array([0, 5]), np.array([2, 1], np.int32), np.zeros(3, np.int32))},
         "list 1 lies outside its pool"),
        ({"uses": (np.array([0, 2]), np.array([2, -1], np.int32), np.zeros(3, np.int32))},
         "list 1 lies outside its pool"),
        ({"uses": (np.array([0]), np.array([2, 1], np.int32), np.zeros(3, np.int32))},
         "sizes of lists has 2 values where 1 are needed"),
    ],
)  # fmt: skip
def test_the_kernel_refuses_what_it_cannot_follow(change, says):
    arguments = GOOD | {
        "own": np.array([0, 1], np.int32), "consequents": np.empty(0, np.int32), "all": True,
        "length": 3, "support": 1, "confidence": 0.0, "wide": 8,
    }  # fmt: skip
    _native.rules(**arguments)
    with pytest.raises(ValueError, match=says):
        _native.rules(**arguments | change)
    again = _native.rules(**arguments)  # an error leaves nothing behind
    assert again[1].tolist() == []


@pytest.mark.parametrize("kind", [AssociationRules, Terms])
def test_saved_and_loaded(kind, tmp_path):
    D = [({"a", "b"}, (["a"], ["b"])), ({"a", "c"}, (["c"], [])), ({"a", "b"}, ([], []))]
    data = dataset(D)
    scorer = kind(settings=PLAIN).fit(data)
    scorer.save(tmp_path / "m")
    again = load_model(tmp_path / "m")
    new = dataset([({"a"}, (["b", "c"], []))])
    assert again.rank(new) == scorer.rank(new)
    assert again.label_names_ == scorer.label_names_ == data.label_names


def test_things_are_needed():
    with pytest.raises(InputError, match="as a Dataset, found ndarray"):
        AssociationRules().fit(np.eye(3))
    scorer = AssociationRules().fit(dataset([({"a"}, ([], []))]))
    with pytest.raises(InputError, match="as a Dataset, found list"):
        scorer.rank([[1]])
    with pytest.raises(InputError, match=r"Y has shape \(2, 2\), but the things have \(1, 1\)"):
        AssociationRules().fit(dataset([({"a"}, ([], []))]), np.eye(2))
    assert set(TAGS) > {"a"}
