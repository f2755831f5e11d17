"""Gradients where mathematics leaves a choice: equal elements, kinks, poles, infinities and NaN.
The choices are PyTorch's."""

import math

import numpy as np
import pytest

import eagre

INF, NAN = float("inf"), float("nan")


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


def gradient(function, *values):
    x = leaf(*values)
    function(x).sum().backward()
    return x.grad.tolist()


def gradients(function, *values):
    inputs = [eagre.tensor(v, requires_grad=True) for v in values]
    return [g.tolist() for g in eagre.autograd.grad(function(*inputs).sum(), inputs)]


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


def test_powers_to_zero_have_no_slope():
    for power in (0, 0.0, eagre.zeros(4)):
        x = eagre.tensor([0.0, INF, NAN, 2.0], requires_grad=True)
        assert eagre.autograd.grad((x**power).sum(), x)[0].tolist() == [0] * 4
    x = eagre.tensor([2.0], requires_grad=True)
    assert eagre.autograd.grad(x**0, x, eagre.tensor([INF]))[0].tolist() == [0]


def test_equal_elements_share_the_gradient():
    for function in (eagre.fmax, eagre.fmin, eagre.maximum):
        x, y = eagre.zeros(2, requires_grad=True), eagre.zeros(2, requires_grad=True)
        function(x, y).sum().backward()
        assert x.grad.tolist() == y.grad.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("extreme", [lambda x: x.max(), lambda x: x.amin(), lambda x: x.amax(0)])
def test_the_gradient_of_an_extreme_that_is_nan(extreme):
    x = eagre.tensor([1.0, math.nan, 2.0], requires_grad=True)
    extreme(x).backward()
    assert x.grad.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("step", ["floor", "ceil", "round", "trunc", "sign"])
def test_step_functions_stop_gradients_that_are_not_finite(step):
    x = eagre.tensor([0.25], requires_grad=True)
    (getattr(x, step)() * 0).sqrt().backward()
    assert x.grad.tolist() == [0.0]


def test_the_gradient_of_a_product_with_zeros_and_infinity():
    x = eagre.tensor([[math.inf, 0.0], [0.0, 2.0]], requires_grad=True)
    x.prod().backward()
    assert x.grad.tolist() == [[0, 0], [0, 0]]
    x = eagre.tensor([math.inf, 0.0, 3.0], requires_grad=True)
    x.prod().backward()
    assert x.grad.tolist()[:2] == [0, math.inf] and math.isnan(x.grad[2].item())


def test_the_gradient_of_normal_is_zero():
    mean = eagre.zeros(2, 1, requires_grad=True)
    std = eagre.ones(3, requires_grad=True)
    numbers = eagre.normal(mean, std)
    assert numbers.requires_grad and numbers.shape == (2, 3)
    numbers.sum().backward()
    assert mean.grad.tolist() == [[0], [0]] and std.grad.tolist() == [0, 0, 0]
    out = eagre.zeros(2)
    assert eagre.normal(eagre.tensor([1.0, 2.0]), 0, out=out) is out and out.tolist() == [1, 2]


def test_equal_values_share_the_gradient_of_an_extreme():
    a, b = [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]
    assert gradients(eagre.maximum, a, b) == [[0, 0.5, 1], [1, 0.5, 0]]
    assert gradients(eagre.minimum, a, b) == [[1, 0.5, 0], [0, 0.5, 1]]


