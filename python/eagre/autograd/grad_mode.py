"""Whether operators record gradients: context managers that are decorators too; and settings of
the backward engine.

Read `_GradMode` first: the others choose what is switched, and to what.
"""

from __future__ import annotations

import functools

from eagre import _C
from eagre._C import _switch_grad, _switch_inference
from eagre.autograd.graph import _unsafe_preserve_version_counter  # noqa: F401

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])

__all__ = [
    "enable_grad",
    "enforce_grad_layout_policy",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]

# Of code objects, as `inspect` has them; that module takes longer to import than all of ours.
_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80, 0x200


def _code_flags(function):
    while isinstance(function, functools.partial):
        function = function.func
    function = getattr(function, "__func__", function)
    return getattr(getattr(function, "__code__", None), "co_flags", 0)


class _GradMode:
    """Sets the mode between enter and exit; an instance may be entered again while it is active."""

    _switch = staticmethod(_switch_grad)  # takes the new state and returns the old one

    def __init__(self, enabled) -> None:
        if not isinstance(enabled, bool):
            raise TypeError(
                f"{type(self).__name__}(): 'mode' must be bool, not {type(enabled).__name__}"
            )
        self._enabled = enabled
        self._before = []

    def __enter__(self) -> None:
        self._before.append(self._switch(self._enabled))

    def __exit__(self, *exception) -> None:
        if not self._before:
            raise RuntimeError(f"{type(self).__name__}: the scope is left, but was not entered")
        self._switch(self._before.pop())

    def __call__(self, function: _Function) -> _Function:
        if isinstance(function, type):
            import warnings

            warnings.warn(
                f"Decorating classes is deprecated: {type(self).__name__} makes the class "
                f"'{function.__name__}' a function that makes its objects in the mode. Hint: "
                "decorate its methods",
                FutureWarning,
                stacklevel=2,
            )
        flags = _code_flags(function)
        if flags & _GENERATOR:
            return self._wrap_generator(function)
        if flags & _COROUTINE:
            return self._wrap_coroutine(function)
        if flags & _ASYNC_GENERATOR:
            return self._wrap_async_generator(function)

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            before = self._switch(self._enabled)
            try:
                return function(*args, **kwargs)
            finally:
                self._switch(before)

        return wrapped

    def _wrap_generator(self, function):
        """The mode holds while the generator runs, not while its consumer does."""

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            return (yield from self._steps(function(*args, **kwargs)))

        return wrapped

    def _wrap_coroutine(self, function):
        """The mode holds while the coroutine runs, not while others do because it waits."""

        @functools.wraps(function)
        async def wrapped(*args, **kwargs):
            return await _Stepped(self, function(*args, **kwargs))

        return wrapped

    def _wrap_async_generator(self, function):
        @functools.wraps(function)
        async def wrapped(*args, **kwargs):
            generator = function(*args, **kwargs)
            step = generator.asend(None)
            try:
                while True:
                    item = await _Stepped(self, step)
                    try:
                        step = generator.asend((yield item))
                    except GeneratorExit:
                        raise
                    except BaseException as error:  # thrown in by the consumer: hand it on
                        step = generator.athrow(error)
            except StopAsyncIteration:
                return
            finally:
                await _Stepped(self, generator.aclose())

        return wrapped

    def _steps(self, generator):
        """Runs a generator, each step of it in the mode."""
        resume, value = generator.send, None
        try:
            while True:
                before = self._switch(self._enabled)
                try:
                    item = resume(value)
                finally:
                    self._switch(before)
                try:
                    resume, value = generator.send, (yield item)
                except GeneratorExit:
                    raise
                except BaseException as error:  # thrown in by the consumer: hand it on
                    resume, value = generator.throw, error
        except StopIteration as end:
            return end.value
        finally:
            before = self._switch(self._enabled)
            try:
                generator.close()
            finally:
                self._switch(before)


class _Stepped:
    """Awaits a coroutine, each step of it in a mode."""

    def __init__(self, mode, coroutine):
        self._mode = mode
        self._coroutine = coroutine

    def __await__(self):
        return self._mode._steps(self._coroutine)


class _FixedMode(_GradMode):
    # `@no_grad` without parentheses is a decorator as well.
    def __new__(cls, function=None):
        mode = super().__new__(cls)
        if function is None:
            return mode
        mode.__init__()
        return mode(function)


class no_grad(_FixedMode):  # noqa: N801  PyTorch's name
    """Operators in this scope, or in the decorated function, record no gradients."""

    def __init__(self, function=None) -> None:
        super().__init__(False)


class enable_grad(_FixedMode):  # noqa: N801
    """Operators record gradients again, inside a no_grad scope."""

    def __init__(self, function=None) -> None:
        super().__init__(True)


class set_grad_enabled(_GradMode):  # noqa: N801
    """Sets the mode at once; as a context manager it restores the old one at the end."""

    def __init__(self, mode) -> None:
        super().__init__(mode)
        self._before.append(_switch_grad(self._enabled))
        self._is_set = True  # by the constructor: the first scope restores what was before it

    def __repr__(self) -> str:
        return f"eagre.autograd.grad_mode.set_grad_enabled(mode={self._enabled})"

    def __enter__(self) -> None:
        if not self._is_set:
            super().__enter__()
        self._is_set = False

    def __call__(self, function: _Function) -> _Function:
        # As a decorator it is for the function only.
        if self._is_set:
            _switch_grad(self._before.pop())
            self._is_set = False
        return super().__call__(function)


class inference_mode(_GradMode):  # noqa: N801
    """Tensors made in this scope can never be part of a graph; in return they cost less."""

    _switch = staticmethod(_switch_inference)

    def __new__(cls, mode=True):
        scope = super().__new__(cls)
        if not callable(mode):
            return scope
        scope.__init__()  # `@inference_mode` without parentheses
        return scope(mode)

    def __init__(self, mode=True) -> None:
        super().__init__(mode)


class _Setting:
    """Set when made; what was before comes back at the end of a with block. As a decorator it is
    set in calls of the function only."""

    def __new__(cls, *args, **kwargs):
        setting = super().__new__(cls)
        setting._arguments = args, kwargs
        return setting

    def __call__(self, function: _Function) -> _Function:
        self._restore()
        args, kwargs = self._arguments

        @functools.wraps(function)
        def wrapper(*given, **named):
            with type(self)(*args, **kwargs):
                return function(*given, **named)

        return wrapper

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception) -> None:
        self._restore()


class set_multithreading_enabled(_Setting):  # noqa: N801  the name that PyTorch has
    """Whether nodes of accelerators run in the threads of their devices; for this thread."""

    def __init__(self, mode) -> None:
        self._before = _C._is_multithreading_enabled()
        _C._set_multithreading_enabled(mode)

    def _restore(self):
        _C._set_multithreading_enabled(self._before)


class enforce_grad_layout_policy(_Setting):  # noqa: N801  the name that PyTorch has
    """Gradients of leaves lie in memory as the leaves do, or as backward has made them."""

    def __init__(self, enable) -> None:
        self._before = _C._switch_grad_layout_policy(enable)

    def _restore(self):
        _C._switch_grad_layout_policy(self._before)


def __dir__():
    return __all__
