"""Settings of the backward engine, and what can be asked while it runs."""

from eagre import _C


class _Setting:
    """Set when made; what was before comes back at the end of a with block."""

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        self._restore()


class set_multithreading_enabled(_Setting):  # noqa: N801  the name that PyTorch has
    """Whether nodes of accelerators run in the threads of their devices; for this thread."""

    def __init__(self, mode):
        self._before = _C._is_multithreading_enabled()
        _C._set_multithreading_enabled(mode)

    def _restore(self):
        _C._set_multithreading_enabled(self._before)


class set_detect_anomaly(_Setting):  # noqa: N801  the name that PyTorch has
    """Errors in backward() come with the lines of the forward, and NaN is an error."""

    def __init__(self, mode, check_nan=True):
        self._before = _C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled()
        _C._set_anomaly_enabled(mode, check_nan)

    def _restore(self):
        _C._set_anomaly_enabled(*self._before)


class enforce_grad_layout_policy(_Setting):  # noqa: N801  the name that PyTorch has
    """Gradients of leaves lie in memory as the leaves do; that cannot be switched off."""

    def __init__(self, enable):
        if not enable:
            raise NotImplementedError(
                "enforce_grad_layout_policy(False): gradients always lie in memory as their leaves"
            )

    def _restore(self):
        pass


class detect_anomaly:  # noqa: N801  the name that PyTorch has
    """The same for a with block."""

    def __init__(self, check_nan=True):
        self._check_nan = check_nan
        self._before = []

    def __enter__(self):
        self._before.append((_C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled()))
        _C._set_anomaly_enabled(True, self._check_nan)

    def __exit__(self, *exception):
        _C._set_anomaly_enabled(*self._before.pop())


def add_backward_final_hook(hook):
    """Calls `hook()` once, at the end of the call that runs now, else of this thread's next one.

    It is dropped when that call fails.
    """
    _C._add_backward_final_hook(hook)


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
