"""Methods by name, and a scorer of features put to work on texts."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfVectorizer
from store.forging import forge

from labelrank import InputError, ModelError, load_model
from labelrank.data import Dataset
from labelrank.recipes import METHODS, Method, OnTexts, fit_model, method, rank_data, suggested
from labelrank.scorers import NearestNeighbours, Popularity

TEXTS = {
    "title": ["red fox", "red car", "blue car", "blue sea"],
    "description": ["runs", "drives", "", "waves, waves"],
}
ITEMS = Dataset(Y=np.eye(4)[:, :3] + np.eye(4)[:, [3, 2, 1]], texts=TEXTS, label_names=list("abc"))


@pytest.mark.parametrize("name", METHODS)
def test_every_method_can_be_made_and_says_what_it_is(name):
    each = METHODS[name]
    assert each.name == name == "".join(c for c in name.lower() if c.isalnum())
    assert hasattr(each.make(), "fit")
    assert hasattr(each.make(), "rank")
    assert each.what
    assert each.needs in ("features", "texts", "texts and tags")


def test_names_and_parameters():
    assert method("ML-kNN") is METHODS["mlknn"]
    assert method("neighbours").make(k=3, top=2).get_params()["k"] == 3
    with pytest.raises(InputError, match="did you mean popularity"):
        method("popular")
    with pytest.raises(InputError, match="mlknn has no parameter 'q'"):
        method("mlknn").make(q=3)


def test_what_suits():
    dense, sparse = Dataset(np.eye(3), np.eye(3)), Dataset(sp.eye_array(3), np.eye(3))
    assert suggested(dense).name == "metalabel"
    assert suggested(sparse).name == "onevsall"
    assert suggested(Dataset(sp.eye_array(3), sp.csr_array((3, 2000)))).name == "labeltree"
    assert suggested(Dataset(np.ones((300, 2)), sp.csr_array((300, 2000)))).name == "neighbours"
    assert suggested(ITEMS).make()
    with pytest.raises(InputError, match="labels alone, neither features nor texts"):
        suggested(Dataset(Y=np.eye(2)))


def test_a_method_that_does_not_fit_is_refused():
    texts = Method("words", "scorers:Popularity", "texts", "")
    with pytest.raises(InputError, match="has features and no texts, but words needs texts"):
        fit_model(texts, Dataset(np.eye(3), np.eye(3)))
    with pytest.raises(InputError, match="labels alone, but mlknn needs features or texts"):
        fit_model(method("mlknn"), Dataset(Y=np.eye(3)))


def test_weights_are_those_of_scikit_learn():
    model = OnTexts(NearestNeighbours(k=2)).fit(ITEMS)
    words = TfidfVectorizer(sublinear_tf=True, dtype=np.float32)
    expected = words.fit_transform(ITEMS.joined_texts())
    assert model.words_ == words.get_feature_names_out().tolist()
    np.testing.assert_allclose(model.weights(ITEMS).toarray(), expected.toarray(), rtol=1e-6)
    assert model.rank(ITEMS) == NearestNeighbours(k=2).fit(expected, ITEMS.Y).rank(expected)


def test_fields_and_rare_words_can_be_left_out():
    model = OnTexts(Popularity(), fields=["title"], min_rows=2).fit(ITEMS)
    assert model.words_ == ["blue", "car", "red"]
    titles = Dataset(Y=np.zeros((1, 3)), texts={"title": ["red"]})
    assert model.rank(titles, k=1).n_entries == 1


def test_texts_that_do_not_fit():
    model = OnTexts(Popularity()).fit(ITEMS)
    with pytest.raises(InputError, match="has the text fields title, but the model reads title, d"):
        model.rank(Dataset(Y=np.eye(3), texts={"title": ["a", "b", "c"]}))
    with pytest.raises(InputError, match="no texts, but the OnTexts was trained on texts"):
        rank_data(model, Dataset(np.eye(3), np.eye(3)))
    with pytest.raises(InputError, match="texts without a word"):
        OnTexts(Popularity()).fit(Dataset(Y=np.eye(2), texts={"title": ["", "!"]}))
    with pytest.raises(InputError, match="min_rows must be a whole number from 1"):
        OnTexts(Popularity(), min_rows=0).fit(ITEMS)


def test_a_model_on_texts_is_saved_and_loaded(tmp_path):
    model = OnTexts(NearestNeighbours(k=2)).fit(ITEMS)
    model.save(tmp_path / "m", ITEMS.label_names)
    loaded = load_model(tmp_path / "m")
    assert loaded.rank(ITEMS) == model.rank(ITEMS)
    assert loaded.words_ == model.words_
    assert loaded.label_names_ == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"words_": ["a"]}, "1 words do not fit"),
        ({"words_": ["a"] * 9}, "stand twice"),
        ({"fields_": []}, "are none"),
        ({"n_labels_": 9}, "number of labels"),
    ],
)
def test_a_forged_model_is_refused(tmp_path, values, said):
    OnTexts(NearestNeighbours(k=2)).fit(ITEMS).save(tmp_path / "m")
    kept = json.loads((tmp_path / "m/model.json").read_text())["model"]["values"]
    assert len(kept["words_"]) == 8
    forge(tmp_path / "m", lambda manifest: manifest["model"]["values"].update(values))
    with pytest.raises(ModelError, match=said):
        load_model(tmp_path / "m")
