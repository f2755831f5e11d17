"""The border between Python and C++: arguments in, exceptions and the lock out."""

import threading
import time

import numpy as np
import pytest

import eagre


# Row: Paddle C1
def test_an_exception_comes_out_with_the_lock_held_and_leaves_nothing_behind():
    large, wrong = eagre.ones(1 << 20), eagre.ones(3)  # large: the lock is let go meanwhile
    failures = []

    def fail():
        for _ in range(50):
            with pytest.raises(RuntimeError, match=r"add\(\): The size of tensor a"):
                large + wrong
            failures.append(sum(range(100)))  # Python code, which needs the lock

    threads = [threading.Thread(target=fail) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [4950] * 200
    assert (large + 1)[0] == 2


# Row: Paddle C4
@pytest.mark.parametrize(
    "sizes", [[2, 3], (2, 3), range(2, 4), np.array([2, 3]), [np.int64(2), eagre.tensor(3)]]
)
def test_lists_of_ints_are_any_sequence_of_what_counts_as_one(sizes):
    x = eagre.ones(6)
    assert x.reshape(sizes if isinstance(sizes, (list, tuple)) else list(sizes)).shape == (2, 3)
    assert eagre.zeros(tuple(sizes)).shape == (2, 3)


# Row: Paddle C4
def test_a_list_names_the_kind_of_element_that_is_wrong():
    x = eagre.ones(2, 3)
    with pytest.raises(TypeError, match=r"permute\(\).*'dims'.*found element of type str at pos 1"):
        x.permute([0, "1"])
    with pytest.raises(TypeError, match=r"sum\(\).*'dim'"):
        x.sum([0, 1.5])
    assert x.sum([]).tolist() == x.sum(None).tolist() == 6.0


@pytest.mark.parametrize("count", [2, 8, 9, 30])
def test_a_list_of_tensors_may_change_during_the_call(count):
    made = [eagre.full((2,), float(i), requires_grad=True) * 1 for i in range(count)]
    expected = [t.tolist() for t in made]
    kept = []

    def forget(tensor):
        made.clear()  # nobody else has them
        kept.append([eagre.zeros(2) for _ in range(2 * count)])  # where they were
        return tensor

    with eagre.autograd.graph.saved_tensors_hooks(forget, lambda tensor: tensor):
        equation = ",".join(["i"] * count) + "->i"
        product = eagre.einsum(equation, made)
    assert kept
    assert product.tolist() == np.prod(expected, axis=0).tolist()
    product.sum().backward()


def test_long_and_short_lists_of_tensors_hold_the_same():
    for count in (1, 8, 9, 40):
        parts = [eagre.full((1,), float(i)) for i in range(count)]
        assert eagre.cat(parts).tolist() == [float(i) for i in range(count)]
        with pytest.raises(TypeError, match=f"one with int at position {count}"):
            eagre.cat([*parts, 1])


# Row: Paddle C5
def test_numbers_dtypes_and_devices_come_in_every_spelling():
    x = eagre.ones(2)
    for number in (3, 3.0, np.float32(3), np.int8(3), eagre.tensor(3), eagre.tensor(3.0), True + 2):
        assert (x * number).tolist() == [3.0, 3.0]
    assert eagre.full((2,), eagre.tensor(2.5)).tolist() == [2.5, 2.5]
    assert x.to("cpu").device == x.to(eagre.device("cpu")).device == eagre.device("cpu")
    assert eagre.ones(eagre.tensor(2), dtype=eagre.int32).dtype == eagre.int32
    for bad in ({"dtype": "float32"}, {"device": 1.5}, {"device": "nowhere"}):
        with pytest.raises((TypeError, RuntimeError), match="dtype|device|nowhere"):
            eagre.ones(2, **bad)
    with pytest.raises(TypeError, match=r"add\(\).*'alpha'"):
        eagre.add(x, x, alpha="2")


# Row: Paddle C6
def test_python_runs_on_while_an_operator_computes():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    while not ticks:
        time.sleep(0.001)
    a = eagre.ones(1500, 1500, dtype=eagre.float64)
    begin = time.monotonic()
    a @ a
    end = time.monotonic()
    done.set()
    thread.join()
    if end - begin > 0.05:
        assert sum(begin < t < end for t in ticks) >= 3


# Row: Paddle C7
def test_the_current_device_belongs_to_the_thread():
    seen = {}

    def look():
        seen["other"] = eagre.empty(1).device.type

    before = eagre.get_default_device()
    try:
        eagre.set_default_device("meta")
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        seen["own"] = eagre.empty(1).device.type
    finally:
        eagre.set_default_device(before)
    assert seen == {"own": "meta", "other": "cpu"}
    with pytest.raises(RuntimeError, match="nowhere"):
        eagre.set_default_device("nowhere")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: eagre.ones(2).sum(2**70), ["sum()", "'dim'"]),
        (lambda: eagre.ones(2) + 2**70, ["add()", "'other'"]),
        (lambda: eagre.ones(2).mul_(-(2**70)), ["mul_()", "'other'", "smaller"]),
        (lambda: eagre.full((2,), 2**70), ["full()", "'fill_value'", "larger"]),
        (lambda: eagre.zeros(2, 2**70), ["zeros()", "'size'"]),
        (lambda: eagre.arange(2**70), ["arange()", "'end'"]),
        (lambda: eagre.tensor([2**70]), ["tensor()", "'data'"]),
        (lambda: eagre.ones(2)[2**70], ["index()", "'indices'"]),
    ],
)
def test_integers_beyond_64_bits_are_named(call, words):
    with pytest.raises(eagre.InvalidArgumentError) as caught:
        call()
    for word in [*words, "64 bits"]:
        assert word in str(caught.value)
