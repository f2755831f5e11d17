"""Tensors with parts replaced."""

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
