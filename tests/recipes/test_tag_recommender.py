"""TagRecommender: learns, recommends, says why, and copes with whatever people give it."""

import json

import numpy as np
import pytest
from sklearn.base import clone

from labelrank import InputError, ModelError, evaluate, load_model
from labelrank.data import Dataset, Items, Settings, half_of_the_tags
from labelrank.data.relevance import relevance
from labelrank.rankers import LambdaMart, ListNet
from labelrank.recipes import LATREwTS, TagRecommender
from labelrank.recipes.held_out import held_out

TOPICS = {
    "python": ["numpy", "pandas", "testing", "Linear Algebra"],
    "music": ["rock", "jazz", "guitar", "linear-algebras"],
    "food": ["bread", "cheese", "olive oil", "wine"],
}


def made(n, seed=0):
    rng = np.random.default_rng(seed)
    rows, titles, texts = [], [], []
    for _ in range(n):
        topic = rng.choice(list(TOPICS))
        tags = {topic, *rng.choice(TOPICS[topic], 2, replace=False).tolist()}
        rows.append(tags)
        titles.append(f"About {rng.choice(sorted(tags))}")
        texts.append(f"Words on {topic} and {rng.choice(TOPICS[topic])}, {rng.integers(99)}")
    names = sorted({tag for row in rows for tag in row})
    Y = [[name in row for name in names] for row in rows]
    texts_by_field = {"title": titles, "description": texts}
    return Dataset(Y=Y, label_names=names, texts=texts_by_field, ids=[f"id{i}" for i in range(n)])


QUICK = LambdaMart(n_trees=20, min_leaf=5, random_state=0)


@pytest.fixture(scope="module")
def fitted():
    return TagRecommender(QUICK).fit(made(150))


@pytest.fixture
def model(fitted, tmp_path):
    """A model that may be changed."""
    fitted.save(tmp_path / "copy.model")
    return load_model(tmp_path / "copy.model")


def labels(model, *args, **kwargs):
    return [found.label for found in model.recommend(*args, **kwargs)]


def test_it_learns(fitted):
    data = made(60, seed=1)
    truth = fitted.truth(data)
    given, gold = half_of_the_tags(truth, 0)
    test = Dataset(Y=given, label_names=fitted.label_names_, texts=data.texts)
    value = evaluate(fitted.rank(test, 5), gold, "nDCG@5")["nDCG@5"].value
    assert value > 0.6


def test_it_recommends_with_reasons(fitted):
    best = fitted.recommend("Olive oil and more", "on food", tags=["food", "Wine"], k=4)
    assert best[0].label == "olive oil"
    assert [found.score for found in best] == sorted((f.score for f in best), reverse=True)
    first = best[0]
    rule, field, *_ = first.reasons
    n, both = rule.numbers["things"], rule.numbers["both"]
    assert rule.kind == "rule"
    given = " and ".join(f"*{tag}*" for tag in rule.numbers["tags"])
    assert rule.text == (
        f"{100 * both / n:.0f} % of the {n} things tagged {given} are tagged *olive oil*"
    )
    assert (field.kind, field.text, field.numbers) == (
        "field", "in the title", {"field": "title", "count": 1},
    )  # fmt: skip
    assert first.why.startswith(rule.text + "; in the title")


def test_reasons_are_true(fitted):
    data = made(150)
    tags = [set(row) for row in (fitted.truth(data).toarray() > 0)]
    assert tags
    truth = fitted.truth(data).toarray() > 0
    names = fitted.label_names_
    for found in fitted.recommend(tags=["food", "wine"], k=5):
        for reason in found.reasons:
            if reason.kind == "rule":
                columns = [names.index(tag) for tag in reason.numbers["tags"]]
                have = truth[:, columns].all(axis=1)
                assert have.sum() == reason.numbers["things"]
                assert (have & truth[:, names.index(found.label)]).sum() == reason.numbers["both"]
            if reason.kind == "uses":
                assert reason.numbers["uses"] == truth[:, names.index(found.label)].sum()


def test_one_by_one_and_many_at_once_are_the_same(fitted):
    data = made(30, seed=2)
    ranking = fitted.rank(data[:30], k=5)
    for i in range(30):
        row = data.Y.indices[data.Y.indptr[i] : data.Y.indptr[i + 1]]
        best = fitted.recommend(
            data.texts["title"][i], data.texts["description"][i],
            tags=[data.label_names[t] for t in row],
        )  # fmt: skip
        own, scores = ranking.row(i)
        assert [found.label for found in best] == [fitted.label_names_[t] for t in own]
        np.testing.assert_allclose([found.score for found in best], scores, rtol=1e-9)


