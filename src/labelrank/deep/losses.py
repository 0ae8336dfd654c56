"""The losses of paper 002 as PyTorch has them: exact, over all pairs, in O(K log K)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from labelrank.losses.pairs import drawn_pairs

__all__ = ["LOSSES", "cross_entropy", "lsep", "rlsep"]


def rlsep(
    scores: Tensor, grades: Tensor, pairs: int | None = None, random_state: Any = None
) -> Tensor:
    r"""Formula (6) for each row; see `labelrank.losses.rlsep`.

    Parameters
    ----------
    scores, grades : tensors (n_rows, n_labels)
    pairs : int, optional
        Only so many pairs of each row, drawn at random.
    random_state : int, RandomState or None
        Of the drawing.

    Returns
    -------
    tensor (n_rows,)

    Examples
    --------
    >>> import torch
    >>> from labelrank.deep.losses import rlsep
    >>> scores = torch.tensor([[4.0, 2.0, 1.0]]).log().requires_grad_()
    >>> loss = rlsep(scores, torch.tensor([[2, 1, 0]]))
    >>> loss.exp().item()
    2.25
    >>> loss.sum().backward()
    >>> scores.grad.round(decimals=3)
    tensor([[-0.3330,  0.0000,  0.3330]])
    """
    if pairs is not None:
        return _of_pairs(scores, grades, pairs, random_state)
    loss: Tensor = _AllPairs.apply(scores, grades)
    return loss


def lsep(
    scores: Tensor, grades: Tensor, pairs: int | None = None, random_state: Any = None
) -> Tensor:
    """Formula (3) for each row: `rlsep` with one level above 0."""
    return rlsep(scores, (grades > 0).to(scores.dtype), pairs, random_state)


def cross_entropy(scores: Tensor, grades: Tensor) -> Tensor:
    """Formula (1) for each row; 0 where no label is relevant."""
    relevant = (grades > 0).to(scores.dtype)
    share = relevant / relevant.sum(dim=1, keepdim=True).clamp(min=1)
    return -(share * scores.log_softmax(dim=1)).sum(dim=1)


LOSSES: dict[str, Callable[..., Tensor]] = {"rlsep": rlsep, "lsep": lsep, "ce": cross_entropy}


class _AllPairs(torch.autograd.Function):
    """Labels stand by grade; running log-sum-exps below and above a level stand for all pairs."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, grades: Tensor) -> Tensor:
        f = scores.detach()
        f = f if f.dtype in (torch.float32, torch.float64) else f.float()
        r, order = grades.sort(dim=1)
        f = f.gather(1, order)
        n, k = f.shape
        place = torch.arange(k, device=f.device).expand(n, k)
        begins = torch.ones_like(r, dtype=torch.bool)
        begins[:, 1:] = r[:, 1:] != r[:, :-1]
        first = torch.where(begins, place, 0).cummax(dim=1).values  # of the level of each
        ends = begins.roll(-1, dims=1)
        ends[:, -1:] = True
        after = torch.where(ends, place + 1, k).flip(1).cummin(dim=1).values.flip(1)
        nothing = f.new_full((n, 1), -torch.inf)
        below = torch.cat([nothing, f.logcumsumexp(dim=1)], dim=1).gather(1, first)
        above = torch.cat([(-f).flip(1).logcumsumexp(dim=1).flip(1), nothing], dim=1)
        above = above.gather(1, after)
        loss = torch.logaddexp((below - f).logsumexp(dim=1), f.new_zeros(n))
        slope = (above + f - loss[:, None]).exp() - (below - f - loss[:, None]).exp()
        ctx.save_for_backward(torch.empty_like(slope).scatter_(1, order, slope))
        return loss.to(scores.dtype)

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, out: Tensor) -> tuple[Tensor, None]:
        (slope,) = ctx.saved_tensors
        return (out[:, None] * slope).to(out.dtype), None


def _of_pairs(scores: Tensor, grades: Tensor, t: int, random_state: Any) -> Tensor:
    n, k = scores.shape
    known = grades.detach().cpu().numpy().astype(np.float64).ravel()
    drawn = drawn_pairs(np.arange(n + 1, dtype=np.int64) * k, known, t, random_state)
    rows = np.repeat(np.arange(n), np.diff(drawn.indptr))
    at, better, worse = (torch.from_numpy(a).to(scores.device) for a in (rows, *drawn[1:]))
    flat = scores.reshape(-1)
    gaps = flat[worse] - flat[better]
    zero = scores.new_zeros(n)  # the 1 of the formula is exp(0)
    top = zero.scatter_reduce(0, at, gaps.detach(), "amax")
    sums = (-top).exp().index_add(0, at, (gaps - top[at]).exp())
    return top + sums.log()
