"""A folder that was cut short or altered anywhere is refused with a ModelError, always."""

import json
import shutil
from contextlib import suppress

import numpy as np
import pytest
from store.forging import X, forge, models

from labelrank import InputError, ModelError, load_model

FILES = ("model.json", "arrays.safetensors")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store") / "saved.model"
    models()["union"].save(folder, label_names=["a", "b", "caf\u00e9", "d"])
    return folder


@pytest.fixture
def folder(saved, tmp_path):
    return shutil.copytree(saved, tmp_path / "a.model")


def refusal(folder):
    with pytest.raises(ModelError) as caught:
        load_model(folder)
    message = str(caught.value)
    assert str(folder) in message
    assert message.endswith(".")
    return message.replace(str(folder), "M")


def test_nothing_there(folder, tmp_path):
    assert refusal(tmp_path / "none") == "there is no model folder M."
    assert refusal(folder / "model.json") == "there is no model folder M."
    assert refusal(tmp_path).endswith("is no model: it has no model.json.")


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file(folder, name):
    (folder / name).unlink()
    assert "M is no model" in refusal(folder) or f"the model lacks the file M/{name};" in refusal(
        folder
    )


@pytest.mark.parametrize("name", FILES)
def test_a_folder_or_an_empty_file_in_the_place_of_a_file(folder, name):
    (folder / name).write_bytes(b"")
    assert f"M/{name}" in refusal(folder)
    (folder / name).unlink()
    (folder / name).mkdir()
    refusal(folder)


@pytest.mark.parametrize("name", FILES)
def test_every_truncation(folder, saved, name):
    good = (saved / name).read_bytes()
    for size in {*range(0, 20), *range(0, len(good), 41), len(good) - 1}:
        (folder / name).write_bytes(good[:size])
        assert f"M/{name}" in refusal(folder)
    (folder / name).write_bytes(good + b"\n")
    if name == "arrays.safetensors":
        assert f"has {len(good) + 1} bytes where {len(good)} were written" in refusal(folder)


@pytest.mark.parametrize("name", FILES)
def test_every_altered_byte(folder, saved, name):
    """Header, arrays and manifest: blanks of the manifest apart, no byte is free to change."""
    good = (saved / name).read_bytes()
    assert load_model(folder).label_names_ == ["a", "b", "caf\u00e9", "d"]
    for at in range(0, len(good), 3):
        bad = bytearray(good)
        bad[at] ^= 1 << (at % 7)
        (folder / name).write_bytes(bad)
        if good[at : at + 1].isspace() and bad[at : at + 1].isspace():
            continue
        assert f"M/{name}" in refusal(folder)


def test_files_of_another_model(folder, tmp_path):
    models()["popularity"].save(tmp_path / "other.model")
    shutil.copy(tmp_path / "other.model" / FILES[1], folder / FILES[1])
    assert "M/arrays.safetensors has" in refusal(folder)


def test_a_file_more_is_nobodys_business(folder):
    (folder / "README.txt").write_text("what this is")
    assert load_model(folder).rank(X).n_rows == len(X)


def test_random_bytes_with_checksums_that_fit(folder, saved):
    """Whoever mends the checksums gets a ModelError, or a model that ranks or says why not."""
    good = (saved / FILES[1]).read_bytes()
    rng = np.random.default_rng(0)
    length = int.from_bytes(good[:8], "little")
    loaded, refusals = 0, []
    for trial in range(300):
        bad = bytearray(good[: rng.integers(len(good))] if trial % 5 == 0 else good)
        limit = min(len(bad), 8 + length) if trial % 2 else len(bad)
        for at in rng.integers(limit, size=rng.integers(1, 4)) if limit else ():
            bad[at] = rng.integers(256)
        forge(folder, arrays=bytes(bad))
        try:
            model = load_model(folder)
        except ModelError as error:
            refusals.append(str(error))
            continue
        loaded += 1
        with suppress(InputError):
            model.rank(X)
    assert 5 < loaded < 280
    assert all(str(folder) in message for message in refusals)


def test_random_words_in_the_manifest_with_checksums_that_fit(folder, saved):
    good = json.loads((saved / FILES[0]).read_text(encoding="utf-8"))
    rng = np.random.default_rng(1)
    values = [
        None,
        True,
        -1,
        0,
        3,
        2**70,
        0.5,
        1e999,
        "",
        "x",
        "cutoffs.TopK",
        [],
        [1],
        {},
        {"a": 1},
    ]

    def places(node, path=()):
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            yield (*path, key)
            if isinstance(value, dict | list):
                yield from places(value, (*path, key))

    everywhere = [path for path in places(good) if path != ("sha256",)]
    assert len(everywhere) > 40
    for path in everywhere:
        for value in rng.choice(np.array(values, dtype=object), 8, replace=False):
            shutil.copy(saved / FILES[0], folder / FILES[0])

            def change(manifest, path=path, value=value):
                for key in path[:-1]:
                    manifest = manifest[key]
                manifest[path[-1]] = value

            forge(folder, change)
            with suppress(ModelError):
                model = load_model(folder)
                with suppress(ValueError):  # a parameter or a size that cannot be
                    model.rank(X)
