"""GeneticProgram: an evolved formula of the features (paper 001, §4.3.8)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelrank._progress import track
from labelrank.rankers.base import FIELDS, Ranker
from labelrank.rankers.candidates import Candidates
from labelrank.rankers.evolution import Evolution, Program, best_of
from labelrank.rankers.explanation import Explanation
from labelrank.rankers.fitness import CONSTANTS, Fitness, factors_of
from labelrank.rankers.formula import Formula
from labelrank.rankers.parameters import between, one_of, whole
from labelrank.rankers.shapley import shapley
from labelrank.rankers.watch import Watch
from labelrank.store import Array, Field

__all__ = ["GeneticProgram"]

_DEEPEST = 20


class GeneticProgram(Ranker):
    r"""Score candidates by a formula that was bred for the measure itself.

    An individual is a tree of +, -, ×, protected ÷ and log over features and constants from (0, 1].
    Its fitness is the mean over training groups of nDCG@k (or MAP@k, RR@k), ties counted in
    expectation. From one generation to the next the best individual stays; the others are winners
    of tournaments, crossed in pairs with probability `crossover` (a subtree of each exchanged) and
    mutated with probability `mutation` (a subtree replaced by a new one). The fittest individual of
    the last generation is the model; with a validation ranking, the one of all generations' fittest
    that is best there.

    Parameters
    ----------
    population : int
        Individuals of a generation (paper 001: n_p = 200).
    generations : int
        The first, drawn one included (n_g = 200).
    tournament : int
        Individuals of which the fittest is selected (k = 2); of equals, the shortest.
    depth : int
        Levels that a tree may have, a leaf being one level (d = 7).
    crossover, mutation : float
        Probabilities (p_c = 0.6, p_m = 0.1).
    objective : {"nDCG", "MAP", "RR"}
        The fitness.
    k : int
        How many places of it count; 0 for all.
    gain, measure, patience, random_state, n_jobs, verbose
        See `Ranker`; a round is a generation.

    Attributes
    ----------
    formula_ : str
        The formula, simplified, with the names of the features.
    fitness_ : list of float
        The best of each generation.
    program_ : Formula
        The same as a function.

    Notes
    -----
    Features are not standardised, so that the formula is one of what they are. But constants below
    1 say nothing beside a feature in the thousands: a feature whose largest size in training lies
    outside 1/16 … 16 is divided by the power of two that brings it to (½, 1]. This is exact, keeps
    signs and zeros, and is written in the formula.

    A program that occurs again is not judged again. Groups without a relevant candidate are the
    same to every formula and are left out.

    `explain` gives the formula, and Shapley values of the features against a candidate of mean
    features: exact for up to 12 features in the formula, over drawn orders for more (see
    `labelrank.rankers.shapley`); they sum to the score either way.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import Ranking
    >>> from labelrank.rankers.genetic_program import GeneticProgram
    >>> ranking = Ranking.from_dense(np.zeros((30, 5)))
    >>> F = np.random.default_rng(0).normal(size=(150, 3))
    >>> Y = (F[:, 0] > F[:, 2]).reshape(30, 5)
    >>> ranker = GeneticProgram(population=100, generations=30, random_state=0)
    >>> ranker.fit(ranking, F, Y, names=["views", "age", "cost"]).formula_
    'views - cost'
    """

    fitted: ClassVar[dict[str, Field]] = FIELDS | {
        "codes_": Array("i4"),
        "constants_": Array("f4"),
        "factors_": Array("f4"),
        "reference_": Array("f4"),
    }
    grid: ClassVar[dict[str, list[Any]]] = {
        "depth": [5, 7],
        "tournament": [2, 5],
        "crossover": [0.6, 0.9],
    }
    codes_: NDArray[np.int32]
    constants_: NDArray[np.float32]
    factors_: NDArray[np.float32]
    reference_: NDArray[np.float32]

    def __init__(
        self,
        population: int = 200,
        generations: int = 200,
        tournament: int = 2,
        depth: int = 7,
        crossover: float = 0.6,
        mutation: float = 0.1,
        objective: str = "nDCG",
        k: int = 10,
        gain: str = "grade",
        measure: str = "nDCG@10",
        patience: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.population = population
        self.generations = generations
        self.tournament = tournament
        self.depth = depth
        self.crossover = crossover
        self.mutation = mutation
        self.objective = objective
        self.k = k
        self.gain = gain
        self.measure = measure
        self.patience = patience
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def program_(self) -> Formula:
        """The formula as a function of F."""
        check_is_fitted(self)
        return Formula(self.codes_, self.constants_, self.factors_)

    @property
    def formula_(self) -> str:
        """The formula for a reader."""
        return self.program_.text(self.feature_names)

    def explain(self, F: Any) -> Explanation:
        """The formula, and what each feature contributed to the scores of some candidates.

        Parameters
        ----------
        F : array (n_candidates, n_features), or one candidate's (n_features,)
        """
        found = super().explain(F)
        return Explanation(found.contributions, found.base, found.names, self.formula_)

    def _fit(self, candidates: Candidates, watch: Watch) -> None:
        self.factors_ = factors_of(candidates.F)
        self.reference_ = candidates.F.mean(axis=0, dtype=np.float64).astype(np.float32)
        self.fitness_: list[float] = []
        d = candidates.F.shape[1]
        judge = Fitness(
            candidates.comparable("gains"), self.factors_, self.objective, int(self.k), self.n_jobs
        )
        evolution = Evolution(
            d, len(CONSTANTS), int(self.population), int(self.tournament), int(self.depth),
            self.crossover, self.mutation,
            int(check_random_state(self.random_state).randint(2**31 - 1)),
        )  # fmt: skip
        self._keep(Formula(np.array([d], np.int32), np.zeros(1, np.float32), self.factors_))
        programs: list[Program] = []
        fitness: list[float] = []
        rounds = range(self.generations)
        for _ in track(rounds, len(rounds), "generations", self.verbose):
            programs = evolution.next(programs, fitness) if programs else evolution.first()
            fitness = judge(programs)
            best = best_of(programs, fitness)
            self.fitness_.append(fitness[best])
            formula = Formula(np.array(programs[best], np.int32), CONSTANTS, self.factors_)
            if watch.improved(formula):
                self._keep(formula)
            if watch.over:
                break

    def _keep(self, formula: Formula) -> None:
        short = formula.simplified()
        self.codes_, self.constants_ = short.codes, short.constants

    def _scores(self, F: NDArray[np.float32]) -> NDArray[Any]:
        return self.program_(F)

    def _explain(self, F: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        formula = self.program_
        base = float(formula(self.reference_[None])[0])
        return shapley(formula, F, self.reference_, formula.features), np.full(len(F), base)

    def _check_params(self) -> None:
        super()._check_params()
        lowest = {"population": 2, "generations": 1, "tournament": 1, "depth": 1, "k": 0}
        for name, low in lowest.items():
            whole(name, getattr(self, name), low, _DEEPEST if name == "depth" else None)
        for name in ("crossover", "mutation"):
            between(name, getattr(self, name), 0, 1)
        one_of("objective", self.objective, ("nDCG", "MAP", "RR"))

    def _check_fitted(self) -> None:
        super()._check_fitted()
        for name in ("factors_", "reference_"):
            if len(getattr(self, name)) != self.n_features_in_:
                raise ValueError(f"{name} does not have {self.n_features_in_} values")
        if self.names_ is not None and len(self.names_) != self.n_features_in_:
            raise ValueError(f"there are not {self.n_features_in_} names of features")
        if not (self.factors_ > 0).all():
            raise ValueError("a factor is not above 0")
        self.program_(np.zeros((0, self.n_features_in_), dtype=np.float32))  # checks every code
