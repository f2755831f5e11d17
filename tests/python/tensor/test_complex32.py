"""complex32: two halves, computed in complex64."""

import pickle

import numpy as np
import pytest

import eagre

C32 = eagre.complex32


def numbers(*values, **options):
    return eagre.tensor(list(values), dtype=C32, **options)


def test_what_it_is():
    x = numbers(1 + 2j, 3 - 1j)
    assert eagre.chalf is C32 and C32.itemsize == 4 and C32.is_complex
    assert C32.to_real() is eagre.float16 and eagre.float16.to_complex() is C32
    assert x.type() == "eagre.ComplexHalfTensor"
    assert repr(x) == "tensor([1.+2.j, 3.-1.j], dtype=eagre.complex32)"
    assert x.tolist() == [1 + 2j, 3 - 1j] and x[0].item() == 1 + 2j
    assert eagre.finfo(C32).eps == eagre.finfo(eagre.float16).eps


@pytest.mark.parametrize(
    "dtype", [d for d in vars(eagre).values() if isinstance(d, eagre.dtype)], ids=str
)
def test_conversions(dtype):
    x = eagre.tensor([0, 1, 3]).to(dtype)
    there = x.to(C32)
    assert there.tolist() == [complex(float(v)) for v in x.to(eagre.float32).tolist()]
    assert there.to(dtype).tolist() == x.tolist()
    assert eagre.zeros(3, dtype=C32).copy_(x).equal(there)


def test_numbers_are_rounded_to_halves_and_may_become_infinite():
    x = eagre.tensor([0.1 + 1e6j, 1e-9 + 2049j], dtype=eagre.complex128).chalf()
    real = np.array([0.1, 1e-9], np.float16).tolist()
    assert x.real.tolist() == real and x.imag.tolist() == [float("inf"), 2048]
    with pytest.raises(eagre.InvalidArgumentError, match="complex32"):
        eagre.full((1,), 1e6, dtype=C32)


def test_promotion():
    half = eagre.ones(2, dtype=eagre.float16)
    assert (half + 1j).dtype is C32
    for other, result in {
        eagre.int64: C32,
        eagre.float16: C32,
        eagre.bfloat16: eagre.complex64,
        eagre.float32: eagre.complex64,
        eagre.float64: eagre.complex128,
        eagre.complex64: eagre.complex64,
    }.items():
        assert eagre.promote_types(C32, other) is result is eagre.promote_types(other, C32)


def test_arithmetic_is_that_of_complex64_rounded():
    x, y = numbers(1 + 2j, 0.3 - 7j, -2j), numbers(3 - 1j, 0.1 + 0.1j, 5)
    a, b = x.cfloat(), y.cfloat()
    for f in (
        lambda a, b: a * b,
        lambda a, b: a / b,
        lambda a, b: a - 2 * b,
        lambda a, b: a.exp(),
        lambda a, b: a @ b,
        lambda a, b: a.sum(),
        lambda a, b: eagre.outer(a, b),
        lambda a, b: eagre.cat([a, b]).sqrt(),
        lambda a, b: a.cumsum(0),
    ):
        result = f(x, y)
        assert result.dtype is C32
        eagre.testing.assert_close(result.cfloat(), f(a, b), rtol=2e-3, atol=1e-3)
    assert x.abs().dtype is eagre.float16
    assert (x == x.clone()).all() and x.conj().imag.tolist() == (-x.imag).tolist()


def test_parts_are_views():
    parts = eagre.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=eagre.float16)
    x = eagre.view_as_complex(parts)
    assert x.dtype is C32 and x.tolist() == [1 + 2j, 3 + 4j]
    x.imag.zero_()
    assert parts.tolist() == [[1, 0], [3, 0]] == eagre.view_as_real(x).tolist()
    assert eagre.complex(parts[:, 0], parts[:, 1]).dtype is C32


def test_gradients():
    x = numbers(1 + 2j, 3 - 1j, requires_grad=True)
    (x * x.conj()).real.sum().backward()
    assert x.grad.dtype is C32 and x.grad.tolist() == [2 + 4j, 6 - 2j]


def test_moves_and_borders():
    x = numbers(1 + 2j, 3 - 1j, 5)
    assert x[[2, 0]].tolist() == [5, 1 + 2j]
    assert eagre.where(eagre.tensor([True, False, True]), x, 0).tolist() == [1 + 2j, 0, 5]
    assert pickle.loads(pickle.dumps(x)).equal(x)
    assert eagre.from_dlpack(x).equal(x)
    with pytest.raises(TypeError, match="complex32"):
        x.numpy()
