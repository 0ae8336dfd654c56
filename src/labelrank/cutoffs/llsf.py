"""LLSF: a threshold for each row, a linear function of the row's scores."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank.cutoffs.learned import (
    CRITERIA,
    TIES,
    LearnedCutoff,
    Truth,
    best_cuts,
    choice,
    real,
)
from labelrank.cutoffs.ridge import Line
from labelrank.cutoffs.row_thresholds import (
    DEPTH,
    INPUTS,
    cross_fitted,
    middles,
    moments_of,
    predicted,
)
from labelrank.cutoffs.scales import SCALES, fitted_temperature, on_scale, per_row
from labelrank.cutoffs.threshold import best_threshold
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.store import Array, Field, Names, Number

__all__ = ["LLSF"]

Floats = NDArray[np.float64]
_RIDGES = (1e-1, 1e-3)
_FEW = 300  # labels up to which "auto" tries a weight for each
_ENTRIES = 1_000_000  # enough to choose between forms
_NEAR = 0.01  # of the criterion: forms that differ less are equally good


class LLSF(LearnedCutoff):
    r"""Keep the labels at or above a threshold that a linear least squares fit gives each row.

    .. math::
        g(s) = w^\top u(s) + b \quad\text{with}\quad
        \min_{w,b} \sum_i \big(g(s_i) - t_i\big)^2

    where :math:`t_i` is the best threshold of training row i, in the middle of the gap of scores
    where the criterion is best, and u its scores on a scale on which rows compare. Paper 000,
    section 2.3, after Elisseeff & Weston (2001).

    Parameters
    ----------
    criterion : {"f1", "errors"}
        What the best threshold of a row is: highest F1, or fewest false positives and negatives
        (the paper's). Relevant labels that are not listed are misses.
    ties : {"fewest", "most", "widest"}
        Which of a row's equally good thresholds: the highest, the lowest, or the one in the widest
        gap. Equal scores are never parted.
    scale : {"auto", "softmax", "log-softmax", "scores"}
        Each row's scores made to sum to one (the paper's), the logarithm of that, or as they are.
    inputs : {"auto", "labels", "sorted"}
        One weight a label (the paper's; labels not listed have the row's lowest score), or
        weights for the first ten scores, whichever labels they are, which also generalises from
        short lists over many labels.
    temperature : "fitted" or float
        By what scores are divided before the softmax; fitted by maximum likelihood, so that
        results do not change with the unit of the scores.
    ridge : "auto" or float
        Damps the weights: a share of the mean sum of squares of u's columns. 0 is the shortest of
        the least squares solutions.
    corrected : bool
        Draw thresholds back into the range seen in training and move all by one number, the best
        for the criterion over all decisions of cross-validated rows.

    Attributes
    ----------
    form_ : list of str
        The scale and the inputs taken. "auto" takes what is best for the criterion over all
        decisions, with five-fold cross-validation inside fit; the paper's, when it is within 1 %.
    weights_ : float64 (n_labels,) or (10,)
    intercept_, ridge_, temperature_, shift_ : float
    limits_ : float64 (2,)
        The lowest and highest threshold in training.
    n_labels_ : int

    Notes
    -----
    The paper's form is ``LLSF("errors", scale="softmax", inputs="labels", temperature=1.0,
    ridge=0.0, corrected=False)``. With tens of labels or more it breaks down: a confident row's
    best threshold may lie anywhere in a wide gap, and the middle of such gaps dominates the squared
    error; an unsure row's lies among many small values, where a small error lets all labels in.
    The logarithm and the correction each prevent it.

    Lists given to `keep` should be as long as those of fit: cut long lists after, not before.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.cutoffs import LLSF
    >>> ranking = Ranking.from_dense(np.array([[4.0, 1, 0], [2, 3, 0], [0, 1, 5], [3, 0, 3]]))
    >>> Y = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1]])
    >>> LLSF().fit(ranking, Y).keep(ranking).lengths.tolist()
    [1, 2, 1, 2]
    """

    fitted: ClassVar[dict[str, Field]] = {
        "weights_": Array("f8"),
        "limits_": Array("f8"),
        "intercept_": Number(float),
        "shift_": Number(float),
        "temperature_": Number(float),
        "ridge_": Number(float),
        "form_": Names(),
        "n_labels_": Number(),
    }
    weights_: Floats
    limits_: Floats
    intercept_: float
    shift_: float
    temperature_: float
    ridge_: float
    form_: list[str]

    def __init__(
        self,
        criterion: str = "f1",
        ties: str = "fewest",
        scale: str = "auto",
        inputs: str = "auto",
        temperature: str | float = "fitted",
        ridge: str | float = "auto",
        corrected: bool = True,
    ) -> None:
        self.criterion = criterion
        self.ties = ties
        self.scale = scale
        self.inputs = inputs
        self.temperature = temperature
        self.ridge = ridge
        self.corrected = corrected

    def thresholds(self, ranking: Ranking) -> Floats:
        """The threshold of each row, on the scale of `form_` at `temperature_`."""
        values = on_scale(ranking, self.form_[0], self.temperature_)
        return self._predicted(ranking, values) + self.shift_

    def _learn(self, ranking: Ranking, Y: sp.csr_array, X: Any) -> None:
        if not ranking.n_entries:
            raise InputError("LLSF: the ranking of fit lists no label: there is nothing to learn.")
        truth = Truth.of(ranking, Y)
        fitted = isinstance(self.temperature, str)
        self.temperature_ = float(
            fitted_temperature(ranking, truth) if fitted else self.temperature
        )
        every = max(1, -(-ranking.n_entries // _ENTRIES))
        some = np.arange(0, ranking.n_rows, every)
        best = self._chosen(ranking[some], truth.of_rows(ranking, some))
        self.form_, self.ridge_, self.shift_ = [*best.form], best.ridge, best.shift
        values = on_scale(ranking, self.form_[0], self.temperature_)
        targets = self._targets(ranking, truth, values)
        moments = moments_of(ranking, values, targets, self.form_[1])
        self.weights_, self.intercept_ = moments.solve((self.ridge_,))[0]
        listed = targets[ranking.lengths > 0]
        self.limits_ = np.array([listed.min(), listed.max()])

    def _cut(self, ranking: Ranking, X: Any) -> Ranking:
        values = on_scale(ranking, self.form_[0], self.temperature_)
        above = values - per_row(ranking, self._predicted(ranking, values))
        return ranking.filtered(above >= self.shift_)

    def _predicted(self, ranking: Ranking, values: Floats) -> Floats:
        line = Line(self.weights_, self.intercept_)
        thresholds = predicted(ranking, values, self.form_[1], line)
        return np.clip(thresholds, *self.limits_) if self.corrected else thresholds

    def _targets(self, ranking: Ranking, truth: Truth, values: Floats) -> Floats:
        cuts = best_cuts(ranking.indptr, ranking.scores, truth, self.criterion, self.ties)
        return middles(ranking, values, cuts)

    def _chosen(self, ranking: Ranking, truth: Truth) -> _Tried:
        """The form and ridge that are best on rows they were not fitted on."""
        scales = SCALES if self.scale == "auto" else (self.scale,)
        inputs: tuple[str, ...] = (self.inputs,)
        if self.inputs == "auto":
            full = (ranking.lengths == ranking.n_labels).all() and ranking.n_labels <= _FEW
            inputs = INPUTS if full else ("sorted",)
        ridges = _RIDGES if isinstance(self.ridge, str) else (float(self.ridge),)
        forms = [(scale, kind) for scale in scales for kind in inputs]
        tried = [found for form in forms for found in self._tried(ranking, truth, form, ridges)]
        best = max(found.worth for found in tried)
        near = best - _NEAR * abs(best)  # so little says nothing: of these the first, the paper's
        return next(found for found in tried if found.worth >= near)

    def _tried(
        self, ranking: Ranking, truth: Truth, form: tuple[str, str], ridges: tuple[float, ...]
    ) -> list[_Tried]:
        values = on_scale(ranking, form[0], self.temperature_)
        targets = self._targets(ranking, truth, values)
        thresholds = cross_fitted(ranking, values, targets, form[1], ridges)
        listed = targets[ranking.lengths > 0]
        if self.corrected and len(listed):
            thresholds = np.clip(thresholds, listed.min(), listed.max())
        return [
            self._judged(values - per_row(ranking, t), truth, form, ridge)
            for t, ridge in zip(thresholds, ridges, strict=True)
        ]

    def _judged(self, above: Floats, truth: Truth, form: tuple[str, str], ridge: float) -> _Tried:
        shift = best_threshold(above, truth, self.criterion) if self.corrected else 0.0
        kept = above >= shift
        right, total = int(truth.hits[kept].sum()), int(kept.sum() + truth.relevant.sum())
        worth = 2 * right / max(total, 1) if self.criterion == "f1" else float(2 * right - total)
        return _Tried(worth, form, ridge, shift)

    def _check_params(self) -> None:
        choice(self, "criterion", self.criterion, CRITERIA)
        choice(self, "ties", self.ties, TIES)
        choice(self, "scale", self.scale, ("auto", *SCALES))
        choice(self, "inputs", self.inputs, ("auto", *INPUTS))
        if self.temperature != "fitted":
            real(self, "temperature", self.temperature, 1e-6, 1e6)
        if self.ridge != "auto":
            real(self, "ridge", self.ridge, 0)
        if not isinstance(self.corrected, bool | np.bool_):
            raise InputError(f"LLSF: corrected must be true or false, found {self.corrected!r}.")

    def _check_fitted(self) -> None:
        super()._check_fitted()
        scale, inputs = self.form_
        if scale not in SCALES or inputs not in INPUTS:
            raise ValueError(f"there is no form {self.form_}")
        wanted = self.n_labels_ if inputs == "labels" else min(DEPTH, self.n_labels_)
        if len(self.weights_) != wanted or len(self.limits_) != 2:
            raise ValueError(f"{len(self.weights_)} weights where {wanted} are needed")
        numbers = [self.intercept_, self.shift_, self.temperature_, self.ridge_]
        if not np.isfinite(numbers).all() or self.temperature_ <= 0:
            raise ValueError("a learned number cannot be")
        if self.limits_[0] > self.limits_[1]:
            raise ValueError("the limits are the wrong way round")


class _Tried(NamedTuple):
    """What a form reached on rows it was not fitted on."""

    worth: float
    form: tuple[str, str]
    ridge: float
    shift: float
