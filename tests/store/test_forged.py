"""Folders that were made on purpose: every checksum fits, nothing else does."""

import numpy as np
import pytest
from store.forging import forge, models, put, tensors, with_arrays

from labelrank import ModelError, load_model

INFINITY = float("inf")


@pytest.fixture
def refused(tmp_path):
    """Refuses a model of some kind after a forgery; gives the sentence."""

    def refused(name, change=None, arrays=None):
        folder = tmp_path / "a.model"
        models()[name].save(folder)
        if callable(arrays):
            arrays = arrays(folder)
        forge(folder, change, arrays)
        with pytest.raises(ModelError) as caught:
            load_model(folder)
        assert str(folder) in str(caught.value)
        return str(caught.value)

    return refused


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (["format"], "other", "does not describe a labelrank model"),
        (["version"], 2, "has format version 2, but this labelrank reads up to 1: upgrade"),
        (["version"], 10**30, "upgrade labelrank"),
        (["version"], 0, "has the format version 0, which is no version"),
        (["version"], "1", "has the format version '1', which is no version"),
        (["version"], None, "has the format version None, which is no version"),
        (["files"], [], "does not list its files as it should"),
        (["files"], None, "does not list its files as it should"),
        (["files", "arrays.safetensors"], None, "does not list its files as it should"),
        (["files", "arrays.safetensors"], {}, "does not list its files as it should"),
        (["files", "../other"], {}, "names a file outside the folder: '../other'"),
        (["files", "/etc/passwd"], {}, "names a file outside the folder: '/etc/passwd'"),
        (["files", "sub/file"], {}, "names a file outside the folder: 'sub/file'"),
        (["files", ".."], {}, "a.model"),
        (["files", ""], {}, "a.model"),
        (["files", "a\0b"], {}, "a.model"),
        (["files", "a" * 5000], {}, "a.model"),
        (["model"], None, "does not hold together"),
        (["model"], [], "does not hold together"),
        (
            ["model", "class"],
            "scorers.Nothing",
            "the class 'scorers.Nothing' is not known: upgrade",
        ),
        (["model", "class"], "os.system", "the class 'os.system' is not known"),
        (["model", "class"], "scorers.base.Scorer", "is not known"),
        (["model", "class"], "scorers.np", "is not known"),
        (["model", "class"], "scorers", "is not known"),
        (["model", "class"], "", "is not known"),
        (["model", "class"], None, "a.model"),
        (["model", "class"], 3, "a.model"),
        (["model", "class"], [], "a.model"),
        (["model", "class"], "cutoffs.TopK", "a.model"),
        (["model", "params"], None, "does not hold together"),
        (["model", "params", "evil"], 1, "unexpected keyword argument 'evil'"),
        (["model", "estimators"], [], "a.model"),
        (["model", "estimators"], {"top": 3}, "a.model"),
        (["model", "values"], None, "a.model"),
        (["model", "values", "evil"], 1, "Popularity keeps no 'evil'"),
        (["model", "parts"], {"evil": {}}, "Popularity keeps no 'evil'"),
        (["model", "values", "n_labels_"], 5, "4 frequencies for 5 labels"),
        (["model", "values", "n_labels_"], 4.0, "found 4.0, not a number of type int"),
        (["model", "values", "n_labels_"], True, "found True, not a number of type int"),
        (["label_names"], ["a"], "1 label names do not match the model's 4 labels"),
        (["label_names"], ["a", "b", "a", "c"], "a label name stands twice"),
        (["label_names"], "abcd", "label names must be a list of texts"),
        (["label_names"], [1, 2, 3, 4], "label names must be a list of texts"),
    ],
)
def test_a_manifest(refused, path, value, says):
    assert says in refused("popularity", put(*path, value=value))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("labels_", None),
        ("labels_", [20]),
        ("labels_", [20, 4, 1]),
        ("labels_", [19, 4]),
        ("labels_", [20, 3]),
        ("labels_", [20, 5]),
        ("labels_", [20, -4]),
        ("labels_", [20, 10**30]),
        ("labels_", [INFINITY, 4]),
        ("labels_", ["x", "y"]),
        ("rows_", None),
        ("rows_", [5, 21]),
        ("rows_", [20, 5]),
        ("n_features_in_", 6),
    ],
)
def test_sizes_of_sparse_arrays(refused, name, values):
    refused("sparse", put("model", "values", name, value=values))