def test_no_tags_yet_no_text_and_nothing_at_all(fitted):
    assert "jazz" in labels(fitted, "A night of jazz", k=2)
    assert set(labels(fitted, tags=["music"], k=3)) <= set(TOPICS["music"]) | {"Linear Algebra"}
    popular = fitted.recommend(k=3)
    uses = dict(zip(fitted.label_names_, fitted.things_.uses.tolist(), strict=True))
    assert [uses[f.label] for f in popular] == sorted(uses.values(), reverse=True)[:3]
    assert popular[0].why == f"popular: {uses[popular[0].label]} of 150 things"


def test_tags_that_a_thing_has_are_never_recommended(fitted):
    for own in (["python"], ["PYTHON ", "linear_algebra"], ["unknown tag"], [], "python"):
        found = labels(fitted, "Python and linear algebra", "numpy", tags=own, k=20)
        keys = {fitted.things_.key_of(tag) for tag in ([own] if isinstance(own, str) else own)}
        assert not keys & {fitted.things_.key_of(tag) for tag in found}
        assert len(found) == len(set(found))


def test_a_new_tag_can_be_recommended_after_it_was_used(model):
    assert "quantum foam" not in labels(model, "Quantum foam", tags=["python"], k=15)
    new = Dataset(Y=[[1, 1], [1, 1]], label_names=["Quantum Foam", "python"], ids=["q1", "q2"],
                  texts={"title": ["On quantum foam", "Foam"]})  # fmt: skip
    model.update(new)
    best = model.recommend("Quantum foam", tags=["python"], k=15)
    assert "Quantum Foam" in [found.label for found in best]
    told = next(found for found in best if found.label == "Quantum Foam")
    assert "in the title" in told.why
    assert "rare: 2 uses" in told.why
    model.forget(["q1", "q2"])
    assert "Quantum Foam" not in labels(model, "Quantum foam", tags=["python"], k=15)
    assert "Quantum Foam" not in model.label_names_


def test_what_was_forgotten_is_not_in_the_folder(model, tmp_path):
    secret = Dataset(Y=[[1]], label_names=["Xyzzytag"], ids=["privatum-7"],
                     texts={"title": ["plughword"]})  # fmt: skip
    model.update(secret)
    model.save(tmp_path / "m")
    found = b"".join(f.read_bytes() for f in (tmp_path / "m").iterdir())
    assert all(word in found for word in (b"Xyzzytag", b"privatum-7", b"plughword"))
    model.forget(["privatum-7"])
    model.save(tmp_path / "m")
    found = b"".join(f.read_bytes() for f in (tmp_path / "m").iterdir()).lower()
    assert not any(word in found for word in (b"xyzzi", b"xyzzytag", b"privatum", b"plughword"))


def test_saved_and_loaded(fitted, tmp_path):
    fitted.save(tmp_path / "m")
    again = load_model(tmp_path / "m")
    data = made(20, seed=3)
    assert again.rank(data, 5) == fitted.rank(data, 5)
    assert again.recommend("Jazz", tags=["food"]) == fitted.recommend("Jazz", tags=["food"])
    assert again.label_names_ == fitted.label_names_
    again.save(tmp_path / "n")
    for file in ("arrays.safetensors", "model.json"):
        assert (tmp_path / "m" / file).read_bytes() == (tmp_path / "n" / file).read_bytes()


def test_the_ranker_learns_from_what_rules_have_not_seen():
    data = made(40)
    model = TagRecommender(QUICK).fit(data)
    items = Items.of(data, model.things_.settings.fields, model.things_.read)
    for holdout in (0.25, 4):
        parts = list(held_out(items, model.things_, holdout, 0))
        assert len(parts) == (1 if holdout == 0.25 else 4)
        for things, rows, gold in parts:
            assert len(things) + rows.n == 40
            given = np.zeros(gold.shape)
            given[np.repeat(np.arange(rows.n), np.diff(rows.tag_indptr)), rows.tags] = 1
            assert not (given * gold.toarray()).any()
            own = (given + gold.toarray()) > 0
            seen = {frozenset(things.of_tags.rows[i].tolist()) for i in range(len(things))}
            assert seen  # the held-out ones are found by text: none of theirs is indexed
            assert own.sum() + things.uses.sum() == data.Y.nnz - _doubles(data)


def test_so_many_teachers_are_enough():
    data = made(100)
    model = TagRecommender(QUICK).fit(data)
    items = Items.of(data, model.things_.settings.fields, model.things_.read)

    def sizes(holdout, most):
        parts = held_out(items, model.things_, holdout, 0, most)
        return [(len(things), rows.n) for things, rows, _ in parts]

    assert sizes(4, None) == [(75, 25)] * 4
    assert sizes(4, 40) == [(75, 10)] * 4
    assert sizes(4, 20) == [(80, 20)]  # one part has as many
    assert sizes(0.25, 10) == [(75, 10)]
    assert TagRecommender(QUICK, teachers=20).fit(data).things_.ids == model.things_.ids


