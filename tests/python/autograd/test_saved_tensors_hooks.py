"""Hooks on saved tensors, in Python."""

import gc
import weakref

import pytest

import eagre
from eagre.autograd.graph import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


# Row: PyTorch F7
def test_what_pack_returns_may_be_anything():
    x = leaf(2.0, 3.0)
    with saved_tensors_hooks(lambda t: ("list", t.tolist()), lambda p: eagre.tensor(p[1])):
        y = x * x
    y.sum().backward()
    assert x.grad.tolist() == [4.0, 6.0]


# Row: PyTorch F7
def test_pack_runs_in_the_scope_and_unpack_in_backward():
    calls = []
    x = leaf(2.0)

    def pack(tensor):
        calls.append("pack")
        return tensor

    def unpack(tensor):
        calls.append("unpack")
        return tensor

    with saved_tensors_hooks(pack, unpack):
        y = x.exp()
    x.exp()
    assert calls == ["pack"]
    y.backward()
    assert calls == ["pack", "unpack"]


# Row: PyTorch P2
def test_packed_objects_die_with_the_graph():
    class Packed:
        alive = 0

        def __init__(self, tensor):
            Packed.alive += 1

        def __del__(self):
            Packed.alive -= 1

    with saved_tensors_hooks(Packed, lambda p: None):
        y = leaf(2.0).exp()
    assert Packed.alive == 1
    del y
    eagre.ones(1)
    assert Packed.alive == 0


# Row: PyTorch F7
def test_the_innermost_hooks_count():
    x = leaf(3.0)
    with saved_tensors_hooks(lambda t: 1 / 0, lambda t: t):
        with saved_tensors_hooks(lambda t: t, lambda t: t * 10):
            y = x * x
        with pytest.raises(ZeroDivisionError):
            x * x
    y.backward()
    assert x.grad.tolist() == [60.0]


# Row: Paddle defect 10
def test_unpack_must_return_a_tensor_like_the_saved_one():
    for wrong, error in [(3, TypeError), (eagre.ones(5), RuntimeError)]:
        with saved_tensors_hooks(lambda t: t, lambda t, wrong=wrong: wrong):
            y = leaf(2.0).exp()
        with pytest.raises(error, match="unpack.hook"):
            y.backward()
    with pytest.raises(TypeError, match="must be functions"), saved_tensors_hooks(1, 2):
        pass


# Row: PyTorch D8
def test_exceptions_of_unpack_pass_through_unchanged():
    def unpack(packed):
        raise KeyError("mine")

    with saved_tensors_hooks(lambda t: t, unpack):
        y = leaf(2.0).exp()
    with pytest.raises(KeyError, match="mine"):
        y.backward()


# Row: PyTorch F10
def test_saved_tensors_may_wait_on_the_cpu():
    x = leaf(2.0)
    with save_on_cpu():
        y = x * x
    y.backward()
    assert x.grad.tolist() == [4.0]


# Row: PyTorch F8
def test_hooks_can_be_disabled_with_a_message():
    with (
        disable_saved_tensors_hooks("not here"),
        pytest.raises(RuntimeError, match="not here"),
        saved_tensors_hooks(lambda t: t, lambda t: t),
    ):
        pass
    with saved_tensors_hooks(lambda t: t, lambda t: t):
        assert leaf(2.0).exp().requires_grad


# --- scopes that begin or end in the wrong place (F9) ---


def same(value):
    return value


# Row: PyTorch F9
def test_a_pack_hook_may_end_its_own_scope():
    def pack(tensor):
        scope.__exit__(None, None, None)
        return tensor

    scope = saved_tensors_hooks(pack, same)
    x = eagre.ones(3, requires_grad=True)
    scope.__enter__()
    y = x.exp()
    (y * y).sum().backward()
    assert x.grad is not None


# Row: PyTorch F9
def test_a_scope_that_a_hook_ends_in_backward_is_back_afterwards():
    packed = []
    x = eagre.ones(3, requires_grad=True)
    scope = saved_tensors_hooks(lambda t: packed.append(1) or t, same)
    with scope:
        y = (x * x).sum()
        x.register_hook(lambda g: scope.__exit__(None, None, None))
        y.backward()
        before = len(packed)
        x.exp()
        assert len(packed) == before + 1
    x.exp()
    assert len(packed) == before + 1


# Row: PyTorch F9
def test_a_scope_that_a_hook_leaves_open_in_backward_ends_with_the_call():
    packed = []

    def leave_open():
        def pack(tensor):
            packed.append(1)
            return tensor

        x = leaf(1.0, 2.0)
        x.register_hook(lambda g: saved_tensors_hooks(pack, same).__enter__())
        (x * 2).sum().backward()
        return weakref.ref(pack)

    alive = leave_open()
    leaf(1.0).exp()
    assert packed == []
    gc.collect()
    eagre.ones(1)  # what ended without the interpreter is dropped at the next call
    assert alive() is None


# Row: PyTorch F9
def test_a_scope_cannot_end_twice_outside_of_backward():
    scope = saved_tensors_hooks(same, same)
    with scope:
        pass
    with pytest.raises(RuntimeError, match="did not begin it"):
        scope.__exit__(None, None, None)


@pytest.mark.parametrize("dtype", [eagre.float64, eagre.float16])
def test_an_unpack_hook_may_return_another_precision(dtype):
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    with saved_tensors_hooks(lambda t: t, lambda t: t.to(dtype)):
        y = x * x
        z = x.exp()
    y.sum().backward()
    assert x.grad.dtype == eagre.float32 and x.grad.tolist() == [2.0, 4.0]
    assert z.grad_fn._saved_result.dtype == dtype
    z.sum().backward()
    assert x.grad.allclose(2 * x + x.exp(), atol=1e-2)


@pytest.mark.parametrize("changed", [lambda t: t.int(), lambda t: t[:1]])
def test_an_unpack_hook_returns_no_other_kind_of_tensor(changed):
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    with saved_tensors_hooks(lambda t: t, changed):
        y = x * x
    with pytest.raises(RuntimeError, match="did not return a float32 tensor"):
        y.sum().backward()


def test_pack_gets_the_tensor_that_the_user_has():
    parameter = eagre.nn.Parameter(eagre.ones(2))
    seen = []

    def pack(tensor):
        seen.append(tensor)
        return tensor

    with eagre.autograd.graph.saved_tensors_hooks(pack, lambda packed: packed):
        y = parameter * parameter
        z = y * y
    assert seen[0] is parameter and isinstance(seen[0], eagre.nn.Parameter) and seen[2] is y
    assert y.grad_fn._saved_self is parameter
    seen.clear()
    z.sum().backward()
    assert parameter.grad.tolist() == [4.0, 4.0]
