"""nn.Parameter and nn.Buffer."""

import copy
import pickle

import pytest

import eagre
from eagre import nn


def test_a_parameter_requires_a_gradient():
    data = eagre.ones(2)
    p = nn.Parameter(data)
    assert type(p) is nn.Parameter and isinstance(p, eagre.Tensor)
    assert p.requires_grad and p.is_leaf and p.data_ptr() == data.data_ptr()
    assert not nn.Parameter(data, requires_grad=False).requires_grad
    with eagre.no_grad():
        assert nn.Parameter(data).requires_grad
    assert nn.Parameter().numel() == 0
    integers = nn.Parameter(eagre.tensor([1]), requires_grad=False)
    assert integers.dtype == eagre.int64
    with pytest.raises(RuntimeError):
        nn.Parameter(eagre.tensor([1]))


def test_results_are_plain_tensors():
    p = nn.Parameter(eagre.ones(2))
    for result in (p + 1, 1 - p, p.sum(), eagre.cat([p, p]), p[0], p.detach(), p.data, p.clone()):
        assert type(result) is eagre.Tensor
    assert p.add_ is not None
    with eagre.no_grad():
        assert p.add_(1) is p
        p += 1
    assert type(p) is nn.Parameter and p.tolist() == [3, 3]
    (p * p).sum().backward()
    assert type(p.grad) is eagre.Tensor and p.grad.tolist() == [6, 6]


def test_a_graph_gives_the_parameter_back():
    p = nn.Parameter(eagre.ones(2))
    y = p * 2
    number = id(p)
    del p
    leaf = y.grad_fn.next_functions[0][0].variable
    assert type(leaf) is nn.Parameter and id(leaf) == number


def test_repr():
    assert repr(nn.Parameter(eagre.ones(2))) == (
        "Parameter containing:\ntensor([1., 1.], requires_grad=True)"
    )

    class Mine(eagre.Tensor):
        pass

    class Scale(nn.Parameter):
        pass

    assert repr(Scale(eagre.ones(2))) == (
        "Parameter containing:\nParameter(Scale([1., 1.], requires_grad=True))"
    )
    assert repr(eagre.ones(2, 2).as_subclass(Mine)) == "Mine([[1., 1.],\n      [1., 1.]])"


def test_deepcopy_and_pickle():
    p = nn.Parameter(eagre.ones(2), requires_grad=False)
    q = copy.deepcopy(p)
    assert type(q) is nn.Parameter and not q.requires_grad and q.data_ptr() != p.data_ptr()
    first, second = copy.deepcopy([p, p])
    assert first is second


def test_instances_of_other_classes_are_marked():
    class Mine(eagre.Tensor):
        pass

    p = nn.Parameter(eagre.ones(2).as_subclass(Mine))
    assert type(p) is Mine and p.requires_grad and isinstance(p, nn.Parameter)
    assert not isinstance(eagre.ones(2), nn.Parameter)

    class Forgetful(eagre.Tensor):
        __torch_function__ = eagre._C._disabled_torch_function_impl

    with pytest.raises(RuntimeError, match="detach.*Forgetful"):
        nn.Parameter(eagre.ones(2).as_subclass(Forgetful))


def test_buffers():
    b = nn.Buffer(eagre.ones(2), persistent=False)
    assert isinstance(b, nn.Buffer) and not b.persistent and not b.requires_grad
    assert not isinstance(eagre.ones(1), nn.Buffer)


def test_parameters_without_a_shape():
    becomes = {nn.UninitializedParameter: nn.Parameter, nn.UninitializedBuffer: eagre.Tensor}
    for kind, plain in becomes.items():
        lazy = kind(dtype=eagre.float64)
        assert repr(lazy) == f"<{kind.__name__}>" and lazy.dtype == eagre.float64
        with pytest.raises(RuntimeError, match="Can't access the shape of an uninitialized"):
            _ = lazy.shape
        with pytest.raises(RuntimeError, match="Can't share memory on an uninitialized"):
            lazy.share_memory_()
        with pytest.raises(ValueError, match="Attempted to use an uninitialized parameter"):
            lazy * 2
        assert type(copy.deepcopy(lazy)) is type(pickle.loads(pickle.dumps(lazy))) is kind
        lazy.materialize((2, 3))
        assert type(lazy) is plain and lazy.shape == (2, 3) and lazy.dtype == eagre.float64
