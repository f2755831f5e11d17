"""Faults that Paddle's dygraph has, and Eagre must not."""

import time

import numpy as np
import pytest

import eagre
from eagre.autograd import grad


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


# Row: Paddle defect 1, Paddle B9
def test_an_exception_of_a_hook_that_returns_nothing_reaches_the_caller():
    def fail(*nothing):
        raise KeyError("mine")

    x = leaf(1.0)
    for register in (x._register_backward_hook, x.register_post_accumulate_grad_hook):
        handle = register(fail)
        with pytest.raises(KeyError, match="mine"):
            (x * 2).backward()
        handle.remove()
    x.grad = None
    (x * 2).backward()
    assert x.grad.tolist() == [2.0]


# Row: Paddle defect 2
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: eagre.add(x), "other"),
        (lambda x: eagre.add(x, x, x, x), "at most 2"),
        (lambda x: eagre.add(), "input"),
        (lambda x: eagre.add(x, x, beta=1), "beta"),
        (lambda x: eagre.add(x, x, other=x), "other"),
        (lambda x: x.exp(1), "exp"),
    ],
)
def test_too_few_too_many_and_unknown_arguments_are_errors(call, words):
    with pytest.raises(TypeError, match=words):
        call(leaf(1.0))


# Row: Paddle defect 6, Paddle B13
def test_a_root_on_the_path_of_another_root():
    x = leaf(2.0)
    c, d = x * 2, x * 3
    e = d * c
    eagre.autograd.backward([e, c, d])
    assert x.grad.tolist() == [24.0 + 2.0 + 3.0]
    assert grad([d * c, c, d], x)[0].tolist() == [29.0]


# Row: Paddle defect 8, Paddle B22
def test_hooks_of_leaves_and_of_interior_tensors_change_what_grad_returns():
    x = leaf(2.0)
    y = x * 3
    z = y * 5
    x.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: g * 100)
    results = grad(z, [x, y], retain_graph=True)
    assert [r.tolist() for r in results] == [[15_000.0], [500.0]]
    assert grad(z, y)[0].tolist() == [500.0]


# Row: Paddle B21
def test_an_output_that_is_an_input_adds_its_own_gradient():
    x = leaf(2.0)
    assert grad(x, x)[0].tolist() == [1.0]
    assert grad([x * 3, x], x)[0].tolist() == [4.0]


# Row: Paddle B26, Paddle defect 4
def test_the_result_of_a_nested_grad_can_be_differentiated():
    x, w = leaf(3.0), leaf(2.0)
    inner = []

    def nest(gradient):
        with eagre.enable_grad():
            inner.extend(grad(w * w * w, w, create_graph=True))

    y = x * 1
    y.register_hook(nest)
    assert grad(y * 5, x)[0].tolist() == [5.0]
    assert inner[0].tolist() == [12.0] and grad(inner[0], w)[0].tolist() == [12.0]


# Row: Paddle defect 14
def test_every_element_of_a_list_counts_for_its_dtype():
    x, y = leaf(1.0), eagre.ones(1, dtype=eagre.float64, requires_grad=True)
    assert eagre.cat([x, y]).dtype is eagre.cat([y, x]).dtype is eagre.float64
    eagre.cat([x, y]).sum().backward()
    assert x.grad.dtype is eagre.float32 and y.grad.dtype is eagre.float64
    assert eagre.stack([eagre.ones(1, dtype=eagre.int64), x]).dtype is eagre.float32


def seconds_of_a_short_grad(length):
    y = leaf(1.0)
    for _ in range(length):
        y = y * 1.0
    z = y * 2
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(20):
            grad(z, y, retain_graph=True)
        best = min(best, time.perf_counter() - start)
    return best


# Row: Paddle defect 18, Paddle B18
def test_the_cost_of_grad_is_that_of_the_part_between_outputs_and_inputs():
    assert seconds_of_a_short_grad(100_000) < 20 * seconds_of_a_short_grad(10)


# Row: Paddle defect 19
def test_backward_of_a_tensor_that_needs_no_gradient_is_an_error():
    with pytest.raises(RuntimeError, match="does not require grad"):
        eagre.ones(1).backward()
    with eagre.no_grad():
        y = leaf(1.0) * 2
    with pytest.raises(RuntimeError, match="does not require grad"):
        y.backward()


# Row: Paddle defect 20
def test_a_bool_may_be_numpys_but_not_none():
    x = eagre.ones(2, 3)
    assert x.sum(0, keepdim=np.bool_(True)).shape == (1, 3)
    assert x.sum(0, keepdim=np.bool_(False)).shape == (3,)
    for wrong in (None, 1, "yes", np.int64(1)):
        with pytest.raises(TypeError, match="'keepdim' must be a bool"):
            x.sum(0, keepdim=wrong)
