"""Every model comes back as it was; its arrays stay in the file."""

import json
import mmap

import numpy as np
import pytest
import scipy.sparse as sp
from safetensors import safe_open
from store.forging import X, Y, digest, models

import labelrank
from labelrank import InputError, ModelError, Ranking, load_model
from labelrank.cutoffs import Cutoff, TopK
from labelrank.scorers import NearestNeighbours, Popularity, Scorer, Union
from labelrank.store import Array, Names, Number, Sparse, Stored, register

NAMES = ["caf\u00e9", "\U0001f600", "\u05d0", "d"]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "a.model"


@pytest.mark.parametrize("name", models())
def test_round_trip(folder, name):
    model = models()[name]
    model.save(folder)
    loaded = load_model(folder)
    assert type(loaded) is type(model)
    assert repr(loaded) == repr(model)
    assert loaded.get_params(deep=False).keys() == model.get_params(deep=False).keys()
    if name == "cutoff":
        ranking = Ranking.from_dense(X)
        assert loaded.keep(ranking) == model.keep(ranking)
    else:
        for queries in (X, sp.csr_array(X), X[:1]):
            assert loaded.rank(queries) == model.rank(queries)
            assert loaded.rank(queries, k=1) == model.rank(queries, k=1)
    assert set(vars(loaded)) == set(vars(model)) | {"label_names_"}
    again = folder.with_name("again.model")
    loaded.save(again)
    for file in ("model.json", "arrays.safetensors"):
        assert (again / file).read_bytes() == (folder / file).read_bytes()


def memory(array):
    """What finally holds the memory of an array."""
    while isinstance(array, np.ndarray | memoryview):
        array = array.base if isinstance(array, np.ndarray) else array.obj
    return array


def arrays_of(model):
    """The learned arrays of a model by name, those of sparse ones apart."""
    for name in model.fitted:
        value = getattr(model, name)
        if sp.issparse(value):
            for part in ("data", "indices", "indptr"):
                yield f"{name}.{part}", getattr(value, part)
        elif isinstance(value, np.ndarray):
            yield name, value


@pytest.mark.parametrize("name", ["popularity", "dense", "sparse"])
def test_arrays_are_mapped_and_read_only(folder, name):
    models()[name].save(folder)
    found = dict(arrays_of(load_model(folder)))
    assert found
    large = {key: array for key, array in found.items() if not key.endswith("indptr")}
    for key, array in large.items():
        assert isinstance(memory(array), mmap.mmap), f"{key} was copied to memory"
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    before = (folder / "arrays.safetensors").read_bytes()
    load_model(folder).rank(X)
    assert (folder / "arrays.safetensors").read_bytes() == before


def test_loaded_arrays_have_the_types_that_the_kernels_take(folder):
    models()["sparse"].save(folder)
    loaded = load_model(folder)
    assert loaded.rows_.indices.dtype == np.int32
    assert loaded.rows_.data.dtype == loaded.labels_.data.dtype == np.float32


def test_the_safetensors_library_reads_the_arrays(folder):
    model = models()["sparse"]
    model.save(folder)
    with safe_open(folder / "arrays.safetensors", "np") as file:
        assert sorted(file.keys()) == [
            f"{name}.{part}"
            for name in ("labels_", "rows_")
            for part in ("data", "indices", "indptr")
        ]
        np.testing.assert_array_equal(file.get_tensor("rows_.data"), model.rows_.data)
        np.testing.assert_array_equal(file.get_tensor("rows_.indices"), model.rows_.indices)
        np.testing.assert_array_equal(file.get_tensor("labels_.indptr"), model.labels_.indptr)


def test_what_the_manifest_says(folder):
    models()["sparse"].save(folder, label_names=NAMES)
    assert sorted(file.name for file in folder.iterdir()) == ["arrays.safetensors", "model.json"]
    manifest = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    assert manifest["format"] == "labelrank-model"
    assert manifest["version"] == 1
    assert manifest["label_names"] == NAMES
    assert manifest["model"]["class"] == "scorers.NearestNeighbours"
    assert manifest["model"]["params"] == {"k": 4, "top": 3, "n_jobs": 1}
    assert manifest["files"]["arrays.safetensors"]["bytes"] == (
        (folder / "arrays.safetensors").stat().st_size
    )
    assert manifest["sha256"] == digest(manifest)


