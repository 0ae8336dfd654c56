"""OrderedLabelNet: what it learns, what it takes, what it refuses, and how it goes on."""

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from sklearn.base import clone
from store.forging import forge, with_arrays

from labelrank import (
    InputError,
    MissingExtraError,
    ModelError,
    OrderedLabelNet,
    Ranking,
    evaluate,
    load_model,
)
from labelrank.cutoffs import ThresholdNetwork
from labelrank.data import RankedDigits
from labelrank.deep.augment import moved
from labelrank.deep.backbones import backbone

RNG = np.random.default_rng(0)
X = RNG.normal(size=(240, 4)).astype(np.float32)
Y = np.where(X > 0, 1 + X, 0)[:, :3]
Y[:, 2] += 0.1
SMALL = {"epochs": 15, "batch": 32, "rate": 0.02, "random_state": 0}


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def fitted():
    return OrderedLabelNet(**SMALL).fit(X[:200], Y[:200])


def accuracy(net, rows=X[200:], truth=Y[200:]):
    return evaluate(net.rank(rows), truth, "ranked-Acc")["ranked-Acc"].value


def test_it_learns_the_order_and_what_to_keep(fitted):
    assert accuracy(fitted) > 0.93
    found = fitted.predict(X[200:]).toarray()
    assert (found == (Y[200:] > 0)).mean() > 0.9
    kept = fitted.decide(X[200:])
    full = fitted.rank(X[200:])
    for (some, _), (all_, _) in zip(kept, full, strict=True):
        assert [label for label in all_ if label in some] == some.tolist()  # the same order
    assert fitted.features(X[:5]).shape == (5, 128)
    assert fitted.losses_[-1] < fitted.losses_[0]


@pytest.mark.parametrize("loss", ["lsep", "ce"])
def test_losses_without_order_separate_but_do_not_sort(loss, fitted):
    net = OrderedLabelNet(loss=loss, **SMALL).fit(X[:200], Y[:200])
    assert ((net.predict(X[200:]).toarray() > 0) == (Y[200:] > 0)).mean() > 0.88


def test_a_linear_network_reaches_the_minimum_of_the_linear_ranker():
    """RLSEP of scores X W + b, whose minimum is that of one convex problem."""
    from scipy.optimize import minimize

    from labelrank.losses import rlsep

    def objective(w):
        loss = rlsep(X[:100].astype(float) @ w[:12].reshape(4, 3) + w[12:], Y[:100])
        slope = loss.slope / 100
        return loss.mean, np.append((X[:100].T @ slope).ravel(), slope.sum(axis=0))

    best = minimize(objective, np.zeros(15), jac=True).fun
    net = OrderedLabelNet("linear", epochs=300, rate=0.3, decay=0, batch=100, random_state=0)
    net.fit(X[:100], Y[:100])
    scores = net.rank(X[:100]).to_csr().toarray()
    assert best <= rlsep(scores, Y[:100]).mean < best * 1.05 + 0.005


@pytest.mark.parametrize("form", [sp.csr_array, sp.csr_matrix, torch.tensor, np.ndarray.tolist])
def test_forms_of_rows(form, fitted):
    given = form(X)
    assert accuracy(fitted, given[200:], Y[200:]) == pytest.approx(accuracy(fitted), abs=1e-6)
    net = OrderedLabelNet("linear", **SMALL).fit(given, sp.csr_array(Y))
    assert accuracy(net) > 0.9


PICTURES = RankedDigits(60, digits=2, canvas=16, scales=(2.0, 5.0))


@pytest.mark.parametrize("form", ["bytes", "floats", "channels", "last", "list", "dataset"])
def test_forms_of_pictures(form):
    images, grades = PICTURES.images(), PICTURES.Y
    given = {
        "bytes": images,
        "floats": images / 255,
        "channels": images[:, None],
        "last": np.repeat(images[..., None], 3, axis=3),
        "list": list(images),
        "dataset": PICTURES,
    }[form]
    net = OrderedLabelNet("linear", epochs=2, threshold=False, random_state=0)
    net.fit(given, None if form == "dataset" else grades)
    assert net.rank(given, k=4).lengths.tolist() == [4] * 60
    if form != "last":
        expected = OrderedLabelNet("linear", epochs=2, threshold=False, random_state=0)
        expected.fit(images, grades)
        np.testing.assert_allclose(
            net.rank(given).to_csr().toarray(), expected.rank(images).to_csr().toarray(), atol=1e-5
        )