def changed(name, at, value):
    def change(arrays):
        array = arrays[name].copy()
        array[at] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("popularity", {"frequency_": np.ones(4)}),
        ("popularity", {"frequency_": np.ones(4, np.int32)}),
        ("popularity", {"frequency_": np.ones((1, 4), np.float32)}),
        ("popularity", {"frequency_": np.ones(3, np.float32)}),
        ("popularity", {"frequency_": np.ones(0, np.float32)}),
        ("popularity", {"frequency_": None}),
        ("popularity", {"frequency_": np.full(4, np.nan, np.float32)}),
        ("popularity", {"extra": np.ones(1)}),
        ("dense", {"rows_": np.ones((19, 5), np.float32)}),
        ("dense", {"rows_": np.ones((20, 6), np.float32)}),
        ("dense", {"rows_": np.ones(100, np.float32)}),
        ("dense", {"rows_": np.ones((20, 5))}),
        ("sparse", {"rows_.indices": changed("rows_.indices", 0, -1)}),
        ("sparse", {"rows_.indices": changed("rows_.indices", -1, 20)}),
        ("sparse", {"rows_.indices": lambda a: a["rows_.indices"].astype(np.int64)}),
        ("sparse", {"rows_.indices": lambda a: a["rows_.indices"][:-1]}),
        ("sparse", {"rows_.data": lambda a: a["rows_.data"][:-1]}),
        ("sparse", {"rows_.data": lambda a: a["rows_.data"].astype(np.float64)}),
        ("sparse", {"rows_.indptr": changed("rows_.indptr", 1, 10**9)}),
        ("sparse", {"rows_.indptr": changed("rows_.indptr", 1, -1)}),
        ("sparse", {"rows_.indptr": changed("rows_.indptr", 0, 1)}),
        ("sparse", {"rows_.indptr": changed("rows_.indptr", -1, 0)}),
        ("sparse", {"rows_.indptr": lambda a: a["rows_.indptr"].astype(np.int64)}),
        ("sparse", {"rows_.indptr": np.zeros(0, np.int64)}),
        ("sparse", {"rows_.indptr": None}),
        ("sparse", {"labels_.indices": changed("labels_.indices", 0, 4)}),
        ("sparse", {"labels_.data": changed("labels_.data", 0, np.inf)}),
        ("union", {"second_.frequency_": np.ones(3, np.float32)}),
        ("union", {"first_.rows_.data": None}),
        ("cutoff", {"extra": np.ones(1)}),
        ("svm", {"weights_": np.ones((5, 3), np.float32)}),
        ("svm", {"weights_": np.ones((4, 4), np.float32)}),
        ("svm", {"intercept_": np.ones(5, np.float32)}),
        ("svm", {"vectors_": np.zeros((0, 4), np.float32)}),
        ("svm", {"sigmoid_": np.zeros((0, 2), np.float32)}),
        ("svm", {"sigmoid_": np.ones((4, 3), np.float32)}),
        ("kernel", {"weights_": lambda a: a["weights_"][:-1]}),
        ("kernel", {"vectors_": lambda a: a["vectors_"][:, :-1]}),
        ("kernel", {"vectors_": changed("vectors_", (0, 0), np.inf)}),
        ("rank svm", {"weights_": lambda a: a["weights_"][:, 1:]}),
        ("rank svm", {"vectors_.indices": changed("vectors_.indices", 0, 5)}),
        ("ml-knn", {"rows_": np.ones((19, 5), np.float32)}),
        ("ml-knn", {"probability_": np.ones((4, 3))}),
        ("ml-knn", {"probability_": np.ones((4, 4), np.float32)}),
        ("ml-knn", {"labels_.data": changed("labels_.data", 0, 3)}),
        ("ml-knn", {"labels_.indices": lambda a: a["labels_.indices"] * 0}),
        ("iblr", {"labels_.data": changed("labels_.data", 0, -1)}),
        ("iblr", {"weights_": np.ones((4, 4), np.float32)}),
        ("iblr", {"intercept_": np.ones(1, np.float32)}),
        ("iblr", {"rows_.indptr": changed("rows_.indptr", 1, 10**9)}),
        ("logistic", {"weights_": np.ones((6, 4), np.float32)}),
        ("logistic", {"intercept_": np.ones((1, 4), np.float32)}),
        ("one vs all", {"weights_.indices": changed("weights_.indices", 0, 4)}),
        ("one vs all", {"weights_.indices": changed("weights_.indices", 0, -1)}),
        ("one vs all", {"weights_.indptr": changed("weights_.indptr", 1, 10**6)}),
        ("one vs all", {"weights_.data": changed("weights_.data", 0, np.nan)}),
        ("one vs all", {"intercept_": np.ones(5, np.float32)}),
        ("label tree", {"roots_": changed("roots_", 0, 99)}),
        ("label tree", {"roots_": changed("roots_", 0, -1)}),
        ("label tree", {"roots_": changed("roots_", 1, 0)}),
        ("label tree", {"roots_": lambda a: a["roots_"][:1]}),
        ("label tree", {"roots_": lambda a: a["roots_"][:0]}),
        ("label tree", {"starts_": changed("starts_", 1, 10**9)}),
        ("label tree", {"starts_": changed("starts_", 1, -1)}),
        ("label tree", {"starts_": np.zeros(0, np.int64)}),
        ("label tree", {"children_": changed("children_", 0, 0)}),
        ("label tree", {"children_": changed("children_", 0, 2)}),
        ("label tree", {"children_": changed("children_", 0, 10**6)}),
        ("label tree", {"children_": changed("children_", 0, -(10**6))}),
        ("label tree", {"children_": lambda a: np.where(a["children_"] < 0, -1, a["children_"])}),
        ("label tree", {"intercept_": lambda a: a["intercept_"][1:]}),
        ("label tree", {"feature_starts_": changed("feature_starts_", 1, 10**9)}),
        ("label tree", {"feature_starts_": changed("feature_starts_", 1, -5)}),
        ("label tree", {"features_": changed("features_", 0, 5)}),
        ("label tree", {"features_": changed("features_", 0, -1)}),
        ("label tree", {"features_": lambda a: a["features_"] * 0}),
        ("label tree", {"weight_starts_": changed("weight_starts_", 1, 10**9)}),
        ("label tree", {"weight_starts_": lambda a: a["weight_starts_"][1:]}),
        ("label tree", {"slots_": changed("slots_", 0, 7)}),
        ("label tree", {"slots_": lambda a: a["slots_"].astype(np.int32)}),
        ("label tree", {"weights_": changed("weights_", 0, np.inf)}),
        ("label tree", {"weights_": lambda a: a["weights_"][1:]}),
        *(
            ("fast-xml", {name: changed(name, at, value)})
            for name, at, value in (
                ("roots_", 0, 10**9),
                ("roots_", -1, -(10**9)),
                ("children_", 0, 0),  # a node that is its own child
                ("children_", 1, 10**9),
                ("children_", -1, -(10**9)),
                ("weight_starts_", 1, 10**9),
                ("weight_starts_", 1, -1),
                ("weight_starts_", 0, 1),
                ("weight_features_", 0, 5),
                ("weights_", 0, np.nan),
                ("intercepts_", 0, np.inf),
                ("leaf_starts_", 1, 10**9),
                ("leaf_starts_", -1, 0),
                ("leaf_labels_", 0, 4),
            )
        ),
        ("fast-xml", {"roots_": np.zeros(0, np.int32)}),
        ("pfastre-xml", {"trees_.children_": lambda a: a["trees_.children_"] + 1}),
        ("pfastre-xml", {"tail_.squares_": lambda a: a["tail_.squares_"][:-1]}),
        ("pfastre-xml", {"tail_.means_.indices": changed("tail_.means_.indices", 0, 4)}),
        ("tail", {"counts_": lambda a: a["counts_"][:-1]}),
        ("tail", {"squares_": changed("squares_", 0, np.nan)}),
        ("fast-xml", {"children_": lambda a: a["children_"][:-1]}),
        ("fast-xml", {"weights_": lambda a: a["weights_"][:-1]}),
        ("fast-xml", {"intercepts_": lambda a: a["intercepts_"][:-1]}),
        ("fast-xml", {"leaf_labels_": lambda a: a["leaf_labels_"].astype(np.int32) - 1}),
        ("fast-xml", {"leaf_labels_": lambda a: a["leaf_labels_"].astype(np.int64)}),
        ("fast-xml", {"leaf_values_": lambda a: a["leaf_values_"].astype(np.float32)}),
        ("fast-xml", {"leaf_starts_": np.zeros(0, np.int64)}),
    ],
)
def test_arrays_of_other_types_and_sizes(refused, name, changes):
    refused(name, arrays=lambda folder: with_arrays(folder, changes))


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("ml-knn", ["params", "k"], 4),  # the table has a column for each count
        ("ml-knn", ["params", "k"], 0),
        ("iblr", ["params", "plus"], False),
        ("iblr", ["values", "n_features_in_"], 6),
        ("svm", ["params", "kernel"], "rbf"),
        ("svm", ["params", "calibrate"], False),
        ("kernel", ["params", "kernel"], "linear"),
        ("kernel", ["values", "gamma_"], -1.0),
        ("kernel", ["values", "gamma_"], INFINITY),
        ("kernel", ["values", "n_labels_"], 5),
        ("rank svm", ["params", "C"], "1"),
        ("logistic", ["values", "n_features_in_"], 6),
        ("one vs all", ["values", "n_features_in_"], 6),
        ("one vs all", ["params", "threshold"], -1.0),
        ("label tree", ["values", "n_features_in_"], 2),
        ("label tree", ["values", "n_labels_"], 3),
        ("label tree", ["values", "n_labels_"], -1),
        ("label tree", ["params", "beam"], 0),
        ("fast-xml", ["values", "n_features_in_"], 1),
        ("fast-xml", ["values", "n_features_in_"], -1),
        ("fast-xml", ["values", "n_features_in_"], 10**30),
        ("fast-xml", ["values", "n_labels_"], 0),
        ("fast-xml", ["values", "leaf_scale_"], -1.0),
        ("fast-xml", ["values", "leaf_scale_"], INFINITY),
        ("pfast-xml", ["params", "A"], "much"),
        ("pfastre-xml", ["params", "alpha"], 2),
        ("pfastre-xml", ["values", "n_labels_"], 5),
        ("tail", ["values", "n_features_in_"], 6),
    ],
)
def test_numbers_that_do_not_fit_the_arrays(refused, name, path, value):
    refused(name, put("model", *path, value=value))


