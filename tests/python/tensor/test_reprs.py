"""repr() is PyTorch's to the character, with every option of set_printoptions()."""

import pytest
from golden_reprs import GOLDEN

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
        assert repr(eval(expression, dict(NAMES))) == text
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
