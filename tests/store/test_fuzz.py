"""Model folders altered at random, with checksums that fit: refused in a sentence, or they rank.

Whatever a file says, no index leaves its array: `make sanitize` runs this on sanitized kernels.
"""

import json
import shutil

import numpy as np
import pytest
import scipy.sparse as sp
from safetensors.numpy import load
from store.forging import X, Y, forge, with_arrays

from labelrank import ModelError, Ranking, load_model
from labelrank.data import SyntheticExtreme
from labelrank.errors import InputError
from labelrank.recipes import PfastreXML
from labelrank.scorers import (
    FastXML,
    LabelTree,
    NearestNeighbours,
    OneVsAll,
    PfastXML,
)

DATA = SyntheticExtreme(120, n_labels=30, n_features=1000, noise=3).dataset()
ROWS = sp.vstack([DATA.X[:20], sp.csr_array((1, 1000), dtype=np.float32)], format="csr")
MAKERS = {
    "fastxml": lambda: FastXML(n_trees=2, random_state=0),
    "pfastxml": lambda: PfastXML(n_trees=2, random_state=0),
    "pfastrexml": lambda: PfastreXML(n_trees=2, random_state=0),
    "label tree": lambda: LabelTree(n_trees=2, arity=3, max_leaf=4, random_state=0),
    "one-vs-all": lambda: OneVsAll(random_state=0),
    "neighbours": lambda: NearestNeighbours(k=3),
}
names = pytest.mark.parametrize("name", MAKERS)
EXTREMES = {
    "i": (-(2**31), -2, -1, 0, 1, 2**15, 2**30, 2**31 - 1, 2**62, -(2**62)),
    "u": (0, 1, 2**15, 2**16 - 1),
    "f": (0.0, -0.0, 1.0, -3e38, 3e38, 1e-45, 1e30),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A folder with a model of each kind; not to be changed."""
    place = tmp_path_factory.mktemp("models")
    for name, make in MAKERS.items():
        make().fit(DATA.X, DATA.Y).save(place / name)
    return place


@pytest.fixture
def copy(saved, tmp_path):
    def copy(name):
        folder = tmp_path / "a.model"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(saved / name, folder)
        return folder

    return copy


def outcome(folder):
    """Whether the model was refused; if not, it ranks, or says in a sentence why it cannot."""
    try:
        model, said = load_model(folder), ""
    except ModelError as error:
        said = str(error)
    if said:
        assert str(folder) in said
        return "refused"
    try:
        found = model.rank(ROWS, 5)
    except (InputError, ValueError):
        return "cannot rank"
    Ranking(found.indptr, found.labels, found.scores, found.n_labels)  # checked again, in full
    assert found.shape == (ROWS.shape[0], model.n_labels_)
    return "ranked"


@names
def test_a_file_cut_short_anywhere(copy, name):
    rng = np.random.default_rng(0)
    for file in ("arrays.safetensors", "model.json"):
        whole = (copy(name) / file).read_bytes()
        for size in [0, 1, 7, 8, 9, len(whole) - 1, *rng.integers(0, len(whole), 10).tolist()]:
            folder = copy(name)
            (folder / file).write_bytes(whole[:size])
            assert outcome(folder) == "refused"
            if file == "arrays.safetensors":
                assert outcome(forge(folder, arrays=whole[:size])) == "refused"


@names
def test_arrays_of_another_length(copy, name):
    arrays = load((copy(name) / "arrays.safetensors").read_bytes())
    for key, array in arrays.items():
        for value in (array[:-1], array[1:], np.concatenate([array, array[:1]]), array[:0]):
            folder = copy(name)
            found = outcome(forge(folder, arrays=with_arrays(folder, {key: value})))
            assert found == "refused" or key.endswith("roots_"), (key, value.shape)  # fewer trees


@names
def test_numbers_out_of_range_in_any_array(copy, name):
    rng = np.random.default_rng(1)
    arrays = load((copy(name) / "arrays.safetensors").read_bytes())
    found = set()
    for key, array in arrays.items():
        limits = None if array.dtype.kind == "f" else np.iinfo(array.dtype)
        for value in EXTREMES[array.dtype.kind]:
            if limits is not None and not limits.min <= value <= limits.max:
                continue
            for at in {0, array.size - 1, int(rng.integers(array.size)) if array.size else 0}:
                altered = array.copy()
                if altered.size:
                    altered.ravel()[at] = value
                folder = copy(name)
                found.add(outcome(forge(folder, arrays=with_arrays(folder, {key: altered}))))
    assert "refused" in found


@names
def test_every_number_of_an_array_at_once(copy, name):
    rng = np.random.default_rng(2)
    arrays = load((copy(name) / "arrays.safetensors").read_bytes())
    for key, array in arrays.items():
        for altered in (
            rng.permutation(array.ravel()),
            array.ravel()[::-1],
            np.zeros_like(array),
            rng.integers(0, 256, array.nbytes).astype(np.uint8).view(array.dtype),
        ):
            folder = copy(name)
            value = np.asarray(altered).reshape(array.shape)
            outcome(forge(folder, arrays=with_arrays(folder, {key: value})))


@names
def test_bytes_flipped_at_random(copy, name):
    rng = np.random.default_rng(3)
    whole = np.frombuffer((copy(name) / "arrays.safetensors").read_bytes(), np.uint8)
    found = []
    for trial in range(60):
        altered = whole.copy()
        at = rng.integers(0, len(whole), 1 + trial % 5)
        altered[at] ^= (1 << rng.integers(0, 8, len(at))).astype(np.uint8)
        found.append(outcome(forge(copy(name), arrays=altered.tobytes())))
    assert "refused" in found


@names
def test_numbers_of_the_manifest(copy, name):
    values = json.loads((copy(name) / "model.json").read_text())["model"]["values"]
    for key, value in values.items():
        for other in (-1, 0, 1, 2, 2**31, 2**62, 10**30, 0.5, "1", None, True, [], [1, 2], {}):
            if other == value and type(other) is type(value):
                continue

            def change(manifest, key=key, other=other):
                manifest["model"]["values"][key] = other

            found = outcome(forge(copy(name), change))
            # more features or labels than there were are no contradiction; others are
            if not (isinstance(other, float) or (isinstance(other, int) and other > 30)):
                assert found == "refused", (key, other)


def test_what_the_tests_forge_is_what_is_kept(copy):
    folder = copy("neighbours")
    assert outcome(forge(folder, lambda manifest: None)) == "ranked"
    assert X.shape[0] == Y.shape[0]
