"""PfastXML: FastXML for propensity-scored nDCG, so that labels that went missing count."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelrank._labels import narrow
from labelrank.errors import InputError
from labelrank.measures.propensity_model import model
from labelrank.scorers.trees.fast_xml import FastXML

__all__ = ["PfastXML", "entry_propensities"]


class PfastXML(FastXML):
    r"""FastXML with nodes split by propensity-scored nDCG.

    Every label :math:`y_{il}` is replaced by :math:`y_{il} / p_{il}` (paper 003, section 6.1, (4)):
    sides are chosen for an unbiased estimate of the nDCG on the complete labels, and leaves are
    unbiased estimates of how frequent the complete labels :math:`y^*_{il}` are, to which rare ones
    contribute more. Scores are in proportion to :math:`P_{\text{pf}}` and may exceed 1.

    Parameters
    ----------
    n_trees, leaf_size, leaf_labels, C, bias, top, random_state, n_jobs, verbose
        As in `FastXML`.
    A, B : float
        Of the propensity model (1), for labels whose propensities are not given in fit.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank.scorers import PfastXML
    >>> X = np.repeat(np.eye(3), 10, axis=0)
    >>> Y = np.repeat([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0]], 10, axis=0)
    >>> PfastXML(n_trees=5, random_state=0).fit(X, Y).rank(np.eye(3)[:1], k=2)
    Ranking(1 rows, 4 labels, 2 entries)
      0: 0 (2.04), 3 (1.74)
    """

    def __init__(
        self,
        n_trees: int = 50,
        leaf_size: int = 10,
        leaf_labels: int = 100,
        C: float = 1.0,
        bias: float = 1.0,
        A: float = 0.55,
        B: float = 1.5,
        top: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_trees, leaf_size, leaf_labels, C, bias, top, random_state, n_jobs, verbose
        )
        self.A = A
        self.B = B

    def fit(self, X: Any, Y: Any, propensities: Any = None) -> Self:
        """Learn from rows and their labels.

        Parameters
        ----------
        X : sparse or dense array (n_rows, n_features)
        Y : sparse or dense array (n_rows, n_labels)
            Grades.
        propensities : array (n_labels,), or array or sparse array (n_rows, n_labels), optional
            The chance that a relevant label was observed, for each label or for each entry of Y;
            by default formula (1) for A and B.

        Returns
        -------
        self
        """
        self._given = propensities
        try:
            return super().fit(X, Y)
        finally:
            del self._given

    def _check_params(self) -> None:
        super()._check_params()
        for name in ("A", "B"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float | np.number):
                raise InputError(f"{name} must be a number, found {value!r}.")

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        self.__dict__.pop("_kernel", None)
        p = entry_propensities(Y, self._given, self.A, self.B)
        weighted = sp.csr_array((Y.data / p, Y.indices, Y.indptr), shape=Y.shape)
        self._grow(X, weighted, narrow(weighted))


def entry_propensities(Y: sp.csr_array, given: Any, A: float, B: float) -> NDArray[np.float64]:
    """The propensity of each entry of Y: those given for labels or for entries, or formula (1)."""
    if given is None:
        counts = np.bincount(Y.indices, minlength=Y.shape[1])
        given = model(counts, max(Y.shape[0], 3), A, B)
    given = sp.csr_array(given) if sp.issparse(given) else np.asarray(given)
    rows = np.repeat(np.arange(Y.shape[0]), np.diff(Y.indptr))
    if given.shape == (Y.shape[1],):
        p: NDArray[Any] = given[Y.indices]
    elif given.shape == Y.shape:
        p = np.asarray(given[rows, Y.indices]).ravel()
    else:
        raise InputError(
            f"propensities has shape {given.shape}, but Y has {Y.shape[0]} rows and {Y.shape[1]} "
            "labels: give one a label, or one for each row and label."
        )
    if p.dtype.kind not in "fiub" or not ((p > 0) & (p <= 1)).all():
        raise InputError(
            "propensities must lie in (0, 1] wherever Y has a label: they are chances of being "
            "observed."
        )
    exact: NDArray[np.float64] = p.astype(np.float64)
    return exact