FREQUENCY = {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}


@pytest.mark.parametrize(
    "header",
    [
        *(
            {"frequency_": FREQUENCY | change}
            for change in (
                {"shape": [INFINITY]},
                {"shape": [-4]},
                {"shape": [-2, -2]},
                {"shape": [5]},
                {"shape": [10**30]},
                {"shape": [0, 10**30], "data_offsets": [0, 0]},
                {"shape": [1] * 99},
                {"shape": None},
                {"data_offsets": [0, 400], "shape": [100]},
                {"data_offsets": [-16, 0]},
                {"data_offsets": [16, 0]},
                {"data_offsets": [8, 24]},
                {"data_offsets": [0, INFINITY]},
                {"data_offsets": [0]},
                {"data_offsets": "ab"},
                {"dtype": "F16"},
                {"dtype": "O"},
                {"dtype": []},
            )
        ),
        {"frequency_": 3},
        {"frequency_": {}},
        [],
        {},
        b"",
        b"null",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"frequency_": ' + b"1" * 5000 + b"}",
    ],
)
def test_headers_of_the_arrays(refused, header):
    refused("popularity", arrays=tensors(header, np.ones(4, np.float32).tobytes()))


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 7, b"\xff" * 16, (9).to_bytes(8, "little") + b"{}"]
)
def test_arrays_that_are_cut_short(refused, content):
    refused("popularity", arrays=content)


