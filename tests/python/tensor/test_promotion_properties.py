"""Dtypes and values of binary operators over all pairs of dtypes, places and shapes. The dtypes are
those of the table in tests/cpp that was recorded from PyTorch."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import COMPLEX, DTYPES

import eagre

TABLE = Path(__file__).parents[2] / "cpp" / "promotion_table.h"
ROW = re.compile(r"\{k(\w+), k(\w+), k(\w+), k(\w+), k(\w+), k(\w+)\}")
NUMBERS = {"Bool": True, "Int64": 2, "Float64": 1.5, "Complex128": 1 + 2j}
NUMPY = {ours: theirs for theirs, ours in {**DTYPES, **COMPLEX}.items()}
SETTINGS = settings(deadline=None, max_examples=400, derandomize=True)

COMPARISONS = {"eq": np.equal, "ne": np.not_equal}
ARITHMETIC = {"add": np.add, "mul": np.multiply}
SHAPES = [(1,), (2, 3), (3,), (0,), (2, 1)]


def dtype_named(name):
    return getattr(eagre, name.lower())


def read_rows():
    rows = ROW.findall(TABLE.read_text())
    assert len(rows) > 1000
    return [row for row in rows if row[1] != "Number"]


ROWS = read_rows()
# float8 is promoted, but not added.
COMPUTED = [row for row in ROWS if not row[-1].startswith("Float8")]


@st.composite
def calls(draw):
    """Two operands of a row of the table, the default dtype it holds for, and the result's."""
    default, a_place, a, b_place, b, result = draw(st.sampled_from(COMPUTED))

    def operand(place, name):
        if place == "Number":
            return NUMBERS[name]
        shape = () if place == "ZeroDim" else draw(st.sampled_from(SHAPES))
        count = int(np.prod(shape))
        digits = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
        return eagre.tensor(digits, dtype=eagre.int64).reshape(shape).to(dtype_named(name))

    pair = operand(a_place, a), operand(b_place, b)
    return dtype_named(default), *pair, None if result == "Refused" else dtype_named(result)


@pytest.fixture(autouse=True)
def default_dtype():
    yield
    eagre.set_default_dtype(eagre.float32)


def broadcastable(a, b):
    sizes = [x.shape if isinstance(x, eagre.Tensor) else () for x in (a, b)]
    try:
        return np.broadcast_shapes(*map(tuple, sizes))
    except ValueError:
        return None


def in_dtype(operand, dtype):
    """The operand as an array of the dtype; bfloat16 is exact in float32 for these numbers, and
    complex32 in complex64."""
    values = operand.to(eagre.complex128).numpy() if isinstance(operand, eagre.Tensor) else operand
    numpy_dtype = NUMPY.get(dtype, np.complex64 if dtype.is_complex else np.float32)
    values = np.asarray(values)
    if not np.issubdtype(numpy_dtype, np.complexfloating):
        values = values.real
    return values.astype(numpy_dtype)


@SETTINGS
@given(calls())
def test_result_dtypes_and_values(call):
    default, a, b, dtype = call
    shape = broadcastable(a, b)
    if shape is None:
        return
    eagre.set_default_dtype(default)
    if dtype is None:
        for name in ARITHMETIC:
            with pytest.raises(eagre.Error):
                getattr(eagre, name)(a, b)
        return
    assert eagre.result_type(a, b) is dtype
    for name, function in ARITHMETIC.items():
        result = getattr(eagre, name)(a, b)
        assert result.dtype is dtype and tuple(result.shape) == shape
        expected = function(in_dtype(a, dtype), in_dtype(b, dtype))
        np.testing.assert_array_equal(in_dtype(result, dtype), expected)
    for name, function in COMPARISONS.items():
        result = getattr(eagre, name)(a, b)
        assert result.dtype is eagre.bool and tuple(result.shape) == shape
        expected = function(in_dtype(a, dtype), in_dtype(b, dtype))
        np.testing.assert_array_equal(result.numpy(), expected)
    whole = not dtype.is_floating_point and not dtype.is_complex
    assert eagre.div(a, b).dtype is (default if whole else dtype)


@SETTINGS
@given(calls())
def test_both_orders_give_one_dtype(call):
    default, a, b, dtype = call
    eagre.set_default_dtype(default)
    if dtype is not None and broadcastable(a, b) is not None:
        assert eagre.result_type(b, a) is dtype
        assert (b + a).dtype is dtype


@SETTINGS
@given(calls())
def test_in_place_keeps_the_dtype_or_refuses(call):
    default, a, b, dtype = call
    eagre.set_default_dtype(default)
    if dtype is None or broadcastable(a, b) != tuple(a.shape):
        return
    before = a.clone()
    if eagre.can_cast(dtype, a.dtype):
        sum_before = eagre.add(a, b).to(a.dtype)
        assert a.add_(b) is a and a.dtype is before.dtype
        np.testing.assert_array_equal(in_dtype(a, a.dtype), in_dtype(sum_before, a.dtype))
    else:
        with pytest.raises(eagre.Error):
            a.add_(b)
        np.testing.assert_array_equal(in_dtype(a, a.dtype), in_dtype(before, a.dtype))


def test_every_row_of_the_table():
    """What the examples above draw from, once each: dtypes alone."""
    for default, a_place, a, b_place, b, result in ROWS:
        eagre.set_default_dtype(dtype_named(default))
        first = eagre.ones([1] if a_place == "Dimensioned" else [], dtype=dtype_named(a))
        second = (
            NUMBERS[b]
            if b_place == "Number"
            else eagre.ones([1] if b_place == "Dimensioned" else [], dtype=dtype_named(b))
        )
        if result == "Refused":
            with pytest.raises(eagre.Error):
                first * second
        else:
            assert (first * second).dtype is dtype_named(result), (default, a_place, a, b_place, b)
