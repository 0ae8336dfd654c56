"""Small tagged things for tests, as plain Python has them and as the library does."""

from __future__ import annotations

from hypothesis import strategies as st

from labelrank.data import Dataset, Settings, Things

TAGS = ["a", "b", "c", "d", "e", "a b", "b c d"]
PLAIN = Settings(stemming=None, stop_words=None, same="case")

words = st.lists(st.sampled_from("abcdxy"), max_size=6)
tags = st.sets(st.sampled_from(TAGS), max_size=5)
thing = st.tuples(tags, st.tuples(words, words))
collections = st.lists(thing, max_size=9)


def dataset(things, ids=None, names=None):
    """Things as a Dataset; tags are numbered by first use, or as `names`."""
    names = names or list(dict.fromkeys(tag for own, _ in things for tag in sorted(own)))
    Y = [[name in own for name in names] for own, _ in things]
    texts = {
        field: [" ".join(said[i]) for _, said in things]
        for i, field in enumerate(("title", "description"))
    }
    shaped = Y if Y and names else _empty(len(things), len(names))
    return Dataset(Y=shaped, label_names=names, ids=ids, texts=texts)


def _empty(n, m):
    import numpy as np

    return np.zeros((n, m))


def known(things):
    """All that an index says, by the names of tags and terms and the ids of things."""
    names, keys = things.names.keys, things.terms.keys
    fields = len(things.settings.fields)
    used = [t for t in range(things.n_tags) if things.uses[t]]
    words = {k for k in range(len(keys)) if things.found[k]}
    return {
        "things": {
            name: (
                {names[t] for t in things.of_tags.rows[row]},
                {things.names.forms[f] for f in things.of_forms.rows[row]},
                {keys[k] for k in things.of_terms.rows[row]},
                [[keys[k] for k in things.texts[row * fields + f]] for f in range(fields)],
            )
            for row, name in enumerate(things.ids)
        },
        "of tags": {names[t]: {things.ids[r] for r in things.of_tags.columns[t]} for t in used},
        "of terms": {keys[k]: {things.ids[r] for r in things.of_terms.columns[k]} for k in words},
        "shown": {names[t]: things.names.shown[t] for t in used},
        "forms": {
            form: (names[things.names.form_tags[i]], things.names.counts[i])
            for i, form in enumerate(things.names.forms)
            if things.names.counts[i]
        },
        "term of": {
            names[t]: keys[things.tag_terms[t]] if things.tag_terms[t] >= 0 else None for t in used
        },
        "tags of": {
            keys[k]: {names[t] for t in things.terms.tags[k] if things.uses[t]} for k in words
        },
        "both": {names[t]: things.both[t] for t in used},
        "entropies": {names[t]: float(things.entropies.values[t]) for t in used},
        "spreads": things.field_spreads.tolist(),
    }


def plain(things, settings=PLAIN):
    """An index of plain things."""
    return Things.of(dataset(things), settings)
