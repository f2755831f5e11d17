"""float8_e4m3fn and float8_e5m2: stored, moved, converted and compared, as in PyTorch 2.15."""

import copy
import math
import pickle

import numpy as np
import pytest

import eagre

E4, E5 = eagre.float8_e4m3fn, eagre.float8_e5m2
FORMATS = {E4: (3, 7, 0x7E), E5: (2, 15, 0x7B)}  # bits of fraction, bias, bits of the largest
OTHERS = [
    value
    for name, value in vars(eagre).items()
    if isinstance(value, eagre.dtype) and value not in FORMATS
]
BOTH = pytest.mark.parametrize("dtype", [E4, E5], ids=str)


def meaning(dtype, bits):
    """The number that the bits stand for, by the definition of the formats."""
    fraction_bits, bias, largest = FORMATS[dtype]
    sign = -1.0 if bits & 0x80 else 1.0
    if bits & 0x7F > largest:
        return sign * math.inf if dtype is E5 and bits & 0x7F == 0x7C else math.nan
    exponent, fraction = divmod(bits & 0x7F, 2**fraction_bits)
    if exponent:
        fraction += 2**fraction_bits
    return sign * fraction * 2.0 ** (max(exponent, 1) - bias - fraction_bits)


def nearest(dtype, value):
    """The bits that a number is rounded to: the nearest, of two the even one."""
    sign = 0x80 if math.copysign(1, value) < 0 else 0
    largest = FORMATS[dtype][2]
    if math.isnan(value):
        return sign | 0x7F
    # Where the number after the largest would be, if there were one.
    step = meaning(dtype, largest) - meaning(dtype, largest - 1)
    if abs(value) >= meaning(dtype, largest) + step / 2:
        return sign | (largest if dtype is E4 else 0x7C)
    known = range(largest + 1)
    return sign | min(known, key=lambda b: (abs(meaning(dtype, b) - abs(value)), b % 2))


def every_value(dtype):
    return eagre.arange(256).to(eagre.uint8).view(dtype)


def bits_of(tensor):
    return tensor.view(eagre.uint8).tolist()


def numbers(dtype, *shape):
    count = math.prod(shape)
    return eagre.arange(1, count + 1).to(eagre.float32).reshape(shape).to(dtype)


# --- values ---


@BOTH
def test_every_value(dtype):
    expected = [meaning(dtype, bits) for bits in range(256)]
    for shown in (
        every_value(dtype).tolist(),
        every_value(dtype).float().tolist(),
        every_value(dtype).double().tolist(),
        [element.item() for element in every_value(dtype)],
    ):
        np.testing.assert_array_equal(shown, expected)
        assert [math.copysign(1, n) for n in shown if n == 0] == [1, -1]


@BOTH
def test_every_value_back(dtype):
    known = [bits for bits in range(256) if not math.isnan(meaning(dtype, bits))]
    for wide in (eagre.float16, eagre.bfloat16, eagre.float32, eagre.float64, eagre.complex64):
        values = eagre.tensor([meaning(dtype, bits) for bits in known]).to(wide)
        # An infinite e4m3fn there is none of; an infinite e5m2 comes back.
        assert bits_of(values.to(dtype)) == known
    nan = eagre.tensor([math.nan, -math.nan])
    assert bits_of(eagre.tensor([math.nan]).to(dtype)) == [0x7F]
    assert eagre.isnan(nan.to(dtype)).all()


@BOTH
def test_rounding(dtype):
    values = []
    for bits in range(FORMATS[dtype][2]):
        low, high = meaning(dtype, bits), meaning(dtype, bits + 1)
        middle = np.float32((low + high) / 2)
        values += [
            middle,
            np.nextafter(middle, np.float32(0)),
            np.nextafter(middle, np.float32(9e9)),
        ]
    values += np.random.default_rng(0).normal(0, 100, 5000).tolist()
    values += [448, 463, 464, 465, 480, 57344, 61439, 61440, 65536, 1e30, math.inf, 1e-30, 0]
    values = np.float32(values + [-value for value in values])
    expected = [nearest(dtype, float(value)) for value in values]
    assert bits_of(eagre.from_numpy(values).to(dtype)) == expected
    # Elements one by one, and those that lie apart.
    assert bits_of(eagre.from_numpy(values)[::3].to(dtype)) == expected[::3]
    assert bits_of(eagre.tensor(values.tolist(), dtype=dtype)) == expected


