"""The backward engine from Python: callbacks, queries, re-entrant calls, Ctrl-C, fork()."""

import os
import subprocess
import sys
import threading
import warnings
import weakref

import pytest

import eagre
from eagre import _C, autograd
from eagre.autograd import Variable, graph

queue_callback = Variable._execution_engine.queue_callback


def leaf(*values):
    return eagre.tensor([float(v) for v in values], requires_grad=True)


# --- callbacks (D7) ---


# Row: PyTorch D7
def test_final_callback_sees_all_gradients_and_may_queue_more():
    x = leaf(1, 2)
    seen = []

    def last():
        seen.append("last")

    def first():
        seen.append(x.grad.tolist())
        queue_callback(last)

    x.register_hook(lambda g: queue_callback(first))
    (x * 3).sum().backward()
    assert seen == [[3, 3], "last"]


# Row: PyTorch D7
def test_final_callback_error_keeps_its_type():
    x = leaf(1)

    def fail():
        raise KeyError("mine")

    x.register_hook(lambda g: queue_callback(fail))
    with pytest.raises(KeyError, match="mine"):
        (x * 2).sum().backward()


# Row: PyTorch D7
def test_final_callback_is_dropped_when_backward_throws():
    x = leaf(1)
    calls = []
    y = x * 2
    y.register_hook(lambda g: queue_callback(lambda: calls.append(1)))

    def fail(gradient):
        raise ZeroDivisionError

    handle = x.register_hook(fail)
    with pytest.raises(ZeroDivisionError):
        y.sum().backward(retain_graph=True)
    handle.remove()
    (leaf(1) * 1).sum().backward()
    assert calls == []


# Row: PyTorch D7
def test_final_callback_outside_backward_is_an_error():
    with pytest.raises(RuntimeError, match="only be installed during backward"):
        queue_callback(lambda: None)
    with pytest.raises(TypeError, match="a function"):
        queue_callback(3)


# --- final hooks and sequential nodes (Paddle P12, B15, B16) ---


# Row: Paddle B16, Paddle P12
def test_final_hook_runs_once_at_the_end_of_the_next_call():
    x = leaf(1)
    seen = []
    autograd.add_backward_final_hook(lambda: seen.append(x.grad.tolist()))
    for _ in range(2):
        (x * 2).sum().backward()
    assert seen == [[2]]
    with pytest.raises(TypeError, match="hook.*a function.*int"):
        autograd.add_backward_final_hook(3)


# Row: Paddle B16
def test_final_hook_error_reaches_the_caller_and_is_not_repeated():
    def fail():
        raise KeyError("mine")

    autograd.add_backward_final_hook(fail)
    with pytest.raises(KeyError, match="mine"):
        (leaf(1) * 2).sum().backward()
    (leaf(1) * 2).sum().backward()


# Row: Paddle B16, Paddle defect 7
def test_final_hook_and_what_it_holds_are_dropped_when_the_call_fails():
    class Big:
        pass

    big = Big()
    alive = weakref.ref(big)
    autograd.add_backward_final_hook(lambda big=big: None)
    del big
    with pytest.raises(RuntimeError, match="does not require grad"):
        eagre.ones(1).backward()
    (leaf(1) * 2).sum().backward()
    assert alive() is None


# Row: Paddle B15
def test_sequential_nodes_run_in_the_reverse_of_their_registration():
    def order_of(forced):
        order = []
        x = leaf(1)
        b, a = x * 2, x * 3
        for name, tensor in (("b", b), ("a", a)):
            tensor.register_hook(lambda g, name=name: order.append(name))
        for tensor in (a, b) if forced else ():
            graph.force_sequential(tensor.grad_fn)
        (a + b * 5 * 7).sum().backward()
        return order

    assert order_of(forced=False) == ["a", "b"]
    assert order_of(forced=True) == ["b", "a"]
    with pytest.raises(TypeError, match="force_sequential.*node.*a Node.*Tensor"):
        graph.force_sequential(leaf(1))


# --- queries (D1, D2) ---


