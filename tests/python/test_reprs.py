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
