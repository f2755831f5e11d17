"""Every message about tensor classes, __torch_function__ and copies."""
# ruff: noqa: E501  a message is easier to find in few pieces

import copy

import pytest

import eagre

E = eagre


class Refusing:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


class RefusingMode(E.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return NotImplemented

    def __repr__(self):
        return "<mode>"


class Plain(E.Tensor):
    __torch_function__ = E._C._disabled_torch_function_impl


def in_mode(mode):
    with mode:
        E.ones(1)


PREFIX = "Multiple dispatch failed for 'eagre.{}'; all __torch_function__ handlers returned NotImplemented:\n\n  - "

TABLE = [
    (
        lambda: E.ones(1).as_subclass(int),
        E.DTypeError,
        "as_subclass(): argument 'cls' must be a class that derives from Tensor, but got type",
    ),
    (
        lambda: E.Tensor._make_subclass(3, E.ones(1)),
        E.DTypeError,
        "_make_subclass(): argument 'cls' must be a class that derives from Tensor, but got int",
    ),
    (
        lambda: E.Tensor._make_wrapper_subclass(Plain, (2,), dtype=E.float32, device="cpu"),
        E.UnimplementedError,
        "_make_wrapper_subclass(): tensors without memory of their own are not supported: there is "
        "no dispatch below autograd that would give them a meaning. Hint: "
        "_make_subclass(cls, data) shares the memory of a tensor, and __torch_function__ sees calls",
    ),
    (
        lambda: type(E.Tensor)("Below", (E.Tensor,), {"__torch_dispatch__": classmethod(len)}),
        E.UnimplementedError,
        "Below.__torch_dispatch__: there is no dispatch below autograd that a class could take "
        "over. Hint: __torch_function__ sees the calls that users make, above autograd",
    ),
    (
        lambda: E.add(E.ones(1), Refusing()),
        E.DTypeError,
        PREFIX.format("add") + f"tensor subclass {Refusing!r}",
    ),
    (lambda: in_mode(RefusingMode()), E.DTypeError, PREFIX.format("ones") + "mode object <mode>"),
    (
        lambda: in_mode(E.overrides.TorchFunctionMode()),
        NotImplementedError,
        "TorchFunctionMode must define __torch_function__(self, func, types, args, kwargs)",
    ),
    (E._C._pop_torch_function_stack, E.InvalidArgumentError, "there is no mode to leave"),
    (
        lambda: copy.deepcopy(E.ones(1, requires_grad=True) * 2),
        RuntimeError,
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment, and this one is "
        "the result of an operator. Hint: tensor.detach().clone() copies its values",
    ),
    (
        lambda: E.nn.Parameter(E.ones(1).as_subclass(Plain)),
        RuntimeError,
        "Parameter(): detach() of a Plain must return one, but returned a Tensor. Hint: let its __torch_function__ keep the class",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), TABLE, ids=[row[2][:60] for row in TABLE])
def test_message(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    assert str(caught.value).startswith(message)
