"""What samples do not say of pointwise operators: numbers beside tensors, values and dtypes at the
edges, refused calls that must not write."""

import operator

import numpy as np
import pytest

import eagre

WHOLE = np.asarray([3, -2, 5])


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32])
@pytest.mark.parametrize("call", [operator.floordiv, operator.mod, operator.pow])
def test_numbers_on_the_left(call, dtype):
    array = np.abs(WHOLE).astype(dtype)
    result = call(7, eagre.tensor(array))
    expected = call(np.asarray(7, dtype), array)
    assert result.numpy().dtype == dtype
    np.testing.assert_array_equal(result.numpy(), expected)


def test_numbers_on_the_left_of_bits():
    x = eagre.tensor([1, 2, 3])
    assert (1 << x).tolist() == [2, 4, 8]
    assert (100 >> x).tolist() == [50, 25, 12]
    assert (6 & x).tolist() == [0, 2, 2]
    assert (6 | x).tolist() == [7, 6, 7]
    assert (6 ^ x).tolist() == [7, 4, 5]
    assert (1.5 // eagre.tensor([1, 2])).dtype is eagre.float32
    assert (2 ** eagre.tensor(3, dtype=eagre.int32)).dtype is eagre.int32


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (operator.ifloordiv, [1, -1, 2]),
        (operator.imod, [1, 0, 1]),
        (operator.ipow, [9, 4, 25]),
        (operator.iand, [2, 2, 0]),
        (operator.ior, [3, -2, 7]),
        (operator.ixor, [1, -4, 7]),
        (operator.ilshift, [12, -8, 20]),
        (operator.irshift, [0, -1, 1]),
    ],
)
def test_inplace_operators_keep_the_object(call, expected):
    x = eagre.tensor(WHOLE)
    result = call(x, 2)
    assert result is x
    assert x.tolist() == expected


def test_a_refused_division_writes_nothing():
    x = eagre.tensor([7, 8])
    for call in (operator.ifloordiv, operator.imod):
        with pytest.raises(eagre.InvalidArgumentError, match="'other'"):
            call(x, eagre.tensor([2, 0]))
    out = eagre.tensor([1, 1])
    with pytest.raises(eagre.InvalidArgumentError, match="'other'"):
        eagre.fmod(x, 0, out=out)
    assert x.tolist() == [7, 8]
    assert x._version == 0
    assert out.tolist() == [1, 1]


def test_dividing_nothing_by_zero_is_nothing():
    empty = eagre.tensor([], dtype=eagre.int64)
    assert (empty // 0).tolist() == []
    assert (eagre.tensor([], dtype=eagre.int64) % eagre.tensor([0])).tolist() == []


def test_zeros_are_found_in_any_layout():
    wide = eagre.tensor([[1, 0], [2, 3]])
    with pytest.raises(eagre.InvalidArgumentError, match="zeros"):
        eagre.tensor([[5, 5], [5, 5]]) // wide.transpose(0, 1)
    with pytest.raises(eagre.InvalidArgumentError, match="zeros"):
        eagre.tensor([[5, 5], [5, 5]]) % eagre.tensor(0).expand(2, 2)


def test_the_mask_of_a_gradient_may_be_reused():
    x = eagre.tensor([1.0, -2.0, 3.0], requires_grad=True)
    y = x * 1
    y.masked_fill_(y < 0, 0.0)
    y.sum().backward()
    assert x.grad.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: x // -2, [0, 0]),
        (lambda x: x.div(-2, rounding_mode="trunc"), [0, 0]),
        (lambda x: x.div(-2, rounding_mode="floor"), [0, 0]),
        (lambda x: x % -2, [5, 200]),
        (lambda x: x.fmod(-3), [5, 200]),
        (lambda x: x.remainder(300), [5, 24]),
        (lambda x: x % 255, [5, 200]),
        (lambda x: x // 255, [0, 0]),
        (lambda x: x + -3, [2, 197]),
        (lambda x: x * -3, [241, 168]),
        (lambda x: x > -3, [False, False]),
        (lambda x: x == -56, [False, True]),
        (lambda x: x.clamp(-3, 7), [5, 7]),
    ],
)
def test_numbers_wrap_around_among_bytes(call, expected):
    # Many elements: more than the loops for few of them.
    x = eagre.tensor([5, 200], dtype=eagre.uint8)
    assert call(x).tolist() == expected
    assert call(x.repeat(1000))[-2:].tolist() == expected