def test_a_tensor_that_does_not_start_at_a_multiple_of_its_size_still_ranks(tmp_path):
    folder = tmp_path / "a.model"
    models()["popularity"].save(folder)
    body = np.array([1, 4, 3, 2], np.float32).tobytes()
    for blanks in range(4):
        header = b'{"frequency_":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}' + b" " * blanks
        forge(folder, arrays=tensors(header, body))
        assert load_model(folder).rank(np.ones((1, 5))).labels.tolist() == [1, 2, 3]


def test_a_manifest_that_is_nested_too_deep(tmp_path):
    folder = tmp_path / "a.model"
    models()["popularity"].save(folder)
    (folder / "model.json").write_text("[" * 100_000)
    with pytest.raises(ModelError, match=r"model\.json"):
        load_model(folder)


def test_parts_that_do_not_fit_the_whole(refused):
    part = ("model", "parts", "second_")
    cutoff = {"class": "cutoffs.TopK", "params": {}, "estimators": {}, "values": {}, "parts": {}}

    def without(folder):
        return with_arrays(folder, {"second_.frequency_": None})

    refused("union", put(*part, value=cutoff), arrays=without)  # a part that cannot rank
    refused("union", put(*part, value=None))
    refused("union", lambda manifest: manifest["model"]["parts"].pop("second_"))
    refused(
        "union",
        put(*part, "values", "n_labels_", value=3),  # fits its frequencies, but not the union
        arrays=lambda folder: with_arrays(folder, {"second_.frequency_": np.ones(3, np.float32)}),
    )


def test_arrays_that_the_manifest_does_not_list_are_not_used(tmp_path):
    folder = tmp_path / "a.model"
    models()["popularity"].save(folder)
    forge(folder, put("files", value={}))
    with pytest.raises(ModelError, match=r"arrays\.safetensors"):
        load_model(folder)
