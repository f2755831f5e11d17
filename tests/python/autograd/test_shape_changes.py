"""transpose_, squeeze_ and others that change the shape of a tensor in place."""

import numpy as np
import pytest

import eagre

VIEWS = {
    "transpose_": lambda x: x.transpose_(0, 1),
    "swapaxes_": lambda x: x.swapaxes_(0, 1),
    "swapdims_": lambda x: x.swapdims_(0, 1),
    "t_": lambda x: x.t_(),
    "unsqueeze_": lambda x: x.unsqueeze_(1),
    "squeeze_": lambda x: x.squeeze_(0),
    "squeeze_ of all": lambda x: x.squeeze_(),
    "squeeze_ of a list": lambda x: x.squeeze_((0, 1)),
    "as_strided_": lambda x: x.as_strided_((2, 2), (1, 1), 0),
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_in_place_is_recorded(name):
    def gradient(call):
        x = eagre.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
        y = x * x
        result = call(y)
        weights = eagre.arange(1.0, result.numel() + 1).reshape(result.shape)
        (grad,) = eagre.autograd.grad((result * weights).sum(), x, create_graph=True)
        second = eagre.autograd.grad(grad.sum(), x)[0]
        return result.detach().numpy(), grad.detach().numpy(), second.numpy()

    plain = getattr(eagre, name.split("_ ")[0].removesuffix("_"))
    arguments = {
        "unsqueeze_": (1,), "t_": (), "squeeze_": (0,), "squeeze_ of all": (),
        "squeeze_ of a list": ((0, 1),), "as_strided_": ((2, 2), (1, 1), 0),
    }.get(name, (0, 1))  # fmt: skip
    for got, expected in zip(
        gradient(VIEWS[name]), gradient(lambda y: plain(y, *arguments)), strict=True
    ):
        np.testing.assert_array_equal(got, expected)


def test_a_view_in_place_keeps_the_memory_and_tells_autograd():
    x = eagre.arange(6.0).reshape(2, 3).clone()
    place, version = x.data_ptr(), x._version
    assert x.t_() is x
    assert (x.shape, x.stride(), x.data_ptr()) == ((3, 2), (1, 3), place)
    assert not x.is_contiguous()
    assert x._version == version + 1
    assert (x + 0).tolist() == [[0, 3], [1, 4], [2, 5]]


def test_a_leaf_is_not_turned_while_gradients_are_recorded():
    w = eagre.ones(2, 3, requires_grad=True)
    with pytest.raises(eagre.AutogradError, match=r"transpose_\(\).*leaf"):
        w.t_()
    with eagre.no_grad():
        w.t_()
    (w * 2).sum().backward()
    assert w.grad.shape == w.shape == (3, 2)


def test_what_was_saved_before_a_view_in_place_is_found():
    x = eagre.ones(2, 3, requires_grad=True)
    y = x * 2
    z = y * y
    y.t_()
    with pytest.raises(eagre.AutogradError, match="transpose_"):
        z.sum().backward()
