"""Ends of long chains and gradients that other threads look at."""

import subprocess
import sys
import threading

import pytest

import eagre


@pytest.mark.parametrize("step", ["eagre.from_numpy(t.numpy())", "eagre.from_numpy(memoryview(t))"])
def test_a_long_chain_of_shared_memory_ends_in_constant_stack(step):
    code = (
        "import eagre\n"
        "t = eagre.tensor([1.0])\n"
        f"for _ in range(200_000): t = {step}\n"
        "del t\n"
        "print('ended')\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-500:]
    assert result.stdout == "ended\n"


# Row: PyTorch C9
def test_grad_stays_the_same_tensor_while_threads_add_to_it():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    (x * 1.0).sum().backward()
    grad = x.grad
    missing = []
    stop = threading.Event()

    def watch():
        while not stop.is_set():
            if x.grad is None:
                missing.append(1)

    def accumulate():
        for _ in range(200):
            (x * 1.0).sum().backward()

    watcher = threading.Thread(target=watch)
    workers = [threading.Thread(target=accumulate) for _ in range(4)]
    watcher.start()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    stop.set()
    watcher.join()
    assert not missing
    assert x.grad is grad
    assert grad.tolist() == [801.0, 801.0]


# Row: PyTorch P1
@pytest.mark.parametrize("backward", [False, True])
def test_a_long_chain_of_diamonds_ends_in_a_small_stack(backward):
    code = f"""
import threading, eagre
def work():
    x = eagre.ones(1, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y * 0.5 + y * 0.5
    if {backward}:
        y.backward()
        assert x.grad.tolist() == [1.0]
    del y
    print("ended")
threading.stack_size(256 << 10)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "ended\n"), result.stderr[-500:]
