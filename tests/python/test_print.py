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


def test_values_around():
    assert repr(eagre.float32) == "eagre.float32"
    assert repr(eagre.device("cpu")) == "device(type='cpu')"
    assert f"{eagre.tensor([1.5])}" == "tensor([1.5000])"


def test_many_dimensions():
    x = eagre.tensor(1.0).expand(*[1] * 64)
    assert repr(x).count("[") == 64