def test_label_names_are_kept_until_fit(folder):
    model = models()["popularity"]
    model.save(folder, label_names=NAMES)
    loaded = load_model(folder)
    assert loaded.label_names_ == NAMES
    loaded.save(folder)
    assert load_model(folder).label_names_ == NAMES
    loaded.save(folder, label_names=NAMES[::-1])
    assert load_model(folder).label_names_ == NAMES[::-1]
    loaded.fit(X, Y[:, ::-1]).save(folder)  # other labels: the names are theirs no longer
    assert load_model(folder).label_names_ is None
    loaded.fit(X, Y[:, :2]).save(folder)
    assert load_model(folder).n_labels_ == 2


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["a", "b", "c"], "3 label names do not match the model's 4 labels"),
        (["a", "b", "c", "a"], "a label name stands twice"),
        ([1, 2, "1", 3], "a label name stands twice"),
        ([], "0 label names do not match"),
    ],
)
def test_label_names_that_do_not_fit(folder, names, says):
    with pytest.raises(InputError, match=says):
        models()["popularity"].save(folder, label_names=names)
    assert list(folder.parent.iterdir()) == []


def test_load_of_a_class(folder):
    models()["popularity"].save(folder)
    for cls in (Popularity, Scorer, Stored):
        assert type(cls.load(folder)) is Popularity
    for cls in (NearestNeighbours, Union, TopK, Cutoff):
        with pytest.raises(ModelError, match=f"holds a Popularity, not a {cls.__name__}"):
            cls.load(folder)


@pytest.mark.parametrize(
    "model", [Popularity(), NearestNeighbours(), Popularity() | NearestNeighbours()]
)
def test_a_model_that_is_not_fitted(folder, model):
    with pytest.raises(InputError, match="not fitted; fit it before saving"):
        model.save(folder)
    assert list(folder.parent.iterdir()) == []


@pytest.mark.parametrize("value", [print, float("nan"), {1, 2}, np.ones(2), Popularity])
def test_parameters_that_cannot_be_stored(folder, value):
    with pytest.raises(InputError, match=r"TopK\.k = .* cannot be saved"):
        TopK(k=value).save(folder)
    assert list(folder.parent.iterdir()) == []


def test_numpys_numbers_are_stored_as_pythons(folder):
    NearestNeighbours(k=np.int64(3), top=np.int32(2)).fit(X, Y).save(folder)
    loaded = load_model(folder)
    assert (loaded.k, loaded.top) == (3, 2)
    assert type(loaded.k) is int


@register
class Mean(Scorer):
    fitted = {  # noqa: RUF012
        "means_": Array("f8", 2),
        "seen_": Sparse("f4"),
        "words_": Names(),
        "shift_": Number(float),
        "n_features_in_": Number(),
        "n_labels_": Number(),
    }

    def __init__(self, words=None):
        self.words = words

    def _fit(self, X, Y):
        self.means_, self.seen_ = np.asarray(Y.mean(axis=0))[None].astype("f8"), Y
        self.words_, self.shift_ = self.words, 0.5

    def _rank(self, X, k):
        return Ranking.from_dense(np.repeat(self.means_ + self.shift_, X.shape[0], axis=0), k)


@pytest.mark.parametrize("words", [None, [], ["a", "\U0001f600"]])
def test_a_class_of_the_users_own(folder, words):
    model = Mean(words).fit(X, Y)
    model.save(folder)
    loaded = labelrank.load_model(folder)
    assert isinstance(loaded, Mean)
    assert (loaded.words_, loaded.shift_) == (words, 0.5)
    np.testing.assert_array_equal(loaded.seen_.toarray(), Y)
    assert loaded.rank(X) == model.rank(X)