@BOTH
@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_casts(dtype, other):
    there = eagre.tensor([0, 1, 2, 3]).to(other).to(dtype)
    expected = [0, 1, 1, 1] if other is eagre.bool else [0, 1, 2, 3]
    assert there.dtype is dtype
    assert there.tolist() == expected
    back = there.to(other)
    assert back.dtype is other
    assert back.tolist() == [other is eagre.bool and bool(n) or n for n in expected]
    assert eagre.zeros(4, dtype=other).copy_(there).tolist() == back.tolist()
    if not other.is_complex:  # whose imaginary parts would be lost, with a warning
        assert eagre.zeros(4, dtype=dtype).copy_(back).tolist() == expected


def test_from_one_to_the_other():
    assert eagre.tensor([500.0, -math.inf], dtype=E5).to(E4).tolist() == [448, -448]
    assert eagre.tensor([1.125, 448], dtype=E4).to(E5).tolist() == [1, 448]


# --- creation ---


@BOTH
def test_creation(dtype):
    for made, expected in {
        eagre.zeros(2, dtype=dtype): [0, 0],
        eagre.ones(2, dtype=dtype): [1, 1],
        eagre.full((2,), 1.5, dtype=dtype): [1.5, 1.5],
        eagre.tensor([1.5, 2], dtype=dtype): [1.5, 2],
        eagre.tensor([True], dtype=dtype): [1],
        eagre.eye(2, dtype=dtype)[0]: [1, 0],
        eagre.ones(2, dtype=dtype).zero_(): [0, 0],
        eagre.zeros(2, dtype=dtype).fill_(eagre.tensor(2.0)): [2, 2],
        eagre.full_like(eagre.zeros(1, dtype=dtype), 3): [3],
        eagre.ones(1, dtype=dtype).new_tensor([2.0]): [2],
        eagre.asarray([1.0], dtype=dtype): [1],
        eagre.frombuffer(bytearray(2), dtype=dtype): [0, 0],
        eagre.scalar_tensor(1.0, dtype=dtype).reshape(1): [1],
    }.items():
        assert made.dtype is dtype
        assert made.tolist() == expected
    assert eagre.empty(2, 3, dtype=dtype).element_size() == 1
    assert eagre.zeros(2, dtype=dtype, device="meta").dtype is dtype


@BOTH
@pytest.mark.parametrize(
    "make",
    [
        lambda d: eagre.full((2,), 1e6, dtype=d),
        lambda d: eagre.zeros(2, dtype=d).fill_(1e6),
        lambda d: eagre.tensor([1j], dtype=d),
    ],
)
def test_numbers_that_it_cannot_hold(dtype, make):
    with pytest.raises((ValueError, TypeError)):
        make(dtype)


# --- what moves elements ---

INDEX = eagre.tensor([[0, 1], [1, 0]])
ROWS = eagre.tensor([1, 0])
MASK = eagre.tensor([True, False, True])
MOVES = [
    lambda x: x.clone(),
    lambda x: x.t().contiguous(),
    lambda x: x.view(3, 2),
    lambda x: x.reshape(6)[::2],
    lambda x: x.expand(2, 2, 3),
    lambda x: x.unfold(1, 2, 1),
    lambda x: x.diagonal(),
    lambda x: x.as_strided((2, 2), (1, 2)),
    lambda x: x[0],
    lambda x: x[ROWS],
    lambda x: x[:, MASK],
    lambda x: x.index_select(1, ROWS),
    lambda x: x.gather(1, INDEX),
    lambda x: x.take(ROWS),
    lambda x: eagre.take_along_dim(x, INDEX, 1),
    lambda x: x.scatter(1, INDEX, x.flip(0)),
    lambda x: x.index_copy(0, ROWS, x),
    lambda x: x.index_put((ROWS,), x[0]),
    lambda x: x.masked_select(MASK),
    lambda x: x.masked_scatter(MASK, x.flip(0)),
    lambda x: eagre.where(MASK, x, x.flip(1)),
    lambda x: eagre.cat([x, x[:1]]),
    lambda x: eagre.cat([x, x], 1),
    lambda x: eagre.stack([x, x]),
    lambda x: eagre.hstack([x, x]),
    lambda x: eagre.block_diag(x, x),
    lambda x: x.split(2, 1)[1],
    lambda x: x.unbind()[1],
    lambda x: x.repeat(2, 1),
    lambda x: x.tile(2),
    lambda x: x.repeat_interleave(2),
    lambda x: x.flip(0),
    lambda x: x.roll(1),
    lambda x: x.rot90(),
    lambda x: x.tril(),
    lambda x: x.triu(1),
    lambda x: x[0].diag(),
    lambda x: eagre.nn.functional.embedding(ROWS, x),
    lambda x: eagre.combinations(x[0]),
]


