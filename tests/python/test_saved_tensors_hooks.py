"""Hooks on saved tensors, in Python."""

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
        with pytest.raises(error, match="unpack hook"):
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
