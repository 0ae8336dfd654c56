"""A save that fails, or is killed, harms nothing: the old model stays, no half model appears."""

import os
import shutil
import signal
import stat
import subprocess
import sys

import numpy as np
import pytest
from store.forging import X, Y, models

from labelrank import InputError, _native, load_model
from labelrank.cutoffs import TopK
from labelrank.scorers import Popularity
from labelrank.store import folder as store

PAUSED = """
import sys, time
import numpy as np
from labelrank.scorers import Popularity
from labelrank.store import folder

def pausing(name):
    real = getattr(folder, name)
    def pause(*arguments):
        if name == "_put" or "model.json" in str(arguments[0]):
            print("paused", flush=True)
            time.sleep(600)
        return real(*arguments)
    setattr(folder, name, pause)

pausing(sys.argv[2])
Popularity(top=1).fit(np.eye(3), np.eye(3)).save(sys.argv[1])
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.model"


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def test_a_model_is_replaced(path):
    for k in (1, 2, 3):
        TopK(k=k).save(path)
        assert load_model(path).k == k
        assert names(path.parent) == ["a.model"]


@pytest.mark.skipif(os.name == "nt", reason="needs kill -9")
@pytest.mark.parametrize("where", ["_write", "_put"])
@pytest.mark.parametrize("old", [True, False])
def test_a_process_killed_in_the_middle_of_save(path, where, old):
    if old:
        TopK(k=7).save(path)
    command = [sys.executable, "-c", PAUSED, os.fspath(path), where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "paused\n"
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    if old:
        assert load_model(path).k == 7
    else:
        assert not path.exists()
    Popularity().fit(X, Y).save(path)  # what is left behind is in nobody's way
    assert load_model(path).rank(X[:1]) == Popularity().fit(X, Y).rank(X[:1])
    assert [name for name in names(path.parent) if not name.startswith(".")] == ["a.model"]


class Interrupted(BaseException):
    pass


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), Interrupted()])
@pytest.mark.parametrize("step", ["arrays.safetensors", "model.json", "put"])
@pytest.mark.parametrize("old", [True, False])
def test_a_failure_leaves_no_trace(path, monkeypatch, error, step, old):
    if old:
        TopK(k=7).save(path)
    write = store._write

    def failing(file, *content):
        if step in ("put", file.name):
            raise error
        write(file, *content)

    monkeypatch.setattr(store, "_put" if step == "put" else "_write", failing)
    with pytest.raises(type(error)):
        TopK(k=8).save(path)
    assert names(path.parent) == ["a.model"] * old
    if old:
        assert load_model(path).k == 7
        assert names(path) == ["arrays.safetensors", "model.json"]


def test_a_system_that_cannot_exchange_folders(path, monkeypatch):
    TopK(k=7).save(path)
    monkeypatch.setattr(_native, "exchange", lambda a, b: False)
    TopK(k=8).save(path)
    assert load_model(path).k == 8
    assert names(path.parent) == ["a.model"]
    rename = type(path).rename

    def failing(self, target):
        if target == path and not self.name.endswith(".old"):
            raise OSError("no")
        return rename(self, target)

    monkeypatch.setattr(type(path), "rename", failing)
    with pytest.raises(OSError, match="no"):
        TopK(k=9).save(path)
    assert load_model(path).k == 8
    assert names(path.parent) == ["a.model"]


def test_exchange(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    if not _native.exchange(str(tmp_path / "a"), str(tmp_path / "b")):
        pytest.skip("this system cannot exchange two folders in one step")
    assert (tmp_path / "a" / "file").read_text() == "b"
    assert (tmp_path / "b" / "file").read_text() == "a"
    assert not _native.exchange(str(tmp_path / "a"), str(tmp_path / "none"))
    assert names(tmp_path) == ["a", "b"]


def test_a_model_is_replaced_in_one_step_where_the_system_can(path, monkeypatch):
    TopK(k=7).save(path)
    steps = []
    exchange, rename = _native.exchange, type(path).rename
    monkeypatch.setattr(_native, "exchange", lambda *p: steps.append(exchange(*p)) or steps[-1])
    monkeypatch.setattr(type(path), "rename", lambda *p: steps.append("rename") or rename(*p))
    TopK(k=8).save(path)
    assert steps[0] in (True, False)
    assert "rename" not in steps if steps[0] else "rename" in steps


def test_a_model_in_use_stays_as_it_was_when_it_is_replaced(path):
    models()["sparse"].save(path)
    loaded = load_model(path)
    before = loaded.rank(X)
    models()["dense"].save(path)
    assert loaded.rank(X) == before
    assert load_model(path).rank(X) == models()["dense"].rank(X)


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"notes.txt": "mine"},
        {"model.json": '{"format": "layers-model"}', "weights.bin": "mine"},
        {"model.json": "{}"},
    ],
)
def test_a_folder_that_is_no_model_of_ours_is_never_replaced(path, content):
    path.mkdir()
    for name, text in content.items():
        (path / name).write_text(text)
    with pytest.raises(InputError, match=r"a.model exists and is no model; choose another path"):
        TopK().save(path)
    assert {file.name: file.read_text() for file in path.iterdir()} == content
    assert names(path.parent) == ["a.model"]


def test_a_damaged_model_may_be_replaced(path):
    TopK(k=7).save(path)
    (path / "arrays.safetensors").unlink()
    TopK(k=8).save(path)
    assert load_model(path).k == 8


def test_places_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match=r"file exists and is no model"):
        TopK().save(tmp_path / "file")
    with pytest.raises(InputError, match=r"the folder .*none does not exist"):
        TopK().save(tmp_path / "none" / "a.model")
    assert (tmp_path / "file").read_text() == "mine"
    assert names(tmp_path) == ["file"]


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_a_link_to_a_model(tmp_path):
    TopK(k=7).save(tmp_path / "real.model")
    (tmp_path / "link").symlink_to(tmp_path / "real.model")
    assert load_model(tmp_path / "link").k == 7
    TopK(k=8).save(tmp_path / "link")
    assert load_model(tmp_path / "link").k == 8
    assert names(tmp_path) == ["link", "real.model"]  # and no link of another name


def test_paths_of_every_kind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ("a.model", f"{tmp_path}/b.model/", "./c d \u00e9.model", tmp_path / "e"):
        TopK(k=3).save(path)
        assert load_model(path).k == 3
    assert names(tmp_path) == ["a.model", "b.model", "c d \u00e9.model", "e"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permission bits")
def test_others_may_read_what_the_mask_lets_them_read(path):
    mask = os.umask(0o027)
    try:
        TopK().save(path)
        (path.parent / "plain").mkdir()
    finally:
        os.umask(mask)
    modes = [stat.S_IMODE(folder.stat().st_mode) for folder in (path, path.parent / "plain")]
    assert modes[0] == modes[1]
    shutil.rmtree(path)


def test_a_large_array_comes_back(path):
    """More than one page, and more than one buffer of a writer."""
    Y = np.zeros((1, 300_000))
    Y[0, ::7] = np.arange(1, 42_859)
    Popularity().fit(np.ones((1, 1)), Y).save(path)
    np.testing.assert_array_equal(load_model(path).frequency_, Y[0].astype(np.float32))
