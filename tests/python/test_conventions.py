"""Gradients where mathematics leaves a choice, and of indices: the choices are PyTorch's."""

import numpy as np
import pytest
from records import load_records

import eagre

INF = float("inf")


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


def gradient(function, *values):
    x = leaf(*values)
    function(x).sum().backward()
    return x.grad.tolist()


# Row: PyTorch O4
@pytest.mark.parametrize("name", ["max", "min", "amax", "amin"])
def test_extremes_share_their_gradient_among_equals(name):
    assert gradient(lambda x: getattr(x, name)(), 2.0, 2.0, 2.0, 2.0) == [0.25] * 4


# Row: PyTorch O4
def test_an_extreme_with_an_index_gives_its_gradient_to_that_element():
    assert gradient(lambda x: x.max(0).values, 1.0, 1.0, 0.0) == [1.0, 0.0, 0.0]


# Row: PyTorch O4
def test_elementwise_extremes_share_between_operands():
    x, y = leaf(1.0, 2.0), leaf(1.0, 5.0)
    eagre.maximum(x, y).sum().backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([0.5, 0.0], [0.5, 1.0])


# Row: PyTorch O4
def test_powers_of_zero():
    exponents = eagre.tensor([-1.0, 0.0, 1.0])
    assert gradient(lambda x: x**exponents, 0.0, 0.0, 0.0) == [-INF, 0.0, 1.0]
    assert gradient(lambda x: eagre.zeros(3) ** x, -1.0, 0.0, 1.0) == [-INF, 0.0, 0.0]
    assert gradient(lambda x: x**0.0, 0.0) == [0.0]


# Row: PyTorch O4
@pytest.mark.parametrize(
    ("function", "values", "expected"),
    [
        (lambda x: x.abs(), (0.0, 1.0), [0.0, 1.0]),
        (lambda x: x.relu(), (0.0, 1.0), [0.0, 1.0]),
        (lambda x: x.sqrt(), (0.0, 4.0), [INF, 0.25]),
        (lambda x: x.prod(), (0.0, 2.0), [2.0, 0.0]),
        (lambda x: x.clamp(1.0, 2.0), (1.0, 1.5, 2.0, 3.0), [0.0, 1.0, 0.0, 0.0]),
    ],
    ids=["abs", "relu", "sqrt", "prod", "clamp"],
)
def test_kinks_and_poles(function, values, expected):
    assert gradient(function, *values) == expected


# Row: PyTorch O4
def test_the_angle_at_the_origin_has_no_gradient():
    x, y = leaf(0.0), leaf(0.0)
    eagre.atan2(x, y).backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([0.0], [0.0])


# Row: PyTorch O4
def test_reductions_by_index_share_among_equals():
    def reduced(x):
        return eagre.zeros(1).scatter_reduce(0, eagre.tensor([0] * 4), x, "amax")

    assert gradient(reduced, 3.0, 1.0, 3.0, 2.0) == [0.5, 0.0, 0.5, 0.0]


# --- indices ---


# Row: PyTorch O5
@pytest.mark.parametrize(
    "index",
    [
        [0, 0],
        np.array([1, 1, 1]),
        (..., 1),
        (None, slice(1, None), [0, 0]),
        np.array([[True, False, True], [False, True, False]]),
        (1, [0, 1, 1]),
        (slice(None), None, slice(None, None, 2)),
        np.array([[0, 1], [1, 0]]),
        ([0, 1, 0], [2, 2, 2]),
        (np.array([True, False]), [1, 1]),
        (..., [2, 0, 2]),
    ],
    ids=repr,
)
def test_the_gradient_of_an_index_adds_up_where_it_repeats(index):
    def as_tensors(entry):
        return eagre.tensor(entry) if isinstance(entry, np.ndarray) else entry

    ours = tuple(map(as_tensors, index)) if isinstance(index, tuple) else as_tensors(index)
    x = eagre.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    picked = x[ours]
    weights = np.arange(1.0, picked.numel() + 1, dtype=np.float32).reshape(tuple(picked.shape))
    picked.backward(eagre.tensor(weights))
    expected = np.zeros((2, 3), np.float32)
    np.add.at(expected, index, weights)
    np.testing.assert_array_equal(x.grad.numpy(), expected)


# --- derivatives that are not there ---


def makes_floats(record):
    takes_floats = any(dtype.startswith(("float", "complex")) for dtype in record["dtypes"])
    has_tensor = any("Tensor" in kind for _, kind, _ in record["parameters"])
    return takes_floats and has_tensor and record["result"] not in ("bool", "int64")


# Row: PyTorch B18
def test_every_operator_of_floats_has_a_derivative():
    """So none has to say that its is not implemented. A node that does: errors_test.cpp."""
    without = [
        record["op"]
        for record in load_records()
        if makes_floats(record) and record["kind"] != "composite" and not record["differentiable"]
    ]
    # Gradients that are computed at once where nobody asks for theirs; else formulas do it.
    fused = [name for name in without if "_fused_grad" in name]
    assert sorted(set(without) - set(fused)) == ["dropout_mask"]  # random
    assert fused
    assert issubclass(eagre.UnimplementedError, NotImplementedError)
