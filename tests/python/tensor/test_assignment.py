"""What may be assigned to items of tensors: shapes and numbers that fit."""

import math

import pytest
from child import run

import eagre


def test_leading_ones_of_what_is_assigned_say_nothing():
    x = eagre.zeros(2, 3)
    x[0] = eagre.ones(1, 1, 3)
    x[eagre.tensor([1]), 0] = eagre.full((1, 1, 1), 5.0)
    x[1, 2] = eagre.full((1,), 7.0)
    assert x.tolist() == [[1.0, 1.0, 1.0], [5.0, 0.0, 7.0]]
    with pytest.raises(RuntimeError):
        x[0] = eagre.ones(2, 3)


@pytest.mark.parametrize("key", [0, slice(None), [0, 1], eagre.tensor([True, False, True]), ...])
@pytest.mark.parametrize(
    ("number", "dtype"),
    [(1j, eagre.float32), (1j, eagre.int64), (300, eagre.uint8), (math.nan, eagre.int64)],
)
def test_numbers_that_the_elements_cannot_hold_are_not_assigned(key, number, dtype):
    x = eagre.zeros(3, dtype=dtype)
    with pytest.raises(
        eagre.InvalidArgumentError, match=f"'values'.*converted to type {str(dtype)[6:]} "
    ):
        x[key] = number
    assert x.tolist() == [0, 0, 0]


def test_numbers_that_lose_a_fraction_are_assigned():
    x = eagre.zeros(3, dtype=eagre.int64)
    x[0], x[[1]] = 1.7, 2.7
    x[eagre.tensor([False, False, True])] = eagre.tensor(3.7)
    assert x.tolist() == [1, 2, 3]
    y = eagre.zeros(2)
    y[0] = 2 + 0j
    assert y.tolist() == [2, 0]


def test_tensors_of_another_dtype_are_not_assigned_at_indices():
    for dtype, value in ((eagre.float32, 1j), (eagre.int64, 1.5), (eagre.float64, 1)):
        x = eagre.zeros(3, dtype=dtype)
        with pytest.raises(eagre.DTypeError, match="index_put.*dtypes match"):
            x[[0, 1]] = eagre.tensor([value, value])
        assert x.tolist() == [0, 0, 0]


def test_complex_numbers_in_a_real_tensor_are_warned_about():
    run("""
        import warnings, eagre
        warnings.simplefilter("always")
        with warnings.catch_warnings(record=True) as caught:
            x = eagre.zeros(2)
            x[0] = eagre.tensor(2 + 3j)
        assert x.tolist() == [2, 0]
        assert "imaginary" in str(caught[0].message)
    """)
