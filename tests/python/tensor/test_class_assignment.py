"""Tensors whose __class__ is assigned."""

import pytest

import eagre


class Mine(eagre.Tensor):
    pass


class Slotted(eagre.Tensor):
    __slots__ = ("first",)


def test_a_tensor_may_change_its_class():
    x = eagre.ones(2)
    x.tag = 1
    x.__class__ = Mine
    assert type(x) is Mine and type(x + 1) is Mine and x.tag == 1
    x.__class__ = eagre.Tensor
    assert type(x) is eagre.Tensor and type(x + 1) is eagre.Tensor
    x.__class__ = eagre.nn.Parameter
    assert isinstance(x, eagre.nn.Parameter) and repr(x).startswith("Parameter containing")
    del x


def test_a_tensor_does_not_become_what_it_has_no_room_for():
    x = eagre.ones(2)
    for cls in (Slotted, int, 3):
        with pytest.raises(TypeError, match="__class__"):
            x.__class__ = cls
    with pytest.raises(TypeError):
        del x.__class__
    y = eagre.ones(2).as_subclass(Slotted)
    with pytest.raises(TypeError, match="layout differs"):
        y.__class__ = eagre.Tensor
    assert type(x) is eagre.Tensor and type(y) is Slotted


def test_many_tensors_change_their_class_and_end():
    for _ in range(1000):
        x = eagre.ones(2, requires_grad=True)
        x.__class__ = Mine
        y = x * 2
        y.__class__ = eagre.Tensor
        del x, y
