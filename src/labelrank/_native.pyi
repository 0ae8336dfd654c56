"""Types of the compiled kernels (native/); arrays are C-contiguous and exactly of these types."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Int32: TypeAlias = NDArray[np.int32]
_Int64: TypeAlias = NDArray[np.int64]
_Float: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
_Double: TypeAlias = NDArray[np.float64]
_Single: TypeAlias = NDArray[np.float32]

def top_dense(scores: _Float, k: int) -> tuple[_Int32, Any, int]: ...
def top_rows(
    indptr: _Int64, labels: _Int32, scores: _Float, keep: _Int64
) -> tuple[_Int64, _Int32, Any]: ...
def check_rows(
    indptr: _Int64, labels: _Int32, scores: _Float, n_labels: int, ordered: bool
) -> tuple[int, int]: ...
def look_up(
    indptr: _Int64, labels: _Int32, t_indptr: _Int64, t_labels: _Int32, t_values: _Double
) -> _Double: ...
def discounted_sum(indptr: _Int64, gains: _Double, discount: _Double) -> _Double: ...
def discounted_max(indptr: _Int64, gains: _Double, discount: _Double) -> _Double: ...
def sort_falling(indptr: _Int64, gains: _Double) -> _Double: ...
def settle_ties(indptr: _Int64, scores: _Float, gains: _Double, policy: int) -> _Double: ...
def precision_sum(
    indptr: _Int64, scores: _Float, gains: _Double, k: int, expected: bool
) -> _Double: ...
def wrong_pairs(indptr: _Int64, scores: _Float, gains: _Double, tie: float) -> _Double: ...
def ordered_pairs(
    indptr: _Int64,
    labels: _Int32,
    scores: _Float,
    t_indptr: _Int64,
    t_labels: _Int32,
    t_grades: _Double,
    n_labels: int,
    tie: float,
    levels: bool,
) -> _Double: ...
def nearest_sparse(
    q_indptr: _Int64,
    q_indices: _Int32,
    q_data: NDArray[np.float32],
    p_indptr: _Int64,
    p_rows: _Int32,
    p_data: NDArray[np.float32],
    n_train: int,
    k: int,
) -> tuple[_Int64, _Int32, NDArray[np.float32]]: ...
def parse_sparse_text(
    text: NDArray[np.uint8],
    final: bool,
    labels: int,
    n_features: int,
    n_labels: int,
    line: int,
) -> tuple[int, int, _Int32, _Int32, _Int32, _Int32, _Float, NDArray[np.float64], _Int64]: ...
def exchange(a: str, b: str) -> bool: ...
def group_values(
    indptr: _Int64, scores: _Float, gains: _Double, measure: str, k: int
) -> _Double: ...
def top_one(indptr: _Int64, scores: _Float, targets: _Double) -> tuple[float, _Double]: ...
def rlsep(
    indptr: _Int64, scores: _Float, grades: _Double, weights: _Double, levels: bool
) -> tuple[_Double, _Double, _Double]: ...
def rlsep_dense(
    scores: _Float, t_indptr: _Int64, t_labels: _Int32, t_grades: _Double, levels: bool
) -> tuple[_Double, _Double, _Double]: ...
def sampled_pairs(
    indptr: _Int64, grades: _Double, t: int, seed: int
) -> tuple[_Int64, _Int64, _Int64]: ...
def pair_hinge(
    indptr: _Int64, scores: _Double, grades: _Double, weights: _Double, squared: bool
) -> tuple[_Double, _Double]: ...
def most_violated(
    indptr: _Int64, scores: _Double, relevant: NDArray[np.bool_], weights: _Double
) -> tuple[_Double, _Double]: ...
def lambdas(
    indptr: _Int64,
    scores: _Double,
    gains: _Double,
    weights: _Double,
    measure: str,
    k: int,
    normed: bool,
) -> tuple[_Double, _Double]: ...
def simplex_minimum(
    Q: _Double, b: _Double, start: _Double, tolerance: float, steps: int
) -> _Double: ...
def network_scores(
    X: _Single, layer: _Single, bias: _Single, output: _Single
) -> tuple[_Single, _Double]: ...
def network_slopes(
    X: _Single, units: _Single, output: _Single, slope: _Double
) -> tuple[_Single, _Single, _Single]: ...
def smallest_in_lanes(
    distances: NDArray[np.float32], rows: _Int32, k: int
) -> NDArray[np.float32]: ...
def meta_level_dense(
    queries: NDArray[np.float32],
    rows: NDArray[np.float32],
    inverse: NDArray[np.float32],
    sums: _Double,
    back: float,
    lists_indptr: _Int64,
    lists_rows: _Int32,
    indptr: _Int64,
    labels: _Int32,
    own: _Int32,
    k: int,
    starts: tuple[int, int, int, int],
    width: int,
    ids: bool,
) -> tuple[NDArray[np.float32], _Int32]: ...
def meta_level_sparse(
    q_indptr: _Int64,
    q_indices: _Int32,
    q_data: NDArray[np.float32],
    x_indptr: _Int64,
    x_indices: _Int32,
    x_data: NDArray[np.float32],
    n_features: int,
    row_abs: _Double,
    row_squares: _Double,
    sum_squares: _Double,
    has_negative: bool,
    lists_indptr: _Int64,
    lists_rows: _Int32,
    indptr: _Int64,
    labels: _Int32,
    own: _Int32,
    k: int,
    starts: tuple[int, int, int, int],
    width: int,
    ids: bool,
) -> tuple[NDArray[np.float32], _Int32]: ...
def best_cuts(
    indptr: _Int64,
    scores: _Float,
    hits: NDArray[np.uint8],
    relevant: _Int64,
    f1: bool,
    ties: int,
) -> _Int64: ...
def nearest_l2_dense(
    queries: NDArray[np.float32], rows: NDArray[np.float32], k: int, own: int
) -> tuple[_Int32, _Double]: ...
def nearest_l2_sparse(
    q_indptr: _Int64,
    q_indices: _Int32,
    q_data: NDArray[np.float32],
    r_indptr: _Int64,
    r_indices: _Int32,
    r_data: NDArray[np.float32],
    n_features: int,
    k: int,
    own: int,
) -> tuple[_Int32, _Double]: ...
def feature_values(
    indptr: _Int64, columns: NDArray[np.float32], gains: _Double, measure: str, k: int
) -> _Double: ...
def stepped_values(
    indptr: _Int64,
    columns: NDArray[np.float32],
    gains: _Double,
    measure: str,
    k: int,
    scores: _Double,
    on: _Int32,
    steps: _Double,
) -> _Double: ...
def pair_forces(
    indptr: _Int64, grades: _Double, weights: _Double, scores: _Double
) -> tuple[_Double, float, float]: ...
def moved_weight(
    indptr: _Int64,
    grades: _Double,
    weights: _Double,
    scores: _Double,
    high: NDArray[np.bool_],
    farthest: float,
) -> tuple[float, float]: ...
def step_forces(bins: NDArray[np.uint8], force: _Double, n_bins: int) -> _Double: ...
def step_values(
    F: NDArray[np.float32], indptr: _Int64, thresholds: NDArray[np.float32], values: _Double
) -> _Double: ...
def genetic_fitness(
    columns: NDArray[np.float32],
    indptr: _Int64,
    gains: _Double,
    offsets: _Int64,
    codes: _Int32,
    constants: NDArray[np.float32],
    measure: str,
    k: int,
) -> _Double: ...
def genetic_scores(
    F: NDArray[np.float32],
    factors: NDArray[np.float32],
    codes: _Int32,
    constants: NDArray[np.float32],
) -> NDArray[np.float32]: ...
def dual_descent(
    indptr: _Int64,
    indices: _Int32,
    data: _Single,
    scales: _Single,
    n_features: int,
    chosen: _Int32,
    p_indptr: _Int64,
    p_rows: _Int32,
    log_loss: bool,
    C: float,
    relevant_cost: float,
    tol: float,
    passes: int,
    threshold: float,
    fill: float,
    seed: int,
) -> tuple[_Int32, _Int64, NDArray[np.uint16], _Single, _Single]: ...
def rank_linear(
    q_indptr: _Int64,
    q_indices: _Int32,
    q_data: _Single,
    scales: _Single,
    w_indptr: _Int64,
    w_indices: _Int32,
    w_data: _Single,
    bias: _Single,
    k: int,
) -> tuple[_Int32, _Single]: ...
def cluster(
    indptr: _Int64,
    indices: _Int32,
    data: _Single,
    n_features: int,
    chosen: _Int32,
    k: int,
    balanced: bool,
    tol: float,
    seed: int,
) -> _Int32: ...

class Forest:
    def __init__(
        self,
        starts: _Int64,
        features: _Int32,
        thresholds: _Double,
        decisions: NDArray[np.uint8],
        left: _Int32,
        right: _Int32,
        values: _Double,
        covers: _Double,
        n_features: int,
    ) -> None: ...
    def scores(self, F: NDArray[np.float32]) -> _Double: ...
    def contributions(self, F: NDArray[np.float32]) -> _Double: ...

class LabelTrees:
    def __init__(
        self,
        roots: _Int32,
        starts: _Int64,
        children: _Int32,
        bias: _Single,
        feature_starts: _Int64,
        features: _Int32,
        weight_starts: _Int64,
        slots: NDArray[np.uint16],
        weights: _Single,
        n_features: int,
        n_labels: int,
    ) -> None: ...
    def rank(
        self,
        indptr: _Int64,
        indices: _Int32,
        data: _Single,
        scales: _Single,
        beam: int,
        k: int,
    ) -> tuple[_Int64, _Int32, _Single]: ...

def ndcg_partition(
    indptr: _Int64,
    labels: _Int32,
    gains: NDArray[np.uint16],
    side: NDArray[np.uint8],
    n_labels: int,
    rounds: int,
    still: int,
) -> tuple[NDArray[np.uint8], int]: ...
def l1_logistic(
    indptr: _Int64,
    rows: _Int32,
    values: _Single,
    side: NDArray[np.uint8],
    cost: float,
    bias: float,
    tolerance: float,
    steps: int,
    sweeps: int,
    screen: float,
) -> tuple[_Int32, _Single, float, _Single]: ...
def grow_xml_tree(*arrays: Any, **settings: Any) -> tuple[NDArray[Any], ...]: ...
def tail_scores(
    x_indptr: _Int64,
    x_indices: _Int32,
    x_data: _Single,
    m_indptr: _Int64,
    m_labels: _Int32,
    m_values: _Single,
    squares: _Single,
    c_indptr: _Int64,
    c_labels: _Int32,
    gamma: float,
) -> _Single: ...

class XmlForest:
    def __init__(self, *arrays: Any) -> None: ...
    def leaves(self, indptr: _Int64, indices: _Int32, data: _Single) -> _Int32: ...
    def rank(
        self, indptr: _Int64, indices: _Int32, data: _Single, scale: float, k: int
    ) -> tuple[_Int64, _Int32, _Single]: ...
    def candidates(
        self, indptr: _Int64, indices: _Int32, data: _Single, scale: float
    ) -> tuple[_Int64, _Int32, _Single]: ...

_Lists: TypeAlias = tuple[_Int64, _Int32, _Int32]

def porter(words: str) -> str: ...
def rules(
    uses: _Lists,
    tags: _Lists,
    own: _Int32,
    consequents: _Int32,
    all: bool,
    length: int,
    support: int,
    confidence: float,
    wide: int,
) -> tuple[_Int32, _Int32, _Int32, _Int32]: ...
def rule_entropies(
    uses: _Lists, tags: _Lists, of: _Int32, support: int, confidence: float
) -> _Double: ...
def tag_relevance(
    uses: _Lists,
    tags: _Lists,
    term_tags: _Lists,
    entropies: _Double,
    both: _Int32,
    tag_terms: _Int32,
    term_sizes: _Int32,
    spreads: _Double,
    tag_indptr: _Int64,
    row_tags: _Int32,
    text_indptr: _Int64,
    text_terms: _Int32,
    text_counts: _Int32,
    limits: tuple[int, int, float, int],
    tuning: tuple[float, float, float, float],
    most: int,
    alpha: float,
    given_indptr: _Int64,
    given: _Int32,
    only: bool,
) -> tuple[_Int64, _Int32, _Single]: ...
def nearest_things(
    term_things: _Lists,
    term_sizes: _Int32,
    tag_things: _Lists,
    tag_sizes: _Int32,
    text_indptr: _Int64,
    terms: _Int32,
    tag_indptr: _Int64,
    tags: _Int32,
    skip: _Int64,
    k: int,
    budget: int,
    share: float,
) -> tuple[_Int64, _Int32, _Single, _Int64, _Int32, _Single]: ...
def neighbour_votes(
    thing_tags: _Lists,
    n_tags: int,
    near_indptr: _Int64,
    things: _Int32,
    likeness: _Single,
    indptr: _Int64,
    candidates: _Int32,
    ks: _Int64,
) -> _Single: ...
def nearest_tags(
    thing_tags: _Lists,
    n_tags: int,
    near_indptr: _Int64,
    things: _Int32,
    likeness: _Single,
    tag_indptr: _Int64,
    tags: _Int32,
    k: int,
) -> tuple[_Int64, _Int32]: ...
