"""What the forward of an autograd.Function marks: written, without gradient, once, materialised."""

import pytest
from user_functions import defined, leaf

from eagre.autograd import Function


class Double(Function):
    """In place."""

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, g):
        return g * 2


# Row: PyTorch K5
def test_in_place():
    x = leaf(1.0, 2.0)
    y = x * 1
    version = y._version
    z = Double.apply(y)
    assert z is y and y._version > version and y.grad_fn.name() == "DoubleBackward"
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


# Row: PyTorch K5
def test_in_place_errors():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        Double.apply(x)
    forgets = defined(lambda ctx, x: ctx.mark_dirty(x) or x * 2, lambda ctx, g: g)
    with pytest.raises(RuntimeError, match="were not returned as output"):
        forgets.apply(x * 1)
    two = defined(lambda ctx, x: ctx.mark_dirty(x) or (x.mul_(2), x + 1), lambda ctx, g, h: g)
    with pytest.raises(RuntimeError, match="view"):
        two.apply((x * 1)[:1])

    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    with pytest.warns(UserWarning, match="Only input Tensors should be given to ctx.mark_dirty"):
        defined(forward, lambda ctx, g: g).apply(x)


# Row: PyTorch K6
def test_results_without_gradient():
    seen = []

    def forward(ctx, x):
        sign = x.sign()
        ctx.mark_non_differentiable(sign)
        return x * 2, sign

    def backward(ctx, g, of_sign):
        seen.append(of_sign)
        return g * 2

    x = leaf(-1.0, 2.0)
    y, sign = defined(forward, backward).apply(x)
    assert y.requires_grad and not sign.requires_grad
    (y * sign).sum().backward()
    assert x.grad.tolist() == [-2.0, 2.0] and seen[0].tolist() == [0.0, 0.0]


# Row: PyTorch K7
@pytest.mark.parametrize("materialize", [True, False])
def test_missing_gradients(materialize):
    seen = []

    def forward(ctx, x):
        ctx.set_materialize_grads(materialize)
        return x * 2, x * 3

    def backward(ctx, g, h):
        seen.append(h)
        return g

    first, _ = defined(forward, backward).apply(leaf(1.0))
    first.backward()
    assert seen[0] is None or seen[0].tolist() == [0.0]
    assert (seen[0] is None) is not materialize


# Row: PyTorch K8
def test_an_argument_that_comes_back_is_another_tensor():
    x = leaf(1.0)
    y = defined(lambda ctx, x: x, lambda ctx, g: g * 5).apply(x)
    assert y is not x and y.grad_fn.name() == "MadeBackward"
    y.backward()
    assert x.grad.item() == 5.0
    with pytest.raises(RuntimeError):
        y.mul_(2)


# Row: PyTorch K9
def test_the_same_result_twice():
    def forward(ctx, x):
        y = x * 2
        return y, y

    x = leaf(1.0)
    a, b = defined(forward, lambda ctx, g, h: (g + h) * 2).apply(x)
    assert a is b
    (a * b).backward()
    assert x.grad.item() == 8.0
