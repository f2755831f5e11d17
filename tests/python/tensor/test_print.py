"""repr() is PyTorch's to the character, with every option of set_printoptions()."""

import pytest
from golden_prints import GOLDEN

import eagre

NAMES = {
    name: getattr(eagre, name)
    for name in (
        "tensor", "zeros", "ones", "arange", "linspace", "eye", "full", "float16", "bfloat16",
        "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
        "uint64", "bool", "complex64", "complex128",
    )
}  # fmt: skip


@pytest.mark.parametrize(
    ("expression", "options", "text"), GOLDEN, ids=[f"{case[0][:50]} {case[1]}" for case in GOLDEN]
)
def test_golden(expression, options, text):
    try:
        eagre.set_printoptions(**options)
        value = eval(expression, dict(NAMES))
        assert repr(value) == text
        assert str(value) == text
    finally:
        eagre.set_printoptions(profile="default")


@pytest.fixture
def printing():
    yield
    eagre.set_printoptions(profile="default")


def test_printoptions(printing):
    x = eagre.tensor([1.23456, 1000.5])
    eagre.set_printoptions(precision=2)
    assert repr(x) == "tensor([   1.23, 1000.50])"
    eagre.set_printoptions(sci_mode=True)
    assert repr(x) == "tensor([1.23e+00, 1.00e+03])"
    eagre.set_printoptions(profile="default")
    assert repr(eagre.tensor([1e-8, 1.0])) == "tensor([1.0000e-08, 1.0000e+00])"
    eagre.set_printoptions(sci_mode=False)
    assert repr(eagre.tensor([1e-8, 1.0])) == "tensor([0.0000, 1.0000])"
    eagre.set_printoptions(threshold=3, edgeitems=1)
    assert repr(eagre.arange(5)) == "tensor([0,  ..., 4])"
    eagre.set_printoptions(profile="full", linewidth=20)
    assert repr(eagre.arange(5)) == "tensor([0, 1, 2, 3,\n        4])"
    assert "..." not in repr(eagre.arange(2000))
    eagre.set_printoptions(threshold=float("inf"))


def test_printoptions_refuse(printing):
    with pytest.raises(ValueError, match="profile"):
        eagre.set_printoptions(profile="long")
    with pytest.raises(TypeError, match="precision"):
        eagre.set_printoptions(precision="4")
    with pytest.raises(ValueError, match="print_precision"):
        eagre.set_printoptions(precision=-1)


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
