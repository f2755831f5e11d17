"""`out=` for functions that are made of other operators."""

import functools

import eagre


def with_out(function):
    """The function with a further argument `out=`, a tensor for the result."""

    @functools.wraps(function)
    def wrapped(*args, out=None, **kwargs):
        if out is None:
            return function(*args, **kwargs)
        check_not_recorded(function.__name__, out, *args)
        result = function(*args, **kwargs)
        # An operator that changes nothing, for its rules: sizes, dtypes, a copy where they overlap.
        if result.is_complex():
            return eagre.add(result, 0, out=out)
        return eagre.maximum(result, result, out=out)

    return wrapped


def check_not_recorded(name, *tensors):
    """What is written into `out` has no history."""
    needs_grad = any(isinstance(x, eagre.Tensor) and x.requires_grad for x in tensors)
    if eagre.is_grad_enabled() and needs_grad:
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad"
        )