class Pairs(torch.utils.data.Dataset):
    def __init__(self, samples):
        self.samples = samples

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        return self.samples[i]


def test_a_torch_data_set_of_tensors():
    data = Pairs([(torch.tensor(x), torch.tensor(y)) for x, y in zip(X, Y, strict=True)])
    net = OrderedLabelNet("mlp", **SMALL).fit(data, validation=(X[200:], Y[200:]))
    assert accuracy(net) > 0.9
    assert len(net.watched_) == 15


@pytest.mark.parametrize("name", ["conv", "mobilenet"])
def test_networks_for_pictures_train_and_are_kept(name, tmp_path):
    images, grades = PICTURES.images(), PICTURES.Y
    net = OrderedLabelNet(name, epochs=2, shift=0.05, zoom=0.1, random_state=0).fit(images, grades)
    net.save(tmp_path / "m")
    again = load_model(tmp_path / "m")
    np.testing.assert_array_equal(again.rank(images).labels, net.rank(images).labels)
    assert again.decide(images) == net.decide(images)


def test_any_module_is_a_backbone():
    module = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh())
    before = [p.detach().clone() for p in module.parameters()]
    net = OrderedLabelNet(module, **SMALL).fit(X[:200], Y[:200])
    assert accuracy(net) > 0.9
    assert all((a == b).all() for a, b in zip(before, module.parameters(), strict=True))
    with pytest.raises(InputError, match="the backbone cannot take inputs of shape"):
        OrderedLabelNet(module, **SMALL).fit(X[:, :2], Y)


def test_the_same_seed_gives_the_same_network_and_the_world_is_left_alone():
    torch.manual_seed(5)
    state = torch.random.get_rng_state()
    one, two = (OrderedLabelNet(**{**SMALL, "epochs": 3, "pairs": 2}).fit(X, Y) for _ in "ab")
    assert (torch.random.get_rng_state() == state).all()
    for name in one.weights_:
        np.testing.assert_array_equal(one.weights_[name], two.weights_[name])
    for name in one.thresholds_:
        np.testing.assert_array_equal(one.thresholds_[name], two.thresholds_[name])
    other = OrderedLabelNet(**{**SMALL, "epochs": 3, "random_state": 1}).fit(X, Y)
    assert (other.weights_["head.weight"] != one.weights_["head.weight"]).any()


class KilledError(Exception):
    pass


@pytest.mark.parametrize("optimizer", ["adamw", "sgd"])
def test_training_that_was_killed_goes_on_as_if_it_had_not_been(optimizer, tmp_path, monkeypatch):
    params = {**SMALL, "epochs": 6, "optimizer": optimizer, "patience": 3}
    held = (X[200:], Y[200:])
    whole = OrderedLabelNet(**params).fit(X[:200], Y[:200], held)

    from labelrank.deep import checkpoint, training

    write, written = checkpoint.Checkpoint.write, []

    def until(self, *parts):
        write(self, *parts)
        written.append(1)
        if len(written) == 3:
            raise KilledError

    monkeypatch.setattr(training.Checkpoint, "write", until)
    net = OrderedLabelNet(**params, checkpoint=tmp_path / "c")
    with pytest.raises(KilledError):
        net.fit(X[:200], Y[:200], held)
    resumed = clone(net).fit(X[:200], Y[:200], held)
    assert len(written) == 6
    assert resumed.losses_ == whole.losses_
    assert resumed.watched_ == whole.watched_
    for name in whole.weights_:
        np.testing.assert_array_equal(resumed.weights_[name], whole.weights_[name])
    again = clone(net).fit(X[:200], Y[:200], held)  # finished: nothing is trained any more
    assert len(written) == 6
    np.testing.assert_array_equal(again.weights_["head.bias"], whole.weights_["head.bias"])


