"""The meta-level experiment: what it reads, what it chooses by, and what it finds."""

import numpy as np
import pytest
import scipy.sparse as sp
from experiments import forms

from labelrank.cutoffs import LLSF
from labelrank.errors import InputError
from labelrank.experiments.meta_level import _Work, meta_level
from labelrank.experiments.meta_level_data import Parts, read_parts
from labelrank.experiments.meta_level_methods import folds_of, plan_of, tuned
from labelrank.experiments.meta_level_report import figure, report, tables
from labelrank.experiments.meta_level_study import META, RANKERS, Study
from labelrank.experiments.paper_000 import NEIGHBOURS, paper
from labelrank.measures import evaluate
from labelrank.scorers import BinarySVM, MLkNN

X, Y = forms.problem()


def test_arff_pairs_are_found_from_either_file_and_from_the_folder(tmp_path):
    forms.arff(tmp_path / "small-train.arff", X[:40], Y[:40])
    forms.arff(tmp_path / "small-test.arff", X[40:], Y[40:])
    for source in (tmp_path / "small-train.arff", tmp_path / "small-test.arff", tmp_path):
        parts = read_parts(str(source))
        assert np.allclose(parts.X_train, X[:40], atol=1e-5)
        assert np.array_equal(parts.Y_test.toarray(), Y[40:])
    assert read_parts(str(tmp_path / "small-test.arff")).name == "small"


def test_what_is_not_split_is_split_two_to_one_with_every_label_spread(tmp_path):
    forms.arff(tmp_path / "small.arff", X, Y)
    parts = read_parts(str(tmp_path / "small.arff"), random_state=3)
    assert (parts.X_train.shape[0], parts.X_test.shape[0]) == (40, 20)
    assert np.abs(parts.Y_test.sum(axis=0) - Y.sum(axis=0) / 3).max() <= 1
    again = read_parts(str(tmp_path / "small.arff"), random_state=3)
    assert np.array_equal(again.X_test, parts.X_test)
    assert "split 2:1" in "; ".join(parts.notes)


@pytest.mark.parametrize("first", [0, 1])
def test_svmlight_parts_are_equally_wide_and_have_no_label_that_nothing_has(tmp_path, first):
    cut = X.copy()
    forms.svmlight(tmp_path / "a.train.svm", cut[:40, :3], Y[:40], first)
    forms.svmlight(tmp_path / "a.test.svm", cut[40:], Y[40:], first)
    parts = read_parts(str(tmp_path / "a.train.svm"))
    assert (parts.X_train.shape, parts.X_test.shape) == ((40, 4), (20, 4))
    assert np.array_equal(parts.Y_train.toarray(), Y[:40])
    assert sp.issparse(parts.X_train)
    assert not parts.dense


@pytest.mark.parametrize("header", [True, False])
def test_csv_has_the_class_first(tmp_path, header):
    train = forms.classes(tmp_path / "c.train.csv", X[:40], header)
    forms.classes(tmp_path / "c.test.csv", X[40:], header)
    parts = read_parts(str(tmp_path / "c.train.csv"), block=10)
    names = np.array(["high", "low", "middle"])
    assert np.array_equal(names[parts.Y_train.indices], train)
    assert parts.one_label
    assert np.bincount(parts.groups).tolist() == [10, 10, 10, 10]


def test_texts_become_unit_rows_with_words_of_the_training_part(tmp_path):
    where = np.where(np.arange(60) % 3 == 0, "TEST", "TRAIN")
    forms.texts(tmp_path / "t.jsonl", Y, where)
    parts = read_parts(str(tmp_path / "t.jsonl"))
    assert (parts.X_train.shape[0], parts.X_test.shape[0]) == (40, 20)
    assert np.allclose((parts.X_train.power(2)).sum(axis=1), 1, atol=1e-5)
    forms.texts(tmp_path / "t.jsonl", Y)
    assert read_parts(str(tmp_path / "t.jsonl")).X_train.shape[0] == 40


