"""What the most similar things have: columns, candidates, and that they follow updates exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tagged import PLAIN, collections, dataset, plain, tags, words

from labelrank import InputError, Ranking
from labelrank.data.relevance import relevance
from labelrank.features import TagNeighbours
from labelrank.features.tag_groups import tag_features


def row(things, own, said):
    return things.row(dict(zip(things.settings.fields, map(" ".join, said), strict=True)), own)


def by_name(things, rows, **params):
    """The description of every tag that is used, by its key."""
    used = [t for t in range(things.n_tags) if things.uses[t] and t not in rows.tags]
    ranking = Ranking.from_lists([used], n_labels=things.n_tags)
    F = TagNeighbours(**params).on(things).describe(rows, ranking)
    return {things.names.keys[tag]: values for tag, values in zip(ranking.labels, F, strict=True)}


@given(collections, collections, tags, st.tuples(words, words), st.data())
def test_after_updates_it_says_what_it_would_say_from_the_start(D, new, own, said, data):
    ids = [f"i{i}" for i in range(len(D) + len(new))]
    kept = data.draw(st.sets(st.sampled_from(ids)) if ids else st.just(set()))
    things = plain([])
    for part, names in ((D, ids[: len(D)]), (new, ids[len(D) :])):
        if part:
            things.update(dataset(part, names))
    things.forget([name for name in ids if name not in kept])
    left = [thing for thing, name in zip(D + new, ids, strict=True) if name in kept]
    fresh = plain(left)
    found, wanted = (
        by_name(each, row(each, sorted(own), said), k=[1, 2]) for each in (things, fresh)
    )
    assert found.keys() == wanted.keys()
    for tag, values in wanted.items():
        np.testing.assert_array_equal(found[tag], values, err_msg=tag)


@given(collections, tags, st.tuples(words, words), st.integers(1, 3))
def test_further_candidates_are_tags_of_the_nearest_and_not_the_things_own(D, own, said, more):
    things = plain(D)
    rows = row(things, sorted(own), said)
    features = TagNeighbours(k=[1], more=more).on(things)
    indptr, found = features.candidates(rows)
    near = features.near(rows)
    reached = {t for d in near.things.tolist() for t in things.of_tags.rows[d].tolist()}
    assert indptr.tolist() == [0, len(found)]
    assert len(set(found.tolist())) == len(found)
    assert set(found.tolist()) <= reached - set(rows.tags.tolist())
    both = relevance(things, rows, most=1, more=(indptr, found))
    assert set(found.tolist()) <= set(both.tags.tolist())
    assert len(both.tags) <= len(found) + 1


def test_the_share_of_similar_things_by_hand():
    """Two of three things share a word with the new one, equally rare and equally long."""
    things = plain([({"a"}, (["x"], [])), ({"b"}, (["x"], [])), ({"c"}, (["y"], []))])
    found = by_name(things, row(things, [], (["x"], [])), k=[2])
    names = TagNeighbours(k=[2]).names
    assert names == ["Text2", "TextMost", "Near2", "NearMost"]
    assert dict(zip(names, found["a"].tolist(), strict=True)) == pytest.approx(
        {"Text2": 0.5, "TextMost": 1.0, "Near2": 0.5, "NearMost": 0.4}
    )
    assert found["c"].tolist() == [0, 0, 0, 0]


def test_many_rows_are_described_as_each_alone():
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdxy"))
    D = [(set(rng.choice(list("abcd"), 2)), (list(rng.choice(letters, 3)), [])) for _ in range(600)]
    things = plain(D)
    rows = things.rows(dataset(D))
    wanted = TagNeighbours().on(things).near(rows.part(slice(300, 301)))
    found = TagNeighbours().on(things).near(rows, n_jobs=2)
    at = slice(*found.indptr[300:302])
    np.testing.assert_array_equal(found.things[at], wanted.things)
    np.testing.assert_array_equal(found.likeness[at], wanted.likeness)


@pytest.mark.parametrize(
    ("params", "said"),
    [({"k": []}, "k must"), ({"k": [0]}, "k must"), ({"k": [3, 3]}, "k must"),
     ({"more": -1}, "more must"), ({"share": 1.5}, "share must")],
)  # fmt: skip
def test_parameters_that_cannot_be_used_are_told(params, said):
    with pytest.raises(InputError, match=said):
        TagNeighbours(settings=PLAIN, **params).fit(dataset([({"a"}, (["x"], []))]))


def test_it_is_a_group_by_name_and_adds_no_candidate_where_told():
    assert isinstance(tag_features(["relevance", "neighbours"])[1], TagNeighbours)
    things = plain([({"a"}, (["x"], []))])
    assert TagNeighbours(more=0).on(things).candidates(row(things, [], (["x"], []))) is None
