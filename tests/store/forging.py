"""Fitted models to save, and hands that alter a model folder and mend its checksums."""

from __future__ import annotations

import hashlib
import json
from copy import deepcopy
from functools import cache

import numpy as np
import scipy.sparse as sp
from safetensors.numpy import load, save

from labelrank import PfastreXML
from labelrank.cutoffs import TopK
from labelrank.scorers import (
    IBLR,
    BinarySVM,
    FastXML,
    LabelTree,
    MLkNN,
    NearestNeighbours,
    OneVsAll,
    OneVsAllLogistic,
    PfastXML,
    Popularity,
    RankSVMLabels,
    TailLabels,
)

_RNG = np.random.default_rng(0)
X = _RNG.random((20, 5)).astype(np.float32) * (_RNG.random((20, 5)) < 0.6)
Y = (_RNG.random((20, 4)) < 0.4) * _RNG.integers(1, 4, (20, 4))


def models():
    """A fitted model of every kind, by name; each call gives its own."""
    return deepcopy(_models())


@cache
def _models():
    sparse = sp.csr_array(X)
    return {
        "popularity": Popularity(top=3).fit(X, Y),
        "dense": NearestNeighbours(k=3).fit(X, Y),
        "sparse": NearestNeighbours(k=4, top=3, n_jobs=1).fit(sparse, Y),
        "union": (NearestNeighbours(k=2) | Popularity(top=1)).fit(sparse, Y),
        "nested": ((Popularity() | NearestNeighbours(k=2)) | Popularity(top=2)).fit(X, Y),
        "cutoff": TopK(k=2),
        "svm": BinarySVM(calibrate=True).fit(sparse, Y),
        "kernel": BinarySVM(kernel="rbf").fit(X, Y),
        "rank svm": RankSVMLabels(kernel="rbf").fit(sparse, Y),
        "ml-knn": MLkNN(k=3).fit(X, Y),
        "iblr": IBLR(k=3, plus=True).fit(sparse, Y),
        "logistic": OneVsAllLogistic().fit(X, Y),
        "one vs all": OneVsAll(random_state=0).fit(X, Y),
        "label tree": LabelTree(arity=2, max_leaf=1, n_trees=2, random_state=0).fit(X, Y),
        "fast-xml": FastXML(n_trees=3, leaf_size=3, random_state=0).fit(X, Y),
        "pfast-xml": PfastXML(n_trees=2, random_state=0).fit(sparse, Y),
        "pfastre-xml": PfastreXML(n_trees=2, random_state=0).fit(sparse, Y),
        "tail": TailLabels().fit(X, Y),
    }


def digest(manifest):
    """The checksum of a manifest as docs/model-folder.md defines it."""
    rest = {key: value for key, value in manifest.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def forge(folder, change=None, arrays=None):
    """Alter the manifest by `change` and the bytes of the arrays, with checksums that fit."""
    file = folder / "model.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    if arrays is not None:
        (folder / "arrays.safetensors").write_bytes(arrays)
        facts = {"bytes": len(arrays), "sha256": hashlib.sha256(arrays).hexdigest()}
        manifest["files"]["arrays.safetensors"] = facts
    if change is not None:
        change(manifest)
    manifest["sha256"] = digest(manifest)
    file.write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def put(*path, value):
    """A change that sets one place of the manifest."""

    def change(manifest):
        for key in path[:-1]:
            manifest = manifest[key]
        manifest[path[-1]] = value

    return change


def with_arrays(folder, changes):
    """The bytes of the folder's arrays, some of them replaced, added or (None) left out."""
    arrays = load((folder / "arrays.safetensors").read_bytes())
    for name, value in changes.items():
        assert name == "extra" or name in arrays
        if value is None:
            del arrays[name]
        else:
            arrays[name] = np.ascontiguousarray(value(arrays) if callable(value) else value)
    return save(arrays)


def tensors(header, body=b""):
    """The bytes of a safetensors file with this header, a dict or bytes."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body
