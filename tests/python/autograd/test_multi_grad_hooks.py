"""Hooks on several tensors: register_multi_grad_hook."""

import pytest

import eagre
from eagre.autograd import grad
from eagre.autograd.graph import register_multi_grad_hook


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


# Row: PyTorch E8
def test_a_multi_grad_hook_waits_for_all_gradients_that_will_come():
    x, w, other = leaf(3.0), leaf(2.0), leaf(1.0)
    seen = []
    handle = register_multi_grad_hook(
        [x, other, w], lambda grads: seen.append([g if g is None else g.tolist() for g in grads])
    )
    y = x * w
    y.backward(retain_graph=True)
    assert seen == [[[2.0], None, [3.0]]]
    y.backward(inputs=[x], retain_graph=True)
    assert seen[1:] == [[[2.0], None, None]]
    grad(y, [w], retain_graph=True)
    assert seen[2:] == [[None, None, [3.0]]]
    handle.remove()
    handle.remove()
    y.backward()
    assert len(seen) == 3


# Row: PyTorch E8
def test_a_multi_grad_hook_of_mode_any_gets_the_first_gradient_once_per_call():
    x = leaf(3.0)
    y = x * 2
    z = y * 5
    seen = []
    register_multi_grad_hook([x, y], lambda g: seen.append(g.tolist()), mode="any")
    z.backward(retain_graph=True)
    z.backward()
    assert seen == [[5.0], [5.0]]


# Row: PyTorch E8
def test_multi_grad_hooks_check_mode_and_tensors():
    with pytest.raises(ValueError, match="'all', 'any'"):
        register_multi_grad_hook([leaf(1.0)], print, mode="some")
    with pytest.raises(RuntimeError, match="does not require"):
        register_multi_grad_hook([eagre.ones(1)], print)


# Row: PyTorch E8
def test_a_multi_grad_hook_counts_every_call_by_itself():
    """A backward call inside the hook of another one."""
    x, w = leaf(3.0), leaf(2.0)
    seen = []

    def inner(gradient):
        if not seen:
            seen.append("inner begins")
            with eagre.enable_grad():
                (x * w * 7).backward()

    y = x * w
    y.register_hook(inner)
    register_multi_grad_hook([x, w], lambda grads: seen.append([g.tolist() for g in grads]))
    y.backward()
    assert seen == ["inner begins", [[14.0], [21.0]], [[2.0], [3.0]]]


def test_a_multi_grad_hook_drops_what_failed_calls_left():
    def fail(gradient):
        raise KeyError("mine")

    x, w = leaf(3.0), eagre.ones(10_000, requires_grad=True)
    seen = []
    y = x * 1
    handle = y.register_hook(fail)  # runs when the gradient of w is already waiting
    register_multi_grad_hook([y, w], lambda grads: seen.append(len(grads)))
    before = eagre.cpu.memory_stats()["allocated"]
    for _ in range(200):
        with pytest.raises(KeyError):
            (y * w).sum().backward()
    assert eagre.cpu.memory_stats()["allocated"] < before + 100 * 40_000
    handle.remove()
    (y * w).sum().backward()
    assert seen == [2]
