"""__torch_function__ of classes and modes: which calls it sees, with what, and in which order."""

import operator
import threading

import numpy as np
import pytest

import eagre
from eagre import overrides
from eagre.nn import functional

calls = []


class Logged(eagre.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        calls.append((func, types, args, kwargs))
        return super().__torch_function__(func, types, args, kwargs)


class Duck:
    """No tensor at all."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return "duck", func, types


class Refusing:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


class LogMode(overrides.TorchFunctionMode):
    def __init__(self):
        self.seen = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append(func)
        return func(*args, **(kwargs or {}))


@pytest.fixture
def x():
    return eagre.tensor([[1.0, 2.0], [3.0, 4.0]]).as_subclass(Logged)


def seen(f):
    """What one call told __torch_function__: the function and its arguments."""
    calls.clear()
    f()
    assert len(calls) == 1
    return calls[0][0], calls[0][2], calls[0][3]


T = eagre.Tensor


def test_functions_and_methods(x):
    y = eagre.ones(2, 2)
    assert seen(lambda: eagre.add(x, y)) == (eagre.add, (x, y), None)
    assert seen(lambda: x.add(y, alpha=2)) == (T.add, (x, y), {"alpha": 2})
    assert seen(lambda: x.sum(dim=0, keepdim=True)) == (T.sum, (x,), {"dim": 0, "keepdim": True})
    assert seen(lambda: y.add_(x)) == (T.add_, (y, x), None)
    assert seen(lambda: eagre.cat([y, x]))[0] is eagre.cat
    assert seen(lambda: eagre.stack((x, y)))[0] is eagre.stack
    assert seen(lambda: eagre.where(y > 0, x, y))[0] is eagre.where
    assert seen(lambda: eagre.zeros_like(x))[0] is eagre.zeros_like
    assert seen(lambda: eagre.add(y, y, out=eagre.ones(2, 2).as_subclass(Logged)))[0] is eagre.add
    assert seen(x.detach) == (T.detach, (x,), None)
    assert seen(x.tolist)[0] is T.tolist
    assert seen(x.size)[0] is T.size
    assert seen(lambda: x.to(eagre.float64)) == (T.to, (x, eagre.float64), None)


# The names that PyTorch gives to its operators.
OPERATORS = {
    "+": (operator.add, T.add, T.add),
    "-": (operator.sub, T.sub, T.__rsub__),
    "*": (operator.mul, T.mul, T.mul),
    "/": (operator.truediv, T.div, T.__rtruediv__),
    "//": (operator.floordiv, T.__floordiv__, T.__rfloordiv__),
    "%": (operator.mod, T.remainder, T.__rmod__),
    "**": (operator.pow, T.pow, T.__rpow__),
    "==": (operator.eq, T.__eq__, T.__eq__),
    "!=": (operator.ne, T.ne, T.ne),
    "<": (operator.lt, T.lt, T.gt),
    "<=": (operator.le, T.le, T.ge),
    ">": (operator.gt, T.gt, T.lt),
    ">=": (operator.ge, T.ge, T.le),
}
INPLACE = {
    operator.iadd: T.add_,
    operator.isub: T.sub_,
    operator.imul: T.mul_,
    operator.itruediv: T.div_,
    operator.ifloordiv: T.floor_divide_,
    operator.imod: T.remainder_,
    operator.ipow: T.pow_,
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name, x):
    function, plain, reflected = OPERATORS[name]
    assert seen(lambda: function(x, 2)) == (plain, (x, 2), None)
    assert seen(lambda: function(2, x)) == (reflected, (x, 2), None)
    expected = function(np.array(2.0), x.as_subclass(T).numpy())
    assert np.allclose(function(2, x).as_subclass(T).numpy(), expected)


def test_other_operators(x):
    i = eagre.tensor([1, 2]).as_subclass(Logged)
    assert seen(lambda: -x)[0] is T.neg
    assert seen(lambda: abs(x))[0] is T.abs
    assert seen(lambda: ~i)[0] == T.__invert__
    assert seen(lambda: x @ x)[0] is T.matmul
    assert seen(lambda: i & 1)[0] == T.__and__
    assert seen(lambda: i << 1)[0] == T.__lshift__
    for function, method in INPLACE.items():
        assert seen(lambda: function(x, 2)) == (method, (x, 2), None)  # noqa: B023


def test_what_python_asks_of_objects(x):
    one = eagre.tensor(1).as_subclass(Logged)
    assert seen(lambda: len(x))[0] == T.__len__
    assert seen(lambda: bool(one))[0] == T.__bool__
    assert seen(lambda: int(one))[0] == T.__int__
    assert seen(lambda: float(one))[0] == T.__float__
    assert seen(lambda: operator.index(one))[0] == T.__index__
    assert seen(lambda: repr(x))[0] == T.__repr__
    assert seen(lambda: iter(x))[0] == T.__iter__
    assert seen(lambda: x[0]) == (T.__getitem__, (x, 0), None)
    assert seen(lambda: x.__setitem__(0, 5.0)) == (T.__setitem__, (x, 0, 5.0), None)
    assert seen(lambda: eagre.ones(3)[one])[0] == T.__getitem__
    calls.clear()
    hash(x)
    isinstance(x, T)
    x.as_subclass(Logged)
    assert calls == []


def test_properties(x):
    assert seen(lambda: x.shape) == (T.shape.__get__, (x,), None)
    assert seen(lambda: x.dtype)[0] == T.dtype.__get__
    assert seen(lambda: x.T)[0] == T.T.__get__
    assert seen(lambda: setattr(x, "requires_grad", True)) == (
        T.requires_grad.__set__,
        (x, True),
        None,
    )
    assert seen(lambda: setattr(x, "grad", None))[0] == T.grad.__set__
    assert seen(lambda: delattr(x, "grad"))[0] == T.grad.__delete__
    x.note = 1
    calls.clear()
    assert x.note == 1 and x.__dict__ == {"note": 1} and calls == []


# Row: PyTorch P9
def test_backward_and_grad(x):
    x.requires_grad_()
    y = (x * x).sum()
    assert seen(lambda: y.backward(retain_graph=True))[0] is T.backward
    assert x.grad.tolist() == [[2, 4], [6, 8]]
    function, args, kwargs = seen(lambda: eagre.autograd.grad(y, x, retain_graph=True))
    assert function is eagre.autograd.grad and args == (y, x) and kwargs["retain_graph"]
    assert seen(lambda: eagre.autograd.backward([y]))[0] is eagre.autograd.backward


def test_results_keep_the_class(x):
    assert type(x + 1) is Logged and type(x.sum()) is Logged
    assert type(eagre.ones(2, 2) + x) is Logged
    values, indices = eagre.max(x, 0)
    assert type(values) is type(indices) is Logged
    assert type(eagre.max(x, 0)).__name__.endswith("max")
    assert all(type(part) is Logged for part in x.unbind())
    assert type(x.tolist()) is list and type(x.shape) is eagre.Size
    leaf = eagre.Tensor._make_subclass(Logged, eagre.ones(2), True)
    leaf.grad = eagre.ones(2)
    assert type(leaf.grad) is eagre.Tensor
    assert x.add_(1) is x


def test_classes_that_derive_from_each_other(x):
    class Child(Logged):
        pass

    child = eagre.ones(2, 2).as_subclass(Child)
    calls.clear()
    assert type(x + child) is Child and type(child + x) is Child
    assert {types for _, types, _, _ in calls} == {(Child, Logged)}


def test_unrelated_classes_refuse_each_other(x):
    class Other(eagre.Tensor):
        pass

    with pytest.raises(TypeError, match="unsupported operand"):
        x + eagre.ones(2, 2).as_subclass(Other)
    with pytest.raises(TypeError, match="Multiple dispatch failed for 'eagre.add'.*NotImpl"):
        eagre.add(x, eagre.ones(2, 2).as_subclass(Other))


def test_objects_that_are_no_tensors():
    duck, x = Duck(), eagre.ones(2)
    assert eagre.add(duck, x) == ("duck", eagre.add, (Duck,))
    assert x.add(duck) == ("duck", T.add, (Duck,))
    assert x + duck == ("duck", T.add, (Duck,))
    assert duck - x == ("duck", T.__rsub__, (Duck,))
    assert eagre.cat([x, duck])[0] == "duck"
    assert eagre.sum(duck, dim=0)[0] == "duck"
    assert overrides.is_tensor_like(duck) and not overrides.is_tensor_like(1)


def test_nobody_takes_the_call():
    x = eagre.ones(2)
    with pytest.raises(TypeError, match="'eagre.add'") as error:
        eagre.add(x, Refusing())
    assert "Refusing" in str(error.value)
    with pytest.raises(TypeError, match="unsupported operand"):
        x + Refusing()


def test_errors_pass_through(x):
    with pytest.raises(eagre.InvalidArgumentError, match="add"):
        x + eagre.ones(7)

    class Failing(eagre.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        eagre.ones(1).as_subclass(Failing).relu()


def test_a_class_that_changes_its_mind():
    class Changing(eagre.Tensor):
        pass

    x = eagre.ones(2).as_subclass(Changing)
    assert type(x + 1) is Changing
    Changing.__torch_function__ = eagre._C._disabled_torch_function_impl
    assert type(x + 1) is eagre.Tensor
    del Changing.__torch_function__
    assert type(x + 1) is Changing


def test_switching_classes_off(x):
    calls.clear()
    with overrides.DisableTorchFunctionSubclass():
        assert type(x + 1) is eagre.Tensor and calls == []
        assert not overrides.has_torch_function((x,))
    assert overrides.has_torch_function((1, x)) and overrides.has_torch_function_unary(x)
    assert not overrides.has_torch_function_variadic(1, eagre.ones(1))
    with LogMode() as mode, overrides.DisableTorchFunction():
        assert type(x + 1) is eagre.Tensor
    assert mode.seen == []


# --- modes ---


def test_modes_see_every_call():
    y = eagre.ones(2, requires_grad=True)
    with LogMode() as mode:
        z = eagre.ones(2) + y
        z.sum().backward()
        y.shape  # noqa: B018
        y[0]
        eagre.tensor([1.0])
        eagre.autograd.grad((y * y).sum(), y)
    assert mode.seen[:6] == [eagre.ones, T.add, T.sum, T.backward, T.shape.__get__, T.__getitem__]
    assert eagre.tensor in mode.seen and eagre.autograd.grad in mode.seen
    count = len(mode.seen)
    y + 1  # outside
    assert len(mode.seen) == count


def test_modes_nest():
    order = []

    class Ordered(overrides.TorchFunctionMode):
        def __init__(self, name):
            self.name = name

        def __torch_function__(self, func, types, args=(), kwargs=None):
            order.append(self.name)
            return func(*args, **(kwargs or {}))

    with Ordered("outer"), Ordered("inner"):
        eagre.ones(1)
    assert order == ["inner", "outer"]


def test_modes_come_before_classes(x):
    calls.clear()
    with LogMode() as mode:
        assert type(x + 1) is Logged
    assert mode.seen == [T.add] and calls[0][0] is T.add


def test_modes_may_refuse_and_may_fail():
    class Refuse(overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return NotImplemented

    with Refuse(), pytest.raises(TypeError, match="mode object"):
        eagre.ones(1)
    with pytest.raises(ZeroDivisionError), LogMode():
        1 / 0  # noqa: B018
    assert eagre._C._len_torch_function_stack() == 0
    with overrides.TorchFunctionMode(), pytest.raises(NotImplementedError):
        eagre.ones(1)


def test_modes_belong_to_their_thread():
    with LogMode() as mode:
        thread = threading.Thread(target=lambda: eagre.ones(2) + 1)
        thread.start()
        thread.join()
    assert mode.seen == []


def test_functions_of_users():
    @overrides.wrap_torch_function(lambda a, b=None: (a, b))
    def mine(a, b=None):
        return "plain"

    assert mine(1) == "plain" and mine(1, b=Duck())[0] == "duck"
    assert overrides.handle_torch_function(mine, (Duck(),), 1)[1] is mine


def test_functions_of_namespaces(x):
    assert seen(lambda: functional.relu(x, inplace=True)) == (
        functional.relu,
        (x,),
        {"inplace": True},
    )
    assert seen(lambda: functional.relu(x))[0] is functional.relu
    assert seen(lambda: functional.dropout(x, 0.0))[0] is functional.dropout


def test_functions_that_are_imported_late(x):
    y = eagre.ones(2, 2)
    assert seen(lambda: eagre.einsum("ij->i", x))[0] is eagre.einsum
    assert seen(lambda: y.is_set_to(x)) == (T.is_set_to, (y, x), {})
    assert seen(lambda: 1.0 in x)[0] == T.__contains__


def test_names():
    assert overrides.resolve_name(T.add) == "eagre.Tensor.add"
    assert overrides.resolve_name(eagre.add) == "eagre.add"
    assert overrides.resolve_name(T.shape.__get__) == "eagre.Tensor.shape.__get__"
    assert overrides.is_tensor_method_or_property(T.add)
    assert not overrides.is_tensor_method_or_property(eagre.add)
    assert T.grad.__get__ in overrides.get_default_nowrap_functions()
    assert eagre.add in overrides.get_testing_overrides()


# What no call of a user's goes through, and what is always an error.
NOT_SEEN = overrides._IGNORED_METHODS | {"__array_priority__", "__delitem__"}


@pytest.mark.parametrize("name", sorted(set(vars(T)) & set(dir(T)) - NOT_SEEN))
def test_every_method_and_property_asks(name):
    class All(eagre.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return "asked"

    value, tensor = getattr(T, name), eagre.ones(()).as_subclass(All)
    if isinstance(value, property):
        return  # made of attributes that ask
    if not callable(value):
        assert value.__get__(tensor) == "asked"
        return

    # Slots check what they return, so a mode that raises tells more than a result.
    class AskedError(Exception):
        pass

    class Raising(eagre.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            raise AskedError

    other = eagre.ones(()).as_subclass(Raising)
    for arguments in ((), (other,), (0, 0)):
        try:
            value(other, *arguments)
        except AskedError:
            return
        except TypeError:
            continue
    pytest.fail(f"Tensor.{name} does not ask __torch_function__")
