"""Checks that programs write for PyTorch: errors if something is false."""


def _assert(condition, message):
    """AssertionError with the message unless the condition, which may be a tensor, holds."""
    if not condition:
        raise AssertionError(message)


def _check(cond, message=None):
    """RuntimeError unless `cond`; `message` is a function that returns the text."""
    _check_with(RuntimeError, cond, message)


def _check_index(cond, message=None):
    """IndexError unless `cond`."""
    _check_with(IndexError, cond, message)


def _check_value(cond, message=None):
    """ValueError unless `cond`."""
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    """TypeError unless `cond`."""
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond, message=None):
    """NotImplementedError unless `cond`."""
    _check_with(NotImplementedError, cond, message)


def _check_is_size(i, message=None, *, max=None):
    """RuntimeError unless `i` is a size: not negative, and at most `max`."""
    _check_with(RuntimeError, i >= 0 and (max is None or i <= max), message)


def _check_with(error_type, cond, message):
    if not isinstance(cond, bool):
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is None:
        text = (
            "Expected cond to be True, but got False. (Could this error message be improved? "
            "Pass a message to the check.)"
        )
    else:
        if not callable(message):
            raise TypeError("message must be a callable")
        text = str(message())
    raise error_type(text)
