"""`out=` for functions that are made of other operators."""

import functools

import eagre


def with_out(function):
    """The function with a further argument `out=`: a tensor for the result, or a tuple of them."""

    @functools.wraps(function)
    def wrapped(*args, out=None, **kwargs):
        if out is None:
            return function(*args, **kwargs)
        targets = out if isinstance(out, (tuple, list)) else (out,)
        check_not_recorded(function.__name__, *targets, *args)
        result = function(*args, **kwargs)
        if not isinstance(result, tuple):
            return _written(result, out)
        if len(targets) != len(result):
            raise TypeError(
                f"{function.__name__}(): argument 'out' must be a tuple of {len(result)} Tensors, "
                f"but got {len(targets)}"
            )
        return type(result)(map(_written, result, targets))

    return wrapped


def _written(result, out):
    # An operator that changes nothing, for its rules: sizes, dtypes, a copy where they overlap.
    if result.is_complex():
        return eagre.add(result, 0, out=out)
    return eagre.maximum(result, result, out=out)


def check_not_recorded(name, *tensors):
    """What is written into `out` has no history."""
    needs_grad = any(isinstance(x, eagre.Tensor) and x.requires_grad for x in tensors)
    if eagre.is_grad_enabled() and needs_grad:
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad"
        )
