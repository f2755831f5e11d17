"""Variable, PyTorch's old name of Tensor."""

from eagre import _C

__all__ = ["Variable"]


class _Engine:
    """The engine object that code written for PyTorch reaches through Variable."""

    queue_callback = staticmethod(_C._queue_callback)


class _VariableType(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, _C.Tensor)


class Variable(metaclass=_VariableType):
    """PyTorch's old name of Tensor, under which it keeps its engine.

    Variable(tensor, requires_grad=False) is a tensor with the same memory and no history.
    """

    _execution_engine = _Engine()

    def __new__(cls, data, requires_grad=False, volatile=None):
        """Returns a Tensor, which every Variable is."""
        if not isinstance(data, _C.Tensor):
            kind = type(data).__name__
            raise TypeError(f"Variable(): argument 'data' must be a Tensor, but got {kind}")
        tensor = data.detach().requires_grad_(requires_grad)
        if volatile is not None:
            tensor.volatile = volatile  # says that there is no such thing any more
        return tensor
