"""Hooks on tensors and after accumulation, retain_grad(); their order, handles and lifetimes."""

import gc
import weakref

import pytest

import eagre
from eagre.autograd import grad
from eagre.autograd.graph import register_multi_grad_hook


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


def accumulate_node(x):
    return x.view_as(x).grad_fn.next_functions[0][0]


# --- hooks on tensors ---


# Row: PyTorch E1, PyTorch E2
def test_a_tensor_hook_runs_though_its_grad_fn_does_not():
    x = leaf(1.0)
    y = x * 2
    calls = []
    y.register_hook(lambda g: calls.append(g.tolist()))
    y.grad_fn.register_prehook(lambda g: calls.append("the node runs"))
    grad(y * 3, y)
    assert calls == [[3.0]]


# Row: PyTorch E1, Paddle defect 13
def test_errors_name_the_hook_and_what_it_changed():
    def mine(*gradients):
        return returned

    cases = [
        (eagre.ones(3), "hook 'mine' has changed the size of value"),
        (eagre.ones(2, dtype=eagre.float64), "hook 'mine' has changed the type of value"),
    ]
    for wrong, message in cases:
        x = leaf(1.0, 2.0)
        y = x * 2
        y.register_hook(mine)
        returned = wrong
        with pytest.raises(RuntimeError, match=message):
            y.sum().backward()
        for register in ("register_prehook", "register_hook"):
            y = x.exp()
            getattr(y.grad_fn, register)(mine)
            returned = (wrong,)
            with pytest.raises(RuntimeError, match=message):
                y.sum().backward()


# Row: PyTorch E1, Paddle defect 1
def test_a_hook_without_a_name_is_named_by_its_type():
    class Callable:
        def __call__(self, gradient):
            return 3

    y = leaf(1.0) * 2
    y.register_hook(Callable())
    with pytest.raises(TypeError, match="hook of type 'Callable' must return a Tensor or None"):
        y.backward()


# Row: PyTorch E1
def test_hooks_need_a_function_and_a_tensor_that_requires_grad():
    x = leaf(1.0)
    y = x * 2
    registers = [
        x.register_post_accumulate_grad_hook,
        y.grad_fn.register_hook,
        y.grad_fn.register_prehook,
    ]
    for register in registers:
        with pytest.raises(TypeError, match="must be a function"):
            register(3)
    plain = eagre.ones(1)
    for register in (plain.register_hook, plain.register_post_accumulate_grad_hook):
        with pytest.raises(RuntimeError, match="doesn't require gradient"):
            register(print)


# --- after accumulation ---


# Row: PyTorch E4
def test_post_accumulate_hooks_see_the_leaf_with_its_grad():
    x = leaf(3.0)
    seen = []
    x.register_post_accumulate_grad_hook(lambda p: seen.append((p is x, p.grad.tolist())))
    (x * 2).backward()
    (x * 2).backward()
    assert seen == [(True, [2.0]), (True, [4.0])]


# Row: PyTorch E4
def test_an_optimizer_may_run_inside_backward():
    x, w = leaf(3.0), leaf(1.0)

    def step(p):
        with eagre.no_grad():
            p.sub_(p.grad)
        p.grad = None

    for p in (x, w):
        p.register_post_accumulate_grad_hook(step)
    (x * w * 1).backward()
    assert (x.tolist(), w.tolist(), x.grad, w.grad) == ([2.0], [-2.0], None, None)


# Row: PyTorch E4
def test_post_accumulate_hooks_are_for_leaves_and_return_nothing():
    x = leaf(3.0)
    with pytest.raises(RuntimeError, match="cannot be registered on non-leaf tensors"):
        (x * 2).register_post_accumulate_grad_hook(print)
    x.register_post_accumulate_grad_hook(lambda p: p)
    with pytest.raises(RuntimeError, match="should return None"):
        (x * 2).backward()


