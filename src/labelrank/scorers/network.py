"""OrderedLabelNet: a network that learns the order of the labels of rows or pictures."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelrank.deep import need_torch
from labelrank.deep.plan import Plan
from labelrank.errors import InputError
from labelrank.ranking import Ranking
from labelrank.scorers._checks import one_of
from labelrank.scorers.base import Scorer, whole
from labelrank.store import Array, Field, Number, Tensors

__all__ = ["OrderedLabelNet"]

_BACKBONES = ("auto", "linear", "mlp", "conv", "mobilenet")


class OrderedLabelNet(Scorer):
    r"""Score labels by a network trained on their order (paper 002).

    The network makes features of an input and scores of the features; RLSEP pulls apart the scores
    of every pair of labels with different grades (formula 6), LSEP those of relevant and irrelevant
    ones (formula 3), and CE shares out a softmax evenly (formula 1). A second, small network says
    from the features how high each score must be for its label to be kept (formula 4).

    Parameters
    ----------
    backbone : {"auto", "linear", "mlp", "conv", "mobilenet"} or torch.nn.Module
        What makes the features: nothing, one hidden layer, a small convolutional network,
        MobileNetV3-Small, or any module. "auto" is "mlp" for rows and "conv" for pictures.
    loss : {"rlsep", "lsep", "ce"}
    pairs : int, optional
        Draw so many pairs of each row instead of taking all, as the paper's t.
    epochs : int
        At most.
    batch : int
    optimizer : {"adamw", "sgd"}
    rate : float
        Of the first steps. The paper's training is ``optimizer="sgd", rate=0.001, decay=1e-5,
        schedule="constant", epochs=300, patience=20``.
    momentum : float
        Of "sgd".
    decay : float
        How fast weights shrink.
    schedule : {"cosine", "constant"}
        Whether the rate falls to nothing along half a cosine.
    patience : int, optional
        Stop after so many epochs without a better value on the validation part.
    measure : str
        What is watched there: "loss", or a measure such as "ranked-Acc".
    shift, zoom : float
        Pictures are moved by up to this share of their side and zoomed by up to 1 + zoom, anew in
        each epoch: everything in a picture alike, so that the order of sizes stays.
    threshold : bool
        Whether `decide` and `predict` are wanted, and so the threshold network.
    checkpoint : path, optional
        A folder that is replaced after each epoch; training that was killed goes on from it.
    device : str
        "auto" is the GPU when there is one; or "cpu", "cuda", "mps".
    random_state : int, RandomState or None
        With a number and one device results are the same each time; threads may change last digits.
    verbose : int

    Attributes
    ----------
    weights_, thresholds_ : dict of arrays
    shape_ : int64 array
        Of an input.
    losses_, watched_ : list of float
        The mean loss, and the measure on the validation part, of each epoch; not saved.

    Examples
    --------
    >>> import numpy as np
    >>> from labelrank import OrderedLabelNet
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> net = OrderedLabelNet("linear", epochs=20, rate=0.05, random_state=0)
    >>> net.fit(X, X.clip(0)).rank(np.array([[0.5, -1.0, 2.0]])).row(0)[0].tolist()
    [2, 0, 1]
    """

    fitted: ClassVar[dict[str, Field]] = {
        "weights_": Tensors(),
        "thresholds_": Tensors(),
        "shape_": Array("i8"),
        "n_labels_": Number(),
    }
    weights_: dict[str, NDArray[Any]]
    thresholds_: dict[str, NDArray[Any]]
    shape_: NDArray[np.int64]
    losses_: list[float]
    watched_: list[float]

    def __init__(
        self,
        backbone: Any = "auto",
        loss: str = "rlsep",
        *,
        pairs: int | None = None,
        epochs: int = 30,
        batch: int = 64,
        optimizer: str = "adamw",
        rate: float = 3e-3,
        momentum: float = 0.9,
        decay: float = 1e-2,
        schedule: str = "cosine",
        patience: int | None = None,
        measure: str = "loss",
        shift: float = 0.0,
        zoom: float = 0.0,
        threshold: bool = True,
        checkpoint: Any = None,
        device: str = "auto",
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.backbone = backbone
        self.loss = loss
        self.pairs = pairs
        self.epochs = epochs
        self.batch = batch
        self.optimizer = optimizer
        self.rate = rate
        self.momentum = momentum
        self.decay = decay
        self.schedule = schedule
        self.patience = patience
        self.measure = measure
        self.shift = shift
        self.zoom = zoom
        self.threshold = threshold
        self.checkpoint = checkpoint
        self.device = device
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, Y: Any = None, validation: Any = None) -> Self:
        """Train the network.

        Parameters
        ----------
        X : array, or torch Dataset
            Rows (n, n_features), dense or sparse; pictures (n, rows, columns) or (n, channels,
            rows, columns), bytes or floats, or a list of arrays of one size; or, without Y, a torch
            Dataset or any sequence of (input, grades of all labels), read sample by sample.
        Y : sparse or dense array (n, n_labels)
            Grades: 0 not relevant, > 0 relevant, larger more important.
        validation : (X, Y) or a Dataset, optional
            Samples that are not learned from; the epoch that is best on them stays.

        Returns
        -------
        self
        """
        need_torch("OrderedLabelNet")
        from labelrank.deep.checkpoint import Checkpoint, arrays_of
        from labelrank.deep.inputs import held_out, to_learn
        from labelrank.deep.training import train

        self._check_params()
        for name in ("n_features_in_", "label_names_", "network_"):  # of an earlier fit
            self.__dict__.pop(name, None)
        source = to_learn(self, X, Y)
        held = None if validation is None else held_out(OrderedLabelNet(), validation, source)
        plan = Plan.of(self, int(check_random_state(self.random_state).randint(2**31 - 1)))
        self.n_labels_ = int(source.n_labels or 0)
        self.shape_ = np.array(source.shape, dtype=np.int64)
        if len(source.shape) == 1:
            self.n_features_in_ = source.shape[0]
        network = self._new(plan.seed)
        network.standardise(getattr(source, "rows", None))
        same = {**plan.__dict__, "samples": source.n, "labels": self.n_labels_}
        kept = None if self.checkpoint is None else Checkpoint(self.checkpoint, same)
        history = train(
            network, source, held, plan, self._device(), kept, self.verbose, type(self).__name__
        )
        self.losses_, self.watched_ = history.losses, history.watched
        self.weights_ = arrays_of(network)
        self.network_ = network
        self.thresholds_ = self._thresholds(source, plan.seed) if self.threshold else {}
        return self

    def rank(self, X: Any, k: int | None = None) -> Ranking:
        """Rank the labels of rows or pictures like those of fit; all labels, or the best k."""
        check_is_fitted(self, "weights_")
        wanted = None if k is None else whole("k", k)
        return Ranking.from_dense(self._scored(X)[0], wanted)

    def features(self, X: Any) -> NDArray[np.float32]:
        """What the last layer sees of each input, (n, n_features)."""
        check_is_fitted(self, "weights_")
        found: NDArray[np.float32] = self._scored(X, features=True)[1]
        return found

    def decide(self, X: Any) -> Ranking:
        """The labels above their thresholds, in order."""
        check_is_fitted(self, "weights_")
        if not self.thresholds_:
            raise InputError(
                "this OrderedLabelNet has no threshold network: fit with threshold=True."
            )
        from labelrank.deep.thresholds import thresholds_of

        scores, seen = self._scored(X, features=True)
        ranking = Ranking.from_dense(scores)
        limits = thresholds_of(self.thresholds_, seen)
        return ranking.filtered(ranking.scores > limits[ranking.rows, ranking.labels])

    def predict(self, X: Any) -> sp.csr_array:
        """The same as a (n_rows, n_labels) matrix of 0 and 1, as scikit-learn has it."""
        kept = self.decide(X).to_csr()
        ones = np.ones(kept.nnz, dtype=np.int8)
        return sp.csr_array((ones, kept.indices, kept.indptr), shape=kept.shape)

    def _fit(self, X: Any, Y: sp.csr_array) -> None:
        """Not used: `fit` takes more than rows."""

    def _rank(self, X: Any, k: int | None) -> Ranking:
        return self.rank(X, k)

    def _scored(self, X: Any, features: bool = False) -> tuple[Any, Any]:
        from labelrank.deep.inputs import to_rank
        from labelrank.deep.training import scores_of

        source = to_rank(self, X, tuple(int(s) for s in self.shape_))
        if source.n == 0:
            return np.empty((0, self.n_labels_), np.float32), np.empty((0, 0), np.float32)
        return scores_of(self._ready(), source, self._device(), features)

    def _thresholds(self, source: Any, seed: int) -> dict[str, NDArray[Any]]:
        from labelrank.deep.thresholds import learned_thresholds
        from labelrank.deep.training import scores_of

        scores, seen = scores_of(self._ready(), source, self._device(), features=True)
        return learned_thresholds(seen, scores, source.grades().toarray() > 0, seed=seed)

    def _new(self, seed: int) -> Any:
        """A network with weights as they are at the start."""
        import copy

        import torch

        from labelrank.deep.backbones import Scored, backbone

        shape = tuple(int(s) for s in self.shape_)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            inner = backbone(copy.deepcopy(self.backbone), shape)
            return Scored(inner, self.n_labels_, shape)

    def _ready(self) -> Any:
        """The trained network; built anew after loading."""
        if not hasattr(self, "network_"):
            from labelrank.deep.checkpoint import load_arrays

            network = self._new(0)
            load_arrays(network, self.weights_, "the model")
            self.network_ = network.to(self._device())
        return self.network_

    def _device(self) -> Any:
        from labelrank.deep.device import device

        return device(self.device)

    def _check_params(self) -> None:
        Plan.of(self, 0)
        if isinstance(self.backbone, str):
            one_of("backbone", self.backbone, _BACKBONES)

    def _check_fitted(self) -> None:
        super()._check_fitted()
        need_torch("OrderedLabelNet")
        from labelrank.deep.thresholds import checked

        if len(self.shape_) not in (1, 3) or (self.shape_ < 1).any():
            raise ValueError(f"inputs of shape {self.shape_.tolist()} cannot be")
        if len(self.shape_) == 1:
            self.n_features_in_ = int(self.shape_[0])
        network = self._ready()
        if self.thresholds_:
            cut = checked(self.thresholds_)
            sizes = cut.centre.shape[0], cut.out.bias.shape[0]
            if sizes != (network.head.in_features, self.n_labels_):
                raise ValueError("its threshold network is for other features or labels")