@BOTH
@pytest.mark.parametrize("move", MOVES)
def test_elements_are_moved_as_bytes(dtype, move):
    x = every_value(dtype)[100:130:5].reshape(2, 3)  # with a NaN among them
    result = move(x)
    assert result.dtype is dtype
    assert bits_of(result.contiguous()) == move(x.view(eagre.uint8)).tolist()


@BOTH
def test_assignments(dtype):
    def changed(change):
        x = numbers(dtype, 2, 3)
        change(x)
        return x.tolist()

    assert changed(lambda x: x.__setitem__(0, 2.5)) == [[2.5, 2.5, 2.5], [4, 5, 6]]
    assert changed(lambda x: x.__setitem__(ROWS, eagre.ones(3).to(dtype))) == [[1, 1, 1], [1, 1, 1]]
    assert changed(lambda x: x.__setitem__((0, 0), x[1, 1])) == [[5, 2, 3], [4, 5, 6]]
    assert changed(lambda x: x.__setitem__(x == 2, 0.5)) == [[1, 0.5, 3], [4, 5, 6]]
    assert changed(lambda x: x.masked_fill_(MASK, 7)) == [[7, 2, 7], [7, 5, 7]]
    assert changed(lambda x: x.index_fill_(1, ROWS, 7)) == [[7, 7, 3], [7, 7, 6]]
    assert changed(lambda x: x.scatter_(1, INDEX, 7)) == [[7, 7, 3], [7, 7, 6]]
    accumulated = changed(lambda x: x.index_put_((ROWS,), x[0], accumulate=True))
    assert accumulated == [[2, 4, 6], [5, 7, 9 if dtype is E4 else 8]]


@BOTH
def test_views_of_bytes(dtype):
    x = eagre.tensor([1.0, -2.0], dtype=dtype)
    x.view(eagre.uint8)[1] = 0
    assert x.tolist() == [1, 0]
    assert eagre.zeros(4, dtype=dtype).view(eagre.float32).tolist() == [0]
    assert eagre.ones(1).view(dtype).shape == (4,)


# --- comparisons, and what little is computed ---


@BOTH
def test_comparisons(dtype):
    x = eagre.tensor([1.0, 0.0, math.nan], dtype=dtype)
    y = eagre.tensor([1.0, -0.0, math.nan], dtype=dtype)
    assert (x == y).tolist() == [True, True, False]
    assert (x != y).tolist() == [False, False, True]
    assert (x == 1).tolist() == [True, False, False]
    assert (x == eagre.tensor(1.0)).tolist() == [True, False, False]
    assert eagre.isnan(x).tolist() == [False, False, True]
    assert eagre.isfinite(x).tolist() == [True, True, False]
    largest = eagre.tensor([math.inf], dtype=dtype)
    assert eagre.isinf(largest).item() is (dtype is E5)
    assert x[:2].any()
    assert not x[:2].all()
    assert eagre.equal(x[:2], y[:2])