def test_bounds_that_are_met():
    """A number takes the whole gradient, a tensor half of it."""
    x, low, high = [0.0, 1.0, 2.0, 3.0, 4.0], [1.0] * 5, [3.0] * 5
    expected = [[0, 0.5, 1, 0.5, 0], [1, 0.5, 0, 0, 0], [0, 0, 0, 0.5, 1]]
    assert gradients(eagre.clamp, x, low, high) == expected
    assert gradients(lambda a: a.clamp(1, 3), x) == [[0, 0, 1, 0, 0]]
    assert gradients(eagre.clamp_min, x, low) == [[0, 0.5, 1, 1, 1], [1, 0.5, 0, 0, 0]]
    assert gradients(lambda a: a.clamp_max(3), x) == [[1, 1, 1, 0, 0]]
    # A lower bound above the upper one loses; all three the same are the input.
    assert gradients(eagre.clamp, [0.0], [2.0], [1.0]) == [[0], [0], [1]]
    assert gradients(eagre.clamp, [1.0], [1.0], [1.0]) == [[1], [0], [0]]


def test_the_origin_has_no_angle():
    assert gradients(eagre.atan2, [0.0, 1.0], [0.0, 0.0]) == [[0, 0], [0, -1]]


def test_powers_without_a_slope():
    assert gradients(lambda x: x**0, [0.0, 2.0]) == [[0, 0]]
    assert gradients(eagre.pow, [0.0, 0.0], [0.0, 2.0]) == [[0, 0], [0, 0]]
    assert gradients(lambda x: x**2, [-3.0]) == [[-6]]


def test_infinite_gradients_stay_where_they_belong():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    result = eagre.where(eagre.tensor([True, False]), x, 0)
    weights = eagre.tensor([1.0, float("inf")])
    assert eagre.autograd.grad(result, x, weights)[0].tolist() == [1, 0]


def test_equal_extremes_share_the_gradient_of_amax_but_not_of_max():
    x = eagre.tensor([1.0, 3.0, 3.0], requires_grad=True)
    x.amax().backward()
    assert x.grad.tolist() == [0.0, 0.5, 0.5]
    x.grad = None
    x.max(0).values.backward()
    assert x.grad.tolist() == [0.0, 1.0, 0.0]


def test_gradients_at_edges():
    def slopes(function, *numbers):
        tensors = [eagre.tensor(n, dtype=eagre.float64, requires_grad=True) for n in numbers]
        grads = eagre.autograd.grad(function(*tensors).sum(), tensors)
        return [g.tolist() for g in grads]

    nan = float("nan")
    assert slopes(eagre.fmax, [1.0, 1.0, nan], [1.0, nan, 1.0]) == [[0.5, 1, 0], [0.5, 0, 1]]
    assert slopes(eagre.nextafter, [1.0, 1.0], [1.0, 2.0]) == [[0, 1], [0, 0]]
    assert slopes(eagre.xlogy, [0.0, 0.0], [0.0, 1.0])[0] == [0, 0]
    assert slopes(lambda x: eagre.xlogy(x, 0), [0.0]) == [[0]]
    assert slopes(eagre.copysign, [0.0, 2.0], [-1.0, -1.0]) == [[0, -1], [0, 0]]
    assert np.isnan(slopes(eagre.logit, [-1.0, 2.0])[0]).all()
    assert slopes(lambda x: eagre.logit(x, 0.25), [0.1, 0.9]) == [[0, 0]]
    assert slopes(eagre.nan_to_num, [nan, 1.0]) == [[0, 1]]
    assert slopes(eagre.angle, [-1.0, 1.0, float("inf")]) == [[0, 0, 0]]
    assert slopes(eagre.sinc, [0.0]) == [[0]]
    assert slopes(eagre.heaviside, [0.0, 1.0], [0.5, 0.5]) == [[0, 0], [1, 0]]


def test_equal_elements_share_the_gradient_of_a_median():
    for name in ("median", "nanmedian"):
        x = eagre.tensor([[2.0, 1.0, 2.0], [5.0, 2.0, 0.0]], requires_grad=True)
        getattr(x, name)().backward()
        assert x.grad.mul(3).tolist() == [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    x = eagre.tensor([1.0, float("nan"), float("nan")], requires_grad=True)
    x.median().backward()
    assert x.grad.tolist() == [0.0, 0.5, 0.5]
