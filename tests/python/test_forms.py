"""Forms of operators beyond those that the samples run: views in place, out= with rules, the forms
of nn.functional and special, and how messages call operators."""

import numpy as np
import pytest

import eagre
from eagre.nn import functional

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


def test_created_tensors_in_given_memory():
    out = eagre.zeros(3, dtype=eagre.int16)
    assert eagre.arange(0.5, 3, out=out) is out
    assert out.tolist() == [0, 1, 2]
    assert eagre.full((2,), 1.5, out=eagre.zeros(2, dtype=eagre.int64)).tolist() == [1, 1]
    view = eagre.zeros(2, 2)
    eagre.ones(2, out=view[:, 1])
    assert view.tolist() == [[0, 1], [0, 1]]
    assert eagre.zeros(2, out=eagre.ones(2), requires_grad=True).requires_grad
    with pytest.raises(eagre.InvalidArgumentError, match=r"zeros\(\).*'device'.*'out'"):
        eagre.zeros(2, device="meta", out=eagre.ones(2))
    with pytest.raises(eagre.AutogradError, match=r"zeros\(\)"):
        eagre.zeros(2, out=eagre.ones(2, requires_grad=True))


def test_several_results_in_given_memory_have_names():
    x = eagre.tensor([3.0, 1.0, 2.0])
    outs = [eagre.zeros(0), eagre.zeros(0, dtype=eagre.int64)]
    result = eagre.sort(x, out=outs)
    assert result.values is outs[0] and result.indices is outs[1]
    assert result.indices.tolist() == [1, 2, 0]


def test_functional_in_place():
    for function in (functional.relu, functional.silu):
        x = eagre.tensor([-1.0, 2.0])
        expected = function(x).tolist()
        assert function(x, inplace=True) is x
        assert x.tolist() == expected
    x = eagre.ones(100)
    eagre.manual_seed(0)
    expected = functional.dropout(x, 0.5).tolist()
    eagre.manual_seed(0)
    assert functional.dropout(x, 0.5, True, inplace=True) is x
    assert x.tolist() == expected


def test_special_functions():
    x = eagre.tensor([0.5, 1.0])
    for name in eagre.special.__all__:
        plain = {"expit": "sigmoid", "psi": "digamma", "gammaln": "lgamma"}.get(name, name)
        arguments = (x, 0) if "soft" in name or "sum" in name else (x,)
        arguments = {"xlogy": (x, x), "polygamma": (1, x)}.get(name, arguments)
        result = getattr(eagre.special, name)(*arguments)
        assert result.tolist() == getattr(eagre, plain)(*arguments).tolist()


PUBLIC = {
    "layer_norm": lambda: functional.layer_norm(eagre.ones(2, 3, dtype=eagre.int64), (3,)),
    "cross_entropy": lambda: eagre.cross_entropy(
        eagre.ones(2, 3, dtype=eagre.int64), eagre.tensor([0, 1])
    ),
    "clamp": lambda: eagre.clamp(eagre.tensor([1j]), 0, 1),
    "gelu": lambda: functional.gelu(eagre.tensor([1]), approximate="tanh"),
    "dropout": lambda: eagre.dropout(eagre.tensor([1]), 0.5),
    "div": lambda: eagre.div(eagre.tensor([1j]), eagre.tensor([1j]), rounding_mode="trunc"),
    "pow": lambda: True ** eagre.tensor([True]),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_messages_show_public_names(name):
    with pytest.raises(eagre.Error, match=rf"^{name}\(\)"):
        PUBLIC[name]()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: eagre.ones(2).sum(2**70), ["sum()", "'dim'"]),
        (lambda: eagre.ones(2) + 2**70, ["add()", "'other'"]),
        (lambda: eagre.ones(2).mul_(-(2**70)), ["mul_()", "'other'", "smaller"]),
        (lambda: eagre.full((2,), 2**70), ["full()", "'fill_value'", "larger"]),
        (lambda: eagre.zeros(2, 2**70), ["zeros()", "'size'"]),
        (lambda: eagre.arange(2**70), ["arange()", "'end'"]),
        (lambda: eagre.tensor([2**70]), ["tensor()", "'data'"]),
        (lambda: eagre.ones(2)[2**70], ["index()", "'indices'"]),
    ],
)
def test_integers_beyond_64_bits_are_named(call, words):
    with pytest.raises(eagre.InvalidArgumentError) as caught:
        call()
    for word in [*words, "64 bits"]:
        assert word in str(caught.value)


def test_numbers_at_the_border_of_a_dtype():
    assert eagre.full((1,), 255, dtype=eagre.uint8).tolist() == [255]
    assert eagre.full((1,), -1, dtype=eagre.uint8).tolist() == [255]
    assert eagre.full((1,), float("inf"), dtype=eagre.float32).tolist() == [float("inf")]
    assert eagre.full((1,), 2 + 0j, dtype=eagre.float32).tolist() == [2]
    assert eagre.full((1,), 2**63 - 1, dtype=eagre.int64).tolist() == [2**63 - 1]
    for value, dtype in [
        (1e40, eagre.float32), (1e5, eagre.float16), (float("inf"), eagre.int32),
        (2**31, eagre.int32), (-(2**31) - 1, eagre.int32), (1e30, eagre.int64),
        (128.5, eagre.int8), (2**15, eagre.int16),
    ]:  # fmt: skip
        with pytest.raises(eagre.InvalidArgumentError, match=r"full\(\).*'fill_value'"):
            eagre.full((1,), value, dtype=dtype)
        with pytest.raises(eagre.InvalidArgumentError, match=r"fill\(\).*'value'"):
            eagre.zeros(1, dtype=dtype).fill_(value)


def test_formats():
    assert f"{eagre.tensor(1.5)}" == "1.5"
    assert f"{eagre.tensor(1.5):.3f}" == "1.500"
    assert f"{eagre.tensor(2, dtype=eagre.int32):>4}" == "   2"
    assert f"{eagre.tensor(2.0, requires_grad=True):.1f}" == "2.0"
    assert f"{eagre.tensor([1.5])}" == "tensor([1.5000])"
    with pytest.raises(TypeError, match="format"):
        f"{eagre.tensor([1.5]):.3f}"


def test_tensors_of_one_element_in_lists():
    assert eagre.tensor([eagre.tensor(1.0), eagre.tensor(2)]).tolist() == [1, 2]
    assert eagre.tensor([[eagre.tensor([1])], [eagre.tensor([2])]]).shape == (2, 1)


def test_to_takes_what_pytorch_takes():
    x = eagre.ones(2, 3)
    assert x.to(eagre.float32) is x
    assert x.to("cpu", eagre.float64, False, False).dtype is eagre.float64
    assert x.to("cpu", non_blocking=True) is x
    for copy in (x.to(eagre.float32, copy=True), x.to("cpu", eagre.float32, False, True),
                 x.to(x, False, True), x.to(eagre.float32, False, True)):  # fmt: skip
        assert copy is not x and copy.data_ptr() != x.data_ptr()
    images = eagre.ones(2, 3, 4, 5).to(eagre.float64, memory_format=eagre.channels_last)
    assert images.is_contiguous(memory_format=eagre.channels_last)
    assert x.to(other=eagre.ones(1, dtype=eagre.int64)).dtype is eagre.int64
    for call in (
        lambda: x.to(eagre.float64, "cpu"),
        lambda: x.to("cpu", 3),
        lambda: x.to("cpu", eagre.float64, False, False, False),
    ):
        with pytest.raises(eagre.DTypeError, match=r"to\(\)"):
            call()