@BOTH
def test_what_pytorch_computes(dtype):
    """A product of two, the magnitude, products of matrices: in float, then rounded."""
    x = numbers(dtype, 2, 3)
    assert bits_of(x * x) == bits_of((x.float() * x.float()).to(dtype))
    assert abs(eagre.tensor([-1.5], dtype=dtype)).tolist() == [1.5]
    product = x @ x.t()
    assert product.dtype is dtype
    assert bits_of(product) == bits_of((x.float() @ x.float().t()).to(dtype))
    assert x.sum(dtype=eagre.float32).item() == 21


REFUSED = {
    "add": lambda x: x + x,
    "sub": lambda x: x - 1,
    "div": lambda x: x / x,
    "neg": lambda x: -x,
    "pow": lambda x: x**2,
    "exp": lambda x: x.exp(),
    "lt": lambda x: x < x,
    "ge": lambda x: x >= 1,
    "maximum": lambda x: eagre.maximum(x, x),
    "sum": lambda x: x.sum(),
    "amax": lambda x: x.amax(),
    "argmax": lambda x: x.argmax(),
    "cumsum": lambda x: x.cumsum(0),
    "sort": lambda x: x.sort(),
    "logical_and": lambda x: x.logical_and(x),
    "index_add": lambda x: x.index_add(0, ROWS, x),
    "scatter_add": lambda x: x.scatter_add(1, INDEX, x),
    "bitwise_and": lambda x: x & x,
    "arange": lambda x: eagre.arange(3, dtype=x.dtype),
    "rand": lambda x: eagre.rand(3, dtype=x.dtype),
    "randn": lambda x: eagre.randn(3, dtype=x.dtype),
    "uniform": lambda x: x.uniform_(),
    "random_": lambda x: x.random_(),
    "softmax": lambda x: x.softmax(0),
}


@BOTH
@pytest.mark.parametrize("name", REFUSED)
def test_arithmetic_is_refused(dtype, name):
    with pytest.raises(eagre.UnimplementedError, match=str(dtype).removeprefix("eagre.")) as caught:
        REFUSED[name](numbers(dtype, 2, 3))
    assert name in str(caught.value)


# --- promotion ---


@BOTH
@pytest.mark.parametrize("other", [*OTHERS, E4, E5], ids=str)
def test_promotion_is_refused(dtype, other):
    if dtype is other:
        assert eagre.promote_types(dtype, other) is dtype
        return
    x, y = numbers(dtype, 2, 3), eagre.ones(3, dtype=other)
    for call in (
        lambda: eagre.promote_types(dtype, other),
        lambda: eagre.promote_types(other, dtype),
        lambda: x * y,
        lambda: y == x,
        lambda: eagre.where(MASK, x, y),
        lambda: eagre.cat([x, y.expand(1, 3)]),
    ):
        with pytest.raises(eagre.DTypeError, match="Promotion for Float8 Types is not supported"):
            call()


@BOTH
def test_promotion_with_numbers(dtype):
    x, one = numbers(dtype, 3), eagre.tensor(1, dtype=dtype)
    for number in (1, 1.5, True, eagre.tensor(1), eagre.tensor(1.0)):
        assert eagre.result_type(x, number) is dtype
    assert eagre.result_type(one, eagre.ones(2)) is eagre.float32
    assert eagre.where(MASK, x, 9.0).dtype is dtype
    for other in (1j, eagre.tensor(1j)):
        with pytest.raises(RuntimeError, match="Float8"):
            eagre.result_type(x, other)
    with pytest.raises(RuntimeError, match="Float8"):
        eagre.result_type(eagre.ones(2, dtype=eagre.int32), one)
    assert eagre.can_cast(dtype, eagre.float32)
    assert eagre.can_cast(eagre.int32, dtype)
    assert not eagre.can_cast(dtype, eagre.int32)


@BOTH
def test_it_is_no_default(dtype):
    for setter in (eagre.set_default_dtype, eagre.set_default_tensor_type):
        with pytest.raises(TypeError, match="16 bits or more"):
            setter(dtype)


# --- as objects ---