def _doubles(data):
    """Tags of one thing that are the same tag: linear algebra is written in two ways."""
    a, b = data.label_names.index("Linear Algebra"), data.label_names.index("linear-algebras")
    both = data.Y.toarray()[:, [a, b]].astype(bool).all(axis=1)
    return int(both.sum())


@pytest.mark.parametrize("ranker", ["listnet", "ranksvm", "mart", "randomforest", ListNet()])
def test_any_ranker(ranker):
    model = TagRecommender(ranker).fit(made(60))
    assert labels(model, "Jazz", tags=["music"], k=1)


def test_the_same_whatever_n_jobs():
    data = made(80)
    one, two = (TagRecommender(QUICK, n_jobs=n).fit(data) for n in (1, 2))
    assert one.rank(data) == two.rank(data)
    assert clone(one).get_params()["n_jobs"] == 1


def test_cross_fitting_and_no_refit():
    data = made(60)
    assert len(TagRecommender(QUICK, holdout=3).fit(data).things_) == 60
    assert len(TagRecommender(QUICK, holdout=0.25, refit=False).fit(data).things_) == 45


def test_better_than_latre_where_fields_differ():
    data = made(300)
    test = made(80, seed=9)
    values = []
    for kind in (LATREwTS(), TagRecommender(QUICK)):
        model = kind.fit(data)
        given, gold = half_of_the_tags(model.truth(test), 0)
        part = Dataset(Y=given, label_names=model.label_names_, texts=test.texts)
        values.append(evaluate(model.rank(part, 5), gold, "nDCG@5")["nDCG@5"].value)
    assert values[1] >= values[0] - 0.05


MESSY = [
    ("empty title", {"title": "", "description": "jazz"}),
    ("nothing", {}),
    ("emoji", {"title": "🎉🎉 jazz 👨‍👩‍👧", "tags": ["🎉"]}),
    ("right to left", {"title": "שלום עולם", "tags": ["עברית", "music"]}),
    ("NUL bytes", {"title": "ja\x00zz\x00", "tags": ["mu\x00sic", "\x00"]}),
    ("blank tags", {"tags": ["", "  ", "\t\n"]}),
    ("twice the same tag", {"tags": ["music", "MUSIC", " music ", "musics"]}),
    ("half a surrogate pair", {"title": "\ud800", "tags": ["\udfff"]}),
    ("ten thousand tags", {"tags": [f"tag {i}" for i in range(10_000)] + ["music"]}),
    ("ten megabytes", {"description": "jazz guitar " * 870_000}),
]


@pytest.mark.parametrize("given", [g for _, g in MESSY], ids=[name for name, _ in MESSY])
def test_whatever_people_give_it(fitted, given):
    best = fitted.recommend(**given, k=5)
    assert len(best) == 5
    assert all(np.isfinite(found.score) and found.label and found.why for found in best)


def test_messy_things_are_learned(model):
    tags = ["🎉", "עברית", "mu\x00sic", "MUSIC", "everything"] + [f"t{i}" for i in range(2000)]
    data = Dataset(
        Y=np.ones((3, len(tags))), label_names=tags, ids=["", "\x00", "🎉"],
        texts={"title": ["", "\x00", "🎉 עברית"], "description": ["", "a" * 2_000_000, ""]},
    )  # fmt: skip
    model.update(data)
    assert "🎉" in labels(model, "🎉", k=50)
    model.recommend(tags=tags, k=5)
    model.forget(["", "\x00"])
    assert "🎉" in model.label_names_
    assert model.things_.uses[model.things_.names.number("everything")] == 1


def test_a_tag_that_everything_has():
    data = made(60)
    Y = np.hstack([data.Y.toarray(), np.ones((60, 1))])
    names = [*data.label_names, "everything"]
    model = TagRecommender(QUICK).fit(Dataset(Y=Y, label_names=names, texts=data.texts))
    assert "everything" in labels(model, tags=["music"], k=5)
    assert "everything" not in labels(model, tags=["everything"], k=50)


@pytest.mark.parametrize("names", [None, [*"abcdef", " "]], ids=["no names", "a blank one"])
def test_things_without_any_text(names):
    Y = np.random.default_rng(0).random((40, 7)) < 0.4
    model = TagRecommender(QUICK).fit(Dataset(Y=Y, label_names=names))
    assert model.rank(Dataset(Y=Y, label_names=names), k=2).lengths.max() == 2
    assert labels(model, k=1)
    assert " " not in model.label_names_


