"""Tensors with parts replaced, and random numbers put into them."""

import pytest

import eagre


def test_parts_are_replaced_in_a_copy():
    x, y = eagre.zeros(3, 3, requires_grad=True), eagre.ones(3, requires_grad=True)
    for made in (
        eagre.select_scatter(x, y, 0, 1),
        x.slice_scatter(y.unsqueeze(0), 0, 1, 2),
        x.diagonal_scatter(y),
    ):
        assert made.sum().item() == 3 and x.sum().item() == 0
        made.square().sum().backward()
        assert y.grad.tolist() == [2.0, 2.0, 2.0]
        y.grad = None
    with pytest.raises(RuntimeError, match="select_scatter"):
        eagre.select_scatter(x, eagre.ones(2), 0, 1)


def test_masked_scatter():
    x = eagre.zeros(2, 2)
    mask = eagre.tensor([[True, False], [True, True]])
    assert x.masked_scatter(mask, eagre.arange(5.0) + 1).tolist() == [[1.0, 0.0], [2.0, 3.0]]
    assert x.masked_scatter_(mask, eagre.ones(3)) is x and x.sum().item() == 3
    with pytest.raises(RuntimeError, match="Number of elements"):
        x.masked_scatter(mask, eagre.ones(2))
    with pytest.raises(RuntimeError, match="dtypes"):
        x.masked_scatter(mask, eagre.ones(3).double())


def test_fill_diagonal():
    assert eagre.zeros(2, 3).fill_diagonal_(1).tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    assert eagre.zeros(3, 3, 3).fill_diagonal_(2).sum().item() == 6
    with pytest.raises(RuntimeError, match="equal length"):
        eagre.zeros(2, 3, 4).fill_diagonal_(1)


def test_random_numbers():
    eagre.manual_seed(0)
    x = eagre.empty(10000).exponential_(2)
    assert x.min() >= 0 and abs(x.mean().item() - 0.5) < 0.03
    assert set(eagre.empty(100, dtype=eagre.int8).random_(3).tolist()) == {0, 1, 2}
    assert set(eagre.empty(100).random_(3, 5).tolist()) == {3.0, 4.0}
    assert eagre.empty(100, dtype=eagre.uint8).random_().max() > 100
    first = eagre.empty(3).exponential_(generator=eagre.Generator().manual_seed(1))
    again = eagre.empty(3).exponential_(generator=eagre.Generator().manual_seed(1))
    assert first.tolist() == again.tolist()
    with pytest.raises(RuntimeError, match="less than"):
        x.random_(3, 3)
    with pytest.raises(RuntimeError, match="lambda"):
        x.exponential_(0)
