"""Python threads: one retained graph from several threads, long work, modes per thread."""

import threading
import time
import warnings

import pytest

import eagre


def in_threads(count, function):
    errors = []

    def guarded(index):
        try:
            function(index)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if errors:
        raise errors[0]


# Row: PyTorch C9, PyTorch D11
def test_two_threads_on_one_graph():
    x = eagre.ones(3, requires_grad=True)
    y = x
    for _ in range(50):
        y = y * 1
    total = y.sum()
    in_threads(2, lambda i: [total.backward(retain_graph=True) for _ in range(200)])
    assert x.grad.tolist() == [400.0] * 3


# Row: PyTorch D11
def test_hooks_from_two_threads():
    x = eagre.ones(3, requires_grad=True)
    y = x * 2
    calls = []
    y.register_hook(lambda g: calls.append(threading.get_ident()))
    total = y.sum()
    in_threads(2, lambda i: [total.backward(retain_graph=True) for _ in range(100)])
    assert len(calls) == 200
    assert x.grad.tolist() == [400.0] * 3


# Row: PyTorch D11, Paddle defect 4
def test_grad_in_threads_gives_each_its_own_result():
    x = eagre.ones(3, requires_grad=True)
    total = (x * x * x).exp().sum()
    (expected,) = eagre.autograd.grad(total, x, retain_graph=True)

    def work(index):
        for _ in range(100):
            (got,) = eagre.autograd.grad(total, x, retain_graph=True)
            assert got.tolist() == expected.tolist()

    in_threads(3, work)


def test_long_work_lets_other_threads_run():
    a = eagre.randn(700, 700, dtype=eagre.float64)
    done = threading.Event()
    ticks = 0

    def work():
        for _ in range(4):
            a @ a
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 5


# Row: PyTorch J8
def test_grad_mode_is_per_thread():
    seen = []
    with eagre.no_grad():
        in_threads(1, lambda i: seen.append(eagre.is_grad_enabled()))
    assert seen == [True]


def test_tensors_cross_threads():
    made = []
    in_threads(4, lambda i: made.extend(eagre.ones(2) * j for j in range(300)))
    assert sum(t.sum().item() for t in made) == 4 * 2 * sum(range(300))


def test_warnings_become_errors_when_asked():
    x = eagre.ones(1, requires_grad=True) * 2
    with pytest.warns(UserWarning, match="not a leaf"):
        x.grad  # noqa: B018
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="not a leaf"):
            x.grad  # noqa: B018