# Row: PyTorch E10
def test_post_accumulate_hooks_do_not_run_in_grad_or_for_other_inputs():
    x, w = leaf(3.0), leaf(1.0)
    seen = []
    x.register_post_accumulate_grad_hook(lambda p: seen.append("x"))
    grad(x * w, x)
    (x * w).backward(inputs=[w])
    assert seen == []


# Row: Paddle B9
def test_reduce_hooks_take_nothing_and_run_after_accumulation():
    x = leaf(3.0)
    seen = []
    x._register_backward_hook(lambda: seen.append(x.grad.tolist()))
    (x * 2).backward()
    assert seen == [[2.0]]


# --- retain_grad ---


# Row: PyTorch E5
def test_retain_grad_fills_and_accumulates():
    x = leaf(3.0)
    y = x * 2
    y.retain_grad()
    y.retain_grad()
    z = y * y
    z.backward(retain_graph=True)
    assert y.grad.tolist() == [12.0]
    first = y.grad
    z.backward()
    assert y.grad.tolist() == [24.0] and first.tolist() == [12.0]


# Row: PyTorch E5
def test_retain_grad_changes_nothing_on_leaves_and_needs_requires_grad():
    x = leaf(3.0)
    x.retain_grad()
    assert not x.retains_grad
    (x * 2).backward()
    assert x.grad.tolist() == [2.0]
    with pytest.raises(RuntimeError, match="requires_grad=False"):
        eagre.ones(1).retain_grad()


# Row: PyTorch E5
def test_retain_grad_does_not_keep_the_tensor_alive():
    x = leaf(3.0)
    y = x * eagre.ones(100_000)
    y.retain_grad()
    z = y.sum()  # saves nothing
    before = eagre.cpu.memory_stats()["allocated"]
    del y
    assert eagre.cpu.memory_stats()["allocated"] <= before - 400_000
    z.backward()
    assert x.grad.tolist() == [100_000.0]


# Row: PyTorch E5
def test_retain_grad_sees_what_all_tensor_hooks_made_of_the_gradient():
    x = leaf(3.0)
    y = x * 2
    y.register_hook(lambda g: g * 10)
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    y.backward()
    assert y.grad.tolist() == [100.0]


def test_a_retained_grad_is_not_changed_by_later_hooks_or_nodes():
    x = leaf(3.0, 4.0)
    y = x * 2
    y.retain_grad()
    (y * 1).sum().backward()
    x.grad.zero_()
    assert y.grad.tolist() == [1.0, 1.0]


# --- in-place writes ---


# Row: PyTorch E7
def test_a_hook_stays_with_the_value_before_a_write():
    x = leaf(3.0)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(("old", g.tolist())))
    y.mul_(10)
    y.register_hook(lambda g: seen.append(("new", g.tolist())))
    y.backward()
    assert seen == [("new", [1.0]), ("old", [10.0])]


# Row: PyTorch E7
def test_retain_grad_follows_a_write():
    x = leaf(3.0)
    y = x * 2
    y.retain_grad()
    y.mul_(10)
    assert y.retains_grad
    y.backward()
    assert y.grad.tolist() == [1.0]


# Row: PyTorch E7
def test_retain_grad_of_views_follows_a_write_to_the_base():
    base = leaf(1.0).clone()
    view, other = base[:], base[:]
    view.retain_grad()
    other.retain_grad()
    base.mul_(2)
    (view + other * 3).sum().backward()
    assert view.grad.tolist() == [1.0] and other.grad.tolist() == [3.0]


# Row: PyTorch E7
def test_retain_grad_of_a_base_follows_a_write_to_a_view():
    base = leaf(1.0, 2.0).clone()
    base.retain_grad()
    base[0].mul_(10)
    (base * 3).sum().backward()
    assert base.grad.tolist() == [3.0, 3.0]