def test_only_features_whose_scales_differ_are_rescaled(tmp_path):
    forms.arff(tmp_path / "small.arff", X * [1, 2, 3, 4], Y)
    assert not any("variance" in note for note in read_parts(str(tmp_path / "small.arff")).notes)
    unit = read_parts(str(tmp_path / "small.arff"), scale="unit")
    assert np.allclose(unit.X_train.std(axis=0), 1, atol=1e-4)
    forms.arff(tmp_path / "small.arff", X * [0.01, 1, 10, 100], Y)
    auto = read_parts(str(tmp_path / "small.arff"))
    assert np.allclose(auto.X_train.std(axis=0), 1, atol=1e-4)
    left = read_parts(str(tmp_path / "small.arff"), scale="none")
    assert left.X_train.std(axis=0).max() > 50


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n0.5,1\n0.7,2\n", "no class"),
        ("y,a\n1,2\n2,3\n3,4\n", "must be the class"),
        ("y,a\n1,2\n1,x\n", "where a number is expected"),
        ("y,a\n1,2\n1,2,3\n", "3 cells"),
        ("y,a\n", "no rows"),
        ("title,tags\nhello,red\nyou,blue\n", "no rows|number|class"),
    ],
)
def test_a_csv_without_classes_is_refused(tmp_path, text, said):
    (tmp_path / "bad.csv").write_text(text)
    with pytest.raises(InputError, match=said):
        read_parts(str(tmp_path / "bad.csv"))


def test_other_bad_data_are_refused(tmp_path):
    with pytest.raises(InputError, match="neither a file nor"):
        read_parts("nowhere")
    with pytest.raises(InputError, match="vowel is not in"):
        read_parts("vowel", tmp_path)
    with pytest.raises(InputError, match="scale must be"):
        read_parts("vowel", tmp_path, scale="other")
    forms.texts(tmp_path / "t.jsonl", Y[:6], ["train", "dev", "dev"] * 2)
    with pytest.raises(InputError, match="split must say train and test"):
        read_parts(str(tmp_path / "t.jsonl"))
    forms.arff(tmp_path / "small-train.arff", X[:40], Y[:40])
    forms.arff(tmp_path / "small-test.arff", X[40:, :3], Y[40:])
    with pytest.raises(InputError, match="they must agree"):
        read_parts(str(tmp_path))
    forms.classes(tmp_path / "c.csv", X)
    with pytest.raises(InputError, match="block must lie"):
        read_parts(str(tmp_path / "c.csv"), block=39)


def test_groups_are_never_on_both_sides_of_a_fold():
    groups = np.repeat(np.arange(6), 10)
    folds = folds_of(sp.csr_array(Y), groups, 3, 0)
    assert sorted(np.concatenate([held for _, held in folds])) == list(range(60))
    assert not any(set(groups[train]) & set(groups[held]) for train, held in folds)


def test_parameters_are_chosen_by_lists_that_have_not_seen_their_rows():
    truth = sp.csr_array(Y.astype(np.float32))
    folds = folds_of(truth, None, 4, 0)
    found = tuned(MLkNN(), [{"k": [1, 5, 20]}], X, truth, folds)
    for k in (1, 5, 20):
        scores = np.zeros(Y.shape)
        for train, held in folds:
            listed = MLkNN(k=k).fit(X[train], truth[train]).rank(X[held])
            scores[held] = listed.to_csr().toarray()
            if k == found.params["k"]:
                assert found.crossed[held] == listed
        if k == found.params["k"]:
            assert found.value == evaluate(found.crossed, truth, "MAP")["MAP"].value
    assert found.scorer.k == found.params["k"]


