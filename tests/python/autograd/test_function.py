"""autograd.Function: calls, and what is saved."""

import numpy as np
import pytest
from user_functions import Exp, defined, leaf

import eagre
from eagre.autograd import Function, grad
from eagre.autograd.function import InplaceFunction
from eagre.autograd.graph import saved_tensors_hooks

# --- calls ---


# Row: PyTorch K1
def test_forward_and_backward():
    x = leaf(0.0, 1.0)
    y = Exp.apply(x)
    np.testing.assert_allclose(y.detach().numpy(), np.exp([0.0, 1.0]), rtol=1e-6)
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.exp([0.0, 1.0]), rtol=1e-6)
    assert "grad_fn=<ExpBackward>" in repr(y)


# Row: PyTorch K1
def test_what_is_no_tensor_passes_through():
    seen = []

    def backward(ctx, *gradients):
        seen.append((ctx.needs_input_grad, gradients))
        return None, gradients[1] * 2, None, gradients[3]

    made = defined(lambda ctx, name, x, n, y: (name, x * n, [x], y * n), backward)
    x, y = leaf(1.0), leaf(2.0)
    name, first, listed, second = made.apply("name", x, 2, y)
    assert name == "name" and listed[0] is x
    (first + second).sum().backward()
    ((needs, gradients),) = seen
    assert needs == (False, True, False, True)
    assert gradients[0] is None and gradients[2] is None
    assert x.grad.tolist() == [2.0] and y.grad.tolist() == [1.0]


# Row: PyTorch K1
def test_without_tensors():
    assert defined(lambda ctx, a, b: a + b).apply(2, 3) == 5
    assert defined(lambda ctx: None).apply() is None


# Row: PyTorch K1
def test_arguments_by_name():
    def forward(ctx, x, factor=3, other=None):
        ctx.factor = factor
        return x * factor

    made = defined(forward, lambda ctx, g: (g * ctx.factor, None, None))
    x = leaf(1.0)
    assert made.apply(x).item() == 3.0
    made.apply(x, factor=5).sum().backward()
    made.apply(other=None, x=x).sum().backward()
    assert x.grad.item() == 8.0
    with pytest.raises(TypeError, match="unexpected keyword argument 'wrong'"):
        made.apply(x, wrong=1)


def test_arguments_by_name_alone_can_be_no_tensors():
    made = defined(lambda ctx, x, *, factor=1: x * factor, lambda ctx, g: g)
    x = leaf(1.0)
    assert made.apply(x, factor=4).item() == 4.0
    with pytest.raises(TypeError, match="'factor' can be given by name only"):
        made.apply(x, factor=x)


# Row: PyTorch K2
def test_setup_context_sees_defaults():
    seen = []

    class Scale(Function):
        @staticmethod
        def forward(x, factor=2.0):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            seen.append((inputs[1:], output.requires_grad, ctx.needs_input_grad))
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    x = leaf(1.0)
    Scale.apply(x).backward()
    Scale.apply(x, factor=5.0).backward()
    assert seen == [((2.0,), False, (True, False)), ((5.0,), False, (True, False))]
    assert x.grad.item() == 7.0


# Row: PyTorch K2
def test_class_methods():
    class Scale(Function):
        factor = 3.0

        @classmethod
        def forward(cls, x, times=1):
            return x * cls.factor * times

        @classmethod
        def setup_context(cls, ctx, inputs, output):
            assert inputs[1] == 1

        @classmethod
        def backward(cls, ctx, g):
            return g * cls.factor, None

    x = leaf(1.0)
    Scale.apply(x).backward()
    assert x.grad.item() == 3.0


# Row: PyTorch K13
def test_bad_definitions():
    x = leaf(1.0)
    with pytest.raises(NotImplementedError, match="must implement the forward function"):
        type("Nothing", (Function,), {}).apply(x)
    with pytest.raises(NotImplementedError, match="either the backward or vjp method"):
        defined(lambda ctx, x: x * 2).apply(x).backward()
    both = defined(lambda ctx, x: x * 2, lambda ctx, g: g, vjp=lambda ctx, g: g)
    with pytest.raises(RuntimeError, match="both 'backward' and 'vjp'"):
        both.apply(x).backward()
    defined(lambda ctx, x: x * 2, vjp=lambda ctx, g: g * 7).apply(x).backward()
    assert x.grad.item() == 7.0
    with pytest.raises(NotImplementedError, match="setup_context is not implemented"):
        Function.setup_context(None, (), None)