def test_retain_grad_of_a_written_view_leaves_its_old_node_at_once():
    base = leaf(1.0, 2.0).clone()
    view = base[:1]
    view.retain_grad()
    before = view * 3
    view.mul_(10)
    before.sum().backward()
    assert view.grad is None
    view.sum().backward()
    assert view.grad.tolist() == [1.0]


# --- order ---


# Row: PyTorch E6
def test_hooks_run_in_the_documented_order():
    order = []
    x = leaf(3.0)

    def note(name):
        return lambda *_: order.append(name)

    node = accumulate_node(x)
    node.register_hook(note("post"))
    node.register_prehook(note("pre"))
    x.register_post_accumulate_grad_hook(note("accumulated"))
    x.register_hook(note("tensor"))
    x.register_hook(note("tensor 2"))
    node.register_prehook(note("pre 2"))
    (x * 2).backward()
    assert order == ["tensor", "tensor 2", "pre", "pre 2", "accumulated", "post"]


# Row: PyTorch E6
def test_retain_grad_is_between_tensor_hooks_and_prehooks():
    y = leaf(3.0) * 2
    seen = []
    y.grad_fn.register_prehook(lambda g: seen.append(y.grad.tolist()))
    y.retain_grad()
    y.register_hook(lambda g: g * 5)
    y.backward()
    assert seen == [[5.0]]


# --- which hooks run ---


# Row: PyTorch E10, Paddle B22, Paddle defect 8
def test_captured_nodes_run_tensor_hooks_but_not_node_hooks():
    x = leaf(3.0)
    seen = []
    x.register_hook(lambda g: seen.append("tensor"))
    accumulate_node(x).register_prehook(lambda g: seen.append("pre"))
    accumulate_node(x).register_hook(lambda i, o: seen.append("post"))
    grad(x * 2, x)
    assert seen == ["tensor"]
    (x * 2).backward(inputs=[x])
    assert seen == ["tensor", "tensor", "pre", "post"]


# Row: PyTorch E10
def test_backward_with_inputs_skips_hooks_of_other_leaves():
    x, w = leaf(3.0), leaf(2.0)
    seen = []
    x.register_hook(lambda g: seen.append("x"))
    (x * w).backward(inputs=[w])
    assert seen == []


# --- handles and lifetimes ---


def test_a_handle_is_a_context_manager():
    x = leaf(3.0)
    seen = []
    with x.register_hook(lambda g: seen.append(1)) as handle:
        (x * 2).backward()
    handle.remove()
    (x * 2).backward()
    with register_multi_grad_hook([x], lambda g: seen.append(2)):
        (x * 2).backward()
    (x * 2).backward()
    assert seen == [1, 2]


# Row: PyTorch E9
def test_removal_inside_a_running_hook_counts_from_the_next_call():
    x = leaf(3.0)
    seen = []

    def first(gradient):
        seen.append("first")
        handle.remove()

    x.register_hook(first)
    handle = x.register_hook(lambda g: seen.append("second"))
    (x * 2).backward()
    (x * 2).backward()
    assert seen == ["first", "second", "first"]


# Row: PyTorch E11
def test_handles_do_not_keep_the_graph_alive():
    class Token:
        pass

    token = Token()
    watched = weakref.ref(token)
    y = leaf(3.0) * 2
    handles = [
        y.register_hook(lambda g, token=token: None),
        y.grad_fn.register_hook(lambda i, o, token=token: None),
    ]
    y.grad_fn.metadata["token"] = token
    del token, y
    gc.collect()
    eagre.ones(1)
    assert watched() is None
    for handle in handles:
        handle.remove()


# Row: PyTorch E11
def test_hooks_die_with_their_tensor():
    class Token:
        pass

    token = Token()
    watched = weakref.ref(token)
    x = leaf(3.0)
    x.register_post_accumulate_grad_hook(lambda p, token=token: None)
    (x * 2).backward()
    del token, x
    gc.collect()
    eagre.ones(1)
    assert watched() is None
