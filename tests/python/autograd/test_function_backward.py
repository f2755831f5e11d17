"""The backward of an autograd.Function: what it gets, may return and may do."""

import threading

import numpy as np
import pytest
from user_functions import Cube, Exp, defined, leaf

import eagre
from eagre.autograd import Function, grad
from eagre.autograd.function import once_differentiable


# Row: PyTorch K10
def test_wrong_numbers_and_types_of_gradients():
    x, y = leaf(1.0), leaf(2.0)

    def backward_returns(value, *args):
        defined(lambda ctx, x, *rest: x * 2, lambda ctx, g: value).apply(x, *args).backward()

    one = eagre.ones(1)
    backward_returns((one, None, None))
    with pytest.raises(RuntimeError, match=r"incorrect number of gradients \(expected 1, got 2\)"):
        backward_returns((one, one))
    with pytest.raises(RuntimeError, match=r"incorrect number of gradients \(expected 2, got 1\)"):
        backward_returns(one, y)
    with pytest.raises(RuntimeError, match="different from None at position 1"):
        backward_returns((one, one), 3)
    for wrong in (3, (3,), [one]):
        with pytest.raises(RuntimeError, match="expected Variable or None"):
            backward_returns(wrong)
    wide = defined(lambda ctx, x: x.sum(), lambda ctx, g: eagre.ones(5)).apply(leaf(1.0, 2.0))
    with pytest.raises(RuntimeError, match="invalid gradient"):
        wide.backward()


# Row: PyTorch K11
def test_once_differentiable():
    class Once(Exp):
        @staticmethod
        @once_differentiable
        def backward(ctx, g):
            assert not eagre.is_grad_enabled()
            return g * ctx.saved_tensors[0]

    x = leaf(1.0)
    Once.apply(x).backward()
    (first,) = grad(Once.apply(x) ** 2, x, create_graph=True)
    with pytest.raises(RuntimeError, match="trying to differentiate twice a function that was"):
        first.backward()


# Row: PyTorch K12
def test_derivatives_of_any_order():
    x = leaf(0.5)
    y = Exp.apply(x)
    for _ in range(4):
        (y,) = grad(y, x, create_graph=True)
        np.testing.assert_allclose(y.item(), np.exp(0.5), rtol=1e-6)


# Row: PyTorch K16
def test_forward_is_not_recorded():
    seen = []
    made = defined(lambda ctx, x: seen.append(eagre.is_grad_enabled()) or x * 2, lambda ctx, g: g)
    x = leaf(1.0)
    assert made.apply(x).requires_grad
    with eagre.no_grad():
        assert not made.apply(x).requires_grad
    assert seen == [False, False] and eagre.is_grad_enabled()
    assert not made.apply(x.detach()).requires_grad
    with pytest.raises(ZeroDivisionError):
        defined(lambda ctx, x: 1 / 0).apply(x)
    assert eagre.is_grad_enabled()


# Row: PyTorch K17
def test_writing_to_temporaries():
    def forward(ctx, x):
        y = x.clone()
        y.mul_(3)
        return y

    x = leaf(1.0)
    y = defined(forward, lambda ctx, g: g * 3).apply(x)
    assert y.grad_fn.name() == "MadeBackward"
    y.backward()
    assert x.grad.item() == 3.0


# Row: PyTorch K18
def test_gradients_in_a_list():
    class Boxed(Function):
        boxed_grads_call = True

        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, gradients):
            assert type(gradients) is list
            return gradients.pop() * 3 + gradients.pop() * 2

    x = leaf(1.0)
    sum(Boxed.apply(x)).backward()
    assert x.grad.item() == 5.0
    Boxed.boxed_grads_call = 1
    with pytest.raises(TypeError, match="boxed_grads_call must be a bool, got int"):
        sum(Boxed.apply(x)).backward()


def test_errors_of_python_pass_unchanged():
    class MineError(Exception):
        pass

    def backward(ctx, g):
        raise MineError("here")

    with pytest.raises(MineError, match="here"):
        defined(lambda ctx, x: x * 2, backward).apply(leaf(1.0)).backward()


def test_backward_in_backward():
    def backward(ctx, g):
        with eagre.enable_grad():
            x = leaf(2.0)
            (x**2).backward()
        return g * x.grad

    x = leaf(1.0)
    defined(lambda ctx, x: x * 4, backward).apply(x).backward()
    assert x.grad.item() == 4.0


def test_from_several_threads():
    x = leaf(1.0)

    def work():
        for _ in range(200):
            grad(Exp.apply(x) * Cube.apply(x), x)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("is_leaf", [True, False])
def test_what_was_written_and_has_no_gradient_is_another_tensor(is_leaf):
    class WriteOnly(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            ctx.mark_non_differentiable(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    x = eagre.ones(2, requires_grad=True) if is_leaf else eagre.ones(2, requires_grad=True) * 1
    node = x.grad_fn
    y = WriteOnly.apply(x)
    assert y is not x and y.tolist() == x.tolist() == [2.0, 2.0]
    assert (y.requires_grad, y.grad_fn, y.data_ptr()) == (False, None, x.data_ptr())
    assert x.requires_grad and x.grad_fn is node
    plain = eagre.ones(2)
    assert WriteOnly.apply(plain) is plain


def test_an_exception_in_backward_names_the_line_of_apply():
    def fails(ctx, gradient):
        raise KeyError("mine")

    made = defined(lambda ctx, x: x * 2, fails)
    y = made.apply(leaf(1.0))
    with pytest.raises(KeyError, match="mine") as caught:
        y.sum().backward()
    (note,) = caught.value.__notes__
    assert "in the backward of MadeBackward, recorded at" in note
    assert "test_function_backward.py:" in note