def test_cutoffs_learn_from_lists_that_have_not_seen_their_rows():
    rng = np.random.default_rng(0)
    noise, any_label = rng.normal(size=(60, 4)).astype(np.float32), rng.random((60, 3)) < 0.4
    truth = sp.csr_array(any_label.astype(np.float32))  # nothing to learn but by heart
    parts = Parts("noise", noise[:40], truth[:40], noise[40:], truth[40:], [])
    machine = BinarySVM(kernel="rbf", C=100.0, gamma=10.0)
    work = _Work(Study(parts, plan_of(parts, quick=True)), 0, None, 0, lambda sentence: None)
    found = work._tuned("ML-kNN", machine, [{"C": [100.0]}], noise[:40], noise[40:])
    ranking = found.scorer.rank(noise[40:])
    kept = {
        title: evaluate(LLSF().fit(seen, truth[:40]).keep(ranking), truth[40:], "HLoss")["HLoss"]
        for title, seen in (("crossed", found.crossed), ("own", found.scorer.rank(noise[:40])))
    }
    assert work.study.evaluations["ML-kNN†"]["HLoss"].value == kept["crossed"].value
    assert kept["crossed"].value != kept["own"].value


def test_large_data_get_fewer_neighbours_and_too_large_ones_a_sentence():
    def sized(n, m):
        empty = sp.csr_array((n, m), dtype=np.float32)
        return Parts("s", empty, empty, empty, empty, [])

    assert plan_of(sized(400, 6)).ks[-1] == 100
    assert plan_of(sized(8_000, 90)).distances == ("cosine",)
    with pytest.raises(InputError, match="more than 4 GB"):
        plan_of(sized(100_000, 1_000))


def test_all_tables_of_several_data_sets(tmp_path):
    forms.arff(tmp_path / "small.arff", X, Y)
    forms.classes(tmp_path / "c.csv", X)
    studies = meta_level([str(tmp_path / f) for f in ("small.arff", "c.csv")], quick=True)
    drawn = tables(studies)
    assert [t.title[:7] for t in drawn] == [
        "Table 2", "Table 3", "Table 4", "Table 5", "Table 6", "Table 7", "Paramet"
    ]  # fmt: skip
    multi, single = (study.evaluations for study in studies)
    assert multi["MLC-ListNet"]["MAP"].value > 0.8
    assert {*RANKERS.values(), "BinarySVM†", "IBLR" + META} < set(single)
    assert [e.method for e in studies[1].errors] == [
        "SVM, plain features", "SVM, meta-level features"
    ]  # fmt: skip
    assert 0 <= studies[1].errors[1].value < 0.5
    assert studies[0].errors == []
    # the order is the same whatever decides
    assert multi["IBLR"]["MAP"].value == multi["IBLR†"]["MAP"].value
    # means over the data sets, as the figure has them
    mean = np.mean([e["BinarySVM"]["micro-F1"].value for e in (multi, single)])
    assert dict(figure(studies)["micro-F1"])["BinarySVM"] == pytest.approx(mean)
    page = report(studies, drawn).html()
    assert "Table 7: error rate on c" in page
    assert "Figure 2" in page
    again = meta_level([str(tmp_path / "small.arff")], quick=True, n_jobs=2)
    assert again[0].rows()[:-1] == studies[0].rows()[:-1]  # the last one is a time


def test_two_data_sets_of_one_name_are_refused(tmp_path):
    forms.arff(tmp_path / "small.arff", X, Y)
    with pytest.raises(InputError, match="two data sets"):
        meta_level([str(tmp_path / "small.arff")] * 2, quick=True)


def test_the_papers_figures():
    assert paper("emotions", "MLC-ListNet", "Coverage") == 1.74257
    assert paper("reuters21578", "MLC-SVMMap", "MAP") == 0.94238
    assert paper("scene", "ML-kNN†", "HLoss") == 0.10675
    assert paper("vowel", "SVM, meta-level features", "error") == 0.42
    assert paper("citeseer17", "MLC-ListNet", "MAP") is None
    assert NEIGHBOURS["scene"] == 11.4
