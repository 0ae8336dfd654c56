"""Every metric of Table I equals its plain twin; bad parameters are told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.tag_relevance import metrics
from tagged import PLAIN, TAGS, collections, dataset, plain, tags, words

from labelrank import InputError, Ranking
from labelrank.data.relevance import METRICS, Tuning, relevance
from labelrank.features import TagRelevance

tunings = st.fixed_dictionaries(
    {"length": st.integers(1, 3), **{k: st.sampled_from([0.5, 1.0, 5.0]) for k in
     ("k_x", "k_c", "k_r", "k_s")}}
)  # fmt: skip


def row(things, own, said):
    return things.row(dict(zip(things.settings.fields, map(" ".join, said), strict=True)), own)


@given(collections, tags, st.tuples(words, words), tunings, st.integers(1, 3),
       st.sampled_from([0.0, 0.4, 1.0]))  # fmt: skip
def test_metrics_equal_their_twin(D, own, said, tuning, support, confidence):
    things = plain(D, PLAIN._replace(support=support, confidence=confidence))
    found = relevance(things, row(things, sorted(own), said), Tuning(**tuning, wide=12))
    seen = {t for tags, _ in D for t in tags}
    wanted = metrics(D, own & seen, said, support=support, confidence=confidence, **tuning)
    got = {things.names.keys[tag]: F for tag, F in zip(found.tags, found.F, strict=True)}
    assert got.keys() == wanted.keys()
    for tag, values in wanted.items():
        np.testing.assert_allclose(got[tag], values, rtol=1e-5, atol=1e-6, err_msg=tag)


@given(collections, tags, st.tuples(words, words), st.integers(1, 3))
def test_the_best_of_the_candidates_are_kept(D, own, said, most):
    things = plain(D)
    rows = row(things, own, said)
    everything, best = relevance(things, rows), relevance(things, rows, most=most, alpha=0.6)
    worth = dict(zip(everything.tags.tolist(), everything.blend(0.6).tolist(), strict=True))
    kept = sorted(worth[tag] for tag in best.tags.tolist())
    assert kept == sorted(worth.values())[-len(kept) :] or not kept
    assert len(kept) == min(most, len(worth))


@given(collections, tags, st.tuples(words, words))
def test_given_candidates_are_described_in_their_order(D, own, said):
    things = plain(D)
    rows = row(things, own, said)
    free = [t for t in range(things.n_tags) if t not in rows.tags]
    ranking = Ranking.from_lists([free], n_labels=things.n_tags)
    F = TagRelevance(settings=PLAIN).on(things).describe(rows, ranking)
    found = relevance(things, rows)
    by_tag = dict(zip(found.tags.tolist(), found.F, strict=True))
    for tag, described in zip(free, F, strict=True):
        if tag in by_tag:
            np.testing.assert_array_equal(described, by_tag[tag])
        else:
            assert described[:9].tolist() == [0] * 9  # neither implied nor said


def test_names_are_those_of_the_paper():
    wanted = "Sum(l=1) Sum(l=3) Sum+ Vote Vote+ TS TF wTS wTF IFF Stab H Pred"
    assert " ".join(TagRelevance().names) == wanted == " ".join(METRICS)


def test_many_things_are_described_as_each_alone():
    rng = np.random.default_rng(0)
    D = [(set(rng.choice(TAGS, 3, replace=False)), (list("ab"), list("bcd"))) for _ in range(700)]
    things = plain(D[:400])
    rows = things.rows(dataset(D[400:] + D[:100]))
    together = relevance(things, rows, n_jobs=2)
    for i in (0, 255, 256, 399):
        alone = relevance(things, rows.part(slice(i, i + 1)))
        part = slice(together.indptr[i], together.indptr[i + 1])
        np.testing.assert_array_equal(together.tags[part], alone.tags)
        np.testing.assert_array_equal(together.F[part], alone.F)


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"length": 0}, "length must be a whole number in 1..3, found 0"),
        ({"length": 4}, "length must be a whole number in 1..3, found 4"),
        ({"wide": 65}, "wide must be a whole number in 1..64, found 65"),
        ({"k_s": 0}, "k_s must be a number above 0, found 0"),
        ({"k_r": float("nan")}, "k_r must be a number above 0, found nan"),
        ({"settings": ["title"]}, "fields must be names of text fields, found 'title'"),
    ],
)
def test_parameters_that_cannot_be_used(params, says):
    with pytest.raises(InputError, match=says.replace("(", r"\(").replace(".", r"\.")):
        TagRelevance(**params).fit(dataset([({"a"}, ([], []))]))


def test_training_rows_are_not_described():
    features = TagRelevance().fit(dataset([({"a"}, ([], []))]))
    with pytest.raises(InputError, match="hold some out"):
        features.describe_training(Ranking.from_lists([[0]]))
