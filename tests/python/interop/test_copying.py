"""copy.copy, copy.deepcopy, pickle and __setstate__ of tensors."""

import copy
import io
import pickle

import pytest

import eagre
from eagre import nn


class Mine(eagre.Tensor):
    pass


class Slotted(eagre.Tensor):
    __slots__ = ("first",)


def sample_tensors():
    base = eagre.arange(24).reshape(2, 3, 4)
    return {
        "float": eagre.tensor([1.5, -0.0, float("inf")]),
        "nan": eagre.tensor([float("nan")]),
        "no_dimension": eagre.tensor(3),
        "no_element": eagre.empty(0, 3),
        "bool": eagre.tensor([True, False]),
        "half": eagre.tensor([1.5], dtype=eagre.bfloat16),
        "complex": eagre.tensor([1 + 2j]),
        "slice": base[1, :, 1:3],
        "transposed": base.transpose(0, 2),
        "expanded": eagre.tensor([1.0]).expand(3, 4),
    }


def agree(a, b):
    assert (type(a), a.dtype, a.shape, a.stride()) == (type(b), b.dtype, b.shape, b.stride())
    assert a.requires_grad == b.requires_grad and b.is_leaf
    assert repr(a.detach().tolist()) == repr(b.detach().tolist())


@pytest.mark.parametrize("name", sample_tensors())
def test_values_and_geometry(name):
    x = sample_tensors()[name]
    agree(x, copy.deepcopy(x))
    agree(x, copy.copy(x))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        agree(x, pickle.loads(pickle.dumps(x, protocol)))


def test_copies_do_not_share_memory_but_shallow_ones_do():
    x = eagre.ones(3)
    deep, shallow = copy.deepcopy(x), copy.copy(x)
    unpickled = pickle.loads(pickle.dumps(x))
    x.fill_(7)
    assert deep.tolist() == unpickled.tolist() == [1, 1, 1] and shallow.tolist() == [7, 7, 7]
    assert shallow is not x


# Row: PyTorch P4, PyTorch P5
def test_leaves_keep_what_autograd_knows():
    x = eagre.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    y = copy.deepcopy(x)
    assert y.requires_grad and y.is_leaf and y.grad.tolist() == [3, 3]
    assert y.grad is not x.grad and y.grad.data_ptr() != x.grad.data_ptr()
    assert pickle.loads(pickle.dumps(x)).requires_grad and copy.copy(x).requires_grad
    (y * y).sum().backward()
    assert y.grad.tolist() == [5, 5] and x.grad.tolist() == [3, 3]


# Row: PyTorch P5
def test_hooks_are_not_pickled_and_a_warning_says_so():
    def seen(gradient):
        return None

    x = eagre.ones(2, requires_grad=True)
    x.register_hook(seen)
    with pytest.warns(UserWarning, match="seen.*not be serialized"):
        y = pickle.loads(pickle.dumps(x))
    assert y._backward_hooks is None and list(x._backward_hooks.values()) == [seen]


# Row: PyTorch P4
def test_results_of_operators_cannot_be_deep_copied():
    y = eagre.ones(2, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="graph leaves.*detach"):
        copy.deepcopy(y)
    assert pickle.loads(pickle.dumps(y)).is_leaf


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]
)
def test_what_shared_memory_shares_it_again(duplicate):
    x = eagre.zeros(6)
    both = duplicate({"all": x, "part": x[2:4], "again": x, "other": eagre.zeros(2)})
    both["all"].add_(1)
    assert both["part"].tolist() == [1, 1] and both["again"] is both["all"]
    assert both["other"].tolist() == [0, 0] and x.tolist() == [0] * 6


def test_a_part_brings_its_whole_storage_as_in_pytorch():
    part = eagre.zeros(1000)[:1]
    assert len(pickle.dumps(part)) > 4000


def test_attributes_classes_and_slots():
    for x in (eagre.ones(2), eagre.ones(2).as_subclass(Mine)):
        x.note = {"a": [1]}
        for y in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            assert type(y) is type(x) and y.note == x.note and y.note is not x.note
        assert copy.copy(x).note is x.note
    slotted = eagre.ones(2).as_subclass(Slotted)
    slotted.first, slotted.note = [1], 2
    for y in (copy.deepcopy(slotted), pickle.loads(pickle.dumps(slotted))):
        assert type(y) is Slotted and y.first == [1] and y.note == 2


def test_attributes_that_lead_back():
    x = eagre.ones(2)
    x.itself = x
    y = copy.deepcopy(x)
    assert y.itself is y is not x
    z = pickle.loads(pickle.dumps(x))
    assert z.itself is z


def test_parameters():
    p = nn.Parameter(eagre.ones(2))
    p.note = "n"
    q = pickle.loads(pickle.dumps(p))
    assert type(q) is nn.Parameter and q.requires_grad and q.note == "n"
    tied = pickle.loads(pickle.dumps([p, p]))
    assert tied[0] is tied[1]


def test_buffers_out_of_band():
    x, buffers = eagre.arange(1000).float(), []
    data = pickle.dumps(x, 5, buffer_callback=buffers.append)
    assert len(data) < 1000 and len(buffers) == 1
    assert pickle.loads(data, buffers=buffers).tolist() == x.tolist()


def test_other_devices():
    x = eagre.empty(2, 3, device="meta")
    for y in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert y.device.type == "meta" and y.shape == (2, 3)


def test_the_pickler_written_in_python():
    stream = io.BytesIO()
    x = eagre.arange(3)
    pickle._Pickler(stream, 4).dump([x, x[1:]])
    a, b = pickle.loads(stream.getvalue())
    a.add_(1)
    assert b.tolist() == [2, 3]


def test_classes_may_take_over():
    seen = []

    class Watching(eagre.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            seen.append(func)
            return super().__torch_function__(func, types, args, kwargs)

    x = eagre.ones(2).as_subclass(Watching)
    assert type(copy.deepcopy(x)) is Watching
    assert seen == [eagre.Tensor.__deepcopy__]
    assert type(copy.copy(x)) is Watching and seen[1] is eagre.Tensor.__reduce_ex__


# Row: PyTorch P5
def test_setstate_takes_the_states_of_pytorch():
    x = eagre.ones(2)
    x.__setstate__((eagre.arange(6.0).storage(), 1, (2, 2), (2, 1)))
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    x.__setstate__((eagre.zeros(3), None, {}, True, None))
    assert x.requires_grad and x.tolist() == [0.0, 0.0, 0.0]
    seen = []
    x.__setstate__((True, None, {0: lambda gradient: seen.append(gradient.tolist())}))
    x.sum().backward()
    assert seen == [[1.0, 1.0, 1.0]]
    x.__setstate__({"name_of_mine": 3})
    assert x.name_of_mine == 3
    with pytest.raises(RuntimeError, match="only called on leaf Tensors"):
        (x * 2).__setstate__((True, None, {}))


def test_setstate_of_a_class_gets_what_was_pickled():
    x = eagre.ones(2).as_subclass(Slotted)
    x.first, x.second = [1], x
    made = pickle.loads(pickle.dumps(x))
    assert made.first == [1] and made.second is made
