"""FloatTensor and similar, Tensor.type(), Tensor.new() and other methods of old code."""

import numpy as np
import pytest

import eagre


def test_sizes_or_data():
    assert eagre.FloatTensor(2, 3).shape == (2, 3)
    assert eagre.FloatTensor(eagre.Size([2, 3])).shape == (2, 3)
    assert eagre.LongTensor().shape == (0,)
    assert eagre.FloatTensor([1, 2]).tolist() == [1.0, 2.0]
    assert eagre.LongTensor([1.5, 2]).tolist() == [1, 2]
    assert eagre.FloatTensor((2, 3)).tolist() == [2.0, 3.0]
    assert eagre.ByteTensor(np.asarray([1, 2])).dtype is eagre.uint8
    assert eagre.IntTensor(range(3)).tolist() == [0, 1, 2]
    x = eagre.ones(2)
    assert eagre.FloatTensor(x).data_ptr() == x.data_ptr()


def test_tensor_is_a_constructor():
    assert eagre.Tensor(2, 3).shape == (2, 3) and eagre.Tensor().shape == (0,)
    assert eagre.Tensor([1, 2]).dtype is eagre.float32
    assert eagre.Tensor([[1, 2], [3, 4]], device="cpu").tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert eagre.Tensor(np.ones(2)).dtype is eagre.float32
    x = eagre.ones(2, dtype=eagre.int64, requires_grad=False)
    assert eagre.Tensor(x).dtype is eagre.int64 and eagre.Tensor(x).data_ptr() == x.data_ptr()
    assert isinstance(eagre.Tensor(1), eagre.Tensor)
    with pytest.raises(TypeError, match=r"Tensor\(\): data must be a sequence"):
        eagre.Tensor(1.5)
    with pytest.raises(TypeError):
        eagre.Tensor(2, dtype=eagre.int64)


def test_what_is_no_tensor_of_this_type():
    with pytest.raises(TypeError, match=r"LongTensor\(\): expected a tensor of eagre.int64"):
        eagre.LongTensor(eagre.ones(2))
    with pytest.raises(TypeError, match="must be a sequence"):
        eagre.FloatTensor(2.5)
    with pytest.raises(TypeError, match="expected sizes"):
        eagre.FloatTensor(2, "a")


def test_they_are_types_for_isinstance():
    x = eagre.ones(2)
    assert isinstance(x, eagre.FloatTensor) and not isinstance(x, eagre.LongTensor)
    assert isinstance(x.long(), eagre.LongTensor) and not isinstance(3, eagre.LongTensor)
    assert not isinstance(x.to("meta"), eagre.FloatTensor)
    assert eagre.DoubleTensor.dtype is eagre.float64
    assert repr(eagre.FloatTensor) == "<class 'eagre.FloatTensor'>"


def test_type_names_and_converts():
    x = eagre.ones(2)
    assert x.type() == "eagre.FloatTensor"
    for wanted in (eagre.int64, eagre.LongTensor, "torch.LongTensor", "eagre.LongTensor"):
        assert x.type(wanted).dtype is eagre.int64
    assert x.type(eagre.float32) is x
    with pytest.raises(ValueError, match="invalid type"):
        x.type("torch.NoTensor")
    with pytest.raises(TypeError, match="dtype"):
        x.type(3)
    assert eagre.typename(x) == "eagre.FloatTensor" and eagre.typename(3) == "int"


def test_new_has_dtype_and_device_of_the_tensor():
    x = eagre.ones(2, dtype=eagre.float64)
    assert x.new(3).shape == (3,) and x.new(3).dtype is eagre.float64
    assert x.new([1, 2]).tolist() == [1.0, 2.0]


def test_default_tensor_type():
    try:
        eagre.set_default_tensor_type(eagre.DoubleTensor)
        assert eagre.tensor(1.5).dtype is eagre.float64
        eagre.set_default_tensor_type("torch.FloatTensor")
        assert eagre.tensor(1.5).dtype is eagre.float32
        with pytest.raises(TypeError, match="floating-point"):
            eagre.set_default_tensor_type(eagre.LongTensor)
    finally:
        eagre.set_default_dtype(eagre.float32)


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
