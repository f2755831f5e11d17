"""The backward engine from Python: callbacks, queries, threads, anomaly mode, graphs as text."""

import json
import os
import subprocess
import sys
import threading
import warnings
import weakref
from pathlib import Path

import pytest

import eagre
from eagre import _C, autograd
from eagre.autograd import Variable, detect_anomaly, graph, set_detect_anomaly

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


# --- anomaly mode (L4) ---


def nan_in_backward(x):
    return ((x * 0).sqrt() * 0).sum()


# Row: PyTorch L4
def test_anomaly_mode_names_the_forward_lines():
    x = leaf(1)
    with detect_anomaly():
        y = nan_in_backward(x)
        with (
            pytest.warns(UserWarning, match="Error detected in SqrtBackward0") as caught,
            pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in "),
        ):
            y.backward()
    text = str(caught[0].message)
    assert "in nan_in_backward" in text
    assert "in test_anomaly_mode_names_the_forward_lines" in text  # its caller
    assert text.index("in test_anomaly_mode") < text.index("in nan_in_backward")
    assert not eagre.is_anomaly_enabled()


# Row: PyTorch L4
def test_anomaly_mode_without_nan_check_and_as_a_setting():
    x = leaf(1)
    with detect_anomaly(check_nan=False):
        nan_in_backward(x).backward()
    assert x.grad.isnan().all()
    set_detect_anomaly(True)
    try:
        assert eagre.is_anomaly_enabled()
        assert eagre.is_anomaly_check_nan_enabled()
    finally:
        set_detect_anomaly(False)
    with set_detect_anomaly(True, check_nan=False):
        assert eagre.is_anomaly_enabled()
        assert not eagre.is_anomaly_check_nan_enabled()
    assert not eagre.is_anomaly_enabled()


# Row: PyTorch L4
def test_anomaly_mode_does_not_hide_an_error_where_warnings_are_errors():
    x = leaf(1)
    with detect_anomaly(), warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeError, match="returned nan values"):
            nan_in_backward(x).backward()


# --- the flag check_nan_inf ---


# Row: Paddle B17
def test_check_nan_inf_names_operator_and_is_catchable():
    eagre.set_flags({"check_nan_inf": True})
    try:
        with pytest.raises(eagre.Error, match=r"log\(\).*infinite"):
            eagre.tensor([0.0]).log()
        x = leaf(0)
        y = x.sqrt().sum()
        with pytest.raises(eagre.Error, match="SqrtBackward0, recorded at .*test_engine.py"):
            y.backward()
    finally:
        eagre.set_flags({"check_nan_inf": False})
    assert eagre.tensor([0.0]).log().isinf().all()


# --- graphs as text ---


def test_graph_as_json_and_dot():
    x = leaf(1, 2)
    y = (x * x).sum()
    data = json.loads(graph.to_json(y))
    assert [node["name"] for node in data["nodes"]] == [
        "SumBackward0",
        "MulBackward0",
        "AccumulateGrad",
    ]
    mul = data["nodes"][1]
    assert mul["outputs"] == [{"dtype": "float32", "shape": [2], "device": "cpu"}]
    assert mul["next"] == [{"node": 2, "slot": 0}] * 2
    assert "test_engine.py" in mul["site"]
    assert "MulBackward0" in graph.to_dot(y)
    with pytest.raises(TypeError, match="a Tensor"):
        graph.to_dot(3)


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


# --- threads of devices, from Python, in a process of their own: loading a device is for good ---

SIM = Path(eagre.__file__).parents[2] / "tests" / "plugins" / "sim.so"
DEVICE_PROGRAM = """
import os, threading, warnings
import eagre
warnings.simplefilter("ignore")
eagre.load_device_plugin(PATH)

def run(hook=None):
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    y = x.to("sim") * 3
    if hook is not None:
        y.register_hook(hook)
    (y.to("sim:1") * 2).cpu().sum().backward()
    return x.grad.tolist()

threads = []
assert run(lambda g: threads.append(threading.get_ident())) == [6.0, 6.0]
assert threads[0] != threading.get_ident()
with eagre.autograd.set_multithreading_enabled(False):
    assert run(lambda g: threads.append(threading.get_ident())) == [6.0, 6.0]
assert threads[1] == threading.get_ident()

class Mine(Exception):
    pass

def fail(gradient):
    raise Mine("from a hook in the thread of a device")

try:
    run(fail)
except Mine as error:
    assert "thread of a device" in str(error)
else:
    raise AssertionError("no error")
assert run() == [6.0, 6.0]
"""


def run_device_program(program):
    text = DEVICE_PROGRAM.replace("PATH", repr(str(SIM))) + program
    return subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False
    )


# Row: PyTorch D8, PyTorch D12, PyTorch D13, PyTorch D16, PyTorch D17
@pytest.mark.skipif(not SIM.exists(), reason="the C++ tests are not built")
@pytest.mark.parametrize(
    "end",
    [
        "print('end')",
        # The device's thread is inside of a hook when the program ends.
        "import time\n"
        "started = threading.Event()\n"
        "def wait(g):\n    started.set()\n    time.sleep(30)\n"
        "threading.Thread(target=run, args=(wait,), daemon=True).start()\n"
        "started.wait()\nprint('end')",
    ],
    ids=["idle", "busy"],
)
def test_device_threads_hooks_errors_and_exit(end):
    done = run_device_program(end)
    assert (done.returncode, done.stdout.strip()) == (0, "end"), done.stderr


# Row: PyTorch D15
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork()")
def test_nested_backward_in_the_child_of_a_fork():
    program = """
import os, warnings
import eagre
warnings.simplefilter("ignore")

def nested(levels):
    x = eagre.ones(1, requires_grad=True)
    depth = 0
    def nest(gradient):
        nonlocal depth
        depth += 1
        if depth < levels:
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
@pytest.mark.skipif(not SIM.exists(), reason="the C++ tests are not built")
def test_warnings_of_a_devices_thread_reach_the_caller():
    program = """
def warn(gradient):
    warnings.warn("from a hook")
    y.grad  # is no leaf: a warning of the library itself

y = eagre.ones(1, requires_grad=True) * 2
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    run(warn)
print([str(w.message)[:15] for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        run(warn)
    except UserWarning as error:
        print(error)
"""
    done = run_device_program(program)
    assert done.stdout.splitlines() == ["['from a hook', 'the .grad of a ']", "from a hook"], (
        done.stderr
    )


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


# Row: PyTorch D15
@pytest.mark.skipif(not SIM.exists(), reason="the C++ tests are not built")
def test_the_child_of_a_fork_works_on_the_cpu_though_the_parent_has_threads_of_devices():
    program = """
import signal
child = os.fork()
if child == 0:
    signal.alarm(20)
    x = eagre.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    os._exit(0 if x.grad.tolist() == [2.0, 2.0] else 1)
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), run())
"""
    done = run_device_program(program)
    assert done.stdout.strip() == "0 [6.0, 6.0]", done.stderr


# Row: PyTorch F10
@pytest.mark.skipif(not SIM.exists(), reason="the C++ tests are not built")
def test_what_is_saved_on_the_cpu_comes_back_to_its_device():
    program = """
x = eagre.tensor([2.0, 3.0]).to("sim").requires_grad_()
with eagre.autograd.graph.save_on_cpu():
    y = x * x
(first,) = eagre.autograd.grad(y.sum(), x, create_graph=True)
print(first.device, first.cpu().tolist())
"""
    done = run_device_program(program)
    assert done.stdout.strip() == "sim:0 [4.0, 6.0]", done.stderr
