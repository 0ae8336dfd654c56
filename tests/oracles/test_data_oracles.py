"""Readers and folds against other libraries and against what is written beside the data sets."""

import gzip
import json
import re

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file

from labelrank import load
from labelrank.data import MultilabelStratifiedKFold, read_qid, read_xmc


def note(file):
    """The text of a NOTE file, or a skip where there is none."""
    if not file.exists():
        pytest.skip(f"{file.name} is not among the data sets that are there")
    return file.read_text(encoding="utf-8")


def whole(file):
    if not file.exists():
        pytest.skip(f"{file.name} is not among the data sets that are there")
    return file


@pytest.mark.parametrize("part", ["train", "test"])
@pytest.mark.parametrize("name", ["bibtex", "delicious"])
def test_xmc_equals_scikit_learn(data_dir, tmp_path, name, part):
    file = whole(data_dir / "xmc" / name / f"{part}.txt.gz")
    header, body = gzip.decompress(file.read_bytes()).split(b"\n", 1)
    (tmp_path / "body.svm").write_bytes(body)
    n, d, m = map(int, header.split())
    X, labels = load_svmlight_file(
        tmp_path / "body.svm", n_features=d, multilabel=True, zero_based=True, dtype=np.float64
    )
    data = read_xmc(file)
    assert data.Y.shape == (n, m)
    np.testing.assert_array_equal(data.X.toarray(), X.toarray().astype(np.float32))
    rows = [sorted(map(int, row)) for row in labels]
    assert [row.tolist() for row in np.split(data.Y.indices, data.Y.indptr[1:-1])] == rows


@pytest.mark.parametrize("part", range(1, 6))
def test_queries_equal_scikit_learn(data_dir, tmp_path, part):
    file = whole(data_dir / "l2r" / "mq2008" / f"S{part}.txt.gz")
    (tmp_path / "queries.svm").write_bytes(gzip.decompress(file.read_bytes()))
    X, grades, queries = load_svmlight_file(tmp_path / "queries.svm", query_id=True)
    groups = read_qid(file)
    order = [np.flatnonzero(queries == query) for query in dict.fromkeys(queries.tolist())]
    assert groups.queries.tolist() == list(dict.fromkeys(queries.tolist()))
    np.testing.assert_array_equal(np.diff(groups.indptr), [len(rows) for rows in order])
    np.testing.assert_array_equal(groups.grades, grades[np.concatenate(order)])
    dense = X.toarray().astype(np.float32)[np.concatenate(order)]
    np.testing.assert_array_equal(groups.F, dense)


def test_queries_have_the_counts_of_their_note(data_dir):
    text = note(data_dir / "l2r" / "NOTE.txt")
    rows, queries, features = re.search(
        r"MQ2008, complete: ([\d,]+) rows, (\d+) queries, (\d+) features", text
    ).groups()
    parts = [read_qid(whole(data_dir / "l2r" / "mq2008" / f"S{i}.txt.gz")) for i in range(1, 6)]
    assert sum(len(part.F) for part in parts) == int(rows.replace(",", ""))
    assert sum(map(len, parts)) == int(queries)
    assert {part.F.shape[1] for part in parts} == {int(features)}
    relevant = sum(int((np.diff(part.Y.indptr) > 0).sum()) for part in parts)
    assert relevant == int(re.search(r"\((\d+) queries have a relevant document\)", text)[1])


@pytest.mark.parametrize("name", ["emotions", "scene", "bibtex", "enron"])
def test_mulan_sets_have_the_counts_of_their_note(data_dir, name):
    text = note(data_dir / "small" / name / "NOTE.txt")
    train, test = (load(name, part=part, data=data_dir) for part in ("train", "test"))
    sizes = re.search(r"train (\d+), test (\d+) \(full (\d+)\) x (\d+)\D*? x (\d+)", text)
    together = sp.vstack([train.Y, test.Y]).tocsr()
    found = (len(train), len(test), together.shape[0], train.n_features, train.n_labels)
    assert found == tuple(map(int, sizes.groups()))
    assert test.n_features == train.n_features
    assert set(np.unique(together.data)) == {1}
    stated = re.findall(r"(train|test|full|cardinality) (\d+\.\d+)", text)
    assert stated
    for which, cardinality in stated:
        Y = {"train": train.Y, "test": test.Y}.get(which, together)
        assert f"{Y.nnz / Y.shape[0]:.4f}" == cardinality
    if sets := re.search(r"(\d+) label sets", text):
        assert len(np.unique(together.toarray(), axis=0)) == int(sets[1])


def test_bibtex_is_the_same_in_both_forms(data_dir):
    for part in ("train", "test"):
        arff, xmc = (load(name, part=part, data=data_dir) for name in ("bibtex", "bibtex-xmc"))
        assert (arff.X != xmc.X).nnz == 0
        assert (arff.Y != xmc.Y).nnz == 0