# Row: PyTorch A20, PyTorch K19
def test_instances_are_of_old():
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        old = Exp()
    with pytest.raises(RuntimeError, match="non-static forward method is deprecated"):
        old(leaf(1.0))
    assert old.saved_tensors == ()
    for name in ("next_functions", "metadata", "_input_metadata"):
        with pytest.raises(RuntimeError, match="no part of a graph"):
            getattr(old, name)
    with pytest.warns(DeprecationWarning):
        assert InplaceFunction(inplace=True).inplace
    with pytest.warns(DeprecationWarning, match="'saved_variables' is deprecated"):
        assert len(Exp.apply(leaf(1.0)).grad_fn.saved_variables) == 1


# --- what is saved ---


# Row: PyTorch K3
def test_saved_inputs_outputs_and_nothing():
    seen = []

    def forward(ctx, x):
        y = x * 2
        ctx.save_for_backward(x, None, y)
        assert ctx.saved_tensors == ()
        return y

    def backward(ctx, g):
        seen.append(ctx.saved_tensors)
        return g * 2

    x = leaf(1.0)
    y = defined(forward, backward).apply(x)
    assert y.grad_fn.saved_tensors[0] is x
    y.backward()
    (first, nothing, last) = seen[0]
    assert first is x and nothing is None and last.grad_fn is y.grad_fn
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.grad_fn.saved_tensors  # noqa: B018


# Row: PyTorch K3
def test_changed_saved_tensors_are_found():
    def forward(ctx, x, y):
        ctx.save_for_backward(y)
        return x * y

    made = defined(forward, lambda ctx, g: (g * ctx.saved_tensors[0], None))
    x, y = leaf(1.0), eagre.tensor([2.0])
    z = made.apply(x, y)
    y += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


# Row: PyTorch K3
def test_saved_tensors_go_through_hooks():
    packed = []

    def pack(tensor):
        packed.append(tensor.tolist())
        return tensor.numpy()

    x = leaf(1.0)
    with saved_tensors_hooks(pack, lambda array: eagre.tensor(array) * 10):
        y = Exp.apply(x)
    y.backward()
    np.testing.assert_allclose(packed, [[np.e]], rtol=1e-6)
    np.testing.assert_allclose(x.grad.item(), 10 * np.e, rtol=1e-6)


# Row: PyTorch K3
def test_saved_tensors_that_are_given_up_when_looked_at():
    class Once(Exp):
        clear_saved_tensors_on_access = True

        @staticmethod
        def backward(ctx, g):
            (result,) = ctx.saved_tensors
            with pytest.raises(RuntimeError, match="can only be accessed once"):
                ctx.saved_tensors  # noqa: B018
            return g * result

    x = leaf(0.0)
    Once.apply(x).backward()
    assert x.grad.item() == 1.0


@pytest.mark.parametrize(
    ("method", "error", "message"),
    [
        ("save_for_backward", TypeError, "can only save variables, but argument 0 is of type int"),
        ("save_for_forward", AssertionError, "expects all arguments to be tensors"),
        ("mark_dirty", RuntimeError, "can only accept variables, but argument 0 is of type int"),
        ("mark_non_differentiable", RuntimeError, "only accepts variable arguments, but got int"),
    ],
)
def test_only_tensors_can_be_saved_and_marked(method, error, message):
    with pytest.raises(error, match=message):
        defined(lambda ctx, x: getattr(ctx, method)(3)).apply(leaf(1.0))


# Row: PyTorch K4
def test_needs_input_grad():
    seen = []

    def forward(ctx, x, n, y):
        seen.append(ctx.needs_input_grad)
        return x * y

    def backward(ctx, g):
        seen.append(ctx.needs_input_grad)
        return g, None, g

    made = defined(forward, backward)
    x, y = leaf(1.0), leaf(2.0)
    z = made.apply(x, 3, y)
    grad(z, y, retain_graph=True)  # the other one is of no use in this call
    z.backward()
    made.apply(x.detach(), 3, y)
    assert seen == [
        (True, False, True),
        (False, False, True),
        (True, False, True),
        (False, False, True),
    ]