def test_functions_of_a_number_and_a_tensor():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    assert eagre.add(2, x).tolist() == [3, 4] and eagre.sub(1, x).tolist() == [0, -1]
    assert eagre.mul(2.5, x).tolist() == [2.5, 5] and eagre.div(1, x).tolist() == [1, 0.5]
    assert eagre.floor_divide(7, x).tolist() == [7, 3] and eagre.remainder(5, x).tolist() == [0, 1]
    assert eagre.add(1j, x).dtype is eagre.complex64
    eagre.sub(1, x).sum().backward()
    assert x.grad.tolist() == [-1, -1]
    with pytest.raises(TypeError, match="'input' must be a Tensor"):
        eagre.add("2", x)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nextafter(dtype):
    values = [0.0, -0.0, 1.0, -1.0, 1e-45, 3.5, float("nan"), 2.0]
    targets = [1.0, -1.0, 2.0, 0.0, -1.0, 3.5, 1.0, float("inf")]
    a, b = np.asarray(values, dtype), np.asarray(targets, dtype)
    found = eagre.nextafter(eagre.tensor(a), eagre.tensor(b)).numpy()
    np.testing.assert_array_equal(found, np.nextafter(a, b))


def test_edges():
    inf = float("inf")
    far = eagre.tensor([3e300, 4e300], dtype=eagre.float64)
    assert eagre.hypot(far[0], far[1]).item() == 5e300
    assert eagre.hypot(eagre.tensor([0.0]), eagre.tensor([0.0])).item() == 0
    assert eagre.hypot(eagre.tensor([inf]), eagre.tensor([1.0])).item() == inf
    assert eagre.logaddexp(eagre.tensor([-inf]), eagre.tensor([-inf])).item() == -inf
    assert eagre.xlogy(eagre.tensor([0.0]), eagre.tensor([0.0])).item() == 0
    assert eagre.sinc(eagre.tensor([0.0])).item() == 1
    assert eagre.exp2(eagre.tensor([3])).dtype is eagre.float32


def test_in_place_refuses():
    with pytest.raises(RuntimeError, match=r"exp2_\(\).*float32.*cannot be stored"):
        eagre.tensor([1, 2]).exp2_()
    with pytest.raises(RuntimeError, match=r"hypot_\(\).*shape \[2, 2\]"):
        eagre.ones(2).hypot_(eagre.ones(2, 2))
    with pytest.raises(TypeError, match=r"hypot\(\).*'other'.*int"):
        eagre.hypot(eagre.ones(2), 3)


def test_mixtures_that_are_refused():
    with pytest.raises(TypeError, match=r"fmax\(\).*'other'.*complex64"):
        eagre.fmax(eagre.ones(2), eagre.ones(2) + 0j)
    with pytest.raises(NotImplementedError, match=r"copysign\(\).*complex64"):
        eagre.copysign(eagre.ones(2), 2j)
    with pytest.raises(NotImplementedError, match=r"hypot\(\).*complex64"):
        eagre.hypot(eagre.ones(2), eagre.ones(2) + 0j)
    with pytest.raises(TypeError, match=r"complex\(\).*'real'.*float"):
        eagre.complex(1.0, eagre.ones(2))
    with pytest.raises(RuntimeError, match=r"float_power_\(\).*complex128.*float64"):
        eagre.ones(2, dtype=eagre.float64).float_power_(2j)
    with pytest.raises(TypeError, match=r"xlogy\(\)"):
        eagre.xlogy(2, 3)


