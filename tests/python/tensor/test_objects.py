"""Identity, lifetimes and leaks of the Python objects, and weak references to them."""

import contextlib
import gc
import pickle
import resource
import sys

import pytest
from builds import gives_memory_back

import eagre
from eagre.utils.weak import TensorWeakRef, WeakIdKeyDictionary, WeakTensorKeyDictionary


# Row: PyTorch P6
def test_identity():
    x = eagre.ones(3, requires_grad=True)
    (x * 2).sum().backward()
    assert x.grad is x.grad
    assert x.grad_fn is None
    y = x * 2
    assert y.grad_fn is y.grad_fn and hash(y.grad_fn) == hash(y.grad_fn)
    assert y.grad_fn.next_functions[0][0] is (x + 1).grad_fn.next_functions[0][0]
    assert y.grad_fn.next_functions[0][0].variable is x
    assert x.to("cpu") is x
    assert y[:1]._base is y


def test_tensors_are_hashed_by_identity():
    x, y = eagre.ones(1), eagre.ones(1)
    assert len({x, y, x}) == 2
    assert {x: 1}[x] == 1


def test_nodes():
    x = eagre.ones(3, requires_grad=True)
    node = (x + 1).grad_fn
    assert node.name() == "AddBackward0" and repr(node) == "<AddBackward0 object>"
    (first, slot), (second, _) = node.next_functions
    assert first.name() == "AccumulateGrad" and slot == 0 and second is None
    with pytest.raises(AttributeError, match="AccumulateGrad"):
        node.variable  # noqa: B018


def test_classes_cannot_be_misused():
    with pytest.raises(TypeError):
        eagre.dtype()
    with pytest.raises(TypeError):
        type("Sub", (eagre.dtype,), {})
    with pytest.raises(TypeError):
        iter(eagre.ones(()))


def test_values_can_be_pickled():
    for value in (eagre.float32, eagre.device("cpu"), eagre.bool):
        assert pickle.loads(pickle.dumps(value)) == value


def test_a_gradient_survives_its_wrapper():
    x = eagre.ones(3, requires_grad=True)
    (x * 2).sum().backward()
    first = id(x.grad)
    for _ in range(10):
        assert x.grad.tolist() == [2, 2, 2]
    assert isinstance(first, int)


def resident_kilobytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() // 1024


def step(x):
    y = (x * x + 1).exp().sum()
    y.register_hook(lambda g: g * 1)
    y.backward()
    x.grad = None
    eagre.tensor([[1.0, 2.0]]) @ eagre.from_numpy(memoryview(bytearray(16)).cast("d")).float()
    with contextlib.suppress(eagre.Error):
        x + eagre.ones(7)
    return repr(y)


@gives_memory_back
def test_memory_does_not_grow():
    x = eagre.ones(3, requires_grad=True)
    for _ in range(500):
        step(x)
    gc.collect()
    before = resident_kilobytes()
    for _ in range(5000):
        step(x)
    gc.collect()
    assert resident_kilobytes() - before < 1500


def test_reference_counts_of_arguments():
    x, y = eagre.ones(2), eagre.ones(2)
    names = {"alpha": 3.5}
    before = [sys.getrefcount(o) for o in (x, y, names["alpha"], eagre.float32, None)]
    for _ in range(1000):
        x + y
        x.add(y, **names)
        x.sum(0, dtype=eagre.float32)
        x += y
        x.add_(y)
        str(x)
    after = [sys.getrefcount(o) for o in (x, y, names["alpha"], eagre.float32, None)]
    assert all(abs(a - b) < 50 for a, b in zip(before, after, strict=True))


# Row: PyTorch P2
def test_hooks_are_released_with_their_tensor():
    class Hook:
        def __call__(self, gradient):
            return None

    hook = Hook()
    references = sys.getrefcount(hook)
    x = eagre.ones(1, requires_grad=True)
    handle = x.register_hook(hook)
    assert sys.getrefcount(hook) == references + 1
    handle.remove()
    assert sys.getrefcount(hook) == references
    x.register_hook(hook)
    y = x * 2
    y.register_hook(hook)
    del y
    del x, handle
    eagre.ones(1)
    assert sys.getrefcount(hook) == references


# Row: PyTorch P2
def test_without_cycles_everything_dies_with_the_last_reference():
    gc.collect()
    gc.disable()
    try:
        before = eagre.cpu.memory_stats()["allocated"]
        x = eagre.ones(10_000, requires_grad=True)
        y = (x * x).exp()
        y.register_hook(lambda g: g)
        y.sum().backward()
        del x, y
        eagre.ones(1)
        assert eagre.cpu.memory_stats()["allocated"] <= before
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", [WeakIdKeyDictionary, WeakTensorKeyDictionary])
def test_dicts_with_tensors_as_keys(kind):
    x, y = eagre.ones(2), eagre.ones(2)
    table = kind({x: 1})
    table[y] = 2
    assert (table[x], table[y], len(table), x in table) == (1, 2, 2, True)
    assert sorted(table.values()) == [1, 2] and set(map(id, table)) == {id(x), id(y)}
    assert eagre.ones(2) not in table and 3 not in table
    copied = table.copy()
    del table[x]
    del y
    gc.collect()
    assert len(table) == 0 and len(copied) == 1 and copied[x] == 1


def test_a_weak_reference_to_a_tensor():
    x = eagre.ones(2)
    weak = TensorWeakRef(x)
    assert weak() is x
    del x
    assert weak() is None
