"""Size, dtype and Generator as values."""

import pickle

import pytest

import eagre


def test_sizes_stay_sizes():
    size = eagre.Size([2, 3])
    for made in (size + (4,), (4,) + size, size * 2, 2 * size, size[:1], size + size):
        assert type(made) is eagre.Size
    assert (4,) + size == (4, 2, 3) and size * 2 == (2, 3, 2, 3)
    assert pickle.loads(pickle.dumps(size)) == size and hash(size) == hash((2, 3))
    assert eagre.Size(eagre.tensor([2, 3])) == (2, 3) and size.numel() == 6
    assert eagre.Size() == () and eagre.Size().numel() == 1
    with pytest.raises(TypeError, match="item 0 is 'float'"):
        eagre.Size([2.5])
    with pytest.raises(TypeError):
        size + [4]


def test_dtypes_of_parts():
    assert eagre.float32.to_complex() is eagre.complex64
    assert eagre.complex128.to_real() is eagre.float64
    assert eagre.int64.to_real() is eagre.int64
    with pytest.raises(TypeError, match="int64"):
        eagre.int64.to_complex()


def test_generators_can_be_cloned():
    first = eagre.Generator().manual_seed(3)
    eagre.rand(3, generator=first)
    second = first.clone_state()
    expected = eagre.rand(3, generator=first).tolist()
    assert eagre.rand(3, generator=second).tolist() == expected


def test_methods_of_old_code():
    x = eagre.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert x.dim_order() == (0, 1) and x.t().dim_order() == (1, 0)
    assert x.clone().apply_(lambda value: value + 1).tolist() == [[2.0, 3.0], [4.0, 5.0]]
    assert x.clone().map_(x, lambda a, b: a * b).tolist() == [[1.0, 4.0], [9.0, 16.0]]
    with pytest.raises(RuntimeError, match="apply_"):
        eagre.ones(2, requires_grad=True).apply_(abs)
    assert eagre.empty(5).resize_as_(x).shape == (2, 2)
    assert eagre.relu_(-x).sum() == 0 and eagre.detach(x).data_ptr() == x.data_ptr()
    assert [part.shape[0] for part in eagre.split_with_sizes(eagre.ones(3), [1, 2])] == [1, 2]