def test_nextafter_steps_in_the_dtype_itself():
    for dtype in (eagre.float16, eagre.bfloat16, eagre.float32, eagre.float64):
        one, two = eagre.ones(1, dtype=dtype), eagre.full((1,), 2.0, dtype=dtype)
        step = (eagre.nextafter(one, two) - one).item()
        assert step == eagre.finfo(dtype).eps
        assert eagre.nextafter(one * 0, two).item() > 0


def test_squares_of_bools_are_integers():
    bools = eagre.tensor([True, False])
    assert bools.square().dtype is eagre.int64 and bools.square().tolist() == [1, 0]
    assert eagre.square(bools, out=eagre.zeros(2)).tolist() == [1, 0]
    with pytest.raises(RuntimeError, match=r"square_\(\).*int64.*bool"):
        bools.square_()
    assert eagre.func.vmap(eagre.square)(bools).dtype is eagre.int64


def test_a_weight_without_dimensions_may_be_of_any_dtype():
    a, b = eagre.zeros(2), eagre.ones(2)
    assert eagre.lerp(a, b, eagre.tensor(0.5, dtype=eagre.float64)).dtype is eagre.float32
    assert eagre.lerp(a, b, eagre.tensor(1)).tolist() == [1, 1]


@pytest.mark.parametrize("dtype", [eagre.float16, eagre.bfloat16])
def test_numbers_are_rounded_to_the_dtype_of_halves(dtype):
    """2.3 is no half: what is compared or added is the half nearest to it."""
    x = eagre.tensor([2.3, 1.0], dtype=dtype)
    near = eagre.tensor(2.3, dtype=dtype)
    wide = eagre.tensor(2.3, dtype=eagre.float64)
    for other in (2.3, wide):
        assert (x == other).tolist() == [True, False]
        assert (x >= other).tolist() == [True, False]
        for function in (eagre.add, eagre.sub, eagre.fmod, eagre.remainder, eagre.pow):
            assert function(x, other).tolist() == function(x, near).tolist()
    assert (2.3 - x).tolist() == (near - x).tolist()
    assert eagre.add(x, x, alpha=2.3).tolist() == eagre.add(x, x, alpha=near.item()).tolist()
    # Products are of the number itself.
    assert eagre.mul(x, 2.3).tolist() == (x.double() * 2.3).to(dtype).tolist()


def test_numbers_wrap_around_in_small_integers():
    for dtype in (eagre.uint8, eagre.int8):
        x = eagre.tensor([44, 3], dtype=dtype)
        assert (x == 300).tolist() == [True, False]
        assert (x + 2**40).tolist() == [44, 3]


def test_unsigned_integers_are_divided_and_shifted():
    for dtype in (eagre.uint16, eagre.uint32, eagre.uint64):
        x = eagre.tensor([7, 9], dtype=dtype)
        two = eagre.tensor([2, 2], dtype=dtype)
        assert (x // two).tolist() == [3, 4] and (x % two).tolist() == [1, 1]
        assert (x >> two).tolist() == [1, 2] and (x << two).tolist() == [28, 36]
        assert x.abs().tolist() == [7, 9] and x.square().tolist() == [49, 81]
        assert (-x + x).tolist() == [0, 0]
    top = eagre.tensor([-1], dtype=eagre.int64).view(eagre.uint64)  # 2**64 - 1
    assert (top // eagre.tensor([2], dtype=eagre.uint64)).tolist() == [2**63 - 1]
    assert (top >> eagre.tensor([64], dtype=eagre.uint64)).tolist() == [0]


def test_integers_are_rounded_to_halves_before_they_are_added():
    whole = eagre.tensor([2049, 65535], dtype=eagre.int32)
    x = eagre.tensor([1.0, -65504.0], dtype=eagre.float16)
    assert (whole + x).tolist() == (whole.to(eagre.float16) + x).tolist()