@pytest.mark.parametrize(
    ("Y", "says"),
    [(np.ones((4, 3)), "no order to learn"), (np.eye(4), "no candidate to learn from")],
    ids=["every thing has every tag", "no tag comes twice"],
)
def test_things_that_teach_nothing_are_told(Y, says):
    with pytest.raises(InputError, match=says):
        TagRecommender(QUICK).fit(Dataset(Y=Y))


def test_rows_that_have_no_tags_are_fine():
    data = made(60)
    Y = data.Y.toarray()
    Y[::3] = 0
    model = TagRecommender(QUICK).fit(Dataset(Y=Y, label_names=data.label_names, texts=data.texts))
    assert labels(model, "Jazz", k=2)


def test_other_fields():
    data = made(60)
    texts = {"head": data.texts["title"], "body": data.texts["description"]}
    renamed = Dataset(Y=data.Y, label_names=data.label_names, texts=texts)
    model = TagRecommender(QUICK, settings=Settings(fields=("head", "body"))).fit(renamed)
    told = model.recommend(texts={"head": "Jazz"}, k=3)
    assert any("in the head" in found.why for found in told)


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"ranker": "lamdamart"}, "there is no ranker 'lamdamart'; did you mean lambdamart"),
        ({"features": ["relevanc"]}, "there are no features 'relevanc'; did you mean relevance"),
        ({"features": "relevance"}, "features must be names of groups"),
        ({"candidates": 0}, "candidates must be a whole number from 1"),
        ({"holdout": 1.5}, "holdout must be a share"),
        ({"tuning": (9,)}, "length must be a whole number"),
    ],
)
def test_parameters_that_cannot_be_used(params, says):
    with pytest.raises(InputError, match=says):
        TagRecommender(**params).fit(made(10))


def test_inputs_that_cannot_be_used(fitted):
    with pytest.raises(InputError, match="at least two things, found 1"):
        TagRecommender().fit(made(1))
    with pytest.raises(InputError, match="k must be a whole number from 1, found 0"):
        fitted.recommend("x", k=0)
    with pytest.raises(InputError, match="no thing with the id 'nobody'"):
        fitted.forget(["nobody"])
    with pytest.raises(InputError, match="the id 'a' stands twice"):
        Dataset(Y=np.eye(2), ids=["a", "a"])


def test_metrics_are_those_of_the_whole_after_refit(fitted):
    rows = fitted.things_.rows(made(5, seed=4))
    assert len(fitted.things_) == 150
    assert relevance(fitted.things_, rows).F.shape[1] == 13


FORGERIES = [
    ("things_.of_forms.values", lambda a: a + 10_000),
    ("things_.of_forms.indptr", lambda a: a[::-1].copy()),
    ("things_.of_terms.values", lambda a: a - 5),
    ("things_.texts.values", lambda a: a + 10_000),
    ("things_.form_tags", lambda a: a * 0),
    ("things_.form_tags", lambda a: a[:-1]),
    ("things_.tag_terms", lambda a: a + 10_000),
    ("things_.both", lambda a: a + 10_000),
    ("things_.entropies", lambda a: a * np.nan),
    ("things_.entropies", lambda a: a[:-1]),
    ("things_.spreads", lambda a: a - 2**60),
    ("things_.filled", lambda a: a + 10_000),
    ("things_.ids.ends", lambda a: a[::-1].copy()),
    ("things_.tags.bytes", lambda a: a * 0 + 255),
    ("things_.terms.ends", lambda a: a * 0),
]


@pytest.mark.parametrize(("array", "change"), FORGERIES, ids=[str(i) for i in range(15)])
def test_forged_folders_are_refused(fitted, tmp_path, array, change):
    from store.forging import forge, with_arrays

    fitted.save(tmp_path / "m")
    forge(tmp_path / "m", arrays=with_arrays(tmp_path / "m", {array: lambda a: change(a[array])}))
    with pytest.raises(ModelError, match="things_"):
        load_model(tmp_path / "m")


@pytest.mark.parametrize(
    "settings",
    [None, [], {}, {"settings": ["title"], "next": 0}, {"settings": [["title"]] * 9, "next": 0},
     {"settings": [["title", "description"], "porter", "english", "stem", 4, 2, 9.0], "next": 0}],
)  # fmt: skip
def test_forged_settings_are_refused(fitted, tmp_path, settings):
    from store.forging import forge, put

    fitted.save(tmp_path / "m")
    forge(tmp_path / "m", put("model", "values", "things_", value=settings))
    with pytest.raises(ModelError, match="things_"):
        load_model(tmp_path / "m")
    assert json.loads((tmp_path / "m" / "model.json").read_text())["format"]
