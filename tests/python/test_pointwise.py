"""What samples do not say of pointwise operators: operators between numbers and tensors, gradients
where two values are equal, refused calls that must not write."""

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


def gradient(function, *values):
    inputs = [eagre.tensor(v, requires_grad=True) for v in values]
    return [g.tolist() for g in eagre.autograd.grad(function(*inputs).sum(), inputs)]


def test_equal_values_share_the_gradient_of_an_extreme():
    a, b = [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]
    assert gradient(eagre.maximum, a, b) == [[0, 0.5, 1], [1, 0.5, 0]]
    assert gradient(eagre.minimum, a, b) == [[1, 0.5, 0], [0, 0.5, 1]]


def test_bounds_that_are_met():
    """A number takes the whole gradient, a tensor half of it."""
    x, low, high = [0.0, 1.0, 2.0, 3.0, 4.0], [1.0] * 5, [3.0] * 5
    expected = [[0, 0.5, 1, 0.5, 0], [1, 0.5, 0, 0, 0], [0, 0, 0, 0.5, 1]]
    assert gradient(eagre.clamp, x, low, high) == expected
    assert gradient(lambda a: a.clamp(1, 3), x) == [[0, 0, 1, 0, 0]]
    assert gradient(eagre.clamp_min, x, low) == [[0, 0.5, 1, 1, 1], [1, 0.5, 0, 0, 0]]
    assert gradient(lambda a: a.clamp_max(3), x) == [[1, 1, 1, 0, 0]]
    # A lower bound above the upper one loses; all three the same are the input.
    assert gradient(eagre.clamp, [0.0], [2.0], [1.0]) == [[0], [0], [1]]
    assert gradient(eagre.clamp, [1.0], [1.0], [1.0]) == [[1], [0], [0]]


def test_the_origin_has_no_angle():
    assert gradient(eagre.atan2, [0.0, 1.0], [0.0, 0.0]) == [[0, 0], [0, -1]]


def test_powers_without_a_slope():
    assert gradient(lambda x: x**0, [0.0, 2.0]) == [[0, 0]]
    assert gradient(eagre.pow, [0.0, 0.0], [0.0, 2.0]) == [[0, 0], [0, 0]]
    assert gradient(lambda x: x**2, [-3.0]) == [[-6]]


def test_infinite_gradients_stay_where_they_belong():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    result = eagre.where(eagre.tensor([True, False]), x, 0)
    weights = eagre.tensor([1.0, float("inf")])
    assert eagre.autograd.grad(result, x, weights)[0].tolist() == [1, 0]


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