def test_reuters_has_the_counts_of_its_note(data_dir):
    text = note(data_dir / "small" / "reuters21578" / "NOTE.txt")
    train, test = (load("reuters21578", part=part, data=data_dir) for part in ("train", "test"))
    stated = re.search(
        r"Categories with .*: (\d+)\. .* train (\d+), test (\d+); "
        r"cardinality (\d\.\d+) / (\d\.\d+)",
        text,
    ).groups()
    assert (train.n_labels, len(train), len(test)) == tuple(map(int, stated[:3]))
    assert tuple(f"{d.Y.nnz / len(d):.4f}" for d in (train, test)) == stated[3:]
    assert train.label_names == test.label_names
    assert min(d.statistics()["labels with a row"] for d in (train, test)) == 90


def test_citeseer_has_the_counts_of_its_note(data_dir):
    text = note(data_dir / "small" / "citeseer17" / "NOTE.txt")
    train, test = (load("citeseer17", part=part, data=data_dir) for part in ("train", "test"))
    rows = re.search(r"train (\d+), test (\d+); (\d+) classes", text).groups()
    assert (len(train), len(test)) == tuple(map(int, rows[:2]))
    for data in (train, test):
        assert data.n_labels == len(data.label_names) == int(rows[2])
        assert data.statistics()["labels with a row"] == int(rows[2])
        assert set(np.diff(data.Y.indptr)) == {1}
        assert data.n_features == int(re.search(r"vocabulary (\d+)", text)[1])
        np.testing.assert_allclose(np.sqrt(data.X.multiply(data.X).sum(axis=1)), 1, atol=1e-4)


@pytest.mark.parametrize(
    "name", ["movielens10m", "lastfm", "citeulike-t", "npm", "tmdb", "ted", "debtags"]
)
def test_tag_sets_have_the_counts_of_their_note(data_dir, name):
    text = note(data_dir / "tags" / f"{name}.NOTE.txt")
    data = load(name, data=data_dir)
    counts = np.diff(data.Y.indptr)
    for pattern, found in [
        (r"(\d+) objects with tags of", len(data)),
        (r"(\d+) distinct tags", data.n_labels),
        (r"objects with >=2 tags (\d+)", (counts >= 2).sum()),
        (r">=4 tags (\d+)", (counts >= 4).sum()),
        (r"tags on >=5 objects (\d+)", (np.bincount(data.Y.indices) >= 5).sum()),
    ]:
        assert found == int(re.search(pattern, text)[1])
    assert len(set(data.ids)) == len(data)
    share = 100 * np.mean([bool(title) for title in data.texts["title"]])
    assert f"{share:.1f}" == re.search(r"with title ([\d.]+)%", text)[1]


@pytest.mark.parametrize("name", ["bibtex", "delicious", "citeulike-t", "debian-deps"])
def test_xmc_sets_have_the_counts_of_their_note(data_dir, name):
    stated = json.loads(
        re.search(r"\{\n.*?\n\}", note(data_dir / "xmc" / name / "NOTE.txt"), re.S)[0]
    )
    entry = {"bibtex": "bibtex-xmc", "citeulike-t": "citeulike-t-xmc"}.get(name, name)
    train, test = (load(entry, part=part, data=data_dir) for part in ("train", "test"))
    facts = train.statistics()
    together = len(train) + len(test)
    counts = np.bincount(train.Y.indices, minlength=train.n_labels)
    assert {
        "train": len(train),
        "test": len(test),
        "features": train.n_features,
        "labels": train.n_labels,
        "labels_in_train": facts["labels with a row"],
        "labels_in_test": test.statistics()["labels with a row"],
        "max_points_per_label": facts["most frequent label's rows"],
        "labels_with_le_5_train_points": int((counts <= 5).sum()),
    }.items() <= stated.items()
    assert facts["features per row"] == pytest.approx(stated["avg_features_per_point"], abs=0.006)
    per_row = stated["avg_labels_per_point"]
    both = (train.Y.nnz + test.Y.nnz) / together
    assert min(abs(facts["labels per row"] - per_row), abs(both - per_row)) < 0.006


@pytest.mark.parametrize("name", ["emotions", "scene", "enron"])
def test_folds_are_as_even_as_those_of_iterative_stratification(data_dir, name):
    other = pytest.importorskip("iterstrat.ml_stratifiers")
    Y = load(name, data=data_dir).Y.toarray()

    def unevenness(splitter):
        counts = np.array([Y[test].sum(axis=0) for _, test in splitter.split(Y, Y)])
        return np.abs(counts - Y.sum(axis=0) / 5).mean()

    ours, theirs = (
        np.mean([unevenness(make(seed)) for seed in range(8)])
        for make in (
            lambda seed: MultilabelStratifiedKFold(5, random_state=seed),
            lambda seed: other.MultilabelStratifiedKFold(5, shuffle=True, random_state=seed),
        )
    )
    assert ours <= 1.05 * theirs
