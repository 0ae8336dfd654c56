"""A first look at things with texts and tags: two scorers, what they recommend, how good it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from labelrank.cutoffs import TopK
from labelrank.data import Dataset
from labelrank.errors import InputError
from labelrank.experiments.clock import Clock
from labelrank.experiments.looks import measured, titled
from labelrank.measures import Comparison, Evaluation, compare, evaluate, propensities
from labelrank.ranking import Ranking
from labelrank.report import Report
from labelrank.scorers import NearestNeighbours, Popularity, Scorer

__all__ = ["FirstLook", "first_look"]

_MEASURES = ("P@1", "P@5", "R@5", "nDCG@5", "MAP", "RR", "micro-F1", "PSP@5", "C@5")


@dataclass
class FirstLook:
    """What `first_look` found.

    Attributes
    ----------
    train, test : Dataset
    rankings : dict of str to Ranking
        Of the test rows, by scorer.
    evaluations : dict of str to Evaluation
    comparison : Comparison
        Nearest neighbours, whose lists are shown, against popularity.
    timings : list of dict
        Seconds and processor seconds of each scorer's stages.
    """

    train: Dataset
    test: Dataset
    rankings: dict[str, Ranking]
    evaluations: dict[str, Evaluation]
    comparison: Comparison
    timings: list[dict[str, Any]]

    def examples(self, n: int = 10) -> list[tuple[str, list[str], list[tuple[str, bool]]]]:
        """(title, true labels, (recommended label, whether it is true)) of n test rows."""
        shown = self.rankings[self.comparison.methods[0]]
        chosen = np.random.default_rng(0).permutation(len(self.test))[:n]
        found = []
        for i in sorted(chosen):
            truth = self.test.Y.indices[self.test.Y.indptr[i] : self.test.Y.indptr[i + 1]]
            listed = shown.row(int(i))[0][:5]
            found.append(
                (
                    titled(self.test, int(i)),
                    [self.test.label_name(label) for label in truth],
                    [(self.test.label_name(label), bool(label in truth)) for label in listed],
                )
            )
        return found

    def rows(self) -> list[dict[str, Any]]:
        """The measures in the form of results.json."""
        return measured(self.test.name, self.evaluations)

    def report(self) -> Report:
        """All of it as a page."""
        page = Report(
            f"labelrank: a first look at {self.test.name}",
            f"{len(self.train)} things to learn from, {len(self.test)} to be tested on, "
            f"{self.test.n_labels} labels",
        )
        page.heading("Recommendations beside the truth")
        page.text("Ten things of the test part. Labels in colour are among the true ones.")
        page.lists(
            ["thing", "recommended, best first", "true labels"],
            [
                [[(title, False)], listed, [(name, False) for name in truth]]
                for title, truth, listed in self.examples()
            ],
        )
        page.heading("How good are they?")
        page.comparison(self.comparison)
        page.text(
            "Each scorer lists up to 100 labels; micro-F1 judges the first five as decisions. "
            "PSP@5 is propensity-scored and normalised: rare labels count for more. C@5 is the "
            "number of different labels shown, as a share of what the truth would show."
        )
        page.heading("How sure are these figures?")
        bars = {
            method: [(r["measure"], r["value"], r["low"], r["high"]) for r in evaluation.rows()]
            for method, evaluation in self.evaluations.items()
        }
        top = max(high for rows in bars.values() for *_, high in rows)
        for method, rows in bars.items():
            page.bars(f"{method}, with 95 % bootstrap intervals", rows, top)
        page.heading("Time")
        page.table(
            ["scorer", "stage", "seconds"],
            [[t["method"], t["stage"], f"{t['seconds']:.3f}"] for t in self.timings],
            left=2,
        )
        return page


def first_look(data: Dataset, random_state: int = 0) -> FirstLook:
    """Train two scorers on four fifths of the things that have labels and test them on the rest.

    Parameters
    ----------
    data : Dataset
        With texts, features, or both; features are used when they are there.
    random_state : int
        Of the split.
    """
    labelled = data[np.flatnonzero(np.diff(data.Y.indptr))]
    if len(labelled) < 10:
        raise InputError(
            f"{data.name or 'the data'} has {len(labelled)} labelled rows; 10 are needed."
        )
    order = np.random.default_rng(random_state).permutation(len(labelled))
    at = len(labelled) * 4 // 5
    train, test = labelled[np.sort(order[:at])], labelled[np.sort(order[at:])]
    X_train, X_test = _features(train, test)
    scorers: dict[str, Scorer] = {
        "nearest neighbours": NearestNeighbours(k=20, top=100),
        "popularity": Popularity(top=100),
    }
    p = propensities(train.Y)
    rankings: dict[str, Ranking] = {}
    evaluations: dict[str, Evaluation] = {}
    timings: list[dict[str, Any]] = []
    for name, scorer in scorers.items():
        clock = Clock(data.name, name, timings)
        scorer.fit(X_train, train.Y)
        clock.lap("train")
        ranking = rankings[name] = scorer.rank(X_test)
        clock.lap("rank")
        evaluations[name] = _evaluated(ranking, test.Y, p)
    return FirstLook(train, test, rankings, evaluations, compare(evaluations), timings)


def _features(train: Dataset, test: Dataset) -> tuple[Any, Any]:
    if train.X is not None:
        return train.X, test.X
    words = TfidfVectorizer(sublinear_tf=True, min_df=2, stop_words="english", dtype=np.float32)
    texts = train.joined_texts()
    try:
        learned = words.fit_transform(texts)
    except ValueError:  # scikit-learn found no word to keep
        raise InputError(
            f"{train.name or 'the data'} has no words that two things share: there is nothing to "
            "learn from."
        ) from None
    return learned, words.transform(test.joined_texts())


def _evaluated(ranking: Ranking, Y: Any, p: Any) -> Evaluation:
    lists = [m for m in _MEASURES if m != "micro-F1"]
    whole = evaluate(ranking, Y, lists, propensities=p)
    decided = evaluate(TopK(5).keep(ranking), Y, ["micro-F1"])
    scores = {m: (whole if m in whole else decided)[m] for m in _MEASURES}
    return Evaluation(scores, whole.shape, whole.notes)
