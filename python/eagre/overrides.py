"""__torch_function__: classes and modes that take over calls of eagre's functions, as PyTorch's
module of this name has it."""

import functools as _functools

from eagre import _C
from eagre._C import DisableTorchFunction, DisableTorchFunctionSubclass
from eagre._C import _has_torch_function as has_torch_function
from eagre._C import _has_torch_function_unary as has_torch_function_unary
from eagre._C import _has_torch_function_variadic as has_torch_function_variadic

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "TorchFunctionMode",
    "get_default_nowrap_functions",
    "get_ignored_functions",
    "get_overridable_functions",
    "get_testing_overrides",
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]


def handle_torch_function(public_api, relevant_args, /, *args, **kwargs):
    """Lets those of `relevant_args` that have a __torch_function__, and modes, run the call."""
    return _C._handle_torch_function(public_api, tuple(relevant_args), args, kwargs)


def wrap_torch_function(dispatcher):
    """A decorator: `dispatcher`, called with the function's arguments, returns those to ask."""

    def decorate(function):
        @_functools.wraps(function)
        def wrapped(*args, **kwargs):
            relevant = tuple(dispatcher(*args, **kwargs))
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return wrapped

    return decorate


def is_tensor_like(inp):
    """Is it a tensor, or something that takes over calls like one?"""
    return isinstance(inp, _C.Tensor) or hasattr(type(inp), "__torch_function__")


# --- modes ---


class TorchFunctionMode:
    """In its scope every call of this thread goes to __torch_function__ of the mode first.

    Modes nest; the innermost is asked first, and calls that it makes itself go to the next one."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError(
            f"{type(self).__name__} must define __torch_function__(self, func, types, args, kwargs)"
        )

    def __enter__(self):
        _C._push_on_torch_function_stack(self)
        return self

    def __exit__(self, *exception):
        _C._pop_torch_function_stack()

    @classmethod
    def push(cls, *args, **kwargs):
        """A new mode. PyTorch's name from before modes were entered by `with cls():`."""
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that changes nothing."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def _get_current_function_mode_stack():
    return [_C._get_function_stack_at(i) for i in range(_C._len_torch_function_stack())]


def _get_current_function_mode():
    return (_get_current_function_mode_stack() or [None])[-1]


# --- what can be overridden ---

_IGNORED_METHODS = frozenset(
    (
        "__class__",
        "__delattr__",
        "__dict__",
        "__dir__",
        "__doc__",
        "__getattribute__",
        "__getstate__",
        "__hash__",
        "__init__",
        "__init_subclass__",
        "__module__",
        "__new__",
        "__reduce__",
        "__release_buffer__",
        "__setattr__",
        "__sizeof__",
        "__str__",
        "__subclasshook__",
        "__torch_function__",
        "__weakref__",
        "_make_subclass",
        "_make_wrapper_subclass",
        "as_subclass",
    )
)


def get_default_nowrap_functions():
    """Functions whose results Tensor.__torch_function__ does not turn into instances of the class:
    they belong to the tensor as they are."""
    return {_C.Tensor._base.__get__, _C.Tensor.grad.__get__}


def get_ignored_functions():
    """Functions that __torch_function__ never sees."""
    found = {getattr(_C, name) for name in dir(_C) if callable(getattr(_C, name))}
    methods = (getattr(_C.Tensor, name, None) for name in _IGNORED_METHODS)
    return (found - set(_functions())) | {method for method in methods if callable(method)}


def _functions():
    return [
        value
        for name, value in vars(_C).items()
        if not name.startswith("_") and type(value) is type(_C.add)
    ]


def _names_of_tensor():
    shown = set(dir(_C.Tensor))
    return [name for name in vars(_C.Tensor) if name in shown]


def _methods():
    for name in _names_of_tensor():
        if name in _IGNORED_METHODS:
            continue
        value = getattr(_C.Tensor, name)
        if callable(value):
            yield value
        elif hasattr(value, "__get__"):
            yield value.__get__
            if hasattr(value, "__set__"):
                yield value.__set__


def get_overridable_functions():
    """All functions that __torch_function__ may see, by where they are found."""
    import eagre

    return {eagre: _functions(), _C.Tensor: list(_methods())}


def get_testing_overrides():
    """A function with the same arguments for each that can be overridden, which returns -1."""

    def dummy(*args, **kwargs):
        return -1

    return {function: dummy for found in get_overridable_functions().values() for function in found}


@_functools.cache
def _names():
    import eagre

    names = {}
    for name in _names_of_tensor():
        value = getattr(_C.Tensor, name)
        if callable(value):
            names.setdefault(value, f"eagre.Tensor.{name}")
        elif hasattr(value, "__get__"):
            for accessor in ("__get__", "__set__", "__delete__"):
                names.setdefault(getattr(value, accessor, None), f"eagre.Tensor.{name}.{accessor}")
    for module in (eagre, eagre.nn.functional, eagre.linalg, eagre.special, eagre.autograd):
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and not isinstance(value, type):
                names.setdefault(value, f"{module.__name__}.{name}")
    return names


def resolve_name(f):
    """The name of a function that was given to __torch_function__: "eagre.Tensor.add"."""
    return str(f) if isinstance(f, type) else _names().get(f)


def is_tensor_method_or_property(func):
    """Is it a method of Tensor, or the access to one of its properties?"""
    return func in set(_methods()) or getattr(func, "__name__", None) in ("__get__", "__set__")


def __dir__():
    return __all__
