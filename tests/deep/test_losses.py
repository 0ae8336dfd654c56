"""The losses in PyTorch: equal to the kernels, and slopes to finite differences."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from labelrank import losses
from labelrank.deep import losses as deep

SCORES = st.one_of(st.floats(-3, 3), st.sampled_from([-500.0, 0.0, 500.0]))
NAMES = {"rlsep": losses.rlsep, "lsep": losses.lsep, "ce": losses.cross_entropy}


@st.composite
def batches(draw):
    shape = draw(st.integers(1, 4)), draw(st.integers(1, 7))
    grade = st.sampled_from([0, 0, 1, 2, 2.5])
    return draw(arrays(float, shape, elements=SCORES)), draw(arrays(float, shape, elements=grade))


@pytest.mark.parametrize("name", NAMES)
@given(batch=batches())
def test_values_and_slopes_are_those_of_the_kernels(name, batch):
    f, r = batch
    scores = torch.tensor(f, requires_grad=True)
    found = deep.LOSSES[name](scores, torch.tensor(r))
    want = NAMES[name](f, r)
    np.testing.assert_allclose(found.detach().numpy(), want.values, atol=1e-9, rtol=1e-12)
    weights = torch.arange(1.0, len(f) + 1, dtype=torch.float64)
    (found * weights).sum().backward()
    np.testing.assert_allclose(
        scores.grad.numpy(), want.slope * weights.numpy()[:, None], atol=1e-9
    )


@pytest.mark.parametrize("name", NAMES)
def test_gradients_by_finite_differences(name):
    rng = np.random.default_rng(0)
    scores = torch.tensor(rng.normal(size=(3, 6)), requires_grad=True)
    grades = torch.tensor([[0.0, 1, 2, 2, 0, 3], [1, 1, 1, 1, 1, 1], [5, 4, 3, 2, 1, 0]])
    assert torch.autograd.gradcheck(lambda s: deep.LOSSES[name](s, grades), scores, atol=1e-6)
    if name != "ce":
        drawn = lambda s: deep.LOSSES[name](s, grades, 4, 0)  # noqa: E731
        assert torch.autograd.gradcheck(drawn, scores, atol=1e-6)


@given(batch=batches(), t=st.integers(1, 30))
def test_drawn_pairs_are_those_of_the_kernel(batch, t):
    f, r = batch
    found = deep.rlsep(torch.tensor(f), torch.tensor(r), t, 3)
    want = losses.rlsep(f, r, pairs=t, random_state=3)
    np.testing.assert_allclose(found.numpy(), want.values, atol=1e-9, rtol=1e-12)


def test_single_precision_stays_finite_and_half_is_summed_in_single():
    scores = torch.tensor([[500.0, -500, 0, 3]], requires_grad=True)
    loss = deep.rlsep(scores, torch.tensor([[0.0, 3, 1, 1]]))
    assert loss.item() == pytest.approx(1000)
    loss.backward(torch.ones(1))
    assert torch.isfinite(scores.grad).all()
    half = torch.tensor([[1.0, 2, 3]], dtype=torch.float16, requires_grad=True)
    low = deep.rlsep(half, torch.tensor([[2, 1, 0]]))
    assert low.dtype == torch.float16
    low.sum().backward()
    assert half.grad.dtype == torch.float16
