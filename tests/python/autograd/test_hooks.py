"""Hooks on gradients: order, replacement, removal, exceptions, nested backward calls, handles."""

import traceback

import pytest

import eagre
from eagre.utils.hooks import RemovableHandle


def test_hooks_run_in_order_and_replace():
    x = eagre.ones(2, requires_grad=True)
    calls = []
    x.register_hook(lambda g: calls.append("first"))
    x.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: calls.append(g.tolist()))
    (x * 3).sum().backward()
    assert calls == ["first", [30.0, 30.0]]
    assert x.grad.tolist() == [30.0, 30.0]


def test_hook_on_an_intermediate():
    x = eagre.ones(2, requires_grad=True)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(g.tolist()))
    (y * 5).sum().backward()
    assert seen == [[5.0, 5.0]]


# Row: PyTorch E9
def test_removal():
    x = eagre.ones(1, requires_grad=True)
    calls = []
    handle = x.register_hook(calls.append)
    handle.remove()
    handle.remove()
    (x * 1).sum().backward()
    assert calls == []


def test_a_hook_that_removes_itself():
    x = eagre.ones(1, requires_grad=True)
    calls = []

    def once(gradient):
        calls.append(gradient)
        handle.remove()

    handle = x.register_hook(once)
    y = (x * 1).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert len(calls) == 1


# Row: PyTorch D8, Paddle defect 1
def test_exceptions_pass_through_unchanged():
    class OwnError(Exception):
        pass

    error = OwnError("mine")

    def raising(gradient):
        raise error

    x = eagre.ones(1, requires_grad=True)
    y = x * 2
    y.register_hook(raising)
    total = y.sum()
    with pytest.raises(OwnError) as caught:
        total.backward()
    assert caught.value is error
    assert [frame.name for frame in traceback.extract_tb(error.__traceback__)][-1] == "raising"
    # Nothing is left claimed: the graph can be used again.
    z = (x * 3).sum()
    z.backward()
    assert x.grad.tolist() == [3.0]


# Row: PyTorch E1, Paddle defect 1
def test_what_a_hook_may_return():
    x = eagre.ones(2, requires_grad=True)
    x.register_hook(lambda g: eagre.ones(3))
    with pytest.raises(eagre.AutogradError, match="hook"):
        (x * 1).sum().backward()
    y = eagre.ones(2, requires_grad=True)
    y.register_hook(lambda g: "text")
    with pytest.raises(eagre.DTypeError, match="must return a Tensor or None, but got str"):
        (y * 1).sum().backward()


# Row: PyTorch D4, Paddle B26
@pytest.mark.parametrize("depth", [1, 70, 200])
def test_reentrant_backward(depth):
    """Every call calls backward() in a hook; deep ones run on the stacks of other threads."""
    reached = []

    @eagre.enable_grad()
    def descend(calls):
        x = eagre.ones(1, requires_grad=True)
        y = x * 2

        def hook(gradient):
            reached.append(calls)
            if calls < depth:
                descend(calls + 1)

        y.register_hook(hook)
        y.sum().backward()
        assert x.grad.tolist() == [2.0]

    descend(1)
    assert reached == list(range(1, depth + 1))


def test_an_exception_from_the_deepest_call():
    @eagre.enable_grad()
    def descend(calls):
        y = eagre.ones(1, requires_grad=True) * 2

        def hook(gradient):
            if calls == 130:
                raise KeyError("deep")
            descend(calls + 1)

        y.register_hook(hook)
        y.sum().backward()

    with pytest.raises(KeyError, match="deep"):
        descend(1)


def test_hooks_run_without_recording_unless_asked():
    x = eagre.ones(1, requires_grad=True)
    modes = []
    x.register_hook(lambda g: modes.append(eagre.is_grad_enabled()))
    (x * x).sum().backward()
    (x * x).sum().backward(create_graph=True)
    assert modes == [False, True]
    assert x.grad.requires_grad


def test_hooks_with_recorded_gradients_know_their_line():
    x = eagre.ones(1, requires_grad=True)
    y = x * x
    y.register_hook(lambda g: g * 2)
    (grad,) = eagre.autograd.grad((y + y).sum(), x, create_graph=True)
    assert grad.tolist() == [8.0]
    (second,) = eagre.autograd.grad(grad.sum(), x)
    assert second.tolist() == [8.0]


def test_handles_of_tensors_are_removable_handles():
    x = eagre.ones(2, requires_grad=True)
    first, second = x.register_hook(lambda g: g * 2), x.register_hook(lambda g: g * 3)
    assert isinstance(first, RemovableHandle) and first.id != second.id
    first.remove()
    x.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_program_makes_handles_of_its_own():
    class Hooks(dict):
        pass

    hooks, flags = Hooks(), Hooks()
    handle = RemovableHandle(hooks, extra_dict=flags)
    hooks[handle.id], flags[handle.id] = "hook", True
    with handle:
        assert len(hooks) == 1
    assert not hooks and not flags
    handle.remove()
    other = RemovableHandle(hooks)
    assert other.id != handle.id
    del hooks
    other.remove()


# --- gradients that nobody has computed ---


class NoGradient(eagre.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return None


def test_hooks_see_gradients_that_are_not_there():
    x = eagre.ones(2, requires_grad=True)
    y = x * 2
    seen = []
    x.register_hook(lambda g: seen.append(("x", g)))
    y.register_hook(lambda g: seen.append(("y", g)))
    x.register_post_accumulate_grad_hook(lambda leaf: seen.append(("after", leaf.grad)))
    y.retain_grad()
    NoGradient.apply(y).sum().backward()
    assert seen == [("y", None), ("x", None), ("after", None)]
    assert y.grad is None

    first, second = eagre.ones(2, requires_grad=True).unbind()
    seen = []
    first.register_hook(lambda g: seen.append(g.item()))
    second.register_hook(seen.append)
    first.backward()
    assert sorted(seen, key=str) == [1.0, None]


def test_a_hook_cannot_make_a_gradient_of_nothing():
    x = eagre.ones(2, requires_grad=True)
    x.register_hook(lambda g: eagre.ones(2))
    with pytest.raises(RuntimeError, match="can't replace a None gradient with a non-None value"):
        NoGradient.apply(x).sum().backward()


def test_any_object_can_be_registered_and_is_called_then():
    x = eagre.ones(1, requires_grad=True)
    x.register_hook(3)
    with pytest.raises(TypeError, match="not callable"):
        (x * 2).backward()


def test_a_dict_of_hooks_is_looked_at_when_backward_runs():
    x = eagre.ones(1, requires_grad=True)
    plain = eagre.ones(1)
    plain._backward_hooks = {"never": 3}
    assert plain._backward_hooks == {"never": 3}
    x.register_hook(lambda g: g * 100)
    x._backward_hooks = hooks = {}
    hooks["a"] = lambda g: g * 3
    hooks["b"] = lambda g: g + 1
    (x * plain).backward()
    assert x.grad.tolist() == [4.0] and x._backward_hooks is hooks
    with pytest.raises(RuntimeError, match="Deletion of _backward_hooks not allowed"):
        del x._backward_hooks
    with pytest.raises(RuntimeError, match="Deletion of _grad_fn not allowed"):
        del x._grad_fn
