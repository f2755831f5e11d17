"""repr() is PyTorch's to the character."""

import builtins

import pytest
from golden_prints import GOLDEN

import eagre

NAMES = {"tensor": eagre.tensor} | {
    name: getattr(eagre, name) for name in ("int64", "float64", "bool", "complex64", "complex128")
}


@pytest.mark.parametrize(("expression", "text"), GOLDEN, ids=[case[0][:60] for case in GOLDEN])
def test_golden(expression, text):
    value = eval(expression, {"__builtins__": builtins} | NAMES)
    assert repr(value) == text
    assert str(value) == text


# Row: PyTorch A16
def test_what_autograd_knows_is_shown():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    with eagre.no_grad():
        view = y[:1]
    assert repr(x) == "tensor([1., 2.], requires_grad=True)"
    assert repr(y) == "tensor([1., 2.], grad_fn=<MulBackward0>)"
    assert repr(y[:1]) == "tensor([1.], grad_fn=<SliceBackward0>)"
    assert repr(x.detach()) == "tensor([1., 2.])"
    assert repr(view) == "tensor([1.], requires_grad=True)"
    with eagre.no_grad():
        view.mul_(3)
    assert repr(view) == "tensor([3.], grad_fn=<Invalid>)"


def test_values_around():
    assert repr(eagre.float32) == "eagre.float32"
    assert repr(eagre.device("cpu")) == "device(type='cpu')"
    assert f"{eagre.tensor([1.5])}" == "tensor([1.5000])"


def test_many_dimensions():
    x = eagre.tensor(1.0).expand(*[1] * 64)
    assert repr(x).count("[") == 64


# Row: PyTorch A16
def test_what_autograd_knows_of_a_tensor():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    assert repr(x) == "tensor([1., 2.], requires_grad=True)"
    assert repr(x + 1) == "tensor([2., 3.], grad_fn=<AddBackward0>)"
    assert repr(x.detach()) == "tensor([1., 2.])"
    with eagre.no_grad():
        assert repr(x * 2) == "tensor([2., 4.])"
        assert repr(x) == "tensor([1., 2.], requires_grad=True)"
    written = eagre.zeros(2)
    written.add_(x)
    assert repr(written) == "tensor([1., 2.], grad_fn=<AddBackward0>)"


# Row: PyTorch A16
def test_a_view_without_a_valid_history():
    base = eagre.tensor([0.0, 1.0], requires_grad=True).exp()
    with eagre.no_grad():
        view = base[:1]
        view.zero_()
    assert repr(view) == "tensor([0.], grad_fn=<Invalid>)"


# Row: PyTorch A16
def test_tangents_are_shown_in_their_level():
    forward_ad = eagre.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(eagre.ones(2), eagre.tensor([0.0, 2.0]))
        assert repr(x) == "tensor([1., 1.], tangent=tensor([0., 2.]))"
        assert repr(x * 2) == "tensor([2., 2.], tangent=tensor([0., 4.]))"
    assert repr(x) == "tensor([1., 1.])"


@pytest.mark.parametrize("tensor", [eagre.tensor(1.5), eagre.ones(2)])
def test_a_format_is_a_string(tensor):
    with pytest.raises(TypeError, match="must be str, not int"):
        tensor.__format__(1)


def test_formats():
    assert f"{eagre.tensor(1.5)}" == "1.5"
    assert f"{eagre.tensor(1.5):.3f}" == "1.500"
    assert f"{eagre.tensor(2, dtype=eagre.int32):>4}" == "   2"
    assert f"{eagre.tensor(2.0, requires_grad=True):.1f}" == "2.0"
    assert f"{eagre.tensor([1.5])}" == "tensor([1.5000])"
    with pytest.raises(TypeError, match="format"):
        f"{eagre.tensor([1.5]):.3f}"
