"""Scorers are scikit-learn estimators: the contract, clones, pipelines and searches."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelrank import PfastreXML, evaluate
from labelrank.data import MultilabelStratifiedKFold
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
    Union,
)

SCORERS = [
    Popularity(),
    NearestNeighbours(),
    Union(NearestNeighbours(k=3), Popularity(top=2)),
    BinarySVM(),
    RankSVMLabels(kernel="rbf"),
    MLkNN(),
    IBLR(),
    OneVsAllLogistic(),
    OneVsAll(random_state=0),
    LabelTree(max_leaf=2, random_state=0),
    FastXML(n_trees=5, random_state=0),
    PfastXML(n_trees=5, random_state=0),
    PfastreXML(n_trees=5, random_state=0),
    TailLabels(),
]


@parametrize_with_checks(SCORERS)
def test_the_contract_of_estimators(estimator, check):
    check(estimator)


@pytest.mark.parametrize("scorer", SCORERS)
def test_what_the_contract_says_in_other_words(scorer):
    scorer = clone(scorer).fit(X, Y)
    with pytest.raises(ValueError, match=r"X has 1 features, but .* is expecting 6"):
        scorer.score(X[:, :1], y=Y)
    with pytest.raises(ValueError, match=r"Y must be .* type object \(Unknown label type\)"):
        scorer.fit(X, np.array([[{"a": 1}]] * len(X), dtype=object))
    assert scorer.fit(X.astype(object), Y).rank(X).n_rows == len(X)


RNG = np.random.default_rng(0)
Y = (RNG.random((80, 4)) < 0.4).astype(int)
Y[Y.sum(axis=1) == 0, 0] = 1
X = np.hstack([Y + 0.1 * RNG.random((80, 4)), RNG.random((80, 2))])


@pytest.mark.parametrize("scorer", SCORERS)
def test_clone_and_parameters(scorer):
    fitted = clone(scorer).fit(X, Y)
    copy = clone(fitted)
    assert copy.get_params(deep=False).keys() == scorer.get_params(deep=False).keys()
    assert not any(name.endswith("_") for name in vars(copy))
    assert repr(copy) == repr(scorer)
    assert copy.fit(X, Y).rank(X) == fitted.rank(X)


def test_parameters_are_kept_as_they_are_given():
    given = {"k": np.int64(7), "top": 3, "n_jobs": -1}
    scorer = NearestNeighbours(**given)
    assert all(scorer.get_params()[name] is value for name, value in given.items())
    assert scorer.set_params(k=2).k == 2
    with pytest.raises(ValueError, match="Invalid parameter 'neighbours'"):
        scorer.set_params(neighbours=3)


@pytest.mark.parametrize("scorer", SCORERS)
def test_pickle(scorer):
    fitted = clone(scorer).fit(X, Y)
    assert pickle.loads(pickle.dumps(fitted)).rank(X) == fitted.rank(X)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_score_is_ndcg(form):
    scorer = NearestNeighbours(k=5).fit(form(X), form(Y))
    score = scorer.score(form(X), form(Y))
    assert score == evaluate(scorer.rank(form(X)), Y, "nDCG")["nDCG"].value
    assert score > Popularity().fit(form(X), form(Y)).score(form(X), form(Y))
    assert isinstance(score, float)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_pipeline(form):
    pipeline = make_pipeline(MaxAbsScaler(), NearestNeighbours(k=5))
    pipeline.fit(form(X), form(Y))
    scaled = MaxAbsScaler().fit_transform(form(X))
    assert pipeline.score(form(X), form(Y)) == pytest.approx(
        NearestNeighbours(k=5).fit(scaled, Y).score(scaled, Y)
    )
    assert pipeline[-1].rank(pipeline[:-1].transform(form(X))).n_rows == len(X)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_grid_search_finds_the_better_number_of_neighbours(form):
    folds = MultilabelStratifiedKFold(4, random_state=0)
    search = GridSearchCV(NearestNeighbours(), {"k": [5, 80]}, cv=folds)
    search.fit(form(X), form(Y))
    assert search.best_params_ == {"k": 5}
    by_hand = [
        NearestNeighbours(k=5).fit(form(X)[train], Y[train]).score(form(X)[test], Y[test])
        for train, test in folds.split(X, Y)
    ]
    assert search.best_score_ == pytest.approx(np.mean(by_hand))


def test_cross_validation_without_folds_of_ours():
    scores = cross_val_score(Popularity() | NearestNeighbours(k=5), X, Y, cv=3)
    assert len(scores) == 3
    assert (scores > 0.8).all()
