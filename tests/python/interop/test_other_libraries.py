"""Tensors of another library that knows __torch_function__ too, as PyTorch's are: conversions share
memory, and calls that mix them are errors. A stand-in serves where PyTorch is not installed."""

import functools

import numpy as np
import pytest

import eagre
import eagre.nn.functional as F


def asks(function):
    """As functions of PyTorch do: a tensor of another class is asked about the call."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        for value in args:
            kind = type(value)
            if kind is not Tensor and hasattr(kind, "__torch_function__"):
                result = kind.__torch_function__(call, (kind,), args, kwargs)
                if result is not NotImplemented:
                    return result
                raise TypeError(f"nobody takes over {function.__name__}")
        return function(*args, **kwargs)

    return call


def operator(function):
    @functools.wraps(function)
    def method(self, other):
        try:
            return asks(function)(self, other)
        except TypeError:
            return NotImplemented

    return method


class Tensor:
    """The stand-in: an array, and the protocols of torch.Tensor."""

    def __init__(self, array):
        self.array = np.asarray(array)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if not all(issubclass(cls, kind) for kind in types):
            return NotImplemented
        return func(*args, **(kwargs or {}))

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __index__(self):
        return self.array.__index__()  # of integers only

    __hash__ = None
    __add__ = __radd__ = operator(lambda self, other: Tensor(self.array + other.array))
    __eq__ = operator(lambda self, other: Tensor(self.array == other.array))
    __matmul__ = operator(lambda self, other: Tensor(self.array @ other.array))


class StandIn:  # the library
    Tensor = Tensor
    relu = staticmethod(asks(lambda input: Tensor(np.maximum(input.array, 0))))
    add = staticmethod(asks(lambda input, other: Tensor(input.array + other.array)))

    @staticmethod
    def tensor(data):
        return Tensor(np.array(data, np.float32))

    @staticmethod
    def from_dlpack(array):
        return Tensor(np.from_dlpack(array))


def libraries():
    yield pytest.param(StandIn, id="stand-in")
    try:
        import torch
    except ImportError:
        missing = pytest.mark.skip(reason="PyTorch is not installed")
        yield pytest.param(None, id="torch", marks=missing)
    else:
        yield pytest.param(torch, id="torch")


@pytest.fixture(params=libraries())
def library(request):
    return request.param


@pytest.mark.parametrize("convert", [eagre.from_dlpack, eagre.as_tensor, eagre.asarray])
def test_conversions_share_memory(library, convert):
    other = library.tensor([1.0, 2.0])
    ours = convert(other)
    assert type(ours) is eagre.Tensor and ours.dtype == eagre.float32
    ours[0] = 5
    assert eagre.from_dlpack(other).tolist() == [5, 2]


def test_tensor_copies(library):
    other = library.tensor([1.0, 2.0])
    ours = eagre.tensor(other, requires_grad=True)
    with eagre.no_grad():
        ours[0] = 5
    assert eagre.from_dlpack(other).tolist() == [1, 2] and ours.requires_grad
    assert eagre.tensor(other, dtype=eagre.int64).tolist() == [1, 2]
    assert eagre.tensor([library.tensor(1.5), library.tensor(2.5)]).tolist() == [1.5, 2.5]


def test_the_other_way_shares_memory_too(library):
    ours = eagre.tensor([1.0, 2.0])
    other = library.from_dlpack(ours)
    ours[0] = 5
    assert eagre.from_dlpack(other).tolist() == [5, 2]


def test_questions(library):
    other = library.tensor([1.0])
    assert not eagre.is_tensor(other) and not isinstance(other, eagre.Tensor)


def assign(x, key, value):
    x[key] = value


def add_in_place(x, other):
    x += other


MIXED = {
    "a + b": lambda x, other: x + other,
    "b + a": lambda x, other: other + x,
    "a += b": add_in_place,
    "a @ b": lambda x, other: x @ other,
    "b @ a": lambda x, other: other @ x,
    "a == b": lambda x, other: x == other,
    "b == a": lambda x, other: other == x,
    "function": eagre.add,
    "function, other first": lambda x, other: eagre.add(other, x),
    "names": lambda x, other: eagre.add(input=other, other=x),
    "method": lambda x, other: x.add(other),
    "in-place method": lambda x, other: x.add_(other),
    "list": lambda x, other: eagre.cat([x, other]),
    "index": lambda x, other: x[other],
    "assignment": lambda x, other: assign(x, 0, other),
    "assignment by index": lambda x, other: assign(x, other, 0),
    "grad": lambda x, other: setattr(x, "grad", other),
    "contains": lambda x, other: other in x,
    "loss": F.mse_loss,
    "alone": lambda x, other: eagre.sum(other),
}


@pytest.mark.parametrize("call", MIXED.values(), ids=MIXED)
def test_mixed_calls_say_how_to_convert(library, call):
    other = library.tensor([1.0, 2.0])
    with pytest.raises(TypeError) as caught:
        call(eagre.ones(2), other)
    text = str(caught.value)
    assert "expected an eagre.Tensor" in text and "eagre.from_dlpack(tensor)" in text
    assert f"{type(other).__module__}.Tensor" in text


def test_functions_written_in_python_name_the_class(library):
    other = library.tensor([1.0, 2.0])
    for call in (lambda: F.relu(other), lambda: eagre.einsum("i,i", eagre.ones(2), other)):
        with pytest.raises(TypeError, match=f"{type(other).__module__}.Tensor"):
            call()
    with pytest.raises(TypeError, match=r"'data' must be a Tensor.* Hint: eagre.from_dlpack"):
        eagre.nn.Parameter(other)


def test_a_function_of_the_other_library_says_what_to_import(library):
    functional = library if library is StandIn else library.nn.functional
    with pytest.raises(TypeError, match="got an eagre.Tensor") as caught:
        functional.relu(eagre.ones(2))
    if library is not StandIn:
        text = "imports torch.nn.functional; let it import eagre.nn.functional instead"
        assert text in str(caught.value)
    with pytest.raises(TypeError, match=r"from_dlpack\(tensor\)"):
        library.add(library.tensor([1.0]), eagre.ones(1))


def test_who_handles_the_call_is_asked_as_always():
    class Wrapped:
        def __init__(self, value):
            self.value = value

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            inner = [arg.value if isinstance(arg, cls) else arg for arg in args]
            return Wrapped(func(*inner, **(kwargs or {})))

    # A wrapper in a wrapper: asked about the same function again, but with other arguments.
    result = eagre.add(Wrapped(Wrapped(eagre.ones(1))), 1)
    assert result.value.value.tolist() == [2]
    assert (eagre.ones(1) + Wrapped(eagre.ones(1))).value.tolist() == [2]


def test_a_class_that_hands_calls_back_gets_an_error_and_no_endless_loop():
    class Lazy:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))

    with pytest.raises(TypeError, match="return NotImplemented there"):
        eagre.add(eagre.ones(1), Lazy())
