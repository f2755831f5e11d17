"""Norms along dimensions and at zero, distances of much data, products of many matrices."""

import numpy as np
import pytest
from against_numpy import check, leaf

import eagre


@pytest.mark.parametrize("p", [1, 2, 3, 0.5, -1, float("inf"), float("-inf"), "fro", 0])
@pytest.mark.parametrize("dim", [None, 1, (0, 1)])
def test_norm(p, dim):
    a = leaf(3, 4)
    x = np.abs(a.detach().numpy())
    order = 2 if p == "fro" else p
    axis = (0, 1) if dim is None else dim
    if order == float("inf"):
        expected = x.max(axis)
    elif order == float("-inf"):
        expected = x.min(axis)
    elif order == 0:
        expected = (x != 0).sum(axis).astype(float)
    else:
        expected = (x**order).sum(axis) ** (1 / order)
    check(eagre.norm(a, p, dim), expected)
    check(a.norm(p, dim, keepdim=True), np.expand_dims(expected, axis))


def test_norm_has_a_gradient_at_zero():
    x = eagre.zeros(3, requires_grad=True)
    (eagre.norm(x) + eagre.norm(x, 3)).backward()
    assert x.grad.tolist() == [0.0, 0.0, 0.0]


def test_cdist_of_much():
    """In memory of the order of the result, not of all differences."""
    eagre.cpu.reset_peak_memory_stats()
    rows = eagre.ones(1000, 100)
    before = eagre.cpu.memory_allocated()
    assert eagre.cdist(rows, rows * 2).shape == (1000, 1000)
    assert eagre.cpu.max_memory_allocated() - before < 200_000_000
    assert eagre.cdist(rows[:7], rows[:5] + 1)[6, 4].item() == 10


def test_chain_matmul():
    x = leaf(4, 5)
    a = x.detach().numpy()
    check(eagre.chain_matmul(x, x.t(), x), a @ a.T @ a)
