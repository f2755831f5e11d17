"""Backward on threads of devices, in processes of their own: loading a device is for good."""

import subprocess
import sys

import pytest
from plugins import SIM

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
