"""PyLayer: Paddle's form of functions with a gradient of their own."""

import pytest

import eagre
from eagre.autograd import PyLayer, PyLayerContext


class Scale(PyLayer):
    @staticmethod
    def forward(ctx, name, x, factor, *, offset=0.0):
        assert isinstance(ctx, PyLayerContext)
        ctx.factor = factor
        ctx.save_for_backward(x)
        return x * factor + offset

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensor()
        assert x.tolist() == [1.0, 2.0]
        return gradient * ctx.factor


def test_backward_returns_gradients_of_tensors_only():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    y = Scale.apply("name", x, 3.0, offset=1.0)
    assert y.tolist() == [4.0, 7.0] and y.grad_fn.name() == "ScaleBackward"
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_wrong_number_of_gradients():
    class Wrong(Scale):
        @staticmethod
        def backward(ctx, gradient):
            return gradient, None

    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="expected 1, got 2"):
        Wrong.apply("name", x, 3.0).sum().backward()


def test_one_gradient_per_argument_is_fine_too():
    class Whole(Scale):
        @staticmethod
        def backward(ctx, gradient):
            return None, gradient * ctx.factor, None

    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    Whole.apply("name", x, 3.0).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_an_argument_that_comes_back():
    class Same(PyLayer):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_not_inplace(x)
            return x

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 2

    x = eagre.ones(2, requires_grad=True)
    Same.apply(x).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]
