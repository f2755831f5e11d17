"""Checks of what functions written in Python are given, in the words of those that records make."""

import eagre._C as _C


def kind_of(value):
    """What a message calls a value of the wrong type."""
    if value is None:
        return "None"
    return "eagre.Tensor" if isinstance(value, _C.Tensor) else type(value).__name__


def wrong_type(function, argument, expected, got):
    """The error of an argument of the wrong type, to be raised."""
    return _C.DTypeError(
        f"{function}(): argument '{argument}' must be {expected}, but got {kind_of(got)}"
    )


def need_tensors(function, **tensors):
    """Raises for the first that is no tensor."""
    for argument, value in tensors.items():
        if not isinstance(value, _C.Tensor):
            raise wrong_type(function, argument, "a Tensor", value)


def need_numbers(function, **numbers):
    """Raises for the first that is neither a number nor a tensor of one."""
    for argument, value in numbers.items():
        if not is_number(value):
            raise wrong_type(function, argument, "a number", value)


def is_number(value):
    """Whether float(value) makes sense: of Python's numbers, NumPy's, and tensors of one."""
    if isinstance(value, _C.Tensor):
        return value.numel() == 1
    return (
        isinstance(value, (int, float))
        or hasattr(value, "__float__")
        and not isinstance(value, str)
    )
