"""Paddle's names for tensors and gradients."""

import numpy as np
import pytest

import eagre


# Row: Paddle P3
def test_attributes():
    x = eagre.ones(2, 3)
    assert x.stop_gradient and x.place == x.device and x.strides == [3, 1]
    assert list(x.shape) == [2, 3] and x.dtype is eagre.float32 and x.is_leaf
    assert x.grad is None and x.grad_fn is None and x.is_contiguous()
    before = x.inplace_version
    x.add_(1)
    assert x.inplace_version == before + 1
    x.persistable = True
    assert x.persistable


# Row: Paddle P4
def test_to_tensor_copies():
    source = np.zeros(2)
    x = eagre.to_tensor(source)
    x[0] = 5
    assert source[0] == 0 and x.stop_gradient
    assert not eagre.to_tensor([1.0], stop_gradient=False).stop_gradient
    assert eagre.to_tensor([1], dtype=eagre.float64, place="cpu").dtype is eagre.float64
    y = eagre.ones(2, requires_grad=True)
    assert eagre.to_tensor(y).stop_gradient
    with pytest.raises(ValueError):
        eagre.to_tensor([[1], [1, 2]])
    with pytest.raises(TypeError):
        eagre.to_tensor("text")


# Row: Paddle P9
def test_grad_returns_what_was_asked_for_and_leaves_grad_alone():
    x = eagre.to_tensor([2.0], stop_gradient=False)
    w = eagre.to_tensor([3.0], stop_gradient=False)
    y = x * w
    (g,) = eagre.autograd.grad([y], [x], retain_graph=True, only_inputs=True)
    assert g.tolist() == [3.0] and g.stop_gradient and x.grad is None
    (g,) = eagre.autograd.grad([y], [x], create_graph=True, no_grad_vars=[w])
    assert g.tolist() == [3.0]


# Row: Paddle P13
def test_retain_grads():
    x = eagre.to_tensor([2.0], stop_gradient=False)
    y = x * 3
    y.retain_grads()
    y.retain_grads()
    x.retain_grads()
    (y * y).sum().backward()
    assert y.grad.tolist() == [12.0] and x.grad.tolist() == [36.0]


# Row: Paddle P14
@pytest.mark.parametrize("name", ["clear_grad", "clear_gradient"])
def test_clearing(name):
    x = eagre.to_tensor([2.0], stop_gradient=False)
    getattr(x, name)()
    assert x.grad is None
    (x * 3).backward()
    assert x.gradient().tolist() == [3.0]
    getattr(x, name)()
    assert x.grad.tolist() == [0.0]
    (x * 3).backward()
    assert x.grad.tolist() == [3.0]
    getattr(x, name)(set_to_zero=False)
    assert x.grad is None and x.gradient() is None


# Row: Paddle P1, Paddle C2, Paddle C3
def test_arguments_are_checked_and_named():
    with pytest.raises(TypeError, match=r"matmul\(\)"):
        eagre.matmul()
    with pytest.raises(TypeError, match=r"exp\(\).*'input'.*NoneType|exp\(\).*'input'.*None"):
        eagre.exp(None)
    with pytest.raises(TypeError, match="keepdim"):
        eagre.ones(2).sum(0, keepdim=3)
    assert eagre.sum(x=eagre.ones(2, 3), axis=0).tolist() == [2.0, 2.0, 2.0]


# Row: Paddle P3
def test_a_name_is_an_attribute_like_any_other():
    x = eagre.ones(2)
    assert not hasattr(x, "name")
    x.name = "w"
    assert x.name == "w"
