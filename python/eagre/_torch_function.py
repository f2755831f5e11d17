"""Functions written in Python that __torch_function__ sees like those of C++."""

from __future__ import annotations

import functools

from eagre._C import _handle_torch_function, _is_call_overridden

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])


def overridable(function: _Function) -> _Function:
    """The same function, for which classes and modes are asked before it runs."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        if not _is_call_overridden(*args, **kwargs):
            return function(*args, **kwargs)
        relevant = [*args, *kwargs.values()]
        for value in tuple(relevant):
            if isinstance(value, (list, tuple)):
                relevant += value
        return _handle_torch_function(call, relevant, args, kwargs)

    return call
