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


@pytest.mark.parametrize("place", [0, 5000, 99_999])
@pytest.mark.parametrize(
    "scatter",
    [
        lambda x, at, v: x.scatter_add(0, at, v),
        lambda x, at, v: x.scatter(0, at, v),
        lambda x, at, v: x.scatter(0, at, 2.0),
        lambda x, at, v: x.scatter_reduce(0, at, v, "amax"),
        lambda x, at, v: x.scatter_add_(0, at, v),
        lambda x, at, v: x.scatter_(0, at, v),
        lambda x, at, v: x.scatter_(0, at, 2.0),
        lambda x, at, v: x.scatter_reduce_(0, at, v, "amax"),
    ],
)
def test_a_wrong_index_changes_nothing(scatter, place):
    # New results are written while their indices are checked; what somebody has is not.
    x, at, values = eagre.zeros(1000), eagre.randint(0, 1000, (100_000,)), eagre.ones(100_000)
    at[place] = 1000
    with pytest.raises(IndexError, match="index 1000 is out of bounds for dimension 0 with size"):
        scatter(x, at, values)
    assert not x.any()
