"""Nearest things and their votes: the kernels against their twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import neighbour_votes as twin

from labelrank import _native
from labelrank.data.incidence import Incidence

N_TERMS, N_TAGS = 5, 4
SOME = st.integers(0, 12).flatmap(lambda n: st.lists(st.tuples(
    st.lists(st.integers(0, N_TERMS - 1), unique=True),
    st.lists(st.integers(0, N_TAGS - 1), unique=True)), min_size=n, max_size=n))  # fmt: skip


def made(rows):
    """Incidences with terms and with tags."""
    return (Incidence.of([terms for terms, _ in rows], N_TERMS),
            Incidence.of([tags for _, tags in rows], N_TAGS))  # fmt: skip


def packed(lists):
    indptr = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return indptr, np.array([v for values in lists for v in values], dtype=np.int32)


def nearest(rows, queries, skip, k, budget, share):
    spaces = []
    for incidence in made(rows):
        spaces += [incidence.columns.arrays, incidence.rows.sizes]
    text, tags = (packed([q[i] for q in queries]) for i in (0, 1))
    return _native.nearest_things(*spaces, *text, *tags, np.array(skip, np.int64), k, budget, share)


def of_row(found, row, space):
    indptr, things, likes = found[3 * space : 3 * space + 3]
    at = slice(indptr[row], indptr[row + 1])
    return list(zip(things[at].tolist(), likes[at].tolist(), strict=True))


@given(SOME, SOME, st.data())
def test_nearest_things_are_those_of_the_twin(rows, queries, data):
    skip = [data.draw(st.integers(-1, len(rows) - 1)) for _ in queries]
    k, budget = data.draw(st.integers(1, 4)), data.draw(st.sampled_from([0, 5, 1000]))
    share = data.draw(st.sampled_from([0, 0.4, 1]))
    found = nearest(rows, queries, skip, k, budget, share)
    terms, tags = (i.columns for i in made(rows))
    columns = [
        [terms[t].tolist() for t in range(N_TERMS)],
        [tags[t].tolist() for t in range(N_TAGS)],
    ]
    for row, (own_terms, own_tags) in enumerate(queries):
        want = twin.nearest(own_terms, own_tags, *columns, rows, skip[row], k, budget, share)
        for space in (0, 1):
            assert of_row(found, row, space) == want[space]


@given(SOME, st.data())
def test_votes_are_those_of_the_twin(rows, data):
    tags_of = [set(tags) for _, tags in rows]
    one = st.tuples(st.integers(0, max(len(rows) - 1, 0)), st.sampled_from([0.25, 0.5, 1.0]))
    lists = st.lists(one, max_size=len(rows), unique_by=lambda pair: pair[0])
    near = [sorted(data.draw(lists), key=lambda p: -p[1]) for _ in range(2)]
    candidates = [data.draw(st.lists(st.integers(0, N_TAGS - 1), unique=True)) for _ in near]
    ks = data.draw(st.lists(st.integers(1, 5), max_size=2))
    found = _native.neighbour_votes(
        made(rows)[1].rows.arrays, N_TAGS, *packed([[d for d, _ in p] for p in near]),
        np.array([like for p in near for _, like in p], np.float32),
        *packed(candidates), np.array(ks, np.int64),
    )  # fmt: skip
    want = [twin.votes(p, tags_of, c, ks) for p, c in zip(near, candidates, strict=True)]
    np.testing.assert_allclose(found, np.vstack(want), rtol=1e-6)


def test_likeness_by_hand():
    """Of three things one has term 0, two have term 1: they weigh log(4/2)² and log(4/3)²."""
    rows = [([0, 2, 3], []), ([1], []), ([1], [])]
    found = nearest(rows, [([0, 1], [])], [-1], 1, 10, 0.5)
    rare, common = np.log(2) ** 2, np.log(4 / 3) ** 2
    want = rare / (rare + common) * np.sqrt(2 / 3)
    assert of_row(found, 0, 0) == [(0, pytest.approx(want, rel=1e-3))]
    assert of_row(found, 0, 1) == [(0, pytest.approx(want / 2, rel=1e-3))]


def test_ties_do_not_depend_on_the_order_of_things():
    """Of many equals at the cut all count, up to 2k of them; beyond that none."""
    like, unlike = ([0], []), ([1, 2, 3], [])
    for n, want in ((3, 3), (4, 4), (5, 0)):
        found = nearest([unlike] + [like] * n, [([0], [])], [-1], 2, 99, 1)
        assert len(of_row(found, 0, 0)) == want


def test_what_does_not_fit_is_refused():
    rows = [([0], [0]), ([1], [1])]
    with pytest.raises(ValueError, match="k must be"):
        nearest(rows, [([0], [])], [-1], 0, 9, 0.5)
    with pytest.raises(ValueError, match="share must"):
        nearest(rows, [([0], [])], [-1], 1, 9, 2)
    with pytest.raises(ValueError, match="skip has"):
        nearest(rows, [([0], [])], [2], 1, 9, 0.5)
    with pytest.raises(ValueError, match="not known"):
        nearest(rows, [([9], [])], [-1], 1, 9, 0.5)
    assert of_row(nearest(rows, [([0], [])], [-1], 1, 9, 0.5), 0, 0)  # and is used again
    near = np.array([0, 1]), np.array([7], np.int32), np.ones(1, np.float32)
    tags = made(rows)[1].rows.arrays
    with pytest.raises(ValueError, match="nearest thing is not known"):
        _native.neighbour_votes(tags, N_TAGS, *near, *packed([[0]]), np.array([1]))
    with pytest.raises(ValueError, match="candidates must"):
        _native.neighbour_votes(tags, N_TAGS, *near, *packed([[N_TAGS]]), np.array([1]))