def test_checkpoints_that_do_not_fit_are_refused(tmp_path, fitted):
    path = tmp_path / "c"
    OrderedLabelNet(**{**SMALL, "epochs": 1}, checkpoint=path).fit(X, Y)
    with pytest.raises(
        InputError, match=r"another architecture: backbone.* is .* there and absent"
    ):
        OrderedLabelNet("linear", **{**SMALL, "epochs": 1}, checkpoint=path).fit(X, Y)
    with pytest.raises(InputError, match=r"another architecture: head.bias is \(3,\) there"):
        OrderedLabelNet(**{**SMALL, "epochs": 1}, checkpoint=path).fit(X, Y[:, :2])
    with pytest.raises(InputError, match="made with loss='rlsep', and now it is 'lsep'"):
        OrderedLabelNet(loss="lsep", **{**SMALL, "epochs": 1}, checkpoint=path).fit(X, Y)
    fitted.save(tmp_path / "model")
    with pytest.raises(InputError, match="is a model and no checkpoint"):
        OrderedLabelNet(**SMALL, checkpoint=tmp_path / "model").fit(X, Y)
    file = path / "arrays.safetensors"
    file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(ModelError, match="bytes where"):
        OrderedLabelNet(**{**SMALL, "epochs": 1}, checkpoint=path).fit(X, Y)


def test_early_stopping_keeps_the_best_epoch():
    held = (X[200:], Y[200:])
    net = OrderedLabelNet(**{**SMALL, "epochs": 40, "rate": 0.3}, patience=2, measure="ranked-Acc")
    net.fit(X[:200], Y[:200], held)
    assert accuracy(net) == pytest.approx(max(net.watched_))
    assert len(net.watched_) == min(40, int(np.argmax(net.watched_)) + 3)
    by_loss = OrderedLabelNet(**{**SMALL, "epochs": 3}).fit(X[:200], Y[:200], held)
    from labelrank.losses import rlsep

    last = rlsep(by_loss.rank(X[200:]).to_csr().toarray(), Y[200:]).mean
    assert min(by_loss.watched_) == pytest.approx(last, rel=1e-5)


def test_a_saved_network_is_the_same_and_a_forged_one_refused(fitted, tmp_path):
    fitted.save(tmp_path / "m", label_names=["a", "b", "c"])
    again = load_model(tmp_path / "m")
    assert again.rank(X) == fitted.rank(X)
    assert again.decide(X) == fitted.decide(X)
    assert again.label_names_ == ["a", "b", "c"]
    assert clone(again).get_params() == fitted.get_params()
    for changes in (
        {"weights_.head.weight": np.zeros((2, 128), "f4")},
        {"weights_.head.bias": None},
        {"weights_.head.bias": np.zeros(3)},
        {"weights_.head.bias": np.full(3, np.nan, "f4")},
        {"thresholds_.out.bias": np.zeros(4, "f4")},
        {"thresholds_.hidden.weight": None},
        {"shape_": np.array([5])},
        {"shape_": np.array([1, 4])},
    ):
        fitted.save(tmp_path / "f")
        with pytest.raises(ModelError):
            load_model(forge(tmp_path / "f", arrays=with_arrays(tmp_path / "f", changes)))


@pytest.mark.parametrize(
    ("rows", "truth", "says"),
    [
        (X, -Y, "Y has the value -"),
        (X, np.full_like(Y, np.nan), "Y has a value that is NaN"),
        (X, np.ones_like(Y), "there is no order to learn: every row has all its labels of one"),
        (X[:5], Y, "X has 5 rows but Y has 240"),
        (X[:1], Y[:1], "needs 2 samples to learn from, found 1"),
        (X * np.nan, Y, "X has a value that is NaN"),
        ([np.zeros((20, 20)), np.zeros((20, 18))], Y[:2],
         "picture 1 is 20 × 18 and the first is 20 × 20: bring all to one size"),
        (np.zeros((240, 2, 3, 4, 5)), Y, "pictures are numbers"),
        (np.full((240, 20, 20), np.nan), Y, "NaN or infinite"),
    ],
)  # fmt: skip
def test_what_cannot_be_learned_from_is_told(rows, truth, says):
    with pytest.raises(InputError, match=says):
        OrderedLabelNet("linear", epochs=1).fit(rows, truth)