# Row: PyTorch D1, PyTorch D2
def test_task_id_node_keep_graph_and_order():
    assert _C._current_graph_task_id() == -1
    assert _C._current_autograd_node() is None
    with pytest.raises(RuntimeError, match="during the backward pass"):
        _C._current_graph_task_execution_order()
    x = leaf(1, 2)
    y = x.exp()
    seen = []

    def look(gradient):
        seen.append(
            (
                _C._current_graph_task_id(),
                _C._current_autograd_node() == y.grad_fn,
                _C._get_current_graph_task_keep_graph(),
                [node.name() for node in _C._current_graph_task_execution_order()],
            )
        )

    y.register_hook(look)
    out = (y * 2).sum()
    out.backward(retain_graph=True)
    out.backward()
    (first, second) = seen
    assert second[0] == first[0] + 1
    assert first[1:3] == (True, True)
    assert second[1:3] == (True, False)
    assert first[3] == ["SumBackward0", "MulBackward0", "ExpBackward0", "AccumulateGrad"]


# --- re-entrant calls (D4 to D6) ---


# Row: PyTorch D5
def test_reentrant_thousands_deep_in_python():
    x = leaf(1)
    depth = 0

    def nest(gradient):
        nonlocal depth
        depth += 1
        if depth < 1000:
            with eagre.enable_grad():
                y = x * 1
                y.register_hook(nest)
                y.sum().backward()

    # Python's own limit of nested calls is per thread, as is ours.
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        y = x * 1
        y.register_hook(nest)
        y.sum().backward()
    finally:
        sys.setrecursionlimit(limit)
    assert depth == 1000
    assert x.grad.item() == 1000


# Row: PyTorch D6
def test_reentrant_child_error_reaches_the_parents_caller():
    x, w = leaf(1), leaf(1)

    def fail(gradient):
        raise LookupError("child")

    def nest(gradient):
        with eagre.enable_grad():
            z = w * 2
            z.register_hook(fail)
            z.sum().backward()

    y = x * 2
    y.register_hook(nest)
    with pytest.raises(LookupError, match="child"):
        y.sum().backward()
    assert x.grad is None


# Row: PyTorch J6
def test_grad_mode_is_restored_after_reentrant_calls():
    x, w = leaf(1), leaf(1)
    modes = []

    def nest(gradient):
        modes.append(eagre.is_grad_enabled())
        with eagre.enable_grad():
            (w * 2).sum().backward(create_graph=True)
            modes.append(eagre.is_grad_enabled())
        modes.append(eagre.is_grad_enabled())

    y = x * 2
    y.register_hook(nest)
    y.sum().backward()
    assert modes == [False, True, False]
    assert eagre.is_grad_enabled()


# --- threads (D12) ---


# Row: PyTorch D12
def test_multithreading_is_a_setting_of_the_thread():
    assert _C._is_multithreading_enabled()
    with eagre.autograd.set_multithreading_enabled(False):
        assert not _C._is_multithreading_enabled()
        seen = []
        thread = threading.Thread(target=lambda: seen.append(_C._is_multithreading_enabled()))
        thread.start()
        thread.join()
        assert seen == [True]
    assert _C._is_multithreading_enabled()


# --- Ctrl-C between nodes ---


def test_ctrl_c_stops_backward_between_nodes():
    program = """
import os, signal, threading, time
import eagre
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored if tests run in the background
x = eagre.ones(1000, requires_grad=True)
y = x
for _ in range(2000):
    y = y * 1.0
out = y.sum()
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    while True:
        out.backward(retain_graph=True)
except KeyboardInterrupt:
    print("stopped")
x.grad = None
out.backward()
print(x.grad.sum().item())
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert run.stdout.split() == ["stopped", "1000.0"], run.stderr


# --- forks and warnings ---


# Row: PyTorch D15
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork()")
def test_nested_backward_in_the_child_of_a_fork():
    program = """
import os, warnings
import eagre
warnings.simplefilter("ignore")

def nested(deepest):
    x = eagre.ones(1, requires_grad=True)
    depth = 0
    def nest(gradient):
        nonlocal depth
        depth += 1
        if depth < deepest:
            with eagre.enable_grad():
                y = x * 1
                y.register_hook(nest)
                y.sum().backward()
    nest(None)
    return x.grad.item()

assert nested(200) == 199.0  # leaves idle threads, which the child does not have
child = os.fork()
if child == 0:
    os._exit(0 if nested(200) == 199.0 else 1)
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), nested(200))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.split() == ["0", "199.0"], done.stderr


# Row: PyTorch D9
def test_warnings_in_backward_reach_the_caller():
    y = leaf(1) * 2
    y.register_hook(lambda g: warnings.warn("from a hook", stacklevel=1))
    with pytest.warns(UserWarning, match="from a hook"):
        y.backward(retain_graph=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="from a hook"):
            y.backward()
