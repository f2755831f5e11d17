"""Functions written in Python that __torch_function__ sees like those of C++."""

import functools

from eagre._C import _handle_torch_function, _is_call_overridden


def overridable(function):
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