@pytest.mark.parametrize(
    ("samples", "says"),
    [
        ([], "the data set is empty"),
        ([(X[0], Y[0]), (X[0], -Y[0] - 1)], "sample 1: the grades has the value"),
        ([(X[0], Y[0]), (X[0], Y[0] * np.nan)], "NaN"),
        ([(X[0], Y[0]), (X[0], Y[0, :2])], "sample 1 has grades of 2 labels, the first of 3"),
        ([(np.zeros((4, 4)), Y[0]), (np.zeros((5, 4)), Y[0])], "picture 1 is 1 × 5 × 4"),
        ([X[0], X[1]], "is no pair"),
        ([(X[0], 1.0)] * 2, "grades must be one number a label"),
    ],
)
def test_samples_that_cannot_be_learned_from(samples, says):
    with pytest.raises(InputError, match=says):
        OrderedLabelNet("linear", epochs=1).fit(Pairs(samples))


def test_other_things_that_are_refused(fitted):
    with pytest.raises(InputError, match="without Y, X must be a torch Dataset"):
        OrderedLabelNet().fit(3)
    with pytest.raises(InputError, match=r"takes pictures \(n, channels, rows, columns\)"):
        OrderedLabelNet("conv").fit(X, Y)
    with pytest.raises(InputError, match="takes pictures from 16 × 16"):
        OrderedLabelNet("conv").fit(np.zeros((240, 8, 8)), Y)
    with pytest.raises(ValueError, match="X has 2 features"):
        fitted.rank(X[:, :2])
    with pytest.raises(InputError, match="validation has inputs of shape"):
        OrderedLabelNet(epochs=1).fit(X, Y, (np.zeros((3, 20, 20)), Y[:3]))
    with pytest.raises(InputError, match="has no threshold network"):
        OrderedLabelNet("linear", epochs=1, threshold=False).fit(X, Y).decide(X)
    with pytest.raises(InputError, match="diverged in epoch 1: take a smaller rate"):
        OrderedLabelNet("mlp", "ce", optimizer="sgd", rate=1e30, epochs=3).fit(X, Y)


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"backbone": "resnet"}, "backbone must be one of auto, linear"),
        ({"loss": "hinge"}, "loss must be one of rlsep, lsep, ce"),
        ({"optimizer": "adam"}, "optimizer must be"),
        ({"schedule": "step"}, "schedule must be"),
        ({"epochs": 0}, "epochs must be a whole number from 1"),
        ({"patience": 0}, "patience must be a whole number from 1"),
        ({"pairs": 1.5}, "pairs must be a whole number"),
        ({"rate": 0}, "rate must be a number above 0"),
        ({"shift": -0.1}, "shift must be a number from 0"),
        ({"measure": "accuracy"}, "accuracy"),
        ({"device": "abacus"}, "device='abacus' cannot be used"),
    ],
)
def test_parameters_that_cannot_be(params, says):
    with pytest.raises(InputError, match=says):
        OrderedLabelNet(**{"epochs": 1, **params}).fit(X, Y)


def test_without_torch_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr("labelrank.deep.find_spec", lambda name: None)
    for model, first in ((OrderedLabelNet(), X), (ThresholdNetwork(), Ranking.from_dense(Y))):
        with pytest.raises(MissingExtraError, match=r"pip install 'labelrank\[deep\]'"):
            model.fit(first, Y)


def test_moving_and_zooming_keep_what_is_in_the_picture():
    x = torch.zeros(6, 1, 40, 40)
    x[:, :, 18:22, 18:22] = 1
    same = moved(x, 0, 0, np.random.RandomState(0))
    np.testing.assert_allclose(same, x, atol=1e-4)
    away = moved(x, 0.2, 0, np.random.RandomState(0))
    np.testing.assert_allclose(away.sum(dim=(1, 2, 3)), 16, rtol=1e-3)
    assert (away != x).any()
    larger = moved(x, 0, 0.5, np.random.RandomState(0)).sum(dim=(1, 2, 3))
    assert (larger.max() > 17) & (larger.min() < 15)
    assert larger.max() <= 16 * 1.5**2 + 1


def test_number_of_features_of_each_backbone():
    for name, shape, size in (("linear", (5,), 5), ("mlp", (5,), 128), ("auto", (1, 16, 16), 128),
                              ("mobilenet", (3, 32, 32), 576)):  # fmt: skip
        network = backbone(name, shape)
        assert network.n_features == size
        assert network.eval()(torch.zeros(2, *shape)).shape == (2, size)
