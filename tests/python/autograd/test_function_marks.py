"""What the forward of an autograd.Function marks: written, without gradient, once, materialised."""

import pytest
from user_functions import defined, leaf

import eagre
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


def test_a_view_of_an_argument_without_recording():
    made = defined(lambda ctx, x: x[:], lambda ctx, g: g)
    x = eagre.ones(2, requires_grad=True)
    with eagre.no_grad():
        view = made.apply(x)
        assert view.requires_grad == x[:].requires_grad
    assert view._is_view()
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and is being"):
        view.zero_()


def test_views_that_functions_return():
    x = eagre.ones(2, 2, requires_grad=True)
    base = x * 1
    view = defined(lambda ctx, x: x.view(-1), lambda ctx, g: g.view(2, 2)).apply(base)
    with pytest.raises(RuntimeError, match="Output 0 of Made is a view and is being modified"):
        view.mul_(2)

    def forward(ctx, x):
        ctx._is_pure_view = True
        return x.view(-1)

    view = defined(forward, lambda ctx, g: g.view(2, 2)).apply(base)
    view[:1].mul_(5)
    base.sum().backward()
    assert x.grad.tolist() == [[5.0, 1.0], [1.0, 1.0]]


def test_no_zeros_for_results_without_gradient():
    seen = []

    def forward(ctx, x):
        other = x.clone()
        ctx.mark_non_differentiable(other)
        ctx._materialize_non_diff_grads = False
        return x * 2, other

    def backward(ctx, first, second):
        seen.append(second)
        return first * 2

    made = defined(forward, backward)
    made.apply(eagre.ones(1, requires_grad=True))[0].backward()
    assert seen == [None]


def test_what_was_freed_is_an_error_for_its_places_too():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    y = defined(forward, lambda ctx, g: g * 2).apply(eagre.ones(1, requires_grad=True))
    assert len(y.grad_fn._raw_saved_tensors) == 1
    y.backward()
    with pytest.raises(RuntimeError, match="Specify retain_graph=True"):
        y.grad_fn._raw_saved_tensors  # noqa: B018
