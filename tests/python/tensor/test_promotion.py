"""The functions about dtypes, and limits of dtypes. Promotion itself is compared with a table in
tests/cpp."""

import pytest

import eagre


@pytest.mark.parametrize(
    ("a", "b", "dtype"),
    [
        (eagre.tensor([1]), 1.5, eagre.float32),
        (eagre.tensor([1], dtype=eagre.int8), eagre.tensor(300), eagre.int8),
        (eagre.tensor([1.0]), 1j, eagre.complex64),
        (eagre.tensor([1.0], dtype=eagre.float64), 1j, eagre.complex128),
        (1, 2.0, eagre.float32),
        (True, 2, eagre.int64),
    ],
)
def test_result_type(a, b, dtype):
    assert eagre.result_type(a, b) is dtype
    assert eagre.result_type(b, a) is dtype


def test_promote_types():
    assert eagre.promote_types(eagre.int32, eagre.float32) is eagre.float32
    assert eagre.promote_types(eagre.uint8, eagre.int8) is eagre.int16
    assert eagre.promote_types(eagre.float64, eagre.complex64) is eagre.complex128
    with pytest.raises(eagre.DTypeError, match="uint16"):
        eagre.promote_types(eagre.uint16, eagre.int64)


def test_can_cast():
    assert eagre.can_cast(eagre.float64, eagre.float16)
    assert eagre.can_cast(from_=eagre.int64, to=eagre.uint8)
    assert not eagre.can_cast(eagre.float32, eagre.int64)
    assert not eagre.can_cast(eagre.complex64, eagre.float64)
    assert not eagre.can_cast(eagre.int64, eagre.bool)


def test_what_a_tensor_holds():
    assert eagre.is_floating_point(eagre.tensor(1.0))
    assert not eagre.is_floating_point(eagre.tensor(1j))
    assert eagre.is_complex(eagre.tensor(1j))
    assert not eagre.is_complex(eagre.tensor(1))
    with pytest.raises(eagre.DTypeError, match="is_complex.*'input'"):
        eagre.is_complex(1)


def test_unknown_types_are_refused():
    with pytest.raises(eagre.DTypeError, match=r"result_type\(\).*'tensor2'"):
        eagre.result_type(eagre.tensor(1), "2")
    with pytest.raises(eagre.DTypeError, match=r"can_cast\(\).*'to'"):
        eagre.can_cast(eagre.int64, 3)


def test_number_limits():
    info = eagre.finfo(eagre.float32)
    assert (info.eps, info.bits, info.dtype) == (2**-23, 32, "float32")
    assert info.max == 3.4028234663852886e38 == -info.min and info.tiny == 2**-126
    assert (
        repr(info) == "finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, "
        "smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=float32)"
    )
    assert eagre.finfo().dtype == "float32" and eagre.finfo(eagre.complex128).dtype == "float64"
    for dtype, digits in (("float16", 1e-3), ("bfloat16", 1e-2), ("float64", 1e-15)):
        assert eagre.finfo(getattr(eagre, dtype)).resolution == digits
    assert eagre.finfo(eagre.float64) == eagre.finfo(eagre.float64) != info
    assert eagre.iinfo(eagre.int8).min == -128 and eagre.iinfo(eagre.uint64).max == 2**64 - 1
    with pytest.raises(TypeError, match="iinfo"):
        eagre.finfo(eagre.int32)
    with pytest.raises(TypeError, match="finfo"):
        eagre.iinfo(eagre.float32)
    with pytest.raises(TypeError, match="dtype"):
        eagre.iinfo(int)
