"""MetaLevelTransformer: formula (2), each training row left out, and scikit-learn's contract."""

import numpy as np
import pytest
import scipy.sparse as sp
from reference import meta_level as twin
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelrank import InputError
from labelrank.features import MetaLevelTransformer

RNG = np.random.default_rng(0)
CLASSES = np.array(["a", "b", "c"])[np.arange(60) % 3]
X = (RNG.standard_normal((60, 4)) + 2 * (CLASSES[:, None] == ["a", "b", "c", "d"])).astype(
    np.float32
)
Y = np.column_stack([CLASSES == "a", CLASSES != "b", RNG.random(60) < 0.5]).astype(int)
ALL = [(i, label) for i in range(60) for label in range(3)]

LEFT_OUT = "fit_transform leaves each row out of itself, transform has no reason to"
EXPECTED = {
    "check_transformer_general": LEFT_OUT,
    "check_transformer_data_not_an_array": LEFT_OUT,
}


@parametrize_with_checks(
    [MetaLevelTransformer(k=3)], expected_failed_checks=lambda estimator: EXPECTED
)
def test_the_contract_of_estimators(estimator, check):
    check(estimator)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_formula_2(form):
    z = MetaLevelTransformer(k=4).fit(form(X), form(Y))
    queries = X[::-1] + np.float32(0.25)
    names = ("l2", "l1", "cosine")
    want = twin.describe(X, Y, queries, ALL, 4, names, True).reshape(60, 3 * 14)
    found = z.transform(form(queries))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-6)
    want = twin.describe(X, Y, X, ALL, 4, names, True, left_out=True).reshape(60, 3 * 14)
    np.testing.assert_allclose(z.fit_transform(form(X), form(Y)), want, rtol=1e-5, atol=1e-6)
    assert z.get_feature_names_out()[[0, 13, 14]].tolist() == [
        "label0_l2_1", "label0_centroid_cos", "label1_l2_1",
    ]  # fmt: skip


def test_classes_are_labels():
    by_class = MetaLevelTransformer(k=2).fit(X, CLASSES)
    by_label = MetaLevelTransformer(k=2).fit(X, (CLASSES[:, None] == ["a", "b", "c"]).astype(int))
    assert by_class.classes_.tolist() == ["a", "b", "c"]
    assert not hasattr(by_label, "classes_")
    np.testing.assert_array_equal(by_class.transform(X), by_label.transform(X))
    assert by_class.get_feature_names_out()[:2].tolist() == ["a_l2_1", "a_l2_2"]
    assert not hasattr(by_class.fit(X, Y), "classes_")


def test_in_a_pipeline_and_a_search():
    pipeline = make_pipeline(MetaLevelTransformer(), StandardScaler(), LogisticRegression())
    search = GridSearchCV(pipeline, {"metaleveltransformer__k": [1, 5]}, cv=3).fit(X, CLASSES)
    # the first step was fitted by fit_transform: row by row without itself
    inner = search.best_estimator_[1]
    z = clone(search.best_estimator_[0]).fit_transform(X, CLASSES)
    np.testing.assert_allclose(inner.mean_, z.mean(axis=0), rtol=1e-4)
    assert search.best_score_ > 0.75


@pytest.mark.parametrize(
    ("y", "says"),
    [
        (None, "requires y to be passed"),
        (Y[:5], "X has 60 rows but Y has 5"),
        (CLASSES[:5], "X has 60 rows but Y has 5"),
        (-Y, "grades are 0 or more"),
        (RNG.random(60), "Unknown label type"),
    ],
)
def test_labels_that_cannot_be(y, says):
    with pytest.raises(ValueError, match=says):
        MetaLevelTransformer().fit(X, y)


def test_parameters_are_those_of_the_features():
    with pytest.raises(InputError, match="k must be"):
        MetaLevelTransformer(k=0).fit(X, Y)
    with pytest.raises(ValueError, match="X has 3 features"):
        MetaLevelTransformer().fit(X, Y).transform(X[:, :3])