def test_reprs():
    """PyTorch's."""
    values = [0.1, 2.5, 100, math.nan]
    assert repr(eagre.tensor(values, dtype=E4)) == (
        "tensor([ 0.1016,  2.5000, 96.0000,     nan], dtype=eagre.float8_e4m3fn)"
    )
    assert repr(eagre.tensor(values, dtype=E5)) == (
        "tensor([9.3750e-02, 2.5000e+00, 9.6000e+01,        nan],\n       dtype=eagre.float8_e5m2)"
    )
    assert repr(eagre.tensor(1.0, dtype=E5)) == "tensor(1., dtype=eagre.float8_e5m2)"
    assert repr(eagre.zeros(0, dtype=E4)) == "tensor([], dtype=eagre.float8_e4m3fn)"
    assert repr(eagre.zeros(2, dtype=E4, requires_grad=True)) == (
        "tensor([0., 0.], dtype=eagre.float8_e4m3fn, requires_grad=True)"
    )


@BOTH
def test_the_dtype(dtype):
    assert (dtype.itemsize, dtype.is_floating_point, dtype.is_signed) == (1, True, True)
    assert not dtype.is_complex
    assert dtype.to_real() is dtype
    with pytest.raises(TypeError, match="no complex dtype"):
        dtype.to_complex()
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert numbers(dtype, 1).type() == f"eagre.{str(dtype)[6:].capitalize()}Tensor"
    assert numbers(dtype, 1).is_floating_point()


def test_finfo():
    assert repr(eagre.finfo(E4)) == (
        "finfo(resolution=1, min=-448, max=448, eps=0.125, smallest_normal=0.015625, "
        "tiny=0.015625, dtype=float8_e4m3fn)"
    )
    assert repr(eagre.finfo(E5)) == (
        "finfo(resolution=1, min=-57344, max=57344, eps=0.25, smallest_normal=6.10352e-05, "
        "tiny=6.10352e-05, dtype=float8_e5m2)"
    )
    with pytest.raises(TypeError, match="integer input type"):
        eagre.iinfo(E4)


@BOTH
def test_numbers_of_python(dtype):
    x = eagre.tensor(2.5, dtype=dtype)
    assert (float(x), int(x), bool(x), complex(x)) == (2.5, 2, True, 2.5 + 0j)
    with pytest.raises(TypeError):
        [1, 2, 3][x]
    with pytest.raises(IndexError):
        eagre.ones(3)[x.reshape(1)]


@BOTH
def test_copies_and_pickles(dtype):
    x = every_value(dtype)
    for other in (
        copy.deepcopy(x),
        copy.copy(x),
        pickle.loads(pickle.dumps(x)),
        eagre.from_dlpack(x),
        eagre.utils.dlpack.from_dlpack(eagre.utils.dlpack.to_dlpack(x)),
    ):
        assert other.dtype is dtype
        assert bits_of(other) == list(range(256))
    assert x.untyped_storage().nbytes() == 256


@BOTH
def test_numpy_has_none_of_it(dtype):
    x = numbers(dtype, 3)
    with pytest.raises(TypeError, match="no counterpart of float8"):
        x.numpy()
    with pytest.raises(TypeError, match="no counterpart of float8"):
        np.asarray(x)
    with pytest.raises((TypeError, BufferError, RuntimeError)):
        np.from_dlpack(x)


@BOTH
def test_gradients(dtype):
    x = numbers(dtype, 3).requires_grad_()
    (x.float() * 3).sum().backward()
    assert x.grad.dtype is dtype
    assert x.grad.tolist() == [3, 3, 3]
    y = eagre.ones(3, requires_grad=True)
    (y * 1.5).to(dtype).float().sum().backward()
    assert y.grad.tolist() == [1.5, 1.5, 1.5]
    assert eagre.nn.Parameter(numbers(dtype, 3)).requires_grad


@BOTH
def test_as_out(dtype):
    out = eagre.zeros(2, dtype=dtype)
    eagre.exp(eagre.ones(2), out=out)
    assert out.tolist() == eagre.tensor([math.e] * 2).to(dtype).tolist()
    wide = eagre.empty(0)
    assert eagre.cat([out, out], out=wide).dtype is eagre.float32


@BOTH
def test_assert_close(dtype):
    x = numbers(dtype, 3)
    eagre.testing.assert_close(x, x.clone())
    with pytest.raises(AssertionError, match="not equal"):
        eagre.testing.assert_close(x, x.flip(0))
