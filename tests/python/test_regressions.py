"""Defects that were found by trying to break the library, each with the case that showed it."""

import math

import pytest

import eagre


@pytest.mark.parametrize(
    "call",
    [
        lambda: eagre.matmul((v := eagre.ones(3)), v, out=v),
        lambda: eagre.matmul((v := eagre.zeros(0)), v, out=v),
        lambda: eagre.add((a := eagre.ones(1, 3)), eagre.ones(3, 3), out=a),
        lambda: eagre.sum((a := eagre.arange(9.0).reshape(3, 3)), 0, out=a),
        lambda: eagre.var((a := eagre.arange(9.0).reshape(3, 3)), 0, out=a),
    ],
    ids=["matmul", "matmul_empty", "add", "sum", "var"],
)
def test_an_input_is_not_resized_as_out(call):
    with pytest.raises(RuntimeError, match="shares memory with an input, so it cannot be resized"):
        call()


def test_a_refused_call_does_not_resize_out():
    out = eagre.ones(3, 1)
    with pytest.raises(IndexError):
        eagre.index_select(eagre.ones(4, 2), 0, eagre.tensor([0, 9]), out=out)
    assert out.shape == (3, 1)


def test_topk_of_nothing_from_a_number():
    values, indices = eagre.topk(eagre.tensor(5.0), 0)
    assert values.item() == 5.0 and indices.item() == 0


def test_powers_of_negative_numbers_with_complex_exponents():
    x = eagre.tensor([-0.5], dtype=eagre.float64, requires_grad=True)
    eagre.view_as_real(eagre.pow(x, 1j)).sum().backward()
    step = 1e-6
    values = [complex(-0.5 + d) ** 1j for d in (step, -step)]
    slope = (values[0] - values[1]) / (2 * step)
    assert x.grad.item() == pytest.approx(slope.real + slope.imag, rel=1e-6)
    exponent = eagre.tensor([1 + 0.5j], requires_grad=True)
    eagre.view_as_real(eagre.pow(eagre.tensor([-2]), exponent)).sum().backward()
    slope = complex(-2) ** (1 + 0.5j) * complex(math.log(2), math.pi)
    gradient = exponent.grad.item()
    assert gradient.real == pytest.approx(slope.real + slope.imag, rel=1e-4)
    assert gradient.imag == pytest.approx(slope.real - slope.imag, rel=1e-4)


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


def test_a_quotient_may_be_written_after_it_was_used():
    a, b = eagre.ones(2, requires_grad=True), eagre.full((2,), 2.0, requires_grad=True)
    y = a / b
    y += 1
    y.sum().backward()
    assert b.grad.tolist() == [-0.25, -0.25]


def test_leading_ones_of_what_is_assigned_say_nothing():
    x = eagre.zeros(2, 3)
    x[0] = eagre.ones(1, 1, 3)
    x[eagre.tensor([1]), 0] = eagre.full((1, 1, 1), 5.0)
    x[1, 2] = eagre.full((1,), 7.0)
    assert x.tolist() == [[1.0, 1.0, 1.0], [5.0, 0.0, 7.0]]
    with pytest.raises(RuntimeError):
        x[0] = eagre.ones(2, 3)


def test_a_view_without_elements_is_written():
    y = eagre.zeros(0, 3, requires_grad=True) * 1
    view = y[:, 1]
    view.mul_(2)
    assert (view + 1).shape == (0,)


def test_a_view_of_another_kind_of_number_needs_no_gradient():
    x = eagre.ones(2, dtype=eagre.float64, requires_grad=True)
    assert not x.view(eagre.int64).requires_grad


def test_the_transpose_of_a_vector_is_a_view_of_its_own():
    x = eagre.ones(3)
    x.t().unsqueeze_(0)
    assert x.shape == (3,) and x.T is not x
