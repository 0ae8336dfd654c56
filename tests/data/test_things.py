"""An index that learned and forgot says what a new index of the same things would say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tagged import PLAIN, collections, dataset, known, plain, thing

from labelrank import InputError
from labelrank.data import Dataset, Settings, Things
from labelrank.data.kept_things import packed, unpacked

IDS = st.sampled_from([f"id{i}" for i in range(8)])


def afresh(kept):
    ids = list(kept)
    return Things.of(dataset([kept[i] for i in ids], ids=ids), PLAIN)


class Changing(RuleBasedStateMachine):
    """Things come, change and go."""

    @initialize(first=st.dictionaries(IDS, thing, max_size=6))
    def start(self, first):
        self.kept = dict(first)
        self.things = afresh(self.kept)

    @rule(new=st.dictionaries(IDS, thing, max_size=4))
    def update(self, new):
        self.things.update(dataset(list(new.values()), ids=list(new)))
        self.kept |= new

    @rule(ids=st.sets(IDS, max_size=4))
    def forget(self, ids):
        there = ids & self.kept.keys()
        self.things.forget(there)
        for name in there:
            del self.kept[name]

    @rule()
    def save_and_load(self):
        self.things = unpacked(
            packed(self.things), {"settings": list(PLAIN), "next": self.things._next}
        )

    @invariant()
    def as_from_scratch(self):
        if hasattr(self, "things"):
            assert known(self.things) == known(afresh(self.kept))


TestChanging = Changing.TestCase
TestChanging.settings = settings(max_examples=40, stateful_step_count=8)


@given(collections)
def test_statistics_equal_plain_counting(D):
    things = plain(D)
    for tag, name in enumerate(things.names.keys):
        assert things.uses[tag] == sum(name in own for own, _ in D)
        assert sorted(things.of_tags.columns[tag].tolist()) == [
            row for row, (own, _) in enumerate(D) if name in own
        ]
    for term, key in enumerate(things.terms.keys):
        wanted = [
            row
            for row, (_, said) in enumerate(D)
            if any(f" {key} " in f" {' '.join(words)} " for words in said)
        ]
        assert sorted(things.of_terms.columns[term].tolist()) == wanted


def test_a_tag_is_shown_as_most_things_have_it_and_so_after_changes():
    data = Dataset(
        Y=np.eye(4)[[0, 1, 1, 2, 3]],
        label_names=["Neural Network", "neural-networks", "neural networks", "C"],
        ids=list("vwxyz"),
    )
    things = Things.of(data)
    assert things.names.shown == ["neural-networks", "C"]
    things.forget(["w", "x"])
    assert things.names.shown == ["Neural Network", "C"]  # of equally many the first
    things.update(Dataset(Y=[[1], [1]], label_names=["NEURAL NETWORK"], ids=["1", "2"]))
    assert things.names.shown == ["NEURAL NETWORK", "C"]
    by_case = Things.of(data, Settings(same="case"))
    assert by_case.names.shown == ["Neural Network", "neural-networks", "neural networks", "C"]


def test_forgotten_things_leave_nothing_in_what_is_saved():
    data = Dataset(
        Y=[[1, 0, 1], [0, 1, 1], [1, 1, 0]],
        label_names=["harmless", "secret-tag", "Shared"],
        ids=["one", "private-id", "two"],
        texts={"title": ["plain words", "confidential matter", "secret tag"]},
    )
    things = Things.of(data)
    things.update(Dataset(Y=[[1]], label_names=["SECRETIVE"], ids=["three"],
                          texts={"title": ["hush hush"]}))  # fmt: skip
    things.forget(["private-id", "three"])
    content = b"".join(a.tobytes() for a in packed(things).values())
    for gone in (b"private", b"confidenti", b"matter", b"SECRETIVE", b"hush", b"three"):
        assert gone not in content
    assert b"secret-tag" in content  # another thing has it
    things.forget(["two"])
    content = b"".join(a.tobytes() for a in packed(things).values())
    assert b"secret" not in content
    assert set(things.names.shown) == {"harmless", "Shared"}


def test_things_without_ids_are_numbered_on():
    things = Things.of(Dataset(Y=[[1], [1]], label_names=["a"]))
    things.forget(["1"])
    things.update(Dataset(Y=[[1], [1]], label_names=["a"]))
    assert things.ids == ["0", "2", "3"]  # what was forgotten does not come back under its id


def test_unknown_ids_change_nothing():
    things = Things.of(Dataset(Y=[[1], [1]], label_names=["a"]))
    before = known(things)
    with pytest.raises(InputError, match="no thing with the id 'x' to forget; nothing was changed"):
        things.forget(["0", "x"])
    assert known(things) == before


def test_arrays_from_outside_are_never_written_to():
    things = plain([({"a", "b"}, (["a"], [])), ({"a"}, ([], ["b"]))])
    arrays = packed(things)
    for array in arrays.values():
        array.flags.writeable = False
    copy = unpacked(arrays, {"settings": list(PLAIN), "next": 2})
    copy.update(dataset([({"a", "z"}, (["z"], []))], ids=["new"]))
    copy.forget(["0"])
    assert sorted(copy.ids) == ["1", "new"]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"fields": "title"}, "fields must be names of text fields, found 'title'"),
        ({"fields": ("a", "a")}, "fields names a text field twice"),
        ({"support": 0}, "support must be a whole number from 1, found 0"),
        ({"phrase": True}, "phrase must be a whole number from 1, found True"),
        ({"confidence": 1.5}, "confidence must lie in 0..1, found 1.5"),
        ({"same": "sound"}, "same must be stem or case, found 'sound'"),
        ({"stemming": "klingon"}, "there is no stemmer 'klingon'"),
        ({"stop_words": "klingon"}, "there are no stop words called 'klingon'"),
    ],
)
def test_settings_that_cannot_be_used(settings, says):
    with pytest.raises(InputError, match=says.replace("..", r"\.\.")):
        Things(Settings(**settings))
