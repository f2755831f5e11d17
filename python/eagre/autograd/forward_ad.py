"""Forward mode: tensors that carry a tangent, from which operators compute those of results."""

import contextlib
import threading
from collections import namedtuple

from eagre import _C

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]

_thread = threading.local()
_LEVEL = 0  # what users call the level: there is at most one of theirs


def _opened():
    """The level that enter_dual_level() has opened in this thread, as the library counts them."""
    return getattr(_thread, "level", None)


def _seen(level):
    """The one that a user means by `level`: also one that jvp() or gradcheck() has opened."""
    if level not in (None, _LEVEL):
        raise RuntimeError(f"level {level} of forward AD is not open: the only one is {_LEVEL}")
    opened = _opened()
    return _C._innermost_dual_level() if opened is None else opened


def __getattr__(name):
    if name == "_current_level":  # -1: none
        return -1 if _seen(None) is None else _LEVEL
    raise AttributeError(f"module 'eagre.autograd.forward_ad' has no attribute '{name}'")


class UnpackedDualTensor(namedtuple("UnpackedDualTensor", "primal tangent")):
    """What unpack_dual() returns."""

    __slots__ = ()


def enter_dual_level():
    """Opens a level, in which tensors can have tangents, and returns its number."""
    if _opened() is not None:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _thread.level = _C._open_dual_level()
    return _LEVEL


def exit_dual_level(*, level=None):
    """Closes the level: all tangents of it are gone."""
    current = _opened()
    if current is None:
        raise RuntimeError(
            "Trying to exit a forward AD level but no level exists, make sure to "
            "enter_dual_level() first."
        )
    if level not in (None, _LEVEL):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This "
            "is not supported."
        )
    _C._close_level(current)
    _thread.level = None


class dual_level(contextlib.ContextDecorator):  # noqa: N801  PyTorch's name
    """A level for a with block. Levels do not nest; functions of eagre.func do."""

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, *exception):
        exit_dual_level()


def make_dual(tensor, tangent, *, level=None):
    """A view of `tensor` that carries `tangent`, a tensor of the same shape and dtype."""
    level = _seen(level)
    if level is None:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    _check_dual(tensor, tangent)
    return _C._make_dual(tensor, tangent, level)


def _check_dual(tensor, tangent):
    for name, given in (("primal", tensor), ("tangent", tangent)):
        if not (given.is_floating_point() or given.is_complex()):
            raise ValueError(
                f"Expected {name} to be floating point or complex, but got: {given.dtype}"
            )


def unpack_dual(tensor, *, level=None):
    """The tensor without its tangent, and the tangent, or None."""
    level = _seen(level)
    if level is None:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(*_C._unpack_dual(tensor, level))


class _set_fwd_grad_enabled(contextlib.ContextDecorator):  # noqa: N801  PyTorch's name
    """Whether operators compute tangents; what was before comes back after a with block."""

    def __init__(self, mode):
        self._before = _C._is_fwd_grad_enabled()
        _C._set_fwd_grad_enabled(mode)

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        _C._set_fwd_grad_enabled(self._before)


def __dir__():
    return __all__
