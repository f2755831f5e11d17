"""What programs say to PyTorch's compiler. There is none: operators run as they are called, so
every function is left as it is."""

import contextlib

from eagre._settings import compile

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "compile",
    "cudagraph_mark_step_begin",
    "disable",
    "is_compiling",
    "is_dynamo_compiling",
    "is_exporting",
    "list_backends",
    "nonstrict_trace",
    "reset",
    "set_stance",
    "substitute_in_graph",
]


def is_compiling():
    """False."""
    return False


def is_dynamo_compiling():
    """False."""
    return False


def is_exporting():
    """False."""
    return False


def disable(fn=None, recursive=True, *, reason=None):
    """The function itself; a decorator without one."""
    return (lambda function: function) if fn is None else fn


def allow_in_graph(fn):
    """The function itself, or the functions of a list."""
    return fn


def nonstrict_trace(traceable_fn):
    """The function itself."""
    return traceable_fn


def assume_constant_result(fn):
    """The function itself."""
    return fn


def substitute_in_graph(
    original_fn, *, can_constant_fold_through=False, skip_signature_check=False
):
    """A decorator that leaves its function as it is."""
    return lambda function: function


def set_stance(stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
    """A scope, or a decorator, without effect."""
    return _Scope()


def list_backends(exclude_tags=()):
    """No names."""
    return []


def reset():
    """Forgets nothing: nothing was compiled."""


def cudagraph_mark_step_begin():
    """Nothing: there are no graphs of kernels."""


class _Scope(contextlib.ContextDecorator):
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None
