"""MetaLevel in a model folder: the same numbers after loading, and forged folders are refused."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from store.forging import forge, put, with_arrays

from labelrank import ModelError, Ranking, load_model
from labelrank.features import MetaLevel

RNG = np.random.default_rng(0)
X = (RNG.random((30, 6)) * (RNG.random((30, 6)) < 0.6)).astype(np.float32)
Y = (RNG.random((30, 4)) < 0.3).astype(float)
ALL = Ranking.from_dense(np.zeros(Y.shape, np.float32))
FORMS = {"dense": np.asarray, "sparse": sp.csr_array}


def fitted(form, **parameters):
    return MetaLevel(**{"k": 3, **parameters}).fit(FORMS[form](X), Y)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("parameters", [{}, {"distances": ["l1"]}, {"centroid": False}])
def test_round_trip(tmp_path, form, parameters):
    model = fitted(form, **parameters)
    model.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    for other in (loaded, pickle.loads(pickle.dumps(model)), clone(model).fit(FORMS[form](X), Y)):
        assert other.names == model.names
        np.testing.assert_array_equal(other.describe(X[::-1], ALL), model.describe(X[::-1], ALL))
        # the rows are kept: they are needed to describe others
        np.testing.assert_array_equal(other.describe_training(ALL), model.describe_training(ALL))
        for a, b in zip(other.neighbours(X, ALL), model.neighbours(X, ALL), strict=True):
            np.testing.assert_array_equal(a, b)
    loaded.save(tmp_path / "b.model")
    for file in ("model.json", "arrays.safetensors"):
        again, first = (tmp_path / name / file for name in ("b.model", "a.model"))
        assert again.read_bytes() == first.read_bytes()


def test_a_part_of_joined_features(tmp_path):
    joined = (fitted("sparse") + MetaLevel(k=1, centroid=False)).fit(X, Y)
    joined.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert loaded.names == joined.names
    assert len(loaded.names) == 3 * 3 + 2 + 3
    np.testing.assert_array_equal(loaded.describe(X, ALL), joined.describe(X, ALL))


def refused(folder, change=None, arrays=None):
    forge(folder, change, with_arrays(folder, arrays) if arrays else None)
    with pytest.raises(ModelError) as caught:
        load_model(folder)
    return str(caught.value)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["values", "n_rows_"], 29),
        (["values", "n_rows_"], -1),
        (["values", "n_labels_"], 5),
        (["values", "n_features_in_"], 7),
        (["values", "members_"], [4, 31]),
        (["values", "members_"], [3, 30]),
        (["values", "members_"], None),
        (["values", "rows_"], [6, 30]),
        (["values", "rows_"], [30]),
        (["params", "k"], 0),
        (["params", "k"], "3"),
        (["params", "k"], 10**9),
        (["params", "distances"], ["l2", "x"]),
        (["params", "distances"], [["l2"]]),
        (["params", "distances"], {}),
        (["params", "distances"], None),
        (["params", "n_jobs"], 0),
    ],
)
def test_forged_values(tmp_path, form, path, value):
    fitted(form).save(tmp_path / "a.model")
    assert "a.model" in refused(tmp_path / "a.model", put("model", *path, value=value))


def changed(name, at, value):
    def change(arrays):
        array = arrays[name].copy()
        array[at] = value
        return array

    return name, change


@pytest.mark.parametrize(
    ("form", "change"),
    [
        ("dense", ("rows_", lambda arrays: arrays["rows_"][:-1])),
        ("dense", ("rows_", lambda arrays: arrays["rows_"].astype(np.float64))),
        ("dense", changed("rows_", (0, 0), np.nan)),
        ("sparse", changed("rows_.indices", 0, 6)),
        ("sparse", changed("rows_.indices", 0, -1)),
        ("sparse", changed("rows_.indices", slice(None), 1)),
        ("sparse", changed("rows_.indptr", 3, 10**6)),
        ("sparse", changed("rows_.data", 2, np.inf)),
        ("sparse", ("rows_.data", lambda arrays: arrays["rows_.data"][1:])),
        ("dense", changed("members_.indices", 0, 30)),
        ("dense", changed("members_.indices", slice(None), 1)),
        ("dense", changed("members_.indptr", 1, -4)),
        ("dense", ("members_.indptr", None)),
    ],
)
def test_forged_arrays(tmp_path, form, change):
    fitted(form).save(tmp_path / "a.model")
    assert "a.model" in refused(tmp_path / "a.model", arrays=dict([change]))
